// One message to the era it belongs to, and one answer back (decisions, MCP 0).
import { isLegacyRequest } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import type { Answer, Question } from '../http/exchange.ts';
import type { McpContext } from './context.ts';
import type { Message } from './message.ts';
import { INTERNAL_SENTENCE, RPC_CODES, toRpcFault } from './rpc-answer.ts';
import { serveLegacy } from './serve-legacy.ts';
import { serveModern } from './serve-modern.ts';

/** What a header can hold (RFC 9110, 5.5); node lets no other value in. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

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
  if (isForeignFault(answer)) return toRpcFault(answer.status, RPC_CODES.params, toParamsSentence(message.method), message.id);
  return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } };
}

const FaultSchema = v.object({ error: v.object({ code: v.number(), message: v.string() }) });
/** Faults are short; a result is not parsed only to see that it is none. */
const MAX_FAULT_LENGTH = 20_000;

/** What the SDK's own schemas refuse is said in their words, many lines of JSON: those are not for the caller. */
function isForeignFault({ body }: Answer): boolean {
  if (typeof body !== 'string' || !body.startsWith('{') || body.length > MAX_FAULT_LENGTH || !body.includes('"error":{"code":')) return false;
  const fault = v.safeParse(FaultSchema, JSON.parse(body));
  if (!fault.success) return false;
  const { code, message } = fault.output.error;
  return (code === RPC_CODES.internal && message !== INTERNAL_SENTENCE) || message.includes('\n');
}

const TAKES: Readonly<Record<string, string>> = {
  'tools/call': 'name, a text, and arguments, an object',
  'resources/read': 'uri, a text',
  'prompts/get': 'name, a text, and arguments, an object of texts',
  initialize: 'protocolVersion, a text, capabilities, an object, and clientInfo with name and version',
};

function toParamsSentence(method: string): string {
  const takes = Object.hasOwn(TAKES, method) ? TAKES[method] : undefined;
  return takes === undefined ? `params: are not what ${method} takes` : `params: ${method} takes ${takes}`;
}

/** The question as the SDK reads it. The body goes beside it, already parsed. */
function toRequest(question: Question, { site }: McpContext): Request {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(question.headers)) {
    if (value !== undefined && READ.test(name) && FIELD_VALUE.test(value)) headers.set(name, value);
  }
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
