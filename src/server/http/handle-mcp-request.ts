// MCP requests: handles one message per request, rate-limited like the API, and serves the server
// card.
import { createSenderApi } from '../../desk/submissions.ts';
import type { EncodedResponse } from '../../http/representation.ts';
import { MCP_PATH } from '../../i18n/paths.ts';
import type { ToolName } from '../../i18n/translate.ts';
import { handleMcp } from '../../mcp/handle-mcp.ts';
import {
  carriesAnswer,
  isToolCall,
  MAX_BODY_BYTES,
  mcpCorsHeaders,
  createAuthorizationError,
} from '../../mcp/json-rpc.ts';
import { handleOauthProbe } from '../../mcp/oauth-probes.ts';
import { handleServerCard } from '../../mcp/server-card.ts';
import type { McpContext } from '../../mcp/tool.ts';
import { authorize, waitUntilWritable } from './admission.ts';
import { encodeForRequest, type RequestContext } from './request-context.ts';

const NO_BODY = Buffer.alloc(0);
/** Tools that write to the inbox; their calls wait until it is writable. */
const WRITING_TOOLS: readonly ToolName[] = ['enviar_evento', 'seguir_envio'];

export const isMcpPath = (path: string): boolean => path === MCP_PATH || path === `${MCP_PATH}/`;

/** Handles any method at the MCP endpoint. Preflights are not rate-limited (contract 10.6). */
export async function handleMcpRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, sender, service, release, now_ms } = context;
  const { inbox, site } = service;
  const mcp: McpContext = {
    ...{ snapshot: release.snapshot, now_ms, site, sender },
    desk: inbox && createSenderApi(inbox, release.snapshot),
    onError: (error) => context.onError(error, request.path),
  };
  if (request.method === 'OPTIONS')
    return encodeForRequest(context, await handleMcp(request, NO_BODY, mcp));
  const body = request.method === 'POST' ? await context.readBody(MAX_BODY_BYTES) : NO_BODY;
  const { headers, rejection, rate_limit_message } = await authorize(
    context,
    request.method === 'POST' && carriesAnswer(body) ? null : 'handshake',
  );
  const extra = body.length > MAX_BODY_BYTES ? { ...headers, connection: 'close' } : headers;
  // A model reads the result of its call, not the HTTP status, so a call over the limit gets a
  // result (contract 13.6).
  const is_limited_call = rate_limit_message !== null && isToolCall(body);
  if (rejection && !is_limited_call) {
    const cors_headers = mcpCorsHeaders(request, site);
    const response = createAuthorizationError(body, rate_limit_message);
    return encodeForRequest(context, response, { ...cors_headers, ...extra });
  }
  // A text search suffices: waiting without need does no harm.
  if (inbox !== null && WRITING_TOOLS.some((tool) => body.includes(`"${tool}"`)))
    await waitUntilWritable(inbox);
  const call_context = rate_limit_message === null ? mcp : { ...mcp, refusal: rate_limit_message };
  return encodeForRequest(context, await handleMcp(request, body, call_context), extra);
}

/**
 * Serves the documents that describe the MCP server, and says where hosts look for a sign-in that
 * there is none. @returns null for any other path.
 */
export async function handleServerCardRequest(
  context: RequestContext,
): Promise<EncodedResponse | null> {
  const { path, method } = context.request;
  const is_read = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  const card = is_read ? handleServerCard(path, method, context.service.site) : null;
  const response = card ?? handleOauthProbe(path, method);
  return response && (await encodeForRequest(context, response));
}
