// What stands along the water of an agenda: the hours of a day, or the days.
import { Temporal } from 'temporal-polyfill';
import type { Lang } from '../../domain/lang.ts';
import { countDays, type DayRange } from '../../domain/filters/range.ts';
import { toHour, toShortWeekday } from '../../i18n/dates.ts';

/** The middle of each quarter of a day. */
const HOURS = [3, 9, 15, 21] as const;

/** Each mark stands in the middle of an equal part of the width. */
export function toMarks(range: DayRange, lang: Lang): readonly string[] {
  const count = countDays(range);
  if (count === 1) return HOURS.map((hour) => toHour(new Temporal.PlainTime(hour), lang));
  return Array.from({ length: count }, (_, at) =>
    toShortWeekday(range.from.add({ days: at }), lang),
  );
}
