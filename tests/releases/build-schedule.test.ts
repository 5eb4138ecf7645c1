// Build schedule: scheduled builds from local midnight, builds for decisions, and retries after failures.
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
import { localMs } from '../fixtures/fixture.ts';

describe('the schedule', () => {
  test.each([
    ['2026-11-20T00:00:00', 6, '2026-11-20T00:00:00', '2026-11-20T06:00:00'],
    ['2026-11-20T06:00:00', 6, '2026-11-20T06:00:00', '2026-11-20T12:00:00'],
    ['2026-11-20T23:59:59', 5, '2026-11-20T20:00:00', '2026-11-21T00:00:00'],
    ['2026-11-20T12:00:00', 24, '2026-11-20T00:00:00', '2026-11-21T00:00:00'],
  ])('at %s every %i h: due at %s, next at %s', (now, hours, last, next) => {
    expect(lastScheduledMs(localMs(now), hours)).toBe(localMs(last));
    expect(nextScheduledMs(localMs(now), hours)).toBe(localMs(next));
  });

  test.each([
    ['2026-11-20T05:59:59', '2026-11-20T06:00:00', true],
    ['2026-11-20T06:00:00', '2026-11-20T06:00:00', false],
    // A clock may be a minute fast; a release dated further in the future would look new forever.
    ['2026-11-20T12:01:00', '2026-11-20T12:00:00', false],
    ['2026-11-20T12:01:01', '2026-11-20T12:00:00', true],
  ])('a release of %s is overdue at %s: %s', (generated_at, now, expected) => {
    expect(isReleaseOverdue(localMs(generated_at), localMs(now), 6)).toBe(expected);
  });

  test.each([
    ['2026-11-20T00:00:00', '2026-11-20T12:00:00', false],
    ['2026-11-20T00:00:00', '2026-11-20T12:00:01', true],
  ])(
    'a release of %s is stale at %s, after two missed builds: %s',
    (generated_at, now, expected) => {
      expect(isReleaseStale(localMs(generated_at), localMs(now), 6)).toBe(expected);
    },
  );

  test('an interval of 0 disables it', () => {
    expect(isReleaseStale(0, localMs('2026-11-20T12:00:00'), 0)).toBe(false);
    expect(nextScheduledMs(localMs('2026-11-20T12:00:00'), 0)).toBeNull();
    expect(isReleaseOverdue(0, localMs('2026-11-20T12:00:00'), 0)).toBe(false);
  });
});

const QUIET: RebuildState = { is_missing: false, due_ms: null, decision: null, is_urgent: false };
const DUE: RebuildState = { ...QUIET, due_ms: 6 };
const DECIDED: RebuildState = { ...QUIET, decision: 7 };
const URGENT: RebuildState = { ...DECIDED, is_urgent: true };
const MISSING: RebuildState = { ...QUIET, is_missing: true };
/** Build from second 0 to second 4, for schedule 6 and decision 7. */
const ended = (failures: number): BuildAttempts => ({
  ...{ failures, started_ms: 0, ended_ms: 4_000 },
  ...{ due_ms: 6, decision: 7 },
});
const OTHER = { ...ended(0), due_ms: 5, decision: 6 };

test('without earlier attempts, each cause starts a build at once', () => {
  const causes = [QUIET, DUE, DECIDED, MISSING].map((state) =>
    findBuildCause(NO_BUILD_ATTEMPTS, state, 0),
  );
  expect(causes).toEqual([null, 'due', 'decided', 'missing']);
});

/** Title, attempts, state, the second from which on a build starts, and its cause. */
test.each<readonly [string, BuildAttempts, RebuildState, number, string]>([
  [
    'decisions wait until ten seconds after the start of the last build',
    OTHER,
    DECIDED,
    10,
    'decided',
  ],
  ['a cancellation or notice does not wait', OTHER, URGENT, 4, 'decided'],
  ['the next scheduled build ignores earlier failures', { ...OTHER, failures: 7 }, DUE, 4, 'due'],
  ['a new decision ignores earlier failures', { ...OTHER, failures: 7 }, URGENT, 4, 'decided'],
  ['a scheduled build is retried after a minute', ended(1), DUE, 64, 'due'],
  ['a scheduled build is retried again after two minutes', ended(2), DUE, 124, 'due'],
  ['a scheduled build is finally retried every hour', ended(50), DUE, 3604, 'due'],
  ['an urgent build is retried after a second', ended(1), URGENT, 5, 'decided'],
  ['an urgent build is retried after four seconds the third time', ended(3), URGENT, 8, 'decided'],
  ['an urgent build is finally retried every minute', ended(9), URGENT, 64, 'decided'],
  ['a retry for other decisions also waits ten seconds', ended(1), DECIDED, 10, 'decided'],
  ['a build of a missing snapshot is retried after a minute', ended(1), MISSING, 64, 'missing'],
  ['the schedule comes before decisions', OTHER, { ...URGENT, due_ms: 6 }, 4, 'due'],
  [
    'a new decision does not wait for the retry of a scheduled build',
    { ...OTHER, failures: 3, due_ms: 6 },
    { ...URGENT, due_ms: 6 },
    4,
    'decided',
  ],
])('after a build: %s', (_, attempts, state, second, cause) => {
  const from_ms = second * 1000;
  if (second > 4) expect(findBuildCause(attempts, state, from_ms - 1)).toBeNull();
  expect(findBuildCause(attempts, state, from_ms)).toBe(cause);
});
