// The pattern of a rule of days, as people say it: on which weekdays, which one of the month, which
// day of the year. For words; the dates themselves come from occurrences.ts.
import * as v from 'valibot';
import type { Schedule } from './occurrences.ts';

const RULE_WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** From 1, Monday, to 7, Sunday, as Temporal counts; 0 for none of them. */
export const readWeekday = (name: string): number => RULE_WEEKDAYS.indexOf(name) + 1;

/** Weekdays from 1, Monday, to 7, Sunday; hours local `HH:MM`; days YYYY-MM-DD. */
export const RecurrenceSchema = v.object({
  kind: v.picklist(['daily', 'weekly', 'monthly_weekday', 'monthly_day', 'yearly', 'easter']),
  /** In order of the week; none where the kind does not need them. */
  weekdays: v.array(v.number()),
  /**
   * 1 to 5, or -1 for the last one of the month; the day of the month for monthly_day and yearly;
   * days from Easter Sunday.
   */
  position: v.nullable(v.number()),
  /** Months from 1 to 12; none for all of them. */
  months: v.array(v.number()),
  start: v.nullable(v.string()),
  end: v.nullable(v.string()),
  /** First and last day that count. */
  since: v.nullable(v.string()),
  until: v.nullable(v.string()),
});
type Stored = v.InferOutput<typeof RecurrenceSchema>;
export interface Recurrence extends Readonly<Omit<Stored, 'weekdays' | 'months'>> {
  readonly weekdays: readonly number[];
  readonly months: readonly number[];
}

const toNumbers = (list: string | undefined): number[] =>
  (list ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map(Number);

function toParts(rrule: string): ReadonlyMap<string, string> {
  return new Map(
    rrule.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name.toUpperCase(), value.toUpperCase()] as const;
    }),
  );
}

/** The pattern of a schedule; null where it is a list of dates, or more than a sentence can say. */
export function toRecurrence(schedule: Schedule): Recurrence | null {
  const { rrule = null, easter = null } = schedule;
  const base = {
    start: schedule.start ?? null,
    end: schedule.end ?? null,
    since: schedule.since ?? null,
    until: schedule.until ?? null,
    weekdays: [],
    position: null,
    months: [],
  } as const;
  if (easter !== null) return { ...base, kind: 'easter', position: easter };
  if (rrule === null) return null;
  const parts = toParts(rrule);
  const interval = Number(parts.get('INTERVAL') ?? '1');
  if (interval !== 1 || parts.has('COUNT')) return null;
  const months = toNumbers(parts.get('BYMONTH'));
  const month_days = toNumbers(parts.get('BYMONTHDAY'));
  const days = [...(parts.get('BYDAY') ?? '').matchAll(/(-?\d+)?(MO|TU|WE|TH|FR|SA|SU)/g)];
  const weekdays = [...new Set(days.map((found) => readWeekday(found[2] ?? '')))].sort();
  const numbered = days.filter((found) => found[1] !== undefined);
  const set_position = toNumbers(parts.get('BYSETPOS'))[0];
  const position = numbered[0]?.[1] === undefined ? (set_position ?? null) : Number(numbered[0][1]);
  switch (parts.get('FREQ')) {
    case 'DAILY':
      return weekdays.length > 0
        ? { ...base, kind: 'weekly', weekdays, months }
        : { ...base, kind: 'daily', months };
    case 'WEEKLY':
      return weekdays.length === 7
        ? { ...base, kind: 'daily', months }
        : weekdays.length > 0
          ? { ...base, kind: 'weekly', weekdays, months }
          : null;
    case 'MONTHLY':
      if (weekdays.length === 1 && position !== null && numbered.length < 2)
        return { ...base, kind: 'monthly_weekday', weekdays, position, months };
      return month_days.length === 1 && weekdays.length === 0
        ? { ...base, kind: 'monthly_day', position: month_days[0] ?? null, months }
        : null;
    case 'YEARLY':
      if (months.length !== 1) return null;
      if (month_days.length === 1 && weekdays.length === 0)
        return { ...base, kind: 'yearly', position: month_days[0] ?? null, months };
      return weekdays.length === 1 && position !== null && numbered.length < 2
        ? { ...base, kind: 'monthly_weekday', weekdays, position, months }
        : null;
    default:
      return null;
  }
}
