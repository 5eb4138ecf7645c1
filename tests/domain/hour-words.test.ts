// Which hours `now` and `tonight` mean, and which days they touch, on both sides of every edge.
import { expect, test } from 'vitest';
import { formatTimestamp } from '../../src/domain/cancun-time.ts';
import { resolveHourWord, toTouchedDays } from '../../src/domain/hour-words.ts';
import { at } from '../fixtures/fixture.ts';

test.each([
  ['now', '2026-11-20T21:59:59', '2026-11-20T21:59', '2026-11-20T22:00', '2026-11-20..2026-11-20'],
  ['now', '2026-11-21T00:40:00', '2026-11-21T00:40', '2026-11-21T00:41', '2026-11-21..2026-11-21'],
  ['now', '2026-11-20T23:59:59', '2026-11-20T23:59', '2026-11-21T00:00', '2026-11-20..2026-11-20'],
  ['tonight', '2026-11-20T06:00', '2026-11-20T18:00', '2026-11-21T06:00', '2026-11-20..2026-11-21'],
  ['tonight', '2026-11-20T23:59', '2026-11-20T18:00', '2026-11-21T06:00', '2026-11-20..2026-11-21'],
  ['tonight', '2026-11-21T00:00', '2026-11-20T18:00', '2026-11-21T06:00', '2026-11-20..2026-11-21'],
  ['tonight', '2026-11-21T05:59', '2026-11-20T18:00', '2026-11-21T06:00', '2026-11-20..2026-11-21'],
  ['tonight', '2026-12-31T20:00', '2026-12-31T18:00', '2027-01-01T06:00', '2026-12-31..2027-01-01'],
])('%s at %s is from %s to %s and touches %s', (word, now, from, until, days) => {
  const hours = resolveHourWord(word, at(now.padEnd(19, ':00')));
  if (!hours) throw new Error(`${word} is no word`);
  expect(formatTimestamp(hours.from_ms)).toBe(`${from}:00-05:00`);
  expect(formatTimestamp(hours.until_ms)).toBe(`${until}:00-05:00`);
  const { from: first, to: last } = toTouchedDays(hours);
  expect(`${first}..${last}`).toBe(days);
});

test.each(['today', 'Now', '', undefined])('%s is none of them', (text) => {
  expect(resolveHourWord(text, at('2026-11-20T12:00:00'))).toBeNull();
});
