// A request to the MCP server: counted as the API is, then one message in and one response out; and
// the documents about the server.
import { openSenderDesk } from '../../desk/sender-desk.ts';
import type { HttpResponse } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  toRepresentation,
} from '../../http/representation.ts';
import { toSecurityHeaders } from '../../http/response-headers.ts';
import { MCP_PATH } from '../../i18n/paths.ts';
import type { ToolName } from '../../i18n/tool-names.ts';
import type { McpContext } from '../../mcp/context.ts';
import { MAX_BODY_BYTES, toCorsHeaders } from '../../mcp/guard.ts';
import { handleCard } from '../../mcp/handle-card.ts';
import { handleMcp } from '../../mcp/handle-mcp.ts';
import { isToolCall } from '../../mcp/message.ts';
import { authorize } from './authorize.ts';
import { toSender } from './client-address.ts';
import { untilWritable } from './inbox-gate.ts';
import type { RequestContext } from './request-context.ts';

const NO_BODY = Buffer.alloc(0);
/** Tools that write: they wait outside while nobody can, and are told so. */
const WRITING: readonly ToolName[] = ['enviar_evento', 'seguir_envio'];

/** Whether a path, as sent, is the endpoint. */
export const isMcpPath = (path: string): boolean => path === MCP_PATH || path === `${MCP_PATH}/`;

/** The response to any method at the endpoint. Preflights are not counted (contract 10.6). */
export async function handleMcpRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, socket_address, service } = context;
  const mcp = toMcpContext(context);
  if (request.method === 'OPTIONS') {
    const response = await handleMcp(request, NO_BODY, mcp);
    return encodeResponse(request, withCommonHeaders(response, context));
  }
  const { headers, refusal, too_many } = await authorize(request, socket_address, service.access);
  const body = request.method === 'POST' ? await context.readBody(MAX_BODY_BYTES) : NO_BODY;
  const sent = body.length > MAX_BODY_BYTES ? { ...headers, connection: 'close' } : headers;
  if (refusal && !(too_many !== null && isToolCall(body))) {
    const cors_headers = toCorsHeaders(request, service.site);
    const response = { ...refusal, headers: { ...refusal.headers, ...cors_headers } };
    return encodeResponse(request, withCommonHeaders(response, context), sent);
  }
  if (service.inbox !== null && WRITING.some((tool) => body.includes(`"${tool}"`)))
    await untilWritable(service.inbox);
  // A model reads the result of its call, not the status of an exchange (contract 13.13).
  const refused = too_many === null ? mcp : { ...mcp, refusal: too_many };
  const response = await handleMcp(request, body, refused);
  return encodeResponse(request, withCommonHeaders(response, context), sent);
}

/** The response about the server, or null where the path is none of its documents'. */
export function handleCardRequest(context: RequestContext): Promise<EncodedResponse> | null {
  const { request, service } = context;
  const is_read = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  const response = is_read ? handleCard(request.path, request.method, service.site) : null;
  if (response === null) return null;
  return encodeResponse(request, toRepresentation(response, securityOf(response, context)));
}

function toMcpContext(context: RequestContext): McpContext {
  const { request, socket_address, service, state, now_ms } = context;
  const { inbox } = service;
  return {
    snapshot: state.snapshot,
    now_ms,
    site: service.site,
    desk: inbox && openSenderDesk(inbox),
    sender: toSender(request, socket_address, service.access),
    onError: (thrown: unknown) => service.onError(thrown, request.path),
  };
}

const securityOf = (
  response: HttpResponse,
  { service }: RequestContext,
): Readonly<Record<string, string>> =>
  toSecurityHeaders(response.headers['content-type'] ?? '', service.site.url);

/** A response to a message is never requested conditionally: it has no tag. */
const withCommonHeaders = (response: HttpResponse, context: RequestContext): Representation => ({
  ...toRepresentation(response, securityOf(response, context)),
  tag: null,
});
