import { describe, expect, test } from 'vitest';
import { createQueue } from '../../src/server/queue.ts';

const LIMITS = { at_once: 1, of_one: 5, of_all: 7 } as const;

describe('the queue', () => {
  test('goes from one sender to the next, however much one of them has waiting', async () => {
    const run = createQueue(LIMITS);
    const order: string[] = [];
    const ask = (sender: string) => run(sender, async () => void order.push(sender));
    await Promise.all([...Array.from({ length: 5 }, () => ask('a')), ask('b'), ask('c')]);
    expect(order.join('')).toBe('abcaaaa');
  });

  test('begins when nobody new comes, and after a while all the same', async () => {
    let arrived = 0;
    const run = createQueue(LIMITS, () => arrived);
    const order: string[] = [];
    const waits = run('a', async () => void order.push('page'));
    for (let i = 0; i < 5; i++) {
      arrived++;
      await new Promise((done) => setImmediate(done));
      order.push('came');
    }
    await waits;
    expect(order).toEqual(['came', 'came', 'came', 'came', 'came', 'page']);
    const flood = setInterval(() => arrived++, 0);
    const spin = setInterval(() => arrived++, 1);
    await run('a', async () => {});
    clearInterval(flood);
    clearInterval(spin);
  });

  test('goes on after work that fails', async () => {
    const run = createQueue(LIMITS);
    await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await run('a', async () => 'next')).toBe('next');
  });
});
