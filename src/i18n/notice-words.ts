// A notice in words, the same on every surface: how long it holds, what is only inferred, the line
// of seasons.
import { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toCancun, toDayNumber } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import { toAtHour, toHour, toLongDay, toLongDays } from './dates.ts';
import { t } from './translate.ts';

interface Moment {
  readonly day: Temporal.PlainDate;
  /** Null at midnight, which says nothing. */
  readonly hour: Temporal.PlainTime | null;
}

/** An exclusive end at midnight is the day before. */
function toMoment(epoch_ms: number, is_end: boolean): Moment {
  const moment = toCancun(epoch_ms);
  const midnight = moment.hour === 0 && moment.minute === 0;
  const day =
    midnight && is_end
      ? fromDayNumber(toDayNumber(moment.toPlainDate()) - 1)
      : moment.toPlainDate();
  return {
    day,
    hour: midnight ? null : moment.toPlainTime(),
  };
}

const toWords = ({ day, hour }: Moment, lang: Lang): string =>
  hour === null ? toLongDay(day, lang) : `${toLongDay(day, lang)}, ${toAtHour(hour, lang)}`;

/**
 * `viernes 20 de noviembre de 2026, de 14:00 a 20:00`; both days where there are two; until further
 * notice where there is no end.
 */
export function toForce(notice: NoticeRecord, lang: Lang): string {
  const first = toMoment(notice.start_ms, false);
  if (notice.end_ms === null) return t(lang, 'md.until_closed', { start: toWords(first, lang) });
  const last = toMoment(notice.end_ms, true);
  const days = { from: first.day, to: last.day };
  if (first.hour === null && last.hour === null) return toLongDays(days, lang);
  if (!first.day.equals(last.day))
    return t(lang, 'time.days', { first: toWords(first, lang), last: toWords(last, lang) });
  if (last.hour === null) return toWords(first, lang);
  return `${toLongDay(first.day, lang)}, ${t(lang, 'time.range', { start: toHour(first.hour ?? new Temporal.PlainTime(), lang), end: toHour(last.hour, lang) })}`;
}

/**
 * `Así fue el año pasado; esta vez aún no está confirmado.`; null for what is known of its own
 * year.
 */
export function toInferredSentence(
  { inferred, evidence }: NoticeRecord,
  lang: Lang,
): string | null {
  if (!inferred) return null;
  if (evidence === null) return t(lang, 'notice.inferred.unknown');
  return evidence.was_last_year
    ? t(lang, 'notice.inferred.last_year')
    : t(lang, 'notice.inferred.year', { year: evidence.year });
}

/** `En temporada: huracanes, nortes`; null where nothing is. */
export function toSeasonLine(seasons: readonly NoticeRecord[], lang: Lang): string | null {
  if (seasons.length === 0) return null;
  const names = seasons.map(({ short, title }) => (short ?? title)[lang]);
  return t(lang, 'notices.season_line', { seasons: names.join(', ') });
}
