// Build schedule: decides if a release must be built now, and why: the schedule (every
// REBUILD_HOURS hours from local midnight), a new decision of the desk, or a missing snapshot.
// Failed builds are retried with growing delays.
import { startOfDayMs, toLocalDay } from '../domain/local-time.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Computes the last scheduled release at or before `now_ms`. `hours` is the interval, 1 to 24. */
export function lastScheduledMs(now_ms: number, hours: number): number {
  const midnight_ms = startOfDayMs(toLocalDay(now_ms));
  return midnight_ms + Math.floor((now_ms - midnight_ms) / (hours * HOUR_MS)) * hours * HOUR_MS;
}

/** Computes the next scheduled release. @returns null if `hours` is 0: there is no schedule. */
export function nextScheduledMs(now_ms: number, hours: number): number | null {
  if (hours === 0) return null;
  const midnight_ms = startOfDayMs(toLocalDay(now_ms).add({ days: 1 }));
  return Math.min(lastScheduledMs(now_ms, hours) + hours * HOUR_MS, midnight_ms);
}

/** A release dated further in the future was built with a wrong clock and is rebuilt. */
const MAX_CLOCK_ERROR_MS = MINUTE_MS;

/** Tells if the live release is older than the last scheduled one, or dated in the future. */
export const isReleaseOverdue = (generated_ms: number, now_ms: number, hours: number): boolean =>
  hours > 0 &&
  (generated_ms < lastScheduledMs(now_ms, hours) || generated_ms > now_ms + MAX_CLOCK_ERROR_MS);

/** Tells if the live release is older than two intervals of the schedule; /statusz reports it. */
export const isReleaseStale = (generated_ms: number, now_ms: number, hours: number): boolean =>
  hours > 0 && now_ms - generated_ms > 2 * hours * HOUR_MS;

/** Minimum time between builds for decisions that are not urgent, so that several share a build. */
const MIN_INTERVAL_MS = 10 * SECOND_MS;
/** Delays after the first failure, the second and so on; the last one for all later failures. */
const RETRY_DELAYS = [1, 2, 4, 8, 16, 32, 60];

/** Computes the delay after failed builds in a row: seconds if a decision waits, else minutes. */
export const retryDelayMs = (failures: number, has_decision = false): number =>
  failures === 0 ? 0 : (RETRY_DELAYS[failures - 1] ?? 60) * (has_decision ? SECOND_MS : MINUTE_MS);

/** State of the live release that decides about a build. */
export interface RebuildState {
  /** This program cannot serve any release, or must replace the one it serves by its own. */
  readonly is_missing: boolean;
  /** Time of the last scheduled release that was not built; null if none is overdue. */
  readonly due_ms: number | null;
  /** Id of the newest decision, if the snapshot lacks it; null if it includes all decisions. */
  readonly decision: number | null;
  /** The snapshot lacks a decision to cancel or withdraw an event, or to publish a notice. */
  readonly is_urgent: boolean;
}

/**
 * The last build that this process started, with the `due_ms` and `decision` it was built for.
 * `started_ms` and `ended_ms` are on a monotonic clock (performance.now).
 */
export interface BuildAttempts extends Pick<RebuildState, 'due_ms' | 'decision'> {
  /** Failed builds in a row; 0 after a success. */
  readonly failures: number;
  readonly started_ms: number;
  readonly ended_ms: number;
}
export const NO_BUILD_ATTEMPTS: BuildAttempts = {
  failures: 0,
  started_ms: Number.NEGATIVE_INFINITY,
  ended_ms: Number.NEGATIVE_INFINITY,
  due_ms: null,
  decision: null,
};

/** `due`: the schedule; `decided`: a decision of the desk; `missing`: see `is_missing`. */
export type BuildCause = 'due' | 'decided' | 'missing';

/**
 * Decides if a build starts now, and why.
 * @param now_ms Time on the monotonic clock of `attempts`.
 * @returns null if no build is due yet.
 */
export function findBuildCause(
  attempts: BuildAttempts,
  rebuild_state: RebuildState,
  now_ms: number,
): BuildCause | null {
  const { failures, started_ms, ended_ms } = attempts;
  const { due_ms, decision, is_missing, is_urgent } = rebuild_state;
  const hasPassed = (delay_ms: number): boolean => now_ms - ended_ms >= delay_ms;
  if (due_ms !== null && (due_ms !== attempts.due_ms || hasPassed(retryDelayMs(failures))))
    return 'due';
  if (decision !== null) {
    const is_new = decision !== attempts.decision;
    if (!is_new && !hasPassed(retryDelayMs(failures, true))) return null;
    return is_urgent || now_ms - started_ms >= MIN_INTERVAL_MS ? 'decided' : null;
  }
  return is_missing && hasPassed(retryDelayMs(failures)) ? 'missing' : null;
}
