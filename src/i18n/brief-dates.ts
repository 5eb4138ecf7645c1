// Days and hours where the year is said already: an assistant's list, a day's facts.
import type { Temporal } from 'temporal-polyfill';
import { fromDayNumber } from '../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { toDayOfYear, toHours, toLongDay, toWhen } from './dates.ts';

/** `lunes 30 de noviembre`; with its year where that is not `this_year`. */
export const toBriefDay = (day: Temporal.PlainDate, this_year: number, lang: Lang): string =>
  day.year === this_year ? toDayOfYear(day, lang) : toLongDay(day, lang);

/** As toWhen, one day of `this_year` without it. */
export function toBriefWhen(occurrence: OccurrenceRecord, this_year: number, lang: Lang): string {
  const { first_day, last_day, all_day } = occurrence;
  if (first_day !== last_day && all_day) return toWhen(occurrence, lang);
  return `${toBriefDay(fromDayNumber(first_day), this_year, lang)}, ${toHours(occurrence, lang)}`;
}
