// When a build that failed is tried again.
import { describe, expect, test } from 'vitest';
import {
  type Attempts,
  findCause,
  NO_ATTEMPTS,
  toPauseMs,
  type Wishes,
} from '../../src/releases/attempts.ts';

const MINUTE_MS = 60_000;
const QUIET: Wishes = { due_ms: null, is_requested: false, has_failed: false };
const DUE: Wishes = { ...QUIET, due_ms: 6_000, has_failed: true };
const failed = (failures: number): Attempts => ({ failures, ended_ms: 0, due_ms: 6_000 });
/** The minute at which an attempt is made, looked for every half minute. */
const findMinute = (attempts: Attempts, wishes: Wishes): number | null =>
  Array.from({ length: 600 }, (_, half) => half / 2).find(
    (minutes) => findCause(attempts, wishes, minutes * MINUTE_MS) !== null,
  ) ?? null;

describe('a build that failed', () => {
  test('is tried again after pauses that grow to an hour', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 50].map((count) => findMinute(failed(count), DUE))).toEqual([
      1.5, 2.5, 4.5, 8.5, 16.5, 32.5, 60.5, 60.5, 60.5,
    ]);
    expect(findCause(failed(1), DUE, 2 * MINUTE_MS)).toBe('again');
    expect(toPauseMs(0)).toBe(0);
  });

  test('is tried at once where another is due, and soon where somebody asks', () => {
    expect(findCause(failed(7), { ...DUE, due_ms: 12_000 }, 0)).toBe('due');
    const asked = { ...DUE, is_requested: true };
    expect(findMinute(failed(7), asked)).toBe(1.5);
    expect(findCause(failed(7), asked, 2 * MINUTE_MS)).toBe('requested');
  });

  test('that was only asked for is tried again too, until one came out', () => {
    const lost = { ...QUIET, has_failed: true };
    expect(findCause(failed(1), lost, 2 * MINUTE_MS)).toBe('again');
    expect(findMinute(failed(1), QUIET)).toBeNull();
    // It failed under somebody else's hands, who knows of it.
    expect(findMinute(NO_ATTEMPTS, lost)).toBeNull();
  });
});

test('what is due or asked for is begun at once, and nothing without a wish', () => {
  expect(findCause(NO_ATTEMPTS, DUE, 0)).toBe('due');
  expect(findCause(NO_ATTEMPTS, { ...QUIET, is_requested: true }, 0)).toBe('requested');
  expect(findMinute(NO_ATTEMPTS, QUIET)).toBeNull();
});
