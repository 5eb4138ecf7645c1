// Which requests come again: known the second time, forgotten when others took the place.
import { expect, test } from 'vitest';
import { createRepeatFilter } from '../../src/server/http/release-state.ts';

test('a key is new once, then known', () => {
  const isRepeated = createRepeatFilter();
  expect([
    isRepeated('/api/v1/events?q=a'),
    isRepeated('/api/v1/events?q=b'),
    isRepeated('/api/v1/events?q=a'),
    isRepeated('/api/v1/events?q=b'),
  ]).toEqual([false, false, true, true]);
});

test('what never came is hardly ever taken for known, however much came', () => {
  const isRepeated = createRepeatFilter();
  const known = Array.from({ length: 100_000 }, (_, i) =>
    isRepeated(`/api/v1/events?q=${i}`),
  ).filter((is_known) => is_known);
  expect(known.length).toBeLessThan(10);
});

test('what came long ago gives way', () => {
  const isRepeated = createRepeatFilter();
  isRepeated('first');
  for (let i = 0; i < 1_000_000; i += 1) isRepeated(String(i));
  expect(isRepeated('first')).toBe(false);
});
