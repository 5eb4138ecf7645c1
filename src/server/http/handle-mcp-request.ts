// A request to the MCP server: counted as the API is, then one message in and one response out; and
// the documents about the server.
import { createSenderApi } from '../../desk/submissions.ts';
import type { EncodedResponse } from '../../http/representation.ts';
import { MCP_PATH } from '../../i18n/paths.ts';
import type { ToolName } from '../../i18n/translate.ts';
import { handleMcp } from '../../mcp/handle-mcp.ts';
import {
  isToolCall,
  MAX_BODY_BYTES,
  mcpCorsHeaders,
  createRateLimitError,
} from '../../mcp/json-rpc.ts';
import { handleServerCard } from '../../mcp/server-card.ts';
import type { McpContext } from '../../mcp/tool.ts';
import { authorize, waitUntilWritable } from './admission.ts';
import { encodeForRequest, type RequestContext } from './request-context.ts';

const NO_BODY = Buffer.alloc(0);
/** Tools that write: they wait outside while nobody can, and are told so. */
const WRITING: readonly ToolName[] = ['enviar_evento', 'seguir_envio'];

export const isMcpPath = (path: string): boolean => path === MCP_PATH || path === `${MCP_PATH}/`;

/** The response to any method at the endpoint. Preflights are not counted (contract 10.6). */
export async function handleMcpRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, sender, service, state, now_ms } = context;
  const { inbox, site } = service;
  const mcp: McpContext = {
    ...{ snapshot: state.snapshot, now_ms, site, sender },
    desk: inbox && createSenderApi(inbox, state.snapshot),
    onError: (thrown) => context.onError(thrown, request.path),
  };
  if (request.method === 'OPTIONS')
    return encodeForRequest(context, await handleMcp(request, NO_BODY, mcp));
  const { headers, refusal, too_many } = await authorize(context);
  const body = request.method === 'POST' ? await context.readBody(MAX_BODY_BYTES) : NO_BODY;
  const extra = body.length > MAX_BODY_BYTES ? { ...headers, connection: 'close' } : headers;
  if (refusal && !(too_many !== null && isToolCall(body))) {
    const cors_headers = mcpCorsHeaders(request, site);
    const told = too_many === null ? refusal : createRateLimitError(body, too_many);
    return encodeForRequest(context, told, { ...cors_headers, ...extra });
  }
  if (inbox !== null && WRITING.some((tool) => body.includes(`"${tool}"`)))
    await waitUntilWritable(inbox);
  // A model reads the result of its call, not the status of an exchange (contract 13.6).
  const refused = too_many === null ? mcp : { ...mcp, refusal: too_many };
  return encodeForRequest(context, await handleMcp(request, body, refused), extra);
}

/** The response about the server, or null where the path is none of its documents'. */
export async function handleServerCardRequest(
  context: RequestContext,
): Promise<EncodedResponse | null> {
  const { path, method } = context.request;
  const is_read = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  const response = is_read ? handleServerCard(path, method, context.service.site) : null;
  return response && (await encodeForRequest(context, response));
}
