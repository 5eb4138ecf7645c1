// Days and hours in pieces, for pages that set the number large: read in order the pieces are one
// natural phrase.
import { toCancun } from '../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import type { DayRange } from '../domain/filters/range.ts';
import { toHour, toMonthWord, toShortMonth, toWeekdayWord } from './dates.ts';
import { t } from './translate.ts';

export interface DatePart {
  readonly kind: 'weekday' | 'number' | 'month' | 'year';
  readonly text: string;
  /** What stands between this piece and the one before where they are read as one line. */
  readonly joint: string;
}

const part = (kind: DatePart['kind'], text: string, joint = ' '): DatePart => ({
  kind,
  text,
  joint,
});

function toParts(
  weekday: string,
  number: string,
  month: string,
  year: number,
  lang: Lang,
): readonly DatePart[] {
  return lang === 'es'
    ? [
        part('weekday', weekday),
        part('number', number),
        part('month', `de ${month}`),
        part('year', `de ${year}`),
      ]
    : [
        part('weekday', weekday),
        part('month', month, ', '),
        part('number', number),
        part('year', String(year), ', '),
      ];
}

/**
 * `viernes · 20 · de noviembre · de 2026`, `Friday · November · 20 · 2026`; a range gives `viernes
 * a domingo · 20–22 · …`.
 */
export function toDateParts(range: DayRange, lang: Lang): readonly DatePart[] {
  const { from, to } = range;
  const [first, last] = [toWeekdayWord(from, lang), toWeekdayWord(to, lang)];
  if (from.equals(to))
    return toParts(first, String(from.day), toMonthWord(from, lang), from.year, lang);
  const months =
    from.month === to.month
      ? toMonthWord(from, lang)
      : t(lang, from.year === to.year ? 'date.months' : 'date.months_of_years', {
          first: toShortMonth(from, lang),
          year: from.year,
          last: toShortMonth(to, lang),
        });
  return toParts(
    t(lang, 'date.weekdays', { first, last }),
    `${from.day}–${to.day}`,
    months,
    to.year,
    lang,
  );
}

/** The hours of an occurrence in a column; null where it is all day. */
export interface HourStub {
  /** Timestamp with offset. */
  readonly timestamp: string;
  readonly start: string;
  /** Null where the end is not known. */
  readonly end: string | null;
}

/** `20:00` and `23:00`; `8 p.m.` and `11 p.m.`. */
export function toHourStub(occurrence: OccurrenceRecord, lang: Lang): HourStub | null {
  if (occurrence.all_day) return null;
  const start = toHour(toCancun(occurrence.start_ms).toPlainTime(), lang);
  const end = occurrence.end_known ? toHour(toCancun(occurrence.end_ms).toPlainTime(), lang) : null;
  return { timestamp: occurrence.start, start, end };
}
