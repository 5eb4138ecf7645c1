// Whether a question to /api or /mcp is let in: counted first, then its key (decisions, Errors: 429
// before 401 before 400).
import { hashKey } from '../../domain/api-key.ts';
import { toClientAddress, toCountedAddress } from '../../http/client-address.ts';
import type { HttpResponse, HttpRequest, Site } from '../../http/message.ts';
import { toErrorResponse } from '../../api/error-response.ts';
import { type Count, toRateHeaders } from '../../http/rate-limit.ts';

/** Whether a key is live, by its hash (see hashKey). */
export type IsLiveKey = (hash: string) => boolean;

/** What the door needs to know. */
export interface AccessPolicy {
  readonly count: Count;
  readonly isLiveKey: IsLiveKey;
  readonly trusted_proxies: number;
  readonly site: Site;
}

export interface Authorization {
  /** For the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** 429 or 401; null where the question is let in. */
  readonly refusal: HttpResponse | null;
}

/**
 * Counts a question and looks at its `x-api-key`. A live key counts by itself, everything else by
 * client address, so a made-up key buys nothing. `socket_address` is the peer's.
 */
export async function authorize(
  request: HttpRequest,
  socket_address: string | undefined,
  access: AccessPolicy,
): Promise<Authorization> {
  const key = request.headers['x-api-key'];
  const hash = key === undefined || key === '' ? null : hashKey(key);
  const is_live = hash !== null && access.isLiveKey(hash);
  const address = toClientAddress(
    socket_address,
    request.headers['x-forwarded-for'],
    access.trusted_proxies,
  );
  const allowance = is_live
    ? await access.count('key', hash)
    : await access.count('address', toCountedAddress(address));
  const headers = toRateHeaders(allowance);
  if (allowance.is_exceeded) {
    const sentence = `rate: more than ${allowance.limit} requests in a minute. Try again in ${allowance.reset_seconds} seconds`;
    return { headers, refusal: toErrorResponse('rate_limited', sentence, access.site) };
  }
  if (key !== undefined && !is_live) {
    const sentence = 'x-api-key: is not a live key. Leave the header out to read without one';
    return { headers, refusal: toErrorResponse('invalid_api_key', sentence, access.site) };
  }
  return { headers, refusal: null };
}
