// Whether a question to /api or /mcp is let in: counted first, then its key (decisions, Errors: 429
// before 401 before 400).
import { hashKey } from '../../domain/api-key.ts';
import { toClientAddress, toCountedAddress } from '../../http/client-address.ts';
import type { Answer, Question, Site } from '../../http/message.ts';
import { toFaultAnswer } from '../../api/error-response.ts';
import { type Count, toRateHeaders } from '../../http/rate-limit.ts';

/** Whether a key is live, by its hash (see hashKey). */
export type IsLiveKey = (hash: string) => boolean;

/** What the door needs to know. */
export interface Door {
  readonly count: Count;
  readonly isLiveKey: IsLiveKey;
  readonly trusted_proxies: number;
  readonly site: Site;
}

export interface Admission {
  /** For the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** 429 or 401; null where the question is let in. */
  readonly refusal: Answer | null;
}

/**
 * Counts a question and looks at its `x-api-key`. A live key counts by itself, everything else by
 * client address, so a made-up key buys nothing. `socket_address` is the peer's.
 */
export async function admit(
  question: Question,
  socket_address: string | undefined,
  door: Door,
): Promise<Admission> {
  const key = question.headers['x-api-key'];
  const hash = key === undefined || key === '' ? null : hashKey(key);
  const is_live = hash !== null && door.isLiveKey(hash);
  const address = toClientAddress(
    socket_address,
    question.headers['x-forwarded-for'],
    door.trusted_proxies,
  );
  const allowance = is_live
    ? await door.count('key', hash)
    : await door.count('address', toCountedAddress(address));
  const headers = toRateHeaders(allowance);
  if (allowance.is_exceeded) {
    const sentence = `rate: more than ${allowance.limit} requests in a minute. Try again in ${allowance.reset_seconds} seconds`;
    return { headers, refusal: toFaultAnswer('rate_limited', sentence, door.site) };
  }
  if (key !== undefined && !is_live) {
    const sentence = 'x-api-key: is not a live key. Leave the header out to read without one';
    return { headers, refusal: toFaultAnswer('invalid_api_key', sentence, door.site) };
  }
  return { headers, refusal: null };
}
