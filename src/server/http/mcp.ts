// The MCP server's door: counted as the API is, then one message in and one answer out; and the
// documents about it.
import { authorize } from './authorize.ts';
import { toClientAddress, toCountedAddress } from '../../http/client-address.ts';
import type { HttpResponse } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  toRepresentation,
} from '../../http/representation.ts';
import { toSecurityHeaders } from '../../http/security-headers.ts';
import { MCP_PATH } from '../../i18n/paths.ts';
import { handleCard } from '../../mcp/handle-card.ts';
import { handleMcp } from '../../mcp/handle-mcp.ts';
import { MAX_BODY_BYTES, toCorsHeaders } from '../../mcp/guard.ts';
import type { RequestContext } from './request-context.ts';

/** Whether a path, as sent, is the endpoint. */
export const isMcpPath = (path: string): boolean => path === MCP_PATH || path === `${MCP_PATH}/`;

/** The answer to any method at the endpoint. Preflights are not counted (decisions, Limits 3). */
export async function handleMcpRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, socket_address, service } = context;
  if (request.method === 'OPTIONS')
    return encodeResponse(
      request,
      withCommonHeaders(await handleMcp(request, NO_BODY, toContext(context)), context),
    );
  const { headers, refusal } = await authorize(request, socket_address, service.access);
  if (refusal)
    return encodeResponse(
      request,
      withCommonHeaders(
        { ...refusal, headers: { ...refusal.headers, ...toCorsHeaders(request, service.site) } },
        context,
      ),
      headers,
    );
  const body = request.method === 'POST' ? await context.readBody(MAX_BODY_BYTES) : NO_BODY;
  const response = await handleMcp(request, body, toContext(context));
  return encodeResponse(
    request,
    withCommonHeaders(response, context),
    body.length > MAX_BODY_BYTES ? { ...headers, connection: 'close' } : headers,
  );
}

/** The answer about the server, or null where the path is none of its documents'. */
export function handleCardRequest(context: RequestContext): Promise<EncodedResponse> | null {
  const { request, service } = context;
  const is_read = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  const response = is_read ? handleCard(request.path, request.method, service.site) : null;
  return (
    response && encodeResponse(request, toRepresentation(response, securityOf(response, context)))
  );
}

const NO_BODY = Buffer.alloc(0);

function toContext({ request, socket_address, service, state, now_ms }: RequestContext) {
  const address = toClientAddress(
    socket_address,
    request.headers['x-forwarded-for'],
    service.access.trusted_proxies,
  );
  return {
    snapshot: state.snapshot,
    now_ms,
    site: service.site,
    inbox: service.inbox,
    sender: toCountedAddress(address),
    onError: (thrown: unknown) => service.onError(thrown, request.path),
  };
}

const securityOf = (
  response: HttpResponse,
  { service }: RequestContext,
): Readonly<Record<string, string>> =>
  toSecurityHeaders(response.headers['content-type'] ?? '', service.site.url);

/** An answer to a message is nothing to ask for conditionally: it has no tag. */
const withCommonHeaders = (response: HttpResponse, context: RequestContext): Representation => ({
  ...toRepresentation(response, securityOf(response, context)),
  tag: null,
});
