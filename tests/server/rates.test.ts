// Counting requests: bounded room, whole networks, and each process for itself where the primary is silent.
import { expect, test } from 'vitest';
import { createWindowCounter } from '../../src/http/window-counter.ts';
import { createRateCounter } from '../../src/server/http/rates.ts';
import { collectGarbage } from '../fixtures/collect-garbage.ts';

/** What is left when all that is not needed is gone. */
function readHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('a window begins with the first request and ends on time', () => {
  const count = createWindowCounter(1000);
  expect([count('a', 0), count('a', 400), count('b', 500), count('a', 1000)]).toEqual([
    { count: 1, left_ms: 1000 },
    { count: 2, left_ms: 600 },
    { count: 1, left_ms: 1000 },
    { count: 1, left_ms: 1000 },
  ]);
});

test('a million addresses take no more room than so many', () => {
  const count = createWindowCounter(60_000, 10_000);
  const before = readHeap();
  for (let i = 0; i < 1_000_000; i++) count(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, i / 1000);
  expect((readHeap() - before) / 1e6).toBeLessThan(10);
  expect(count('10.0.0.0', 1000).count, 'long forgotten').toBe(1);
  expect(count('10.15.66.63', 1000).count, 'seen last').toBe(2);
});

test('a whole /48 has sixteen times what a /64 of it has', async () => {
  const count = createRateCounter({ address: 3, key: 3 });
  const ask = async (i: number) =>
    (await count('address', `2001:db8:7:${i.toString(16)}::/64`)).is_exceeded;
  const refused: boolean[] = [];
  for (let i = 0; i < 49; i++) refused.push(await ask(i));
  expect(refused.indexOf(true)).toBe(48);
  expect((await count('address', '2001:db8:8:1::/64')).is_exceeded).toBe(false);
});

test('what the others have counted decides; where they are silent, what this process has', async () => {
  let together: number | null = 4;
  const count = createRateCounter({ address: 3, key: 3 }, async (names) =>
    together === null ? null : names.map(() => ({ count: together ?? 0, left_ms: 1000 })),
  );
  const ask = async () => (await count('address', '192.0.2.1')).is_exceeded;
  expect(await ask()).toBe(true);
  together = null;
  expect([await ask(), await ask(), await ask()]).toEqual([false, false, true]);
  together = 1;
  expect(await ask(), 'known here to have had enough').toBe(true);
});
