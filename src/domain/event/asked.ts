// Of which dates an organizer is asked whether they are on, and when: two days before the first of a month, about all of
// the thirty days from it (contract 14.41). So one date is asked about by itself, a series once a month.
import type { Temporal } from 'temporal-polyfill';
import { toDayNumber } from '../cancun-time.ts';
import type { OccurrenceRecord } from './event.ts';

const DAYS_BEFORE = 2;
const MONTH_DAYS = 30;

const toMonth = ({ start }: OccurrenceRecord): string => start.slice(0, 7);

/** What a letter of a day asks about, as far as it is still to take place. */
export function listAsked(
  dates: readonly OccurrenceRecord[],
  day: Temporal.PlainDate,
  now_ms = 0,
): readonly OccurrenceRecord[] {
  const from = toDayNumber(day) + DAYS_BEFORE;
  return dates.filter(
    ({ first_day, status, end_ms }) =>
      status === 'scheduled' &&
      first_day >= from &&
      first_day < from + MONTH_DAYS &&
      end_ms > now_ms,
  );
}

/** Whether a letter of that day asks: not of what was confirmed within two days, or of a series within a month. */
export function isAskedOn(dates: readonly OccurrenceRecord[], day: Temporal.PlainDate): boolean {
  const [first, ...others] = listAsked(dates, day);
  if (first?.first_day !== toDayNumber(day) + DAYS_BEFORE) return false;
  const of_month = dates.find(
    (date) => date.status === 'scheduled' && toMonth(date) === toMonth(first),
  );
  const days = others.length === 0 ? DAYS_BEFORE : MONTH_DAYS;
  const is_fresh = (first.confirmed_on ?? '') >= day.subtract({ days }).toString();
  return of_month?.id === first.id && !is_fresh;
}
