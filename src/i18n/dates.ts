// Days and times in words, the same on every surface: es-MX with 24 hours, plain English with a.m.
// and p.m.
import type { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toCancun } from '../domain/cancun-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import type { DayRange } from '../domain/filters/range.ts';
import { t } from './translate.ts';

const WEEKDAYS = {
  es: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
  en: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
} as const;
const MONTHS = {
  es: [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre',
    'octubre',
    'noviembre',
    'diciembre',
  ],
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
} as const;

export const toWeekdayWord = (day: Temporal.PlainDate, lang: Lang): string =>
  WEEKDAYS[lang][day.dayOfWeek - 1] ?? '';
/** `vie` · `Fri`. */
export const toShortWeekday = (day: Temporal.PlainDate, lang: Lang): string =>
  toWeekdayWord(day, lang).slice(0, 3);
export const toMonthWord = (day: Temporal.PlainDate, lang: Lang): string =>
  MONTHS[lang][day.month - 1] ?? '';
/** `nov` · `Nov`. */
export const toShortMonth = (day: Temporal.PlainDate, lang: Lang): string =>
  toMonthWord(day, lang).slice(0, 3);

/** `viernes 20 de noviembre de 2026` · `Friday, November 20, 2026`. */
export function toLongDay(day: Temporal.PlainDate, lang: Lang): string {
  const [weekday, month] = [toWeekdayWord(day, lang), toMonthWord(day, lang)];
  return lang === 'es'
    ? `${weekday} ${day.day} de ${month} de ${day.year}`
    : `${weekday}, ${month} ${day.day}, ${day.year}`;
}

/** `vie 20 nov` · `Fri, Nov 20`; with the year where it is not `this_year`. */
export function toShortDay(
  day: Temporal.PlainDate,
  lang: Lang,
  this_year: number = day.year,
): string {
  const [weekday, month] = [toShortWeekday(day, lang), toShortMonth(day, lang)];
  const year = day.year === this_year ? '' : lang === 'es' ? ` ${day.year}` : `, ${day.year}`;
  return lang === 'es'
    ? `${weekday} ${day.day} ${month}${year}`
    : `${weekday}, ${month} ${day.day}${year}`;
}

/** `20:00` · `8 p.m.`, `8:30 p.m.`. */
export function toHour(moment: Temporal.PlainTime, lang: Lang): string {
  const minute = String(moment.minute).padStart(2, '0');
  if (lang === 'es') return `${String(moment.hour).padStart(2, '0')}:${minute}`;
  const hour = moment.hour % 12 || 12;
  return `${hour}${moment.minute === 0 ? '' : `:${minute}`} ${moment.hour < 12 ? 'a.m.' : 'p.m.'}`;
}

/** `noviembre de 2026` · `November 2026`. */
export const toMonthOfYear = (day: Temporal.PlainDate, lang: Lang): string =>
  lang === 'es'
    ? `${toMonthWord(day, lang)} de ${day.year}`
    : `${toMonthWord(day, lang)} ${day.year}`;

/**
 * The hours alone: `20:00 a 23:00`, `desde las 20:00` where the end is not known, `todo el día`.
 */
export function toHours(occurrence: OccurrenceRecord, lang: Lang): string {
  if (occurrence.all_day) return t(lang, 'time.all_day');
  const start = toHour(toCancun(occurrence.start_ms).toPlainTime(), lang);
  if (!occurrence.end_known) return t(lang, 'time.from', { start });
  return t(lang, 'time.range', {
    start,
    end: toHour(toCancun(occurrence.end_ms).toPlainTime(), lang),
  });
}

/**
 * What is said of the hours beside the date: for an all-day one its note (`Horario por confirmar`),
 * for then the day is not its length; nothing (null) where it lasts several whole days.
 */
export function toHoursOrNote(occurrence: OccurrenceRecord, lang: Lang): string | null {
  if (occurrence.all_day && occurrence.notes) return occurrence.notes[lang];
  return occurrence.all_day && occurrence.first_day !== occurrence.last_day
    ? null
    : toHours(occurrence, lang);
}

/** A day as toLongDay writes it, or the first and the last of several. */
export function toLongDays(range: DayRange, lang: Lang): string {
  const first = toLongDay(range.from, lang);
  return range.from.equals(range.to)
    ? first
    : t(lang, 'time.days', { first, last: toLongDay(range.to, lang) });
}

/**
 * Day and hours: `viernes 20 de noviembre de 2026, 20:00 a 23:00`; both days where it spans
 * several.
 */
export function toWhen(occurrence: OccurrenceRecord, lang: Lang): string {
  const first = fromDayNumber(occurrence.first_day);
  if (occurrence.last_day === occurrence.first_day)
    return `${toLongDay(first, lang)}, ${toHours(occurrence, lang)}`;
  const days = t(lang, 'time.days', {
    first: toLongDay(first, lang),
    last: toLongDay(fromDayNumber(occurrence.last_day), lang),
  });
  if (occurrence.all_day) return days;
  return `${days}, ${toHours(occurrence, lang)}`;
}
