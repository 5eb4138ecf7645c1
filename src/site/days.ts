// For which days the site is built ahead; every other day is rendered when it is asked for.
import { toCancunDay } from '../domain/cancun-time.ts';

/** Days after today that have a page in the release: the longest range of the API. */
export const DAYS_AHEAD = 92;
/**
 * Days from today on whose `/hoy`, `/manana`, … are in the release: it must outlive a week without
 * a rebuild.
 */
export const VARIANT_DAYS = 14;

/** Yesterday to DAYS_AHEAD days after today, as YYYY-MM-DD. */
export function listBuiltDays(now_ms: number): readonly string[] {
  const yesterday = toCancunDay(now_ms).subtract({ days: 1 });
  return Array.from({ length: DAYS_AHEAD + 2 }, (_, at) => yesterday.add({ days: at }).toString());
}
