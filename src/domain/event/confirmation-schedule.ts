// Of which dates an organizer is asked whether they are on, and when: two days before the first of a month, about all of
// the thirty days from it (contract 14.41). So one date is asked about by itself, a series once a month.
import type { Temporal } from 'temporal-polyfill';
import { toDayNumber } from '../local-time.ts';
import type { OccurrenceRecord } from './event.ts';

const DAYS_BEFORE = 2;
const MONTH_DAYS = 30;

/** What a letter of a day asks about. */
export function listDatesToConfirm(dates: readonly OccurrenceRecord[], day: Temporal.PlainDate) {
  const from = toDayNumber(day) + DAYS_BEFORE;
  const isIn = (on: number): boolean => on >= from && on < from + MONTH_DAYS;
  return dates.filter(({ first_day, status }) => status === 'scheduled' && isIn(first_day));
}

/** Whether a letter of that day asks: not of what was confirmed within two days, or of a series within a month. */
export function isConfirmationDay(
  dates: readonly OccurrenceRecord[],
  day: Temporal.PlainDate,
): boolean {
  const [next, ...others] = listDatesToConfirm(dates, day);
  const of_month = `${day.add({ days: DAYS_BEFORE })}`.slice(0, 7);
  const first = dates.find(({ start, status }) => status === 'scheduled' && start >= of_month);
  const fresh = day.subtract({ days: others.length === 0 ? DAYS_BEFORE : MONTH_DAYS });
  const is_due = next?.first_day === toDayNumber(day) + DAYS_BEFORE && first?.id === next.id;
  return is_due && (next.confirmed_on ?? '') < fresh.toString();
}
