// Rest days: removes from the dates of a recurrence rule the days on which the event is assumed not
// to take place: customary rest days, days on which the venue is closed, and, for events of a
// school term, days without school (contract 2.11).
import { Temporal } from 'temporal-polyfill';
import { type OpeningHours, computeOpeningDay } from '../opening-hours.ts';
import { type HolidayRecord, isCustomaryRestDay, listHolidaysOn } from './holidays.ts';

/** First day with rest days. Earlier dates were already published and stay as they are. */
const REST_DAYS_SINCE = Temporal.PlainDate.from('2026-11-21');

/** The fields of a content file's `when` that control rest days. */
export interface RestDayRule {
  /** Recurrence rule of RFC 5545. */
  readonly rrule?: string | null | undefined;
  /**
   * `quiet_days` are rest days. `open` if a source confirms that the event takes place on them and
   * while its venue is closed.
   */
  readonly quiet_days?: 'open' | undefined;
  /** Only during school terms. */
  readonly term?: true | undefined;
  /** Days that a source confirms individually. */
  readonly confirmed?: readonly string[] | undefined;
}

/** A period of days as YYYY-MM-DD, first and last inclusive. */
interface DayPeriod {
  readonly first: string;
  readonly last: string;
}

/** A school term; `off` lists single days without school. */
interface SchoolTerm extends DayPeriod {
  readonly breaks: readonly DayPeriod[];
  readonly off: readonly string[];
}

/** Holidays and school terms of content/calendar.yml. */
export interface RestDayCalendar {
  readonly holidays: readonly HolidayRecord[];
  readonly terms: readonly SchoolTerm[];
}

const isWithin = ({ first, last }: DayPeriod, day: string): boolean => first <= day && day <= last;

/**
 * Tests whether a day is in a term and outside its breaks, its days off and the holidays that close
 * schools. Saturdays and Sundays of a term count, because the rule itself has weekdays.
 */
function isInTerm(
  day: Temporal.PlainDate,
  terms: readonly SchoolTerm[],
  holidays: readonly HolidayRecord[],
): boolean {
  const iso_day = day.toString();
  const is_school_day = terms.some(
    (term) =>
      isWithin(term, iso_day) &&
      !term.breaks.some((period) => isWithin(period, iso_day)) &&
      !term.off.includes(iso_day),
  );
  return (
    is_school_day && !listHolidaysOn(holidays, day).some(({ closes }) => closes.includes('schools'))
  );
}

/**
 * Splits the days of a rule into those on which it takes place and `assumed` rest days. For a daily,
 * weekly or monthly rule, it does not take place on days on which the venue is closed, and is assumed
 * to rest on customary rest days, which no source says; a rule with `term` rests outside school
 * terms. Yearly rules, single dates and offsets from Easter are about one exact day and are not
 * reduced.
 * @param hours Opening hours of the venue, or null if unknown.
 */
export function splitRestDays(
  when: RestDayRule,
  days: readonly Temporal.PlainDate[],
  hours: OpeningHours | null,
  { holidays, terms }: RestDayCalendar,
): {
  readonly held: readonly Temporal.PlainDate[];
  readonly assumed: readonly Temporal.PlainDate[];
} {
  const is_inferred =
    when.quiet_days !== 'open' && /^FREQ=(DAILY|WEEKLY|MONTHLY)\b/.test(when.rrule ?? '');
  const confirmed = new Set(when.confirmed ?? []);
  const isVenueClosed = (day: Temporal.PlainDate): boolean =>
    hours !== null && !computeOpeningDay(hours, day, holidays).is_open;
  const isFixed = (day: Temporal.PlainDate): boolean =>
    Temporal.PlainDate.compare(day, REST_DAYS_SINCE) < 0 || confirmed.has(day.toString());
  const possible = days.filter(
    (day) =>
      isFixed(day) ||
      !(
        (is_inferred && isVenueClosed(day)) ||
        (when.term === true && !isInTerm(day, terms, holidays))
      ),
  );
  const isAssumed = (day: Temporal.PlainDate): boolean =>
    is_inferred && !isFixed(day) && isCustomaryRestDay(day);
  return {
    held: possible.filter((day) => !isAssumed(day)),
    assumed: possible.filter(isAssumed),
  };
}
