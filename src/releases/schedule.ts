// When the next release is due: every so many hours, counted from midnight in Cancún.
import { startOfDayMs, toCancunDay } from '../domain/cancun-time.ts';

const HOUR_MS = 3_600_000;

/** The last moment at or before `now_ms` at which a release was due. `hours` is 1 to 24. */
export function lastDueMs(now_ms: number, hours: number): number {
  const midnight_ms = startOfDayMs(toCancunDay(now_ms));
  return midnight_ms + Math.floor((now_ms - midnight_ms) / (hours * HOUR_MS)) * hours * HOUR_MS;
}

/** The next moment at which one is due; null for `hours` 0, which is never. */
export function nextDueMs(now_ms: number, hours: number): number | null {
  if (hours === 0) return null;
  const midnight_ms = startOfDayMs(toCancunDay(now_ms).add({ days: 1 }));
  return Math.min(lastDueMs(now_ms, hours) + hours * HOUR_MS, midnight_ms);
}

/**
 * What a clock that was set right may lie behind a release: more means that the release was made by
 * a wrong clock.
 */
const AHEAD_MS = 60_000;

/**
 * Whether a release made at `generated_ms` is older than the last moment at which one was due, or
 * made by a clock that ran ahead.
 */
export function isOverdue(generated_ms: number, now_ms: number, hours: number): boolean {
  return hours > 0 && (generated_ms < lastDueMs(now_ms, hours) || generated_ms > now_ms + AHEAD_MS);
}

/**
 * Whether what was made at `generated_ms` is so old that two runs were missed; never for `hours` 0.
 */
export function isStale(generated_ms: number, now_ms: number, hours: number): boolean {
  return hours > 0 && now_ms - generated_ms > 2 * hours * HOUR_MS;
}
