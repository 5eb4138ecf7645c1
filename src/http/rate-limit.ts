// How much a caller may ask (interface 8, decisions, Limits 1): one allowance over all serving
// processes.
import {
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterRes,
} from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;

/** What is left of a caller's allowance after a question was counted. */
export interface Allowance {
  /** The policy's name in the RateLimit fields. */
  readonly policy: 'address' | 'key';
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the allowance is whole again, at least 1. */
  readonly reset_seconds: number;
  readonly is_exceeded: boolean;
}

/** Counts one question of a caller: of an address, or of the hash of a live key. */
export type Count = (policy: Allowance['policy'], caller: string) => Promise<Allowance>;

/** Requests a minute for each policy. */
export interface Rates {
  readonly address: number;
  readonly key: number;
}

/**
 * A counter. `shared` asks the primary process, which must have called shareCounter; else this
 * process counts alone. Where the primary does not answer, the question passes: a broken counter
 * must not take the service down.
 */
export function createCounter(rates: Rates, shared: boolean): Count {
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
  const reset_seconds = Math.max(1, Math.ceil(left.msBeforeNext / 1000));
  return {
    policy,
    limit,
    remaining: Math.max(0, left.remainingPoints),
    reset_seconds,
    is_exceeded,
  };
}

/**
 * The fields of every counted answer: the three integers of interface 7, and the two of
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
