// A request to the API: authorized, its response found in memory or made by its operation, sent in
// the coding that the client prefers.
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

/** Whether a path is counted and may need a key; feeds outside /api are not (contract 9.1). */
export const isRateLimitedPath = (path: string): boolean =>
  path === '/api' || path.startsWith('/api/');

/** The response to any method on a path of the API. Preflights are not counted. */
export async function handleApiRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, now_ms } = context;
  const is_counted = request.method !== 'OPTIONS' && isRateLimitedPath(request.path);
  const authorized = is_counted && (await authorize(context));
  const extra = authorized ? authorized.headers : {};
  if (authorized && authorized.refusal !== null)
    return sendApiResponse(context, authorized.refusal, extra);
  const found = findResponse(context);
  const cache = found.headers['cache-control'];
  if (cache === undefined) return encodeResponse(request, found, extra);
  // A stored response may be a minute old: no cache may hold it past midnight.
  const capped = capCacheControl(cache, now_ms, getToday(now_ms).end_ms);
  return encodeResponse(request, found, { ...extra, 'cache-control': capped });
}

/** A response of the API as it goes out, with its common headers; `extra` headers win. */
export const sendApiResponse = (
  context: RequestContext,
  response: HttpResponse,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> =>
  encodeResponse(context.request, withCommonHeaders(response, context), extra);

/**
 * All our times are whole minutes, so a response holds for its release, its address and its minute.
 */
function findResponse(context: RequestContext): Representation {
  const { request, state, now_ms, service } = context;
  const key = `api ${floorToMinute(now_ms)} ${request.path}?${request.query}`;
  const is_read = request.method === 'GET' || request.method === 'HEAD';
  const stored = is_read ? state.answers.get(key) : undefined;
  if (stored) return stored;
  const made = handleApi(request, {
    snapshot: state.snapshot,
    now_ms,
    site: service.site,
    onError: (thrown) => context.onError(thrown, request.path),
  });
  const response = withCommonHeaders(made, context);
  if (is_read && response.status === 200) state.answers.set(key, response);
  return response;
}

/** A key decides about 401, so a shared cache must store responses to each key apart. */
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
