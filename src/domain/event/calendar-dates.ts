// Which dates of an event go into a calendar: one day's, or those that a subscriber follows
// (contract 8.5, 8.15).
import type { Temporal } from 'temporal-polyfill';
import { toDayNumber } from '../cancun-time.ts';
import type { OccurrenceRecord } from './event.ts';

/** A subscriber sees a week back, so that what was called off stays for a while, and 60 dates on. */
export const FOLLOWED = { days_back: 7, dates_ahead: 60 } as const;

/** Those that belong to a day (contract 2.3). */
export function findOfDay(
  occurrences: readonly OccurrenceRecord[],
  day: Temporal.PlainDate,
): readonly OccurrenceRecord[] {
  const number = toDayNumber(day);
  return occurrences.filter((one) => one.first_day <= number && one.last_day >= number);
}

/** What a subscriber follows on a day called today, in order; the same all day long. */
export function listFollowed(
  occurrences: readonly OccurrenceRecord[],
  today: Temporal.PlainDate,
): { readonly dates: readonly OccurrenceRecord[]; readonly is_cut: boolean } {
  const from = toDayNumber(today);
  const behind = occurrences.filter(
    (one) => one.last_day < from && one.last_day >= from - FOLLOWED.days_back,
  );
  const ahead = occurrences.filter((one) => one.last_day >= from);
  return {
    dates: [...behind, ...ahead.slice(0, FOLLOWED.dates_ahead)],
    is_cut: ahead.length > FOLLOWED.dates_ahead,
  };
}

/** Whether a date is worth saving: it takes place, and has not ended. */
export const isSavable = (one: OccurrenceRecord, now_ms: number): boolean =>
  one.status === 'scheduled' && one.end_ms > now_ms;
