// Whether a request to /api or /mcp may go on: counted by its client first
// (contract 10.5, 10.6, 10.8, 10.9), then its key (contract 9.4: 429 before 401 before 400).
import { toErrorResponse } from '../../api/error-response.ts';
import { hashKey } from '../../domain/api-key.ts';
import type { Site } from '../../domain/site.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { toSender } from './client-address.ts';
import { type Count, toRateHeaders } from './rates.ts';

/** What decides whether a request may go on. */
export interface AccessPolicy {
  readonly count: Count;
  /** Whether a key is live, by its hash (see hashKey). */
  readonly isLiveKey: (hash: string) => boolean;
  readonly trusted_proxies: number;
  readonly site: Site;
}

/** What came of it. */
export interface Authorization {
  /** For the response, whatever it is. */
  readonly headers: Readonly<Record<string, string>>;
  /** 429 or 401; null where the request may go on. */
  readonly refusal: HttpResponse | null;
  /** Why there is a 429, in a sentence; null otherwise. */
  readonly too_many: string | null;
}

/**
 * Counts a request and checks its `x-api-key`. A live key is counted by itself, everything else by
 * client address, so a made-up key gains nothing. `socket_address` is the peer's.
 */
export async function authorize(
  request: HttpRequest,
  socket_address: string | undefined,
  access: AccessPolicy,
): Promise<Authorization> {
  const key = request.headers['x-api-key'];
  const hash = key === undefined || key === '' ? null : hashKey(key);
  const is_live = hash !== null && access.isLiveKey(hash);
  const allowance = is_live
    ? await access.count('key', hash)
    : await access.count('address', toSender(request, socket_address, access));
  const headers = toRateHeaders(allowance);
  if (allowance.is_exceeded) {
    const sentence = `rate: more than ${allowance.limit} requests in a minute. Try again in ${allowance.reset_seconds} seconds`;
    const refusal = toErrorResponse('rate_limited', sentence, access.site);
    return { headers, refusal, too_many: sentence };
  }
  if (key !== undefined && !is_live) {
    const sentence = 'x-api-key: is not a live key. Leave the header out to read without one';
    const refusal = toErrorResponse('invalid_api_key', sentence, access.site);
    return { headers, refusal, too_many: null };
  }
  return { headers, refusal: null, too_many: null };
}
