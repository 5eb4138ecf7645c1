// One message to the era it belongs to, and one answer back (decisions, MCP 0).
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { Answer, Question } from '../http/message.ts';
import type { McpContext } from './context.ts';
import { isForeignFault, toParamsSentence } from './foreign-error.ts';
import type { Message } from './message.ts';
import { INTERNAL_SENTENCE, RPC_CODES, toRpcFault } from './rpc-response.ts';
import { serveLegacy } from './serve-legacy.ts';
import { serveModern } from './serve-modern.ts';

/** Nothing takes longer; what is never answered ends here, so that nothing is held open. */
const DEADLINE_MS = 10_000;

/** The answer to a message that passed the guard. */
export async function serveMessage(
  message: Message,
  question: Question,
  context: McpContext,
): Promise<Answer> {
  const answer = await withDeadline(
    isLegacy(message, question)
      ? serveLegacy(message, question, context)
      : serveModern(message, question, context),
  );
  if (answer === null) return toRpcFault(503, RPC_CODES.internal, INTERNAL_SENTENCE, message.id);
  if (isForeignFault(answer))
    return toRpcFault(
      answer.status,
      RPC_CODES.params,
      toParamsSentence(message.method),
      message.id,
    );
  return { ...answer, headers: { 'cache-control': 'no-store', ...answer.headers } };
}

/**
 * Whether a message belongs to the earlier revisions: the SDK's own decision, by envelope and
 * headers.
 */
function isLegacy(message: Message, { headers }: Question): boolean {
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

async function withDeadline(served: Promise<Answer | null>): Promise<Answer | null> {
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
