// Several days in few words: the other days on which an event of a week is also on.
import { fromDayNumber } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { toWeekdayWord } from './dates.ts';
import { t } from './translate.ts';

/**
 * `también sábado y domingo` · `also Saturday and Sunday`, from day numbers of one week; null for
 * no day.
 */
export function toAlsoOn(days: readonly number[], lang: Lang): string | null {
  if (days.length === 0) return null;
  const words = days.map((day) => toWeekdayWord(fromDayNumber(day), lang));
  return t(lang, 'dates.also', {
    days: new Intl.ListFormat(lang, { type: 'conjunction' }).format(words),
  });
}
