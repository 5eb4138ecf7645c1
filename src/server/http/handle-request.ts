// The order of routing: the API and its feeds, the MCP server, the form and the desk, health, then the site.
import { toErrorResponse, toThrownResponse } from '../../api/error-response.ts';
import { isApiPath } from '../../api/handle-api.ts';
import { MAX_URL_LENGTH } from '../../http/message.ts';
import type { EncodedResponse } from '../../http/representation.ts';
import { toPreflightResponse, toSecurityHeaders } from '../../http/response-headers.ts';
import type { Work } from '../metrics.ts';
import { toBusyResponse } from './admit.ts';
import { answerApi, handleApiRequest } from './api.ts';
import { handleFormRequest, isDeskPath, isFormPath, isMarkdownAsked } from './forms.ts';
import { findHealthResponse } from './health.ts';
import { handleCardRequest, handleMcpRequest, isMcpPath } from './mcp.ts';
import { handlePage, handlePosterRequest } from './pages.ts';
import { toRefusal, toSentence } from './refusals.ts';
import { answer, type RequestContext, RequestCutOff } from './request-context.ts';
import { answerUpload, isUploadPath } from './sent-form.ts';

type Handler = (context: RequestContext) => Promise<EncodedResponse>;

/**
 * The response to any request. What fails here is logged and becomes a 500; throws only RequestCutOff, where
 * nobody waits for a response.
 */
export async function handleRequest(context: RequestContext): Promise<EncodedResponse> {
  const encoded = await route(context).catch((thrown: unknown) => answerThrown(context, thrown));
  if ('content-security-policy' in encoded.headers) return encoded;
  const type = String(encoded.headers['content-type'] ?? '');
  const security = toSecurityHeaders(type, context.service.site.url);
  return { ...encoded, headers: { ...security, ...encoded.headers } };
}

async function route(context: RequestContext): Promise<EncodedResponse> {
  const { request, service, work } = context;
  const { path, query } = request;
  const goTo = (route: Work['route'], handle: Handler): Promise<EncodedResponse> => {
    work.route = route;
    return handle(context);
  };
  if (path.length + query.length > MAX_URL_LENGTH) {
    if (!isApiPath(path)) return answer(context, toSentence(414, 'error.uri_too_long', path));
    const message = `url: is longer than ${MAX_URL_LENGTH} characters. Ask for less at once`;
    return answerApi(context, toErrorResponse('uri_too_long', message, service.site));
  }
  if (isApiPath(path)) return goTo(path.endsWith('.ics') ? 'ics' : 'api', handleApiRequest);
  if (isMcpPath(path)) return goTo('mcp', handleMcpRequest);
  if (isUploadPath(path)) return goTo('form', answerUpload);
  if (isFormPath(path) && !isMarkdownAsked(request))
    return goTo(isDeskPath(path) ? 'desk' : 'form', handleFormRequest);
  return (await handleCardRequest(context)) ?? handleSite(context);
}

async function handleSite(context: RequestContext): Promise<EncodedResponse> {
  const { method, path } = context.request;
  const allow = 'GET, HEAD, OPTIONS';
  if (method === 'OPTIONS') return answer(context, toPreflightResponse(allow));
  if (method !== 'GET' && method !== 'HEAD')
    return answer(context, toSentence(405, 'error.method_not_allowed', path, { allow }));
  const health = await findHealthResponse(context);
  if (health) return answer(context, health);
  return (await handlePosterRequest(context)) ?? (await handlePage(context));
}

function answerThrown(context: RequestContext, thrown: unknown): Promise<EncodedResponse> {
  if (thrown instanceof RequestCutOff) throw thrown;
  const { request, service } = context;
  const busy = toBusyResponse(thrown, context);
  if (busy === null) context.onError(thrown, request.path);
  if (isApiPath(request.path)) return answerApi(context, toThrownResponse(thrown, service.site));
  return answer(context, busy ?? toRefusal(500, 'error.internal', request, service.site));
}
