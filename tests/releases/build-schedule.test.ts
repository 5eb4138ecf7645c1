// When a build is due: by the schedule, counted from midnight in Cancún; by what was decided; again after one failed.
import { describe, expect, test } from 'vitest';
import {
  type BuildAttempts,
  findBuildCause,
  isReleaseOverdue,
  isReleaseStale,
  lastScheduledMs,
  nextScheduledMs,
  NO_BUILD_ATTEMPTS,
  type RebuildState,
} from '../../src/releases/build-schedule.ts';
import { at } from '../fixtures/fixture.ts';

describe('the schedule', () => {
  test.each([
    ['2026-11-20T00:00:00', 6, '2026-11-20T00:00:00', '2026-11-20T06:00:00'],
    ['2026-11-20T06:00:00', 6, '2026-11-20T06:00:00', '2026-11-20T12:00:00'],
    ['2026-11-20T23:59:59', 5, '2026-11-20T20:00:00', '2026-11-21T00:00:00'],
    ['2026-11-20T12:00:00', 24, '2026-11-20T00:00:00', '2026-11-21T00:00:00'],
  ])('at %s every %i h: due at %s, next at %s', (now, hours, last, next) => {
    expect(lastScheduledMs(at(now), hours)).toBe(at(last));
    expect(nextScheduledMs(at(now), hours)).toBe(at(next));
  });

  test.each([
    ['2026-11-20T05:59:59', '2026-11-20T06:00:00', true],
    ['2026-11-20T06:00:00', '2026-11-20T06:00:00', false],
    // A clock that ran a minute fast is forgiven; one that ran further made a release that would
    // look new for ever.
    ['2026-11-20T12:01:00', '2026-11-20T12:00:00', false],
    ['2026-11-20T12:01:01', '2026-11-20T12:00:00', true],
  ])('made at %s, at %s it is overdue: %s', (made, now, expected) => {
    expect(isReleaseOverdue(at(made), at(now), 6)).toBe(expected);
  });

  test.each([
    ['2026-11-20T00:00:00', '2026-11-20T12:00:00', false],
    ['2026-11-20T00:00:00', '2026-11-20T12:00:01', true],
  ])('made at %s, at %s two runs were missed: %s', (made, now, expected) => {
    expect(isReleaseStale(at(made), at(now), 6)).toBe(expected);
  });

  test('0 is never', () => {
    expect(isReleaseStale(0, at('2026-11-20T12:00:00'), 0)).toBe(false);
    expect(nextScheduledMs(at('2026-11-20T12:00:00'), 0)).toBeNull();
    expect(isReleaseOverdue(0, at('2026-11-20T12:00:00'), 0)).toBe(false);
  });
});

const QUIET: RebuildState = { is_missing: false, due_ms: null, decision: null, is_urgent: false };
const DUE: RebuildState = { ...QUIET, due_ms: 6 };
const DECIDED: RebuildState = { ...QUIET, decision: 7 };
const URGENT: RebuildState = { ...DECIDED, is_urgent: true };
const MISSING: RebuildState = { ...QUIET, is_missing: true };
/** A build from second 0 to second 4, for what is due and was decided. */
const ended = (failures: number): BuildAttempts => ({
  ...{ failures, begun_ms: 0, ended_ms: 4_000 },
  ...{ due_ms: 6, decision: 7 },
});
const OTHER = { ...ended(0), due_ms: 5, decision: 6 };

test('at first whatever asks for a build has one at once', () => {
  const causes = [QUIET, DUE, DECIDED, MISSING].map((one) =>
    findBuildCause(NO_BUILD_ATTEMPTS, one, 0),
  );
  expect(causes).toEqual([null, 'due', 'decided', 'missing']);
});

/** The second from which on a build is begun, and why. */
test.each<readonly [string, BuildAttempts, RebuildState, number, string]>([
  ['decisions are gathered for ten seconds from the build before', OTHER, DECIDED, 10, 'decided'],
  ['a cancellation or a notice is not', OTHER, URGENT, 4, 'decided'],
  ['what is due next does not wait for what failed', { ...OTHER, failures: 7 }, DUE, 4, 'due'],
  ['nor does a new decision', { ...OTHER, failures: 7 }, URGENT, 4, 'decided'],
  ['what is due is tried again a minute later', ended(1), DUE, 64, 'due'],
  ['then two', ended(2), DUE, 124, 'due'],
  ['at last every hour', ended(50), DUE, 3604, 'due'],
  ['what was decided is tried again a second later', ended(1), URGENT, 5, 'decided'],
  ['then two, four', ended(3), URGENT, 8, 'decided'],
  ['at last every minute', ended(9), URGENT, 64, 'decided'],
  ['what is gathered, not before its ten seconds', ended(1), DECIDED, 10, 'decided'],
  ['what is missing is tried again a minute later', ended(1), MISSING, 64, 'missing'],
  ['what is due comes before what was decided', OTHER, { ...URGENT, due_ms: 6 }, 4, 'due'],
  [
    'where that failed, what was decided does not wait',
    { ...OTHER, failures: 3, due_ms: 6 },
    { ...URGENT, due_ms: 6 },
    4,
    'decided',
  ],
])('after a build: %s', (_what, attempts, standing, second, cause) => {
  const from_ms = second * 1000;
  if (second > 4) expect(findBuildCause(attempts, standing, from_ms - 1)).toBeNull();
  expect(findBuildCause(attempts, standing, from_ms)).toBe(cause);
});
