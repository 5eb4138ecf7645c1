// Limits on both sides of their edges; processes that count together in Valkey, or alone.
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type RateLimitStatus,
  createRateLimiter,
  type RateLimitName,
  type RateLimiter,
} from '../../src/server/rate-limits.ts';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { type Redis, startRedis } from '../fixtures/redis.ts';

const RATES = { address: 60, key: 600 } as const;
const SOMEBODY = '192.0.2.1';

/** What was refused of so many, by its number from 1; and what the last was told. */
async function spend(
  take: RateLimiter['take'],
  name: RateLimitName,
  times: number,
  toCaller: (at: number) => string = () => SOMEBODY,
): Promise<{ refused: number[]; last: RateLimitStatus }> {
  const taken: RateLimitStatus[] = [];
  for (let at = 1; at <= times; at++) taken.push(await take(name, toCaller(at)));
  const refused = taken.flatMap(({ is_exceeded }, at) => (is_exceeded ? [at + 1] : []));
  const last = taken.at(-1);
  if (last === undefined) throw new Error('nothing was taken');
  return { refused, last };
}

/** A /64 of the same /48 for each number. */
const toNeighbour = (at: number): string => `2001:db8:7:${at.toString(16)}::/64`;

afterEach(() => vi.useRealTimers());

test.each([
  ['address', 60, 60],
  ['key', 600, 60],
  ['page', 300, 60],
  ['upload', 60, 3_600],
  ['calendar', 12, 3_600],
] as const)('%s: %i in %i seconds, and sixteen times that of a /48', async (...limited) => {
  const [name, points, seconds] = limited;
  vi.useFakeTimers();
  const { take } = await createRateLimiter(RATES);
  await take(name, SOMEBODY);
  vi.advanceTimersByTime(500);
  const { refused, last } = await spend(take, name, points);
  const spent = { name, limit: points, remaining: 0, is_exceeded: true };
  const times = { window_seconds: seconds, reset_seconds: seconds };
  expect([refused, last]).toEqual([[points], { ...spent, ...times }]);
  expect((await take(name, '192.0.2.2')).is_exceeded, 'somebody else').toBe(false);
  vi.advanceTimersByTime(seconds * 1000 - 501);
  expect(await take(name, SOMEBODY)).toMatchObject({ is_exceeded: true, reset_seconds: 1 });
  vi.advanceTimersByTime(1);
  expect(await take(name, SOMEBODY)).toMatchObject({ remaining: points - 1 });
  const network = await spend(take, name, points * 16 + 1, toNeighbour);
  expect([network.refused, network.last.limit]).toEqual([[points * 16 + 1], points]);
  expect((await take(name, '2001:db8:8:1::/64')).is_exceeded).toBe(false);
});

test('a flood of addresses takes no more room than so many', async () => {
  const { take } = await createRateLimiter(RATES);
  const toAddress = (at: number): string => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  await take('address', toAddress(0));
  for (let at = 0; at < 120_000; at++) await take('address', toAddress(at));
  collectGarbage();
  expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(40);
  expect((await take('address', toAddress(0))).remaining, 'long forgotten').toBe(59);
  expect((await take('address', toAddress(119_999))).remaining, 'seen last').toBe(58);
});

describe('processes with one Valkey', () => {
  const opened: (RateLimiter | Redis)[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await ('kill' in one ? one.kill() : one.close());
  });

  async function start(count: number) {
    const redis = await startRedis();
    opened.unshift(redis);
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const log = { info: say, warn: say };
    const open = async (): Promise<RateLimiter['take']> => {
      const shared = { valkey_url: redis.url, secret: Buffer.from('of one inbox'), log };
      const limits = await createRateLimiter(RATES, shared);
      opened.unshift(limits);
      return limits.take;
    };
    const takes = await Promise.all(Array.from({ length: count }, open));
    return { redis, lines, takes, open };
  }
  const AWAY = 'Valkey is away, each process counts for itself';
  const BACK = 'Valkey is back, limits are counted together';

  function inTurn(takes: readonly RateLimiter['take'][]): RateLimiter['take'] {
    let turn = 0;
    return (name, caller) => {
      const take = takes[turn++ % takes.length];
      if (take === undefined) throw new Error('nobody takes');
      return take(name, caller);
    };
  }

  test('let in sixty uploads an hour over both, and tell Valkey nobody’s address', async () => {
    const { takes, lines, redis } = await start(2);
    const { refused, last } = await spend(inTurn(takes), 'upload', 62);
    expect([refused, last.remaining, last.is_exceeded]).toEqual([[61, 62], 0, true]);
    const [key = ''] = /hoy:[\w-]{22}(?=\r\n)/.exec(await redis.ask('KEYS *')) ?? [];
    const kept_seconds = Number(/:(\d+)/.exec(await redis.ask(`TTL ${key}`))?.[1]);
    expect(Math.abs(kept_seconds - 3_595)).toBeLessThanOrEqual(5);
    const network = await spend(inTurn(takes), 'calendar', 193, toNeighbour);
    expect(network.refused).toEqual([193]);
    const keys = await redis.ask('KEYS *');
    expect([keys.includes(SOMEBODY), keys.includes('2001'), lines]).toEqual([false, false, []]);
  });

  test('go on each for itself while it is not there, say so once, and count together when it is back', async () => {
    const { takes, redis, lines, open } = await start(2);
    await spend(inTurn(takes), 'upload', 40);
    await redis.kill();
    await expect.poll(() => lines).toEqual([AWAY, AWAY]);
    // One begins without it.
    const all = [...takes, await open()];
    const { refused } = await spend(inTurn(all), 'upload', 182);
    expect(refused, 'each of them has sixty').toEqual([181, 182]);
    expect(lines).toEqual([AWAY, AWAY, AWAY]);
    await redis.begin();
    await expect.poll(() => lines.slice(3)).toEqual([BACK, BACK, BACK]);
    const after = await spend(inTurn(all), 'upload', 61, () => '192.0.2.9');
    expect(after.refused).toEqual([61]);
  });

  test('wait a moment only for one that answers nothing', async () => {
    const { takes, redis, lines } = await start(1);
    redis.freeze();
    try {
      const begun_ms = performance.now();
      const { refused } = await spend(inTurn(takes), 'upload', 61);
      expect(refused).toEqual([61]);
      expect(performance.now() - begun_ms).toBeLessThan(1_500);
      expect(lines).toEqual([AWAY]);
    } finally {
      redis.thaw();
    }
    await expect.poll(() => lines).toEqual([AWAY, BACK]);
  });
});
