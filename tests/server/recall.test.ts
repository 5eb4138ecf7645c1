// Which questions come again: known the second time, forgotten when others took the place.
import { expect, test } from 'vitest';
import { createRecall } from '../../src/server/http/recall.ts';

test('a key is new once, then known', () => {
  const recall = createRecall();
  expect([
    recall('/api/v1/events?q=a'),
    recall('/api/v1/events?q=b'),
    recall('/api/v1/events?q=a'),
    recall('/api/v1/events?q=b'),
  ]).toEqual([false, false, true, true]);
});

test('what was never asked is hardly ever taken for known, however much was asked', () => {
  const recall = createRecall();
  const known = Array.from({ length: 100_000 }, (_, i) => recall(`/api/v1/events?q=${i}`)).filter(
    (is_known) => is_known,
  );
  expect(known.length).toBeLessThan(10);
});

test('what was asked long ago gives way', () => {
  const recall = createRecall();
  recall('first');
  for (let i = 0; i < 1_000_000; i += 1) recall(String(i));
  expect(recall('first')).toBe(false);
});
