// Rest days: removes from a rule the days on which the town isRestDay, the venue is closed or schools have no lessons
// (contract 2.11).
import { Temporal } from 'temporal-polyfill';
import { type OpeningHours, computeOpeningDay } from '../opening-hours.ts';
import { type HolidayRecord, isCustomaryRestDay, listHolidaysOn } from './holidays.ts';

/** First day with rest days. Earlier dates were already published and stay as they are. */
const REST_DAYS_SINCE = Temporal.PlainDate.from('2026-11-21');

/** The fields of a content file's `when` that control rest days. */
export interface RestDayRule {
  readonly rrule?: string | null | undefined;
  /** `open` if a source confirms that the event takes place on rest days and while its venue is closed. */
  readonly quiet_days?: 'open' | undefined;
  /** Only during school terms. */
  readonly term?: true | undefined;
  /** Days that a source confirms individually. */
  readonly confirmed?: readonly string[] | undefined;
}

/** Days as YYYY-MM-DD, first and last inclusive. */
interface DayPeriod {
  readonly first: string;
  readonly last: string;
}

interface SchoolTerm extends DayPeriod {
  readonly breaks: readonly DayPeriod[];
  readonly off: readonly string[];
}

export interface RestDayCalendar {
  readonly holidays: readonly HolidayRecord[];
  readonly terms: readonly SchoolTerm[];
}

const isWithin = ({ first, last }: DayPeriod, day: string): boolean => first <= day && day <= last;

/**
 * Tests whether a day is in a term and outside its breaks, its days off and the holidays that close schools.
 * Saturdays and Sundays of a term count, because the rule itself has weekdays.
 */
function isInTerm(
  day: Temporal.PlainDate,
  terms: readonly SchoolTerm[],
  holidays: readonly HolidayRecord[],
): boolean {
  const text = day.toString();
  const is_school_day = terms.some(
    (term) =>
      isWithin(term, text) &&
      !term.breaks.some((period) => isWithin(period, text)) &&
      !term.off.includes(text),
  );
  return (
    is_school_day && !listHolidaysOn(holidays, day).some(({ closes }) => closes.includes('schools'))
  );
}

/**
 * Removes the days on which a rule does not take place: for a daily, weekly or monthly rule, customary rest days and
 * days on which the venue is closed; for a rule with `term`, days outside school terms. Yearly rules, single dates and
 * offsets from Easter are about one exact day and are not reduced.
 * @param hours Opening hours of the venue, or null if unknown.
 */
export function excludeRestDays(
  when: RestDayRule,
  days: readonly Temporal.PlainDate[],
  hours: OpeningHours | null,
  { holidays, terms }: RestDayCalendar,
): readonly Temporal.PlainDate[] {
  const is_inferred =
    when.quiet_days !== 'open' && /^FREQ=(DAILY|WEEKLY|MONTHLY)\b/.test(when.rrule ?? '');
  const confirmed = new Set(when.confirmed ?? []);
  const isRestDay = (day: Temporal.PlainDate): boolean =>
    (is_inferred &&
      (isCustomaryRestDay(day) ||
        (hours !== null && !computeOpeningDay(hours, day, holidays).is_open))) ||
    (when.term === true && !isInTerm(day, terms, holidays));
  return days.filter(
    (day) =>
      Temporal.PlainDate.compare(day, REST_DAYS_SINCE) < 0 ||
      confirmed.has(day.toString()) ||
      !isRestDay(day),
  );
}
