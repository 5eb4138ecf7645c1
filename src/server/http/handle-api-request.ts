// API requests: authorizes a request and serves its response from the response cache or its
// operation.
import { handleApi } from '../../api/handle-api.ts';
import { getToday, floorToMinute } from '../../domain/local-time.ts';
import type { HttpResponse } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  createRepresentation,
} from '../../http/representation.ts';
import { capCacheControl, CORS_HEADERS, securityHeaders } from '../../http/response-headers.ts';
import { authorize } from './admission.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Returns true if requests to a path are rate-limited and may carry a key: not for feeds outside
 * /api (contract 9.1).
 */
export const isRateLimitedPath = (path: string): boolean =>
  path === '/api' || path.startsWith('/api/');

/** Handles any method on a path of the API. Preflights are not rate-limited. */
export async function handleApiRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, now_ms } = context;
  const is_rate_limited = request.method !== 'OPTIONS' && isRateLimitedPath(request.path);
  // Calendar programs fetch for many subscribers from few addresses.
  const shared_limit = request.path.endsWith('.ics') ? 'subscription' : null;
  const authorization = is_rate_limited && (await authorize(context, shared_limit));
  const extra = authorization ? authorization.headers : {};
  if (authorization && authorization.rejection !== null)
    return sendApiResponse(context, authorization.rejection, extra);
  const response = getOrCreateResponse(context);
  const cache = response.headers['cache-control'];
  if (cache === undefined) return encodeResponse(request, response, extra);
  // A cached response may be a minute old, so cap again: no cache may keep it past midnight.
  const capped = capCacheControl(cache, now_ms, getToday(now_ms).end_ms);
  return encodeResponse(request, response, { ...extra, 'cache-control': capped });
}

/**
 * Encodes an API response with the common headers.
 * @param extra Headers that override the others.
 */
export const sendApiResponse = (
  context: RequestContext,
  response: HttpResponse,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> =>
  encodeResponse(context.request, withCommonHeaders(response, context), extra);

/**
 * Returns a response from the cache, or creates it. All our times are whole minutes, so it is valid
 * for one minute.
 */
function getOrCreateResponse(context: RequestContext): Representation {
  const { request, release, now_ms, service } = context;
  const key = `api ${floorToMinute(now_ms)} ${request.path}?${request.query}`;
  const is_read = request.method === 'GET' || request.method === 'HEAD';
  const cached = is_read ? release.response_cache.get(key) : undefined;
  if (cached) return cached;
  const api_response = handleApi(request, {
    snapshot: release.snapshot,
    now_ms,
    site: service.site,
    onError: (error) => context.onError(error, request.path),
  });
  const response = withCommonHeaders(api_response, context);
  if (is_read && response.status === 200) release.response_cache.set(key, response);
  return response;
}

/**
 * Adds the common headers. Varies on the key: it decides about 401, so shared caches must store one
 * response per key.
 */
function withCommonHeaders(
  response: HttpResponse,
  { request, service }: RequestContext,
): Representation {
  const headers = {
    ...CORS_HEADERS,
    ...securityHeaders(response.headers['content-type'] ?? '', service.site.url),
    ...(isRateLimitedPath(request.path) ? { vary: 'x-api-key' } : {}),
  };
  return createRepresentation(response, headers);
}
