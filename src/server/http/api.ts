// A request to the API: authorized, its response found in memory or made by its operation, sent in
// the coding that the client prefers.
import { handleApi } from '../../api/handle-api.ts';
import { floorToMinute } from '../../domain/cancun-time.ts';
import { findToday } from '../../domain/today.ts';
import type { HttpResponse } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  toQuickTag,
  toRepresentation,
} from '../../http/representation.ts';
import { capCacheControl, CORS_HEADERS, toSecurityHeaders } from '../../http/response-headers.ts';
import { authorize } from './authorize.ts';
import type { RequestContext } from './request-context.ts';

/** Whether a path is counted and may need a key; feeds outside /api are not (contract 9.1). */
export function isCountedPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** The response to any method on a path of the API. Preflights are not counted. */
export async function handleApiRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, socket_address, service } = context;
  if (request.method === 'OPTIONS' || !isCountedPath(request.path)) return respond(context, {});
  const { headers, refusal } = await authorize(request, socket_address, service.access);
  return refusal ? encodeApiResponse(context, refusal, headers) : respond(context, headers);
}

/** A response of the API as it goes out, with its common headers; `extra` headers win. */
export function encodeApiResponse(
  context: RequestContext,
  response: HttpResponse,
  extra: Readonly<Record<string, string>> = {},
): Promise<EncodedResponse> {
  return encodeResponse(context.request, withCommonHeaders(response, context), extra);
}

function respond(
  context: RequestContext,
  extra: Readonly<Record<string, string>>,
): Promise<EncodedResponse> {
  const { request, now_ms } = context;
  const found = findResponse(context);
  const cache = found.headers['cache-control'];
  if (cache === undefined) return encodeResponse(request, found, extra);
  // A stored response may be a minute old: no cache may hold it past midnight.
  const capped = capCacheControl(cache, now_ms, findToday(now_ms).end_ms);
  return encodeResponse(request, found, { ...extra, 'cache-control': capped });
}

/**
 * All our times are whole minutes, so a response holds for its release, its address and its minute.
 * Stored from the second request on.
 */
function findResponse(context: RequestContext): Representation {
  const { request, state, now_ms } = context;
  if (request.method !== 'GET' && request.method !== 'HEAD') return callOperation(context);
  const key = `api ${floorToMinute(now_ms)} ${request.path}?${request.query}`;
  const stored = state.responses.get(key);
  if (stored) return stored;
  const response = callOperation(context);
  if (response.status === 200 && state.isRepeated(key)) state.responses.set(key, response);
  return response;
}

function callOperation(context: RequestContext): Representation {
  const { request, state, now_ms, service } = context;
  const response = handleApi(request, {
    snapshot: state.snapshot,
    now_ms,
    site: service.site,
    onError: (thrown) => service.onError(thrown, request.path),
  });
  return withCommonHeaders(response, context);
}

/** A key decides about 401, so a shared cache must store responses to each key apart. */
function withCommonHeaders(
  response: HttpResponse,
  { request, service, state }: RequestContext,
): Representation {
  const vary: Record<string, string> = isCountedPath(request.path) ? { vary: 'x-api-key' } : {};
  const headers = {
    ...CORS_HEADERS,
    ...toSecurityHeaders(response.headers['content-type'] ?? '', service.site.url),
    ...vary,
  };
  return toRepresentation(response, headers, (bytes) =>
    toQuickTag(state.snapshot.version, response.made_of ?? bytes, bytes.length),
  );
}
