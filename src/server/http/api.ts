// A question to the API: let in, answered from memory or afresh, sent in the form that was asked
// for.
import { handleApi } from '../../api/handle-api.ts';
import { authorize } from './authorize.ts';
import { isApiPath as isCountedPath } from '../../http/address.ts';
import { capAtMidnight } from '../../http/cache-control.ts';
import { CORS_HEADERS } from '../../http/cors.ts';
import { toQuickTag } from '../../http/etag.ts';
import type { HttpResponse } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  toRepresentation,
} from '../../http/representation.ts';
import { toSecurityHeaders } from '../../http/security-headers.ts';
import { floorToMinute } from '../../domain/cancun-time.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The answer to any method on a path of the API. What is under /api is counted; preflights and
 * feeds outside it are not.
 */
export async function handleApiRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, socket_address, service } = context;
  if (request.method === 'OPTIONS' || !isCountedPath(request.path)) return finishApi(context, {});
  const { headers, refusal } = await authorize(request, socket_address, service.access);
  return refusal
    ? encodeResponse(request, withCommonHeaders(refusal, context), headers)
    : finishApi(context, headers);
}

async function finishApi(
  context: RequestContext,
  headers: Readonly<Record<string, string>>,
): Promise<EncodedResponse> {
  const found = findResponse(context);
  const cache = found.headers['cache-control'];
  return encodeResponse(
    context.request,
    found,
    cache === undefined
      ? headers
      : { ...headers, 'cache-control': capAtMidnight(cache, context.now_ms) },
  );
}

/**
 * All our times are whole minutes, so an answer holds for its release, its address and its minute.
 * Kept from the second time on.
 */
function findResponse(context: RequestContext): Representation {
  const { request, state, now_ms } = context;
  const is_read = request.method === 'GET' || request.method === 'HEAD';
  if (!is_read) return ask(context);
  const key = `api ${floorToMinute(now_ms)} ${request.path}?${request.query}`;
  const cached = state.responses.get(key);
  if (cached) return cached;
  const made = ask(context);
  if (made.status === 200 && state.recall(key)) state.responses.set(key, made);
  return made;
}

function ask(context: RequestContext): Representation {
  const { request, state, now_ms, service } = context;
  return withCommonHeaders(
    handleApi(request, {
      snapshot: state.snapshot,
      now_ms,
      site: service.site,
      onError: (thrown) => service.onError(thrown, request.path),
    }),
    context,
  );
}

/**
 * With what every API answer says. A key decides about 401, so a shared cache must keep its answers
 * apart.
 */
export function withCommonHeaders(
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
