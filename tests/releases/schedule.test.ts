// When a release is due: every so many hours, counted from midnight in Cancún.
import { describe, expect, test } from 'vitest';
import { isOverdue, isStale, lastDueMs, nextDueMs } from '../../src/releases/schedule.ts';
import { at } from '../fixtures/fixture.ts';

describe('the schedule', () => {
  test.each([
    ['2026-11-20T00:00:00', 6, '2026-11-20T00:00:00', '2026-11-20T06:00:00'],
    ['2026-11-20T05:59:59', 6, '2026-11-20T00:00:00', '2026-11-20T06:00:00'],
    ['2026-11-20T06:00:00', 6, '2026-11-20T06:00:00', '2026-11-20T12:00:00'],
    ['2026-11-20T19:30:00', 6, '2026-11-20T18:00:00', '2026-11-21T00:00:00'],
    ['2026-11-20T23:59:59', 5, '2026-11-20T20:00:00', '2026-11-21T00:00:00'],
    ['2026-11-20T12:00:00', 24, '2026-11-20T00:00:00', '2026-11-21T00:00:00'],
    ['2026-12-31T23:30:00', 1, '2026-12-31T23:00:00', '2027-01-01T00:00:00'],
  ])('at %s every %i h: due at %s, next at %s', (now, hours, last, next) => {
    expect(lastDueMs(at(now), hours)).toBe(at(last));
    expect(nextDueMs(at(now), hours)).toBe(at(next));
  });

  test.each([
    ['2026-11-20T05:59:59', '2026-11-20T06:00:00', true],
    ['2026-11-20T06:00:00', '2026-11-20T06:00:00', false],
    ['2026-11-20T06:00:01', '2026-11-20T11:59:59', false],
    ['2026-11-19T12:00:00', '2026-11-20T01:00:00', true],
    // A clock that ran a minute fast is forgiven; one that ran further made a release that would
    // look new for ever.
    ['2026-11-20T12:01:00', '2026-11-20T12:00:00', false],
    ['2026-11-20T12:01:01', '2026-11-20T12:00:00', true],
    ['2027-01-01T00:00:00', '2026-11-20T12:00:00', true],
  ])('made at %s, at %s it is overdue: %s', (made, now, expected) => {
    expect(isOverdue(at(made), at(now), 6)).toBe(expected);
  });

  test.each([
    ['2026-11-20T00:00:00', '2026-11-20T12:00:00', false],
    ['2026-11-20T00:00:00', '2026-11-20T12:00:01', true],
  ])('made at %s, at %s two runs were missed: %s', (made, now, expected) => {
    expect(isStale(at(made), at(now), 6)).toBe(expected);
  });

  test('0 is never', () => {
    expect(isStale(0, at('2026-11-20T12:00:00'), 0)).toBe(false);
    expect(nextDueMs(at('2026-11-20T12:00:00'), 0)).toBeNull();
    expect(isOverdue(0, at('2026-11-20T12:00:00'), 0)).toBe(false);
  });
});
