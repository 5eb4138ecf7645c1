// Request routing: dispatches to the API and its feeds, MCP, forms and the desk, health and the
// site, in this order.
import { createErrorResponse, errorToResponse } from '../../api/error-response.ts';
import { isApiPath } from '../../api/handle-api.ts';
import { type HttpRequest, MAX_URL_LENGTH } from '../../http/message.ts';
import type { EncodedResponse } from '../../http/representation.ts';
import { createPreflightResponse, securityHeaders } from '../../http/response-headers.ts';
import type { RequestWork } from '../metrics.ts';
import { busyResponse } from './admission.ts';
import { sendApiResponse, handleApiRequest } from './handle-api-request.ts';
import {
  handleFormRequest,
  isDeskPath,
  isFormPath,
  prefersMarkdown,
} from './handle-form-request.ts';
import { findHealthResponse } from './health-responses.ts';
import { handleServerCardRequest, handleMcpRequest, isMcpPath } from './handle-mcp-request.ts';
import { handlePageRequest, handlePosterRequest } from './handle-page-request.ts';
import { errorPageResponse, plainTextResponse } from './error-pages.ts';
import { encodeForRequest, type RequestContext, RequestAbortedError } from './request-context.ts';
import { serveUpload, isUploadPath } from './receive-form.ts';

type Handler = (context: RequestContext) => Promise<EncodedResponse>;

/**
 * Handles any request. Unexpected errors are logged and become a 500.
 * @throws RequestAbortedError if the client is gone; nothing else.
 */
export async function handleRequest(context: RequestContext): Promise<EncodedResponse> {
  const encoded = await route(context).catch((error: unknown) => handleError(context, error));
  const headers = isForm(context.request) ? closeToOtherOrigins(encoded.headers) : encoded.headers;
  if ('content-security-policy' in headers) return { ...encoded, headers };
  const type = String(headers['content-type'] ?? '');
  const security = securityHeaders(type, context.service.site.url);
  return { ...encoded, headers: { ...security, ...headers } };
}

/** Returns true for requests of forms, status pages, uploads and the desk, also those that fail. */
const isForm = (request: HttpRequest): boolean =>
  isUploadPath(request.path) || (isFormPath(request.path) && !prefersMarkdown(request));

/** Returns the headers without those that let other origins read the response (contract 11.1). */
function closeToOtherOrigins({
  'access-control-allow-origin': _,
  ...headers
}: EncodedResponse['headers']): EncodedResponse['headers'] {
  return { ...headers, 'cross-origin-resource-policy': 'same-origin' };
}

async function route(context: RequestContext): Promise<EncodedResponse> {
  const { request, service, work } = context;
  const { path, query } = request;
  const dispatch = (name: RequestWork['route'], handle: Handler): Promise<EncodedResponse> => {
    work.route = name;
    return handle(context);
  };
  if (path.length + query.length > MAX_URL_LENGTH) {
    if (!isApiPath(path))
      return encodeForRequest(context, plainTextResponse(414, 'error.uri_too_long', path));
    const message = `url: is longer than ${MAX_URL_LENGTH} characters. Ask for less at once`;
    return sendApiResponse(context, createErrorResponse('uri_too_long', message, service.site));
  }
  if (isApiPath(path)) return dispatch(path.endsWith('.ics') ? 'ics' : 'api', handleApiRequest);
  if (isMcpPath(path)) return dispatch('mcp', handleMcpRequest);
  if (isUploadPath(path)) return dispatch('form', serveUpload);
  if (isFormPath(path) && !prefersMarkdown(request))
    return dispatch(isDeskPath(path) ? 'desk' : 'form', handleFormRequest);
  return (await handleServerCardRequest(context)) ?? handleSiteRequest(context);
}

async function handleSiteRequest(context: RequestContext): Promise<EncodedResponse> {
  const { method, path } = context.request;
  const allow = 'GET, HEAD, OPTIONS';
  if (method === 'OPTIONS') return encodeForRequest(context, createPreflightResponse(allow));
  if (method !== 'GET' && method !== 'HEAD')
    return encodeForRequest(
      context,
      plainTextResponse(405, 'error.method_not_allowed', path, { allow }),
    );
  const health = await findHealthResponse(context);
  if (health) return encodeForRequest(context, health);
  return (await handlePosterRequest(context)) ?? (await handlePageRequest(context));
}

function handleError(context: RequestContext, error: unknown): Promise<EncodedResponse> {
  if (error instanceof RequestAbortedError) throw error;
  const { request, service } = context;
  const busy = busyResponse(error, context);
  if (busy === null) context.onError(error, request.path);
  if (isApiPath(request.path))
    return sendApiResponse(context, errorToResponse(error, service.site));
  return encodeForRequest(
    context,
    busy ?? errorPageResponse(500, 'error.internal', request, service.site),
  );
}
