// The earlier revisions (2025-11-25 back to 2025-03-26), statelessly: a server for one message, one
// JSON body back.
import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';
import { type HttpRequest, type HttpResponse, toJsonResponse } from '../http/message.ts';
import type { McpContext } from './context.ts';
import type { Message } from './message.ts';
import { RPC_CODES, toRpcError } from './rpc-response.ts';
import { createServer } from './server.ts';

/**
 * Responds to a request; a notification is only acknowledged, for there is nobody who would remember
 * it. `initialize` does without the MCP-Protocol-Version field, for it is what agrees on one.
 */
export async function serveLegacy(
  message: Message,
  request: HttpRequest,
  context: McpContext,
): Promise<HttpResponse> {
  const asked =
    message.method === 'initialize' ? undefined : request.headers['mcp-protocol-version'];
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(asked ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION)) {
    const sentence = `mcp-protocol-version: is not spoken here. Use 2026-07-28, ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
    return toRpcError(400, RPC_CODES.request, sentence, message.id);
  }
  if (!isJSONRPCRequest(message)) return { status: 202, headers: {}, body: null };
  const server = createServer(context);
  const { transport, ask } = openExchange();
  await server.connect(transport);
  // Not closed: it holds nothing, and is gone with this call.
  return toJsonResponse(200, await ask(message));
}

/** What the protocol's server is connected to, and the reply that will come. */
interface Exchange {
  readonly transport: Transport;
  /**
   * Passes the request in and gives what is sent back for it; anything else that is sent is dropped.
   */
  readonly ask: (request: JSONRPCRequest) => Promise<JSONRPCMessage>;
}

/** A transport without a wire: one message in, one reply out, as plain values. */
function openExchange(): Exchange {
  const transport: Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async () => {},
  };
  const ask = (request: JSONRPCRequest): Promise<JSONRPCMessage> =>
    new Promise((resolve) => {
      transport.send = async (message) => {
        if ('id' in message && message.id === request.id && !('method' in message))
          resolve(message);
      };
      transport.onmessage?.(request);
    });
  return { transport, ask };
}
