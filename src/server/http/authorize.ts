// Whether a request to /api or /mcp may go on: counted by its client first
// (contract 10.5, 10.6, 10.8, 10.9),
// then its key (contract 9.4: 429 before 401 before 400).
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { toErrorResponse } from '../../api/error-response.ts';
import { hashKey } from '../../domain/api-key.ts';
import type { Site } from '../../domain/site.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';

const WINDOW_SECONDS = 60;

/** What is left of a caller's allowance after a request was counted. */
interface Allowance {
  /** The policy's name in the RateLimit fields. */
  readonly policy: 'address' | 'key';
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the allowance is whole again, at least 1. */
  readonly reset_seconds: number;
  readonly is_exceeded: boolean;
}

/** Counts one request of a caller: of an address, or of the hash of a live key. */
export type Count = (policy: Allowance['policy'], caller: string) => Promise<Allowance>;

/** Requests a minute for each policy. */
export interface Rates {
  readonly address: number;
  readonly key: number;
}

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

/** As which address the client of a request is counted. */
export function toSender(
  { headers }: HttpRequest,
  socket_address: string | undefined,
  { trusted_proxies }: Pick<AccessPolicy, 'trusted_proxies'>,
): string {
  const forwarded_for = headers['x-forwarded-for'];
  return toCountedAddress(toClientAddress(socket_address, forwarded_for, trusted_proxies));
}

/**
 * `::ffff:192.0.2.1` is 192.0.2.1; brackets, a port and a zone index are dropped. Null where it is
 * no address.
 */
function parseAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : null;
  const address = ipaddr.process(bare);
  return address.kind() === 'ipv4' ? address.toString() : bare;
}

/**
 * The client's address: the socket's, or, with `trusted_proxies` in front, the one that the
 * outermost of them wrote into X-Forwarded-For, counted from the right. What a client forges stands
 * further left and is never read. A list that is too short or holds no address there falls back to
 * the nearest trusted one.
 */
export function toClientAddress(
  socket_address: string | undefined,
  forwarded_for: string | undefined,
  trusted_proxies: number,
): string {
  const socket = parseAddress(socket_address ?? '') ?? 'unknown';
  if (trusted_proxies === 0 || forwarded_for === undefined) return socket;
  const hops = forwarded_for.split(',').map(parseAddress);
  for (let step = Math.min(trusted_proxies, hops.length); step > 0; step--) {
    const address = hops[hops.length - step];
    if (address) return address;
  }
  return socket;
}

/** What an address is counted as: itself for IPv4, its /64 for IPv6. */
export function toCountedAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/**
 * A counter with one allowance over all serving processes where it is `shared`: it counts in the
 * primary process, which must have called shareCounter; else this process counts alone. Where the primary
 * does not respond, the request passes: a broken counter must not take the service down.
 */
export function createRateCounter(rates: Rates, shared: boolean): Count {
  const create = (policy: Allowance['policy']) => {
    const options = { keyPrefix: policy, points: rates[policy], duration: WINDOW_SECONDS };
    return shared
      ? new RateLimiterCluster({ ...options, timeoutMs: 2000 })
      : new RateLimiterMemory(options);
  };
  const limiters = { address: create('address'), key: create('key') };
  return async (policy, caller) => {
    try {
      return toAllowance(policy, rates[policy], await limiters[policy].consume(caller), false);
    } catch (thrown) {
      if (thrown instanceof RateLimiterRes) return toAllowance(policy, rates[policy], thrown, true);
      return {
        policy,
        limit: rates[policy],
        remaining: 0,
        reset_seconds: WINDOW_SECONDS,
        is_exceeded: false,
      };
    }
  };
}

/** A counter for requests of our own: nothing is counted against anyone. */
export const countNothing: Count = async (policy) => ({
  policy,
  limit: 1,
  remaining: 1,
  reset_seconds: 1,
  is_exceeded: false,
});

/** Makes this primary process the one that counts for its workers. */
export function shareCounter(): void {
  new RateLimiterClusterMaster();
}

function toAllowance(
  policy: Allowance['policy'],
  limit: number,
  left: RateLimiterRes,
  is_exceeded: boolean,
): Allowance {
  return {
    policy,
    limit,
    remaining: Math.max(0, left.remainingPoints),
    reset_seconds: Math.max(1, Math.ceil(left.msBeforeNext / 1000)),
    is_exceeded,
  };
}

/**
 * The fields of every counted response: the three integers of contract 10.7, and the two of
 * draft-ietf-httpapi-ratelimit-headers-10 beside them; Retry-After on a refusal.
 */
function toRateHeaders(a: Allowance): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(a.limit),
    'ratelimit-remaining': String(a.remaining),
    'ratelimit-reset': String(a.reset_seconds),
    'ratelimit-policy': `"${a.policy}";q=${a.limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${a.policy}";r=${a.remaining};t=${a.reset_seconds}`,
    ...(a.is_exceeded ? { 'retry-after': String(a.reset_seconds) } : {}),
  };
}
