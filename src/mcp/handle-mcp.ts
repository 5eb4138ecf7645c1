// The MCP server as a function: a question at {base_url}/mcp with its body, and the answer
// (decisions, MCP).
import type { HttpResponse, HttpRequest } from '../http/message.ts';
import type { McpContext } from './context.ts';
import { guard, toCorsHeaders } from './guard.ts';
import { parseMessage } from './message.ts';
import { INTERNAL_SENTENCE, RPC_CODES, toRpcError } from './rpc-response.ts';
import { serveMessage } from './serve-message.ts';

/**
 * The answer to any method. `body` is what was sent, read no further than one byte past
 * MAX_BODY_BYTES. Rate limit and key are the front server's, before this. Never throws; what is no
 * fault of the caller is told to `context.onFault`.
 */
export async function handleMcp(
  request: HttpRequest,
  body: Buffer,
  context: McpContext,
): Promise<HttpResponse> {
  const response =
    guard(request, body.length, context.site) ?? (await handleBody(request, body, context));
  return { ...response, headers: { ...response.headers, ...toCorsHeaders(request, context.site) } };
}

async function handleBody(
  request: HttpRequest,
  body: Buffer,
  context: McpContext,
): Promise<HttpResponse> {
  const parsed = parseMessage(body);
  if ('error' in parsed) return parsed.error;
  try {
    return await serveMessage(parsed.message, request, context);
  } catch (error) {
    context.onError?.(error);
    return toRpcError(500, RPC_CODES.internal, INTERNAL_SENTENCE, parsed.message.id);
  }
}
