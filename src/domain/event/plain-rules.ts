// The recurrence rules that nearly all events have, told from a day itself instead of counted up to it:
// every day, some days of the week, the first or the last Friday of the month (RFC 5545, 3.3.10).
import { readWeekday, toWeekday } from './weekdays.ts';

const WEEKLY = /^FREQ=WEEKLY;BYDAY=((?:MO|TU|WE|TH|FR|SA|SU)(?:,(?:MO|TU|WE|TH|FR|SA|SU))*)$/;
const MONTHLY = /^FREQ=MONTHLY;BYDAY=(-?[1-5])(MO|TU|WE|TH|FR|SA|SU)$/;
const DAY_MS = 86_400_000;

/** Whether a rule falls on the day with a number (days since 1970-01-01). */
export type IsOnDay = (day_number: number) => boolean;

/** The test of days of a rule; null where it is not as plain as that. */
export function toDayTest(rrule: string): IsOnDay | null {
  if (rrule === 'FREQ=DAILY') return () => true;
  const [, weekdays] = WEEKLY.exec(rrule) ?? [];
  if (weekdays !== undefined) {
    const wanted = new Set(weekdays.split(',').map(readWeekday));
    return (day_number) => wanted.has(toWeekday(day_number));
  }
  const [, position, weekday = ''] = MONTHLY.exec(rrule) ?? [];
  return position === undefined ? null : toMonthTest(Number(position), readWeekday(weekday));
}

/** `position`: 1 is the first such weekday of the month, -1 the last. */
function toMonthTest(position: number, weekday: number): IsOnDay {
  return (day_number) => {
    if (toWeekday(day_number) !== weekday) return false;
    const day = new Date(day_number * DAY_MS);
    const date = day.getUTCDate();
    if (position > 0) return Math.ceil(date / 7) === position;
    const days = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
    return Math.ceil((days - date + 1) / 7) === -position;
  };
}
