// Rate limits: define all limits and count requests per caller. Server processes that share a
// Valkey count together; without it, or while it is unreachable, each counts for itself.
import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import * as v from 'valibot';
import { rateLimitNetwork } from './http/client-address.ts';

const MINUTE = 60;
const HOUR = 3_600;
/** A caller gets this multiple of the API limit for filtered pages and forms. */
const PAGE_FACTOR = 5;
/** An address from which programs ask for many people gets this multiple of the API limit. */
const SHARED_FACTOR = 20;
/** Each answer of MCP costs a client several messages that carry none. */
const HANDSHAKE_FACTOR = 10;
/** A whole /48 network gets this multiple of the limit of one /64. */
const NETWORK_FACTOR = 16;

/** Returns all limits: `points` per caller, reset `seconds` after the first use. */
const createLimits = ({ address, key }: { readonly address: number; readonly key: number }) => ({
  /** Requests to the API and MCP, by address or live key (contract 10.5, 10.6). */
  address: { points: address, seconds: MINUTE },
  key: { points: key, seconds: MINUTE },
  /** Calendars that programs refresh, by address or live key (10.6). */
  subscription: { points: address * SHARED_FACTOR, seconds: MINUTE },
  /** Messages of MCP that carry no answer, by address or live key (14.70). */
  handshake: { points: Math.max(address, key) * HANDSHAKE_FACTOR, seconds: MINUTE },
  /** Filtered pages and forms (10.10). */
  page: { points: address * PAGE_FACTOR, seconds: MINUTE },
  /** Uploaded pictures (14.13). */
  upload: { points: 60, seconds: HOUR },
  /** Imported calendars, uploaded or fetched (14.34). */
  calendar: { points: 12, seconds: HOUR },
});

export type RateLimitName = keyof ReturnType<typeof createLimits>;

/** State of a limit after one use. */
export interface RateLimitStatus {
  readonly name: RateLimitName;
  readonly limit: number;
  readonly window_seconds: number;
  readonly remaining: number;
  /** Whole seconds until the limit resets, at least 1. */
  readonly reset_seconds: number;
  readonly is_exceeded: boolean;
}

/** Counts one use by a caller: a counted address (client-address.ts) or the hash of a live key. */
export type ConsumeAllowance = (name: RateLimitName, caller: string) => Promise<RateLimitStatus>;

interface SharedCounterOptions {
  readonly valkey_url: string;
  /** Secret shared by all processes. Keys in Valkey are HMACs, so it stores no addresses. */
  readonly secret: Buffer;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Number of callers per process, about 30 MB; beyond, the least recently seen is evicted. */
const MAX_CALLERS = 50_000;

export type RateLimiter = Awaited<ReturnType<typeof createRateLimiter>>;

/** Creates a rate limiter. @param shared Null to count in this process only. */
export async function createRateLimiter(
  rates: Parameters<typeof createLimits>[0],
  shared: SharedCounterOptions | null = null,
) {
  const limits = createLimits(rates);
  // Imported on demand: builds do not need it, and should start fast.
  const library = await import('rate-limiter-flexible');
  const valkey = shared === null ? null : await connectToValkey(shared);
  const recent_callers = new LRUCache<string, RateLimiterMemory>({
    max: MAX_CALLERS,
    dispose: (limiter, key, reason) => {
      if (reason === 'evict') void limiter.delete(key);
    },
  });
  const createCounter = (name: RateLimitName, factor: number) => {
    const points = limits[name].points * factor;
    const options = { points, duration: limits[name].seconds, keyPrefix: '' };
    const memory = new library.RateLimiterMemory(options);
    const limiter =
      valkey === null
        ? memory
        : new library.RateLimiterRedis({
            ...options,
            storeClient: valkey,
            insuranceLimiter: memory,
            rejectIfRedisNotReady: true,
            // Requests over the limit cause no more load on Valkey.
            inMemoryBlockOnConsumed: points + 1,
          });
    return (caller: string): Promise<CounterResult> => {
      const name_and_caller = `${name} ${caller}`;
      const key =
        shared === null ? name_and_caller : `hoy:${computeHmac(shared.secret, name_and_caller)}`;
      recent_callers.set(key, memory);
      return parseLimiterResult(limiter.consume(key));
    };
  };
  const createCounters = (name: RateLimitName) => ({
    caller: createCounter(name, 1),
    network: createCounter(name, NETWORK_FACTOR),
  });
  const counters = {
    ...{ address: createCounters('address'), key: createCounters('key') },
    handshake: createCounters('handshake'),
    ...{ page: createCounters('page'), upload: createCounters('upload') },
    ...{ calendar: createCounters('calendar'), subscription: createCounters('subscription') },
  };
  return {
    consumeAllowance: async (name: RateLimitName, caller: string): Promise<RateLimitStatus> => {
      const { points, seconds } = limits[name];
      const network = rateLimitNetwork(caller);
      const counter = counters[name];
      const [caller_result, network_result] = await Promise.all([
        counter.caller(caller),
        network === null ? null : counter.network(network),
      ]);
      const result =
        network_result?.is_exceeded && !caller_result.is_exceeded ? network_result : caller_result;
      return { name, limit: points, window_seconds: seconds, ...result };
    },
    /** Returns false if processes should count together, but Valkey is unreachable. */
    isConnected: (): boolean => valkey === null || valkey.status === 'ready',
    close: (): void => valkey?.disconnect(),
  };
}

type CounterResult = Pick<RateLimitStatus, 'remaining' | 'reset_seconds' | 'is_exceeded'>;

/** The library rejects with its result if the limit is exceeded. */
const LimitExceededSchema = v.object({ msBeforeNext: v.number() });
async function parseLimiterResult(consumption: Promise<RateLimiterRes>): Promise<CounterResult> {
  const roundUpToSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
  try {
    const { remainingPoints: remaining, msBeforeNext } = await consumption;
    return { remaining, reset_seconds: roundUpToSeconds(msBeforeNext), is_exceeded: false };
  } catch (error) {
    if (!v.is(LimitExceededSchema, error)) throw error;
    return {
      remaining: 0,
      reset_seconds: roundUpToSeconds(error.msBeforeNext),
      is_exceeded: true,
    };
  }
}

const computeHmac = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22);

/**
 * Valkey counts as unreachable after this time. If it were shorter, a busy process would blame
 * Valkey for its own delay.
 */
const RESPONSE_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const MAX_RECONNECT_PAUSE_MS = 2_000;

/**
 * Connects to Valkey. The client fails at once while Valkey is unreachable, reconnects, and logs
 * each change once.
 */
async function connectToValkey({ valkey_url, log }: SharedCounterOptions): Promise<Redis> {
  // Imported on demand: most installations do not use Valkey.
  const { Redis } = await import('ioredis');
  const client = new Redis(valkey_url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: RESPONSE_TIMEOUT_MS,
    retryStrategy: (tries) => Math.min(100 * tries, MAX_RECONNECT_PAUSE_MS),
  });
  let is_reachable: boolean | null = null;
  client.on('ready', () => {
    if (is_reachable === false) log.info('Valkey is reachable again; rate limits are shared');
    is_reachable = true;
  });
  client.on('close', () => {
    if (is_reachable === false || client.status === 'end') return;
    is_reachable = false;
    log.warn('Valkey is unreachable; each process counts rate limits for itself');
  });
  // Not logged: the message may contain host and user name.
  client.on('error', () => {});
  await client.connect().catch(() => {});
  return client;
}

/** Rate limiter for our own requests, which counts nothing. */
export const unlimited: ConsumeAllowance = async (name) => ({
  name,
  limit: 1,
  window_seconds: MINUTE,
  remaining: 1,
  reset_seconds: 1,
  is_exceeded: false,
});

/**
 * Formats the headers of a rate-limited response: the three integers of contract 10.5, the two
 * headers of draft-ietf-httpapi-ratelimit-headers-10, and Retry-After if the limit is exceeded.
 */
export function rateLimitHeaders(status: RateLimitStatus): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(status.limit),
    'ratelimit-remaining': String(status.remaining),
    'ratelimit-reset': String(status.reset_seconds),
    'ratelimit-policy': `"${status.name}";q=${status.limit};w=${status.window_seconds}`,
    ratelimit: `"${status.name}";r=${status.remaining};t=${status.reset_seconds}`,
    ...(status.is_exceeded ? { 'retry-after': String(status.reset_seconds) } : {}),
  };
}
