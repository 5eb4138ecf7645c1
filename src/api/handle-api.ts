// Every request under /api, for the calendars of places and for the catalog: its route's response,
// or the error as JSON (contract 9.1).
import { AppError } from '../domain/app-error.ts';
import { CORS_HEADERS, toPreflightResponse } from '../http/response-headers.ts';
import type { HttpResponse, HttpRequest } from '../http/message.ts';
import { toErrorResponse, toThrownResponse } from './error-response.ts';
import type { ApiContext } from './operation.ts';
import { ALLOW, matchRoute, META_OPERATIONS, type Route } from './routes.ts';

/**
 * Where the OpenAPI description speaks of a route: a JSON Pointer as a fragment (RFC 6901, 6); the
 * whole where the route is not in it.
 */
const toPointer = ({ pattern, operation_id }: Route): string =>
  META_OPERATIONS.has(operation_id)
    ? ''
    : `/paths/${encodeURIComponent(pattern.replaceAll('~', '~0').replaceAll('/', '~1'))}/get`;

function route(
  request: HttpRequest,
  context: ApiContext,
  found: (route: Route) => void,
): HttpResponse {
  const match = matchRoute(request.path);
  if (!match)
    return toErrorResponse(
      'not_found',
      `path: ${request.path.slice(0, 200)} is not a route of this API`,
      context.site,
    );
  found(match.route);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const message = `method: ${request.method.slice(0, 20)} is not answered here. Use ${ALLOW}`;
    return toErrorResponse('method_not_allowed', message, context.site, toPointer(match.route), {
      allow: ALLOW,
    });
  }
  return match.route.operation({ request, id: match.id, context });
}

/**
 * The response to any method on any path. HEAD gets what GET gets, with the body: the sender of the response
 * measures and drops it. Never throws; what is no AppError is reported to `context.onError` and becomes
 * internal_error.
 */
export function handleApi(request: HttpRequest, context: ApiContext): HttpResponse {
  if (request.method === 'OPTIONS') return toPreflightResponse(ALLOW);
  let pointer = '';
  let response: HttpResponse;
  try {
    response = route(request, context, (matched) => {
      pointer = toPointer(matched);
    });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) context.onError?.(thrown);
    response = toThrownResponse(thrown, context.site, pointer);
  }
  return { ...response, headers: { ...response.headers, ...CORS_HEADERS } };
}
