// One message to the era it belongs to, and one answer back (decisions, MCP 0).
import { isLegacyRequest } from '@modelcontextprotocol/server';
import type { Answer, Question } from '../http/exchange.ts';
import type { McpContext } from './context.ts';
import type { Message } from './message.ts';
import { INTERNAL_SENTENCE, RPC_CODES, toRpcFault } from './rpc-answer.ts';
import { serveLegacy } from './serve-legacy.ts';
import { serveModern } from './serve-modern.ts';

/** What of the caller's headers the protocol reads. */
const READ = /^mcp-(protocol-version|method|name|param-.+)$/;

/** Nothing takes longer; what is never answered ends here, so that nothing is held open. */
const DEADLINE_MS = 10_000;

/** The answer to a message that passed the guard. */
export async function serveMessage(message: Message, question: Question, context: McpContext): Promise<Answer> {
  const request = toRequest(question, context);
  const is_legacy = await isLegacyRequest(request, message);
  const served = is_legacy ? serveLegacy(message, question.headers['mcp-protocol-version'], context) : serveModern(message, request, context);
  const answer = await withDeadline(served);
  if (answer === null) return toRpcFault(503, RPC_CODES.internal, INTERNAL_SENTENCE, message.id);
  if (isForeignFault(answer)) return toRpcFault(400, RPC_CODES.params, `params: are not what ${message.method} takes`, message.id);
  return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } };
}

/** The SDK answers what its own schemas refuse as an internal error in their words: those are not for the caller. */
function isForeignFault({ body }: Answer): boolean {
  if (typeof body !== 'string' || !body.includes(`"error":{"code":${RPC_CODES.internal},`)) return false;
  return !body.includes('"result":') && !body.includes(INTERNAL_SENTENCE);
}

/** The question as the SDK reads it. The body goes beside it, already parsed. */
function toRequest(question: Question, { site }: McpContext): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(question.headers)) if (value !== undefined && READ.test(name)) headers.set(name, value);
  return new Request(`${site.url}/mcp`, { method: 'POST', headers });
}

async function withDeadline(served: Promise<Answer | null>): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<null>((resolve) => { timer = setTimeout(() => resolve(null), DEADLINE_MS); });
  try {
    return await Promise.race([served, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
