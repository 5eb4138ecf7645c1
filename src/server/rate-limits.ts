// How often somebody may do something: all limits, and the one counter behind them. Server processes that
// share a Valkey count together there; without it, and while it is away, each counts for itself.
import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import * as v from 'valibot';
import { rateLimitNetwork } from './http/client-address.ts';

const MINUTE = 60;
const HOUR = 3_600;
/** Pages that are made for one reader, for each request to the API that there may be. */
const PAGE_SHARE = 5;
/** A whole /48 has as much as so many of its /64. */
const NETWORK_SHARE = 16;

/** A caller has `points`, whole again `seconds` after the first of them was used. */
const listLimits = ({ address, key }: { readonly address: number; readonly key: number }) => ({
  /** Requests to the API and to MCP, of an address and of a live key (contract 10.5, 10.6). */
  address: { points: address, seconds: MINUTE },
  key: { points: key, seconds: MINUTE },
  /** What is made for one reader alone (10.10). */
  page: { points: address * PAGE_SHARE, seconds: MINUTE },
  /** Pictures that are made our own (14.13). */
  upload: { points: 60, seconds: HOUR },
  /** Calendars that are read or fetched (14.34). */
  calendar: { points: 12, seconds: HOUR },
});

export type RateLimitName = keyof ReturnType<typeof listLimits>;

export interface RateLimitStatus {
  readonly name: RateLimitName;
  readonly limit: number;
  readonly window_seconds: number;
  readonly remaining: number;
  /** Whole seconds until the allowance is whole again, at least 1. */
  readonly reset_seconds: number;
  readonly is_exceeded: boolean;
}

/** Counts one more of a caller: of a counted address (client-address.ts), or of the hash of a live key. */
export type ConsumeAllowance = (name: RateLimitName, caller: string) => Promise<RateLimitStatus>;

interface Shared {
  readonly valkey_url: string;
  /** The same in all of them: Valkey is told no address. */
  readonly secret: Buffer;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Callers that a process holds, the one seen last longest; some 30 MB. */
const MOST_CALLERS = 50_000;

export type RateLimiter = Awaited<ReturnType<typeof createRateLimiter>>;

/** Counts in this process alone where `shared` is null. */
export async function createRateLimiter(
  rates: Parameters<typeof listLimits>[0],
  shared: Shared | null = null,
) {
  const limits = listLimits(rates);
  // Loaded where something is counted: a build counts nothing, and somebody waits for it.
  const library = await import('rate-limiter-flexible');
  const valkey = shared === null ? null : await connect(shared);
  const held = new LRUCache<string, RateLimiterMemory>({
    max: MOST_CALLERS,
    dispose: (limiter, key, reason) => {
      if (reason === 'evict') void limiter.delete(key);
    },
  });
  const createCounter = (name: RateLimitName, share: number) => {
    const points = limits[name].points * share;
    const order = { points, duration: limits[name].seconds, keyPrefix: '' };
    const memory = new library.RateLimiterMemory(order);
    const limiter =
      valkey === null
        ? memory
        : new library.RateLimiterRedis({
            ...order,
            storeClient: valkey,
            insuranceLimiter: memory,
            rejectIfRedisNotReady: true,
            // Whoever is refused costs Valkey nothing more.
            inMemoryBlockOnConsumed: points + 1,
          });
    return (who: string): Promise<Counted> => {
      const named = `${name} ${who}`;
      const key = shared === null ? named : `hoy:${digest(shared.secret, named)}`;
      held.set(key, memory);
      return toCounted(limiter.consume(key));
    };
  };
  const createCounters = (name: RateLimitName) => ({
    one: createCounter(name, 1),
    network: createCounter(name, NETWORK_SHARE),
  });
  const counters = {
    ...{ address: createCounters('address'), key: createCounters('key') },
    ...{ page: createCounters('page'), upload: createCounters('upload') },
    calendar: createCounters('calendar'),
  };
  return {
    take: async (name: RateLimitName, caller: string): Promise<RateLimitStatus> => {
      const { points, seconds } = limits[name];
      const network = rateLimitNetwork(caller);
      const { one, network: ofNetwork } = counters[name];
      const [mine, all] = await Promise.all([
        one(caller),
        network === null ? null : ofNetwork(network),
      ]);
      const worst = all?.is_exceeded && !mine.is_exceeded ? all : mine;
      return { name, limit: points, window_seconds: seconds, ...worst };
    },
    /** False where they should count together and cannot. */
    isWhole: (): boolean => valkey === null || valkey.status === 'ready',
    close: (): void => valkey?.disconnect(),
  };
}

type Counted = Pick<RateLimitStatus, 'remaining' | 'reset_seconds' | 'is_exceeded'>;

/** The library rejects with its result where there is nothing left. */
const Refused = v.object({ msBeforeNext: v.number() });
async function toCounted(consumed: Promise<RateLimiterRes>): Promise<Counted> {
  const toSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
  try {
    const { remainingPoints: remaining, msBeforeNext } = await consumed;
    return { remaining, reset_seconds: toSeconds(msBeforeNext), is_exceeded: false };
  } catch (thrown) {
    if (!v.is(Refused, thrown)) throw thrown;
    return { remaining: 0, reset_seconds: toSeconds(thrown.msBeforeNext), is_exceeded: true };
  }
}

const digest = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);

/** Without an answer for so long it is away; less, and a process that was busy itself would take it for that. */
const PATIENCE_MS = 1_000;
const CONNECT_MS = 2_000;
const MOST_PAUSE_MS = 2_000;

/** A client that fails at once while Valkey is away, and goes on looking for it; each change is told once. */
async function connect({ valkey_url, log }: Shared): Promise<Redis> {
  // Loaded where it is wanted only.
  const { Redis } = await import('ioredis');
  const client = new Redis(valkey_url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    socketTimeout: PATIENCE_MS,
    retryStrategy: (tries) => Math.min(100 * tries, MOST_PAUSE_MS),
  });
  let is_there: boolean | null = null;
  client.on('ready', () => {
    if (is_there === false) log.info('Valkey is back, limits are counted together');
    is_there = true;
  });
  client.on('close', () => {
    if (is_there === false || client.status === 'end') return;
    is_there = false;
    log.warn('Valkey is away, each process counts for itself');
  });
  // What it says may name the server and its user.
  client.on('error', () => {});
  await client.connect().catch(() => {});
  return client;
}

/** For requests of our own: nothing is counted against anyone. */
export const unlimited: ConsumeAllowance = async (name) => ({
  name,
  limit: 1,
  window_seconds: MINUTE,
  remaining: 1,
  reset_seconds: 1,
  is_exceeded: false,
});

/**
 * The fields of every counted response: the three integers of contract 10.5, and the two of
 * draft-ietf-httpapi-ratelimit-headers-10 beside them; Retry-After on a refusal.
 */
export function rateLimitHeaders(a: RateLimitStatus): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(a.limit),
    'ratelimit-remaining': String(a.remaining),
    'ratelimit-reset': String(a.reset_seconds),
    'ratelimit-policy': `"${a.name}";q=${a.limit};w=${a.window_seconds}`,
    ratelimit: `"${a.name}";r=${a.remaining};t=${a.reset_seconds}`,
    ...(a.is_exceeded ? { 'retry-after': String(a.reset_seconds) } : {}),
  };
}
