// What stands along the water of an agenda: the hours of a day, or the days.
import { countDays, type DayRange } from '../../domain/range.ts';
import type { Lang } from '../../domain/lang.ts';
import { toWeekdayWord } from '../../i18n/dates.ts';

/** Hours of the middle of each quarter of a day. */
const HOURS = ['3', '9', '15', '21'] as const;
const HOURS_EN = ['3 a.m.', '9 a.m.', '3 p.m.', '9 p.m.'] as const;

/** Each mark stands in the middle of an equal part of the width. */
export function toMarks(range: DayRange, lang: Lang): readonly string[] {
  const count = countDays(range);
  if (count === 1) return lang === 'es' ? HOURS.map((hour) => `${hour} h`) : HOURS_EN;
  return Array.from({ length: count }, (_, at) => toWeekdayWord(range.from.add({ days: at }), lang).slice(0, 3));
}
