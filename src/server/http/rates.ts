// How many requests a caller has left: of an address and the network around it, of a key, and of what is
// made for one reader alone (contract 10.5, 10.6, 10.8, 10.10).
import { type Counted, createWindowCounter } from '../../http/window-counter.ts';
import { toCountedNetwork } from './client-address.ts';

const WINDOW_SECONDS = 60;
/** A whole /48 has as much as so many of its /64. */
const NETWORK_SHARE = 16;
/** Pages and forms that are made for one reader, for each request to the API that there may be. */
export const PAGE_SHARE = 5;

/** What is counted apart: requests to the API of an address or a key, pages that are made. */
export type Policy = 'address' | 'key' | 'page';

/** What is left of a caller's allowance after a request was counted. */
export interface Allowance {
  /** Its name in the RateLimit fields. */
  readonly policy: Policy;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the allowance is whole again, at least 1. */
  readonly reset_seconds: number;
  readonly is_exceeded: boolean;
}

/** Counts one request of a caller: of an address, or of the hash of a live key. */
export type Count = (policy: Policy, caller: string) => Promise<Allowance>;

/** Requests a minute for each policy. */
export interface Rates {
  readonly address: number;
  readonly key: number;
}

/** Counts over all serving processes, one count for each name; null where that cannot be had now. */
export type CountTogether = (names: readonly string[]) => Promise<readonly Counted[] | null>;

/** What counts the requests of one process, or, in the primary, of all. */
export const createRequestCounter = () => createWindowCounter(WINDOW_SECONDS * 1000);

/**
 * A counter with one allowance over all serving processes where they count `together`. Each counts by
 * itself as well: who is refused there costs the others nothing, and where the others do not respond, that
 * is what counts.
 */
export function createRateCounter(rates: Rates, together: CountTogether | null = null): Count {
  const countHere = createRequestCounter();
  const limits = { ...rates, page: rates.address * PAGE_SHARE };
  return async (policy, caller) => {
    const network = policy === 'key' ? null : toCountedNetwork(caller);
    const names = [caller, ...(network === null ? [] : [network])].map((who) => `${policy} ${who}`);
    const limit = limits[policy];
    const toWorst = ([own, around]: readonly Counted[]): Allowance => {
      const mine = toAllowance(policy, limit, own ?? NOTHING);
      const all = toAllowance(policy, limit * NETWORK_SHARE, around ?? NOTHING);
      return all.is_exceeded && !mine.is_exceeded ? { ...all, limit } : mine;
    };
    const here = toWorst(names.map((name) => countHere(name)));
    if (together === null || here.is_exceeded) return here;
    const everywhere = await together(names);
    return everywhere === null ? here : toWorst(everywhere);
  };
}

const NOTHING: Counted = { count: 0, left_ms: 0 };

/** A counter for requests of our own: nothing is counted against anyone. */
export const countNothing: Count = async (policy) => ({
  policy,
  limit: 1,
  remaining: 1,
  reset_seconds: 1,
  is_exceeded: false,
});

const toAllowance = (policy: Policy, limit: number, { count, left_ms }: Counted): Allowance => ({
  policy,
  limit,
  remaining: Math.max(0, limit - count),
  reset_seconds: Math.max(1, Math.ceil(left_ms / 1000)),
  is_exceeded: count > limit,
});

/**
 * The fields of every counted response: the three integers of contract 10.7, and the two of
 * draft-ietf-httpapi-ratelimit-headers-10 beside them; Retry-After on a refusal.
 */
export function toRateHeaders(a: Allowance): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(a.limit),
    'ratelimit-remaining': String(a.remaining),
    'ratelimit-reset': String(a.reset_seconds),
    'ratelimit-policy': `"${a.policy}";q=${a.limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${a.policy}";r=${a.remaining};t=${a.reset_seconds}`,
    ...(a.is_exceeded ? { 'retry-after': String(a.reset_seconds) } : {}),
  };
}
