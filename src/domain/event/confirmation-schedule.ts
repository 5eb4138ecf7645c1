// Confirmation schedule: decides when to ask an organizer to confirm dates, and which ones: two
// days before the first date of a month, about all dates of the thirty days from it (contract
// 14.41). So a single date gets its own email, and a series one a month.
import type { Temporal } from 'temporal-polyfill';
import { toDayNumber } from '../local-time.ts';
import type { OccurrenceRecord } from './event.ts';

/** Days between the email and the first date that it asks about. */
const DAYS_BEFORE = 2;
const MONTH_DAYS = 30;

/** Lists the dates that an email sent on `day` asks about. */
export function listDatesToConfirm(dates: readonly OccurrenceRecord[], day: Temporal.PlainDate) {
  const first_asked_day = toDayNumber(day) + DAYS_BEFORE;
  const isInMonth = (day_number: number): boolean =>
    day_number >= first_asked_day && day_number < first_asked_day + MONTH_DAYS;
  return dates.filter(({ first_day, status }) => status === 'scheduled' && isInMonth(first_day));
}

/**
 * Tests whether to send an email on `day`. It skips a single date confirmed within the last two
 * days, and a series confirmed within the last month.
 */
export function isConfirmationDay(
  dates: readonly OccurrenceRecord[],
  day: Temporal.PlainDate,
): boolean {
  const [next_date, ...further_dates] = listDatesToConfirm(dates, day);
  const month = `${day.add({ days: DAYS_BEFORE })}`.slice(0, 7);
  const first_date_of_month = dates.find(
    ({ start, status }) => status === 'scheduled' && start >= month,
  );
  const last_confirmation_day = day.subtract({
    days: further_dates.length === 0 ? DAYS_BEFORE : MONTH_DAYS,
  });
  const is_due =
    next_date?.first_day === toDayNumber(day) + DAYS_BEFORE &&
    first_date_of_month?.id === next_date.id;
  return is_due && (next_date.confirmed_on ?? '') < last_confirmation_day.toString();
}
