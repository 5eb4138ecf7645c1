// One message through the SDK and back: 2026-07-28 and the earlier revisions, each answered with one JSON body.
import { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Answer, Question } from '../http/exchange.ts';
import type { McpContext } from './context.ts';
import type { Message } from './message.ts';
import { INTERNAL_SENTENCE, RPC_CODES, toRpcFault } from './rpc-answer.ts';
import { createServer } from './server.ts';

/** What of the caller's headers the protocol reads. */
const READ = /^mcp-(protocol-version|method|name|param-.+)$/;

/** Nothing takes longer; what is never answered ends here. */
const DEADLINE_MS = 10_000;

/** The answer to a message that passed the guard. */
export async function serveMessage(message: Message, question: Question, context: McpContext): Promise<Answer> {
  const request = toRequest(question, context);
  const is_legacy = await isLegacyRequest(request, message);
  const served = is_legacy ? serveLegacy(message, request, context) : serveModern(message, request, context);
  const response = await withDeadline(served);
  if (response === null) return toRpcFault(503, RPC_CODES.internal, INTERNAL_SENTENCE, message.id);
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  const type = response.headers.get('content-type');
  if (type !== null) headers['content-type'] = type;
  const body = await response.text();
  return { status: response.status, headers, body: body === '' ? null : body };
}

/** The body goes beside it, already parsed. Both types are accepted: whoever asks gets JSON, and JSON it is. */
function toRequest(question: Question, { site }: McpContext): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(question.headers)) if (value !== undefined && READ.test(name)) headers.set(name, value);
  return new Request(`${site.url}/mcp`, { method: 'POST', headers });
}

function serveModern(message: Message, request: Request, context: McpContext): Promise<Response> {
  const onerror = (): void => {};
  return createMcpHandler(() => createServer(context), { legacy: 'reject', onerror }).fetch(request, { parsedBody: message });
}

/** Stateless, and without a stream: the SDK's own legacy leg would answer over SSE. */
async function serveLegacy(message: Message, request: Request, context: McpContext): Promise<Response> {
  const server = createServer(context);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

async function withDeadline(served: Promise<Response>): Promise<Response | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((resolve) => { timer = setTimeout(() => resolve(null), DEADLINE_MS); });
  try {
    return await Promise.race([served, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
