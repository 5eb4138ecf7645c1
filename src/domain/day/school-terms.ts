// When schools have lessons: the terms of a year, without their breaks and days off.
import type { Temporal } from 'temporal-polyfill';
import { type HolidayRecord, listHolidaysOf } from './holidays.ts';

/** Days as YYYY-MM-DD, first and last inclusive. */
interface Days {
  readonly first: string;
  readonly last: string;
}

/** A school year as whoever sets it published it. */
export interface SchoolTerm extends Days {
  readonly breaks: readonly Days[];
  /** Single days without lessons. */
  readonly off: readonly string[];
}

const isWithin = ({ first, last }: Days, day: string): boolean => first <= day && day <= last;

/**
 * Whether a day lies in a term and outside its breaks, its days off and the holidays that close
 * schools. Saturdays and Sundays of a term count: a rule names its weekdays itself.
 */
export function isInTerm(
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
    is_taught && !listHolidaysOf(holidays, day).some(({ closes }) => closes.includes('schools'))
  );
}
