// The MCP server's door: counted as the API is, then one message in and one answer out; and the
// documents about it.
import { admit } from './authorize.ts';
import { toClientAddress, toCountedAddress } from '../../http/client-address.ts';
import type { Answer } from '../../http/message.ts';
import {
  finish,
  type Finished,
  type Representation,
  toRepresentation,
} from '../../http/representation.ts';
import { toSecurityHeaders } from '../../http/security-headers.ts';
import { MCP_PATH } from '../../i18n/service-paths.ts';
import { answerCard } from '../../mcp/handle-card.ts';
import { answerMcp } from '../../mcp/handle-mcp.ts';
import { MAX_BODY_BYTES, toCorsHeaders } from '../../mcp/guard.ts';
import type { Asked } from './request-context.ts';

/** Whether a path, as sent, is the endpoint. */
export const isMcpPath = (path: string): boolean => path === MCP_PATH || path === `${MCP_PATH}/`;

/** The answer to any method at the endpoint. Preflights are not counted (decisions, Limits 3). */
export async function answerMcpQuestion(asked: Asked): Promise<Finished> {
  const { question, socket_address, house } = asked;
  if (question.method === 'OPTIONS')
    return finish(question, dress(await answerMcp(question, NO_BODY, toContext(asked)), asked));
  const { headers, refusal } = await admit(question, socket_address, house.door);
  if (refusal)
    return finish(
      question,
      dress(
        { ...refusal, headers: { ...refusal.headers, ...toCorsHeaders(question, house.site) } },
        asked,
      ),
      headers,
    );
  const body = question.method === 'POST' ? await asked.readBody(MAX_BODY_BYTES) : NO_BODY;
  const answer = await answerMcp(question, body, toContext(asked));
  return finish(
    question,
    dress(answer, asked),
    body.length > MAX_BODY_BYTES ? { ...headers, connection: 'close' } : headers,
  );
}

/** The answer about the server, or null where the path is none of its documents'. */
export function answerCardQuestion(asked: Asked): Promise<Finished> | null {
  const { question, house } = asked;
  const is_read = ['GET', 'HEAD', 'OPTIONS'].includes(question.method);
  const answer = is_read ? answerCard(question.path, question.method, house.site) : null;
  return answer && finish(question, toRepresentation(answer, securityOf(answer, asked)));
}

const NO_BODY = Buffer.alloc(0);

function toContext({ question, socket_address, house, state, now_ms }: Asked) {
  const address = toClientAddress(
    socket_address,
    question.headers['x-forwarded-for'],
    house.door.trusted_proxies,
  );
  return {
    snapshot: state.snapshot,
    now_ms,
    site: house.site,
    inbox: house.inbox,
    sender: toCountedAddress(address),
    onFault: (thrown: unknown) => house.onFault(thrown, question.path),
  };
}

const securityOf = (answer: Answer, { house }: Asked): Readonly<Record<string, string>> =>
  toSecurityHeaders(answer.headers['content-type'] ?? '', house.site.url);

/** An answer to a message is nothing to ask for conditionally: it has no tag. */
const dress = (answer: Answer, asked: Asked): Representation => ({
  ...toRepresentation(answer, securityOf(answer, asked)),
  tag: null,
});
