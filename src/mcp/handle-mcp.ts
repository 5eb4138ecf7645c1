// The MCP server as a function: a request at {base_url}/mcp with its body, and the response
// (contract 13).
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { HttpResponse, HttpRequest } from '../http/message.ts';
import type { McpContext } from './context.ts';
import { isForeignError, toParamsSentence } from './foreign-error.ts';
import { guard, toCorsHeaders } from './guard.ts';
import { type Message, parseMessage } from './message.ts';
import { INTERNAL_SENTENCE, RPC_CODES, toRpcError } from './rpc-response.ts';
import { serveLegacy } from './serve-legacy.ts';
import { serveModern } from './serve-modern.ts';

/**
 * The response to any method. `body` is what was sent, read no further than one byte past
 * MAX_BODY_BYTES. Rate limit and key are the front server's, before this. Never throws; what is no
 * error of the caller is told to `context.onError`.
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

/** Nothing takes longer; what never ends is ended here, so that nothing is held open. */
const DEADLINE_MS = 10_000;

/** One message to the era it belongs to (contract 13.1), and one response back. */
async function serveMessage(
  message: Message,
  request: HttpRequest,
  context: McpContext,
): Promise<HttpResponse> {
  const response = await withDeadline(
    isLegacy(message, request)
      ? serveLegacy(message, request, context)
      : serveModern(message, request, context),
  );
  if (response === null) return toRpcError(503, RPC_CODES.internal, INTERNAL_SENTENCE, message.id);
  if (isForeignError(response))
    return toRpcError(
      response.status,
      RPC_CODES.params,
      toParamsSentence(message.method),
      message.id,
    );
  return { ...response, headers: { 'cache-control': 'no-store', ...response.headers } };
}

/**
 * Whether a message belongs to the earlier revisions: the SDK's own decision, by envelope and
 * headers.
 */
function isLegacy(message: Message, { headers }: HttpRequest): boolean {
  const {
    'mcp-protocol-version': protocolVersionHeader,
    'mcp-method': mcpMethodHeader,
    'mcp-name': mcpNameHeader,
  } = headers;
  const asked = {
    httpMethod: 'POST',
    body: message,
    ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
    ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
    ...(mcpNameHeader === undefined ? {} : { mcpNameHeader }),
  };
  return classifyInboundRequest(asked).kind === 'legacy';
}

async function withDeadline(served: Promise<HttpResponse | null>): Promise<HttpResponse | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DEADLINE_MS);
  });
  try {
    return await Promise.race([served, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
