// When a build is due: by the schedule, by what was decided since, by other code, or again after one
// that failed.
import { startOfDayMs, toLocalDay } from '../domain/local-time.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The last moment at or before `now_ms` at which a release was due. `hours` is 1 to 24. */
export function lastScheduledMs(now_ms: number, hours: number): number {
  const midnight_ms = startOfDayMs(toLocalDay(now_ms));
  return midnight_ms + Math.floor((now_ms - midnight_ms) / (hours * HOUR_MS)) * hours * HOUR_MS;
}

/** The next moment at which one is due; null for `hours` 0, which is never. */
export function nextScheduledMs(now_ms: number, hours: number): number | null {
  if (hours === 0) return null;
  const midnight_ms = startOfDayMs(toLocalDay(now_ms).add({ days: 1 }));
  return Math.min(lastScheduledMs(now_ms, hours) + hours * HOUR_MS, midnight_ms);
}

/** What a clock that was set right may lie behind a release: more means that a wrong clock made it. */
const AHEAD_MS = MINUTE_MS;

export const isReleaseOverdue = (generated_ms: number, now_ms: number, hours: number): boolean =>
  hours > 0 && (generated_ms < lastScheduledMs(now_ms, hours) || generated_ms > now_ms + AHEAD_MS);

export const isReleaseStale = (generated_ms: number, now_ms: number, hours: number): boolean =>
  hours > 0 && now_ms - generated_ms > 2 * hours * HOUR_MS;

/** Decisions that are no cancellation, withdrawal or notice are gathered for so long. */
const GATHERED_MS = 10 * SECOND_MS;
/** After the first failure, the second, …; the last holds for all that follow. */
const PAUSES = [1, 2, 4, 8, 16, 32, 60];

/** How long after that many failures the next attempt is made: seconds where somebody decided, else minutes. */
export const retryDelayMs = (failures: number, is_decided = false): number =>
  failures === 0 ? 0 : (PAUSES[failures - 1] ?? 60) * (is_decided ? SECOND_MS : MINUTE_MS);

export interface RebuildState {
  readonly is_missing: boolean;
  /** The last moment at which one was due and none came; null otherwise. */
  readonly due_ms: number | null;
  /** The last decision of the desk that the snapshot does not know; null where it knows all. */
  readonly decision: number | null;
  /** Whether one of these calls something off, or warns. */
  readonly is_urgent: boolean;
}

/** How the builds of this process have gone; moments of a clock that never jumps, ms. */
export interface BuildAttempts extends Pick<RebuildState, 'due_ms' | 'decision'> {
  readonly failures: number;
  readonly begun_ms: number;
  readonly ended_ms: number;
}
export const NO_BUILD_ATTEMPTS: BuildAttempts = {
  failures: 0,
  begun_ms: Number.NEGATIVE_INFINITY,
  ended_ms: Number.NEGATIVE_INFINITY,
  due_ms: null,
  decision: null,
};

export type BuildCause = 'due' | 'decided' | 'missing';

/** Why a build begins at `now_ms`, on the clock of the attempts; null where none does, or not yet. */
export function findBuildCause(
  attempts: BuildAttempts,
  standing: RebuildState,
  now_ms: number,
): BuildCause | null {
  const { failures, begun_ms, ended_ms } = attempts;
  const { due_ms, decision, is_missing, is_urgent } = standing;
  const isOver = (pause_ms: number): boolean => now_ms - ended_ms >= pause_ms;
  if (due_ms !== null && (due_ms !== attempts.due_ms || isOver(retryDelayMs(failures))))
    return 'due';
  if (decision !== null) {
    const is_new = decision !== attempts.decision;
    if (!is_new && !isOver(retryDelayMs(failures, true))) return null;
    return is_urgent || now_ms - begun_ms >= GATHERED_MS ? 'decided' : null;
  }
  return is_missing && isOver(retryDelayMs(failures)) ? 'missing' : null;
}
