// Rate limits: at and over each limit; processes that count together in Valkey, or alone.
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type ConsumeAllowance,
  type RateLimitStatus,
  createRateLimiter,
  type RateLimitName,
  type RateLimiter,
} from '../../src/server/rate-limits.ts';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { type Redis, startRedis } from '../fixtures/redis.ts';

const RATES = { address: 60, key: 600 } as const;
const CALLER = '192.0.2.1';

/** Consumes an allowance several times. Returns the numbers, from 1, of the rejected uses, and the last status. */
async function spend(
  consume: ConsumeAllowance,
  name: RateLimitName,
  times: number,
  callerOf: (number: number) => string = () => CALLER,
): Promise<{ rejected: number[]; last: RateLimitStatus }> {
  const statuses: RateLimitStatus[] = [];
  for (let number = 1; number <= times; number++)
    statuses.push(await consume(name, callerOf(number)));
  const rejected = statuses.flatMap(({ is_exceeded }, index) => (is_exceeded ? [index + 1] : []));
  const last = statuses.at(-1);
  if (last === undefined) throw new Error('nothing was consumed');
  return { rejected, last };
}

/** Returns another /64 of the same /48 for each number. */
const addressInNetwork = (number: number): string => `2001:db8:7:${number.toString(16)}::/64`;

afterEach(() => vi.useRealTimers());

test.each([
  ['address', 60, 60],
  ['key', 600, 60],
  ['page', 300, 60],
  ['upload', 60, 3_600],
  ['calendar', 12, 3_600],
  ['subscription', 1_200, 60],
] as const)('%s allows %i uses in %i seconds, and 16 times as many per /48', async (...limit) => {
  const [name, points, seconds] = limit;
  vi.useFakeTimers();
  const { consumeAllowance } = await createRateLimiter(RATES);
  await consumeAllowance(name, CALLER);
  vi.advanceTimersByTime(500);
  const { rejected, last } = await spend(consumeAllowance, name, points);
  const spent = { name, limit: points, remaining: 0, is_exceeded: true };
  const times = { window_seconds: seconds, reset_seconds: seconds };
  expect([rejected, last]).toEqual([[points], { ...spent, ...times }]);
  expect((await consumeAllowance(name, '192.0.2.2')).is_exceeded, 'another caller').toBe(false);
  vi.advanceTimersByTime(seconds * 1000 - 501);
  expect(await consumeAllowance(name, CALLER)).toMatchObject({
    is_exceeded: true,
    reset_seconds: 1,
  });
  vi.advanceTimersByTime(1);
  expect(await consumeAllowance(name, CALLER)).toMatchObject({ remaining: points - 1 });
  const network = await spend(consumeAllowance, name, points * 16 + 1, addressInNetwork);
  expect([network.rejected, network.last.limit]).toEqual([[points * 16 + 1], points]);
  expect((await consumeAllowance(name, '2001:db8:8:1::/64')).is_exceeded).toBe(false);
});

test('a flood of addresses uses a limited amount of memory', async () => {
  const { consumeAllowance } = await createRateLimiter(RATES);
  const addressOf = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await consumeAllowance('address', addressOf(0));
  for (let i = 0; i < 120_000; i++) await consumeAllowance('address', addressOf(i));
  collectGarbage();
  expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(40);
  expect((await consumeAllowance('address', addressOf(0))).remaining, 'evicted').toBe(59);
  expect((await consumeAllowance('address', addressOf(119_999))).remaining, 'most recent').toBe(58);
});

describe('processes with one Valkey', () => {
  const opened: (RateLimiter | Redis)[] = [];
  afterEach(async () => {
    for (const client of opened.splice(0))
      await ('kill' in client ? client.kill() : client.close());
  });

  async function start(count: number) {
    const redis = await startRedis();
    opened.unshift(redis);
    const lines: string[] = [];
    const logLine = (line: string): void => void lines.push(line);
    const log = { info: logLine, warn: logLine };
    const open = async (): Promise<ConsumeAllowance> => {
      const shared = { valkey_url: redis.url, secret: Buffer.from('of one inbox'), log };
      const limits = await createRateLimiter(RATES, shared);
      opened.unshift(limits);
      return limits.consumeAllowance;
    };
    const processes = await Promise.all(Array.from({ length: count }, open));
    return { redis, lines, processes, open };
  }
  const UNREACHABLE = 'Valkey is unreachable; each process counts rate limits for itself';
  const REACHABLE = 'Valkey is reachable again; rate limits are shared';

  function roundRobin(processes: readonly ConsumeAllowance[]): ConsumeAllowance {
    let turn = 0;
    return (name, caller) => {
      const consume = processes[turn++ % processes.length];
      if (consume === undefined) throw new Error('there are no processes');
      return consume(name, caller);
    };
  }

  test('share a limit of sixty uploads an hour, and store no addresses in Valkey', async () => {
    const { processes, lines, redis } = await start(2);
    const { rejected, last } = await spend(roundRobin(processes), 'upload', 62);
    expect([rejected, last.remaining, last.is_exceeded]).toEqual([[61, 62], 0, true]);
    const [key = ''] = /hoy:[\w-]{22}(?=\r\n)/.exec(await redis.sendCommand('KEYS *')) ?? [];
    const ttl_seconds = Number(/:(\d+)/.exec(await redis.sendCommand(`TTL ${key}`))?.[1]);
    expect(Math.abs(ttl_seconds - 3_595)).toBeLessThanOrEqual(5);
    const network = await spend(roundRobin(processes), 'calendar', 193, addressInNetwork);
    expect(network.rejected).toEqual([193]);
    const keys = await redis.sendCommand('KEYS *');
    expect([keys.includes(CALLER), keys.includes('2001'), lines]).toEqual([false, false, []]);
  });

  test('count separately while Valkey is unreachable, log it once, and count together when it is back', async () => {
    const { processes, redis, lines, open } = await start(2);
    await spend(roundRobin(processes), 'upload', 40);
    await redis.kill();
    await expect.poll(() => lines).toEqual([UNREACHABLE, UNREACHABLE]);
    // A process that starts without Valkey.
    const all = [...processes, await open()];
    const { rejected } = await spend(roundRobin(all), 'upload', 182);
    expect(rejected, 'each process allows sixty').toEqual([181, 182]);
    expect(lines).toEqual([UNREACHABLE, UNREACHABLE, UNREACHABLE]);
    await redis.startAgain();
    await expect.poll(() => lines.slice(3)).toEqual([REACHABLE, REACHABLE, REACHABLE]);
    const after = await spend(roundRobin(all), 'upload', 61, () => '192.0.2.9');
    expect(after.rejected).toEqual([61]);
  });

  test('wait at most a second for a Valkey that does not respond', async () => {
    const { processes, redis, lines } = await start(1);
    redis.freeze();
    try {
      const begun_ms = performance.now();
      const { rejected } = await spend(roundRobin(processes), 'upload', 61);
      expect(rejected).toEqual([61]);
      expect(performance.now() - begun_ms).toBeLessThan(1_500);
      expect(lines).toEqual([UNREACHABLE]);
    } finally {
      redis.thaw();
    }
    await expect.poll(() => lines).toEqual([UNREACHABLE, REACHABLE]);
  });
});
