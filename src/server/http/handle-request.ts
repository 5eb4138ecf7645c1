// The order of routing: the API and its feeds, the MCP server, the form and the desk, health, then
// the site.
import { toErrorResponse, toThrownResponse } from '../../api/error-response.ts';
import { isApiPath } from '../../api/routes.ts';
import { MAX_URL_LENGTH } from '../../http/address.ts';
import {
  encodeResponse,
  type EncodedResponse,
  toRepresentation,
} from '../../http/representation.ts';
import { toPreflightResponse } from '../../http/response-headers.ts';
import { toBusyResponse } from './admit.ts';
import { encodeApiResponse, handleApiRequest } from './api.ts';
import { handleFormRequest, isDeskPath, isFormPath, isTwinAsked } from './forms.ts';
import { findHealthResponse } from './health.ts';
import { handleCardRequest, handleMcpRequest, isMcpPath } from './mcp.ts';
import { handlePage } from './pages.ts';
import { toSentence } from './plain-response.ts';
import { handlePosterRequest } from './posters.ts';
import { toRefusal } from './refusal-page.ts';
import type { RequestContext } from './request-context.ts';
import { RequestCutOff } from './request-body.ts';
import { handleUploadRequest, isUploadPath } from './uploads.ts';

const READ_ALLOW = 'GET, HEAD, OPTIONS';

/**
 * The response to any request. What fails here is logged and becomes a 500; throws only RequestCutOff, where
 * nobody waits for a response.
 */
export async function handleRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, service, work } = context;
  const is_api = isApiPath(request.path);
  try {
    if (request.path.length + request.query.length > MAX_URL_LENGTH)
      return await refuseLength(context, is_api);
    if (is_api) {
      work.route = request.path.endsWith('.ics') ? 'ics' : 'api';
      return await handleApiRequest(context);
    }
    if (isMcpPath(request.path)) {
      work.route = 'mcp';
      return await handleMcpRequest(context);
    }
    if (isUploadPath(request.path)) {
      work.route = 'form';
      return await handleUploadRequest(context);
    }
    if (isFormPath(request.path) && !isTwinAsked(request)) {
      work.route = isDeskPath(request.path) ? 'desk' : 'form';
      return await handleFormRequest(context);
    }
    return await (handleCardRequest(context) ?? handleSite(context));
  } catch (thrown) {
    if (thrown instanceof RequestCutOff) throw thrown;
    const busy = toBusyResponse(thrown, context);
    if (busy !== null && !is_api) return encodeResponse(request, toRepresentation(busy));
    if (busy === null) service.onError(thrown, request.path);
    if (is_api) return encodeApiResponse(context, toThrownResponse(thrown, service.site));
    const failure = toRefusal(500, 'error.internal', request, service.site);
    return encodeResponse(request, toRepresentation(failure));
  }
}

function refuseLength(context: RequestContext, is_api: boolean): Promise<EncodedResponse> {
  const { request, service } = context;
  if (is_api) {
    const message = `url: is longer than ${MAX_URL_LENGTH} characters. Ask for less at once`;
    return encodeApiResponse(context, toErrorResponse('uri_too_long', message, service.site));
  }
  const refusal = toSentence(414, 'error.uri_too_long', request.path, service.site);
  return encodeResponse(request, toRepresentation(refusal));
}

async function handleSite(context: RequestContext): Promise<EncodedResponse> {
  const { request, service } = context;
  if (request.method === 'OPTIONS')
    return encodeResponse(request, toRepresentation(toPreflightResponse(READ_ALLOW)));
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const refusal = toSentence(405, 'error.method_not_allowed', request.path, service.site, {
      allow: READ_ALLOW,
    });
    return encodeResponse(request, toRepresentation(refusal));
  }
  const health = findHealthResponse(context);
  if (health) return encodeResponse(request, toRepresentation(health));
  return (await handlePosterRequest(context)) ?? handlePage(context);
}
