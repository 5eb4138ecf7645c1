// The MCP server as a function: a question at {base_url}/mcp with its body, and the answer
// (decisions, MCP).
import type { Answer, Question } from '../http/message.ts';
import type { McpContext } from './context.ts';
import { guard, toCorsHeaders } from './guard.ts';
import { parseMessage } from './message.ts';
import { INTERNAL_SENTENCE, RPC_CODES, toRpcFault } from './rpc-response.ts';
import { serveMessage } from './serve-message.ts';

/**
 * The answer to any method. `body` is what was sent, read no further than one byte past
 * MAX_BODY_BYTES. Rate limit and key are the front server's, before this. Never throws; what is no
 * fault of the caller is told to `context.onFault`.
 */
export async function answerMcp(
  question: Question,
  body: Buffer,
  context: McpContext,
): Promise<Answer> {
  const answer =
    guard(question, body.length, context.site) ?? (await answerBody(question, body, context));
  return { ...answer, headers: { ...answer.headers, ...toCorsHeaders(question, context.site) } };
}

async function answerBody(question: Question, body: Buffer, context: McpContext): Promise<Answer> {
  const parsed = parseMessage(body);
  if ('fault' in parsed) return parsed.fault;
  try {
    return await serveMessage(parsed.message, question, context);
  } catch (fault) {
    context.onFault?.(fault);
    return toRpcFault(500, RPC_CODES.internal, INTERNAL_SENTENCE, parsed.message.id);
  }
}
