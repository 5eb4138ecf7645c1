// A question to the API: let in, answered from memory or afresh, sent in the form that was asked
// for.
import { answerApi } from '../../api/handle-api.ts';
import { admit } from './authorize.ts';
import { isApiPath as isCountedPath } from '../../http/address.ts';
import { capAtMidnight } from '../../http/cache-control.ts';
import { CORS_HEADERS } from '../../http/cors.ts';
import { toQuickTag } from '../../http/etag.ts';
import type { Answer } from '../../http/message.ts';
import {
  finish,
  type Finished,
  type Representation,
  toRepresentation,
} from '../../http/representation.ts';
import { toSecurityHeaders } from '../../http/security-headers.ts';
import { floorToMinute } from '../../domain/cancun-time.ts';
import type { Asked } from './request-context.ts';

/**
 * The answer to any method on a path of the API. What is under /api is counted; preflights and
 * feeds outside it are not.
 */
export async function answerApiQuestion(asked: Asked): Promise<Finished> {
  const { question, socket_address, house } = asked;
  if (question.method === 'OPTIONS' || !isCountedPath(question.path)) return finishApi(asked, {});
  const { headers, refusal } = await admit(question, socket_address, house.door);
  return refusal ? finish(question, dress(refusal, asked), headers) : finishApi(asked, headers);
}

async function finishApi(
  asked: Asked,
  headers: Readonly<Record<string, string>>,
): Promise<Finished> {
  const found = findAnswer(asked);
  const cache = found.headers['cache-control'];
  return finish(
    asked.question,
    found,
    cache === undefined
      ? headers
      : { ...headers, 'cache-control': capAtMidnight(cache, asked.now_ms) },
  );
}

/**
 * All our times are whole minutes, so an answer holds for its release, its address and its minute.
 * Kept from the second time on.
 */
function findAnswer(asked: Asked): Representation {
  const { question, state, now_ms } = asked;
  const is_read = question.method === 'GET' || question.method === 'HEAD';
  if (!is_read) return ask(asked);
  const key = `api ${floorToMinute(now_ms)} ${question.path}?${question.query}`;
  const kept = state.answers.get(key);
  if (kept) return kept;
  const made = ask(asked);
  if (made.status === 200 && state.recall(key)) state.answers.set(key, made);
  return made;
}

function ask(asked: Asked): Representation {
  const { question, state, now_ms, house } = asked;
  return dress(
    answerApi(question, {
      snapshot: state.snapshot,
      now_ms,
      site: house.site,
      onFault: (thrown) => house.onFault(thrown, question.path),
    }),
    asked,
  );
}

/**
 * With what every API answer says. A key decides about 401, so a shared cache must keep its answers
 * apart.
 */
export function dress(answer: Answer, { question, house, state }: Asked): Representation {
  const vary: Record<string, string> = isCountedPath(question.path) ? { vary: 'x-api-key' } : {};
  const headers = {
    ...CORS_HEADERS,
    ...toSecurityHeaders(answer.headers['content-type'] ?? '', house.site.url),
    ...vary,
  };
  return toRepresentation(answer, headers, (bytes) =>
    toQuickTag(state.snapshot.version, answer.made_of ?? bytes, bytes.length),
  );
}
