import { expect, test } from 'vitest';
import { createQueue } from '../../src/server/queue.ts';

const LIMITS = { at_once: 1, of_one: 5, of_all: 7 } as const;

test('the queue goes from one sender to the next, however much one of them has waiting', async () => {
  const run = createQueue(LIMITS);
  const order: string[] = [];
  const ask = (sender: string) => run(sender, async () => void order.push(sender));
  await Promise.all([...Array.from({ length: 5 }, () => ask('a')), ask('b'), ask('c')]);
  expect(order.join('')).toBe('abcaaaa');
});

test('the queue goes on after work that fails', async () => {
  const run = createQueue(LIMITS);
  await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await run('a', async () => 'next')).toBe('next');
});
