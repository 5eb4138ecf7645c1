// How long an answer may be kept (RFC 9111, RFC 5861): never past midnight where the day decides
// it.
import { findToday } from '../domain/today.ts';

/** Files whose name changes with their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Files with a name that stays: icons, robots.txt. */
export const ASSET = 'public, max-age=3600, stale-while-revalidate=86400';
/**
 * Pages that say the same all day; short, because a status may change to cancelled (interface 1,
 * terms 2).
 */
export const PAGE = 'public, max-age=300, stale-while-revalidate=600';
export const NO_STORE = 'no-store';
/**
 * A form that anybody may open: its reader's browser keeps it, so that the way back brings what was
 * typed; nobody else does.
 */
export const OWN_COPY = 'private, no-cache';

const FRESH_SECONDS = 300;
const STALE_SECONDS = 600;

/** Whole seconds until the next midnight in Cancún; 0 in the last one. */
export function toSecondsToMidnight(now_ms: number): number {
  return Math.floor((findToday(now_ms).end_ms - now_ms) / 1000);
}

/** For what "today" decides: neither fresh nor stale-while-revalidate reaches past midnight. */
export function toTodayCacheControl(now_ms: number): string {
  return capAtMidnight(
    `public, max-age=${FRESH_SECONDS}, stale-while-revalidate=${STALE_SECONDS}`,
    now_ms,
  );
}

/** No value that the day decides reaches further, so most of the day there is nothing to cap. */
const LONG_SECONDS = 3600;

/**
 * A Cache-Control value of at most an hour whose max-age and stale-while-revalidate together end at
 * midnight in Cancún at the latest.
 */
export function capAtMidnight(value: string, now_ms: number): string {
  const left = toSecondsToMidnight(now_ms);
  if (left >= LONG_SECONDS) return value;
  const fresh = Math.min(left, readSeconds(value, FRESH));
  const stale = Math.min(left - fresh, readSeconds(value, STALE));
  const capped = value.replace(FRESH, `max-age=${fresh}`);
  if (stale > 0) return capped.replace(STALE, `stale-while-revalidate=${stale}`);
  return capped.replace(STALE, 'must-revalidate');
}

const FRESH = /max-age=(\d+)/;
const STALE = /stale-while-revalidate=(\d+)/;
const readSeconds = (value: string, directive: RegExp): number =>
  Number(directive.exec(value)?.[1] ?? 0);
