// The order of routing: the API and its feeds, the MCP server, the form and the desk, health, then the site.
import { createErrorResponse, errorToResponse } from '../../api/error-response.ts';
import { isApiPath } from '../../api/handle-api.ts';
import { MAX_URL_LENGTH } from '../../http/message.ts';
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
 * The response to any request. What fails here is logged and becomes a 500; throws only RequestAbortedError, where
 * nobody waits for a response.
 */
export async function handleRequest(context: RequestContext): Promise<EncodedResponse> {
  const encoded = await route(context).catch((thrown: unknown) => answerThrown(context, thrown));
  if ('content-security-policy' in encoded.headers) return encoded;
  const type = String(encoded.headers['content-type'] ?? '');
  const security = securityHeaders(type, context.service.site.url);
  return { ...encoded, headers: { ...security, ...encoded.headers } };
}

async function route(context: RequestContext): Promise<EncodedResponse> {
  const { request, service, work } = context;
  const { path, query } = request;
  const goTo = (route: RequestWork['route'], handle: Handler): Promise<EncodedResponse> => {
    work.route = route;
    return handle(context);
  };
  if (path.length + query.length > MAX_URL_LENGTH) {
    if (!isApiPath(path))
      return encodeForRequest(context, plainTextResponse(414, 'error.uri_too_long', path));
    const message = `url: is longer than ${MAX_URL_LENGTH} characters. Ask for less at once`;
    return sendApiResponse(context, createErrorResponse('uri_too_long', message, service.site));
  }
  if (isApiPath(path)) return goTo(path.endsWith('.ics') ? 'ics' : 'api', handleApiRequest);
  if (isMcpPath(path)) return goTo('mcp', handleMcpRequest);
  if (isUploadPath(path)) return goTo('form', serveUpload);
  if (isFormPath(path) && !prefersMarkdown(request))
    return goTo(isDeskPath(path) ? 'desk' : 'form', handleFormRequest);
  return (await handleServerCardRequest(context)) ?? handleSite(context);
}

async function handleSite(context: RequestContext): Promise<EncodedResponse> {
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

function answerThrown(context: RequestContext, thrown: unknown): Promise<EncodedResponse> {
  if (thrown instanceof RequestAbortedError) throw thrown;
  const { request, service } = context;
  const busy = busyResponse(thrown, context);
  if (busy === null) context.onError(thrown, request.path);
  if (isApiPath(request.path))
    return sendApiResponse(context, errorToResponse(thrown, service.site));
  return encodeForRequest(
    context,
    busy ?? errorPageResponse(500, 'error.internal', request, service.site),
  );
}
