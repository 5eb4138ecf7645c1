// Which days of a rule are left out: the town rests, the venue is closed, schools have no lessons (contract 2.11).
import { Temporal } from 'temporal-polyfill';
import { type OpeningHours, computeOpeningDay } from '../opening-hours.ts';
import { type HolidayRecord, isCustomaryRestDay, listHolidaysOn } from './holidays.ts';

/** The first day on which rules rest: what came before has been told, and stays as it was told. */
const RESTING_FROM = Temporal.PlainDate.from('2026-11-21');

/** The part of a `when` that says whether it rests. */
export interface RestDayRule {
  readonly rrule?: string | null | undefined;
  /** `open` where a source says that it takes place on quiet days, and while its venue is closed. */
  readonly quiet_days?: 'open' | undefined;
  /** Only in school terms. */
  readonly term?: true | undefined;
  /** Days that a source confirms one by one. */
  readonly confirmed?: readonly string[] | undefined;
}

/** Days as YYYY-MM-DD, first and last inclusive. */
interface Days {
  readonly first: string;
  readonly last: string;
}

interface SchoolTerm extends Days {
  readonly breaks: readonly Days[];
  readonly off: readonly string[];
}

export interface RestDayCalendar {
  readonly holidays: readonly HolidayRecord[];
  readonly terms: readonly SchoolTerm[];
}

const isWithin = ({ first, last }: Days, day: string): boolean => first <= day && day <= last;

/**
 * Whether a day lies in a term and outside its breaks, its days off and the holidays that close
 * schools. Saturdays and Sundays of a term count: a rule names its weekdays itself.
 */
function isInTerm(
  day: Temporal.PlainDate,
  terms: readonly SchoolTerm[],
  holidays: readonly HolidayRecord[],
): boolean {
  const text = day.toString();
  const is_taught = terms.some(
    (term) =>
      isWithin(term, text) &&
      !term.breaks.some((rest) => isWithin(rest, text)) &&
      !term.off.includes(text),
  );
  return (
    is_taught && !listHolidaysOn(holidays, day).some(({ closes }) => closes.includes('schools'))
  );
}

/**
 * The days on which a rule takes place: without quiet ones and those on which its venue does not
 * open, where it returns every day, week or month; without those outside school terms, where it
 * says so. A yearly rule, a date and a feast counted from Easter are about their very day, and
 * stay. `hours`: those of its venue, null where they are not known.
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
  const rests = (day: Temporal.PlainDate): boolean =>
    (is_inferred &&
      (isCustomaryRestDay(day) ||
        (hours !== null && !computeOpeningDay(hours, day, holidays).is_open))) ||
    (when.term === true && !isInTerm(day, terms, holidays));
  return days.filter(
    (day) =>
      Temporal.PlainDate.compare(day, RESTING_FROM) < 0 ||
      confirmed.has(day.toString()) ||
      !rests(day),
  );
}
