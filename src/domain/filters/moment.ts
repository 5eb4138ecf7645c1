// A moment as a parameter: an instant with its offset, or a day of Cancún for its beginning.
import { Temporal } from 'temporal-polyfill';
import { formatTimestamp, parseDay, startOfDayMs } from '../cancun-time.ts';

/** JSON Schema of a moment as sent. */
export const MOMENT_SCHEMA = {
  anyOf: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'date' },
  ],
} as const;

/** What a moment may look like, for whoever wrote another. */
export const MOMENT_FORMS =
  'a day as YYYY-MM-DD or an instant with its offset, for example 2026-11-20 or 2026-11-20T18:00:00-05:00';

/** Nothing of ours is older or younger: between them every timestamp has the same offset and length. */
const FIRST_MS = Date.UTC(2020, 0, 1);
const LAST_MS = Date.UTC(2100, 0, 1);

/**
 * Epoch ms of a text as sent, in which a `+` may have become a space, at the least 2020 and at the
 * most 2100; null where it is no moment.
 */
export function parseMoment(text: string): number | null {
  const moment_ms = toEpochMs(text);
  return moment_ms === null ? null : Math.min(LAST_MS, Math.max(FIRST_MS, moment_ms));
}

function toEpochMs(text: string): number | null {
  const day = parseDay(text);
  if (day) return startOfDayMs(day);
  try {
    return Temporal.Instant.from(text.trim().replace(' ', '+')).epochMilliseconds;
  } catch {
    return null;
  }
}

/** The timestamp of a moment; null where there is none, or an issue is pushed. */
export function readMoment(
  name: string,
  text: string | undefined,
  issues: string[],
): string | null {
  if (text === undefined) return null;
  const moment_ms = parseMoment(text);
  if (moment_ms === null) {
    issues.push(`${name}: '${text}' is no moment. Use ${MOMENT_FORMS}`);
    return null;
  }
  return formatTimestamp(moment_ms);
}
