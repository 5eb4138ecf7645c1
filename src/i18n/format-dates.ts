// Days and hours in words and in pieces, the same on every surface. The names are those of the
// language's locale (Intl); the order is in its words (`date.…`, `time.…`).
import type { Temporal } from 'temporal-polyfill';
import {
  countDays,
  type DayRange,
  fromDayNumber,
  toZoned,
  toLocalDay,
  toLocalTime,
  formatUtcOffset,
} from '../domain/local-time.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { type MessageKey, t, tPlural, localeOf, formatList } from './translate.ts';

const FORMS = {
  weekday: { weekday: 'long' },
  short_weekday: { weekday: 'short' },
  month: { month: 'long' },
  short_month: { month: 'short' },
} as const;

/** Made once for each language: a formatter costs as much as a whole event's JSON. */
const NAMES = new Map<string, readonly string[]>();

/** From Monday or from January on. */
function readNames(form: keyof typeof FORMS, lang: Lang): readonly string[] {
  const key = `${lang} ${form}`;
  const known = NAMES.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat(localeOf(lang), { ...FORMS[form], timeZone: 'UTC' });
  // 1 January 2024 was a Monday.
  const toDate = (at: number): number =>
    form.endsWith('month') ? Date.UTC(2024, at, 1) : Date.UTC(2024, 0, at + 1);
  const names = Array.from({ length: 12 }, (_, at) => format.format(toDate(at)));
  NAMES.set(key, names);
  return names;
}

export const formatWeekday = (day: Temporal.PlainDate, lang: Lang): string =>
  readNames('weekday', lang)[day.dayOfWeek - 1] ?? '';
/** `vie` · `Fri`. */
export const formatShortWeekday = (day: Temporal.PlainDate, lang: Lang): string =>
  readNames('short_weekday', lang)[day.dayOfWeek - 1] ?? '';
export const formatMonth = (day: Temporal.PlainDate, lang: Lang): string =>
  readNames('month', lang)[day.month - 1] ?? '';
const toShortMonth = (day: Temporal.PlainDate, lang: Lang): string =>
  readNames('short_month', lang)[day.month - 1] ?? '';

/** What the words of a day are filled with. */
const toDayParts = (day: Temporal.PlainDate, lang: Lang) => ({
  weekday: formatWeekday(day, lang),
  number: day.day,
  month: formatMonth(day, lang),
  year: day.year,
});

/** `viernes 20 de noviembre de 2026` · `Friday, November 20, 2026`. */
export const formatLongDay = (day: Temporal.PlainDate, lang: Lang): string =>
  t(lang, 'date.long', toDayParts(day, lang));

/** `viernes 20 de noviembre` · `Friday, November 20`, where the year is said elsewhere. */
export const formatLongDayNoYear = (day: Temporal.PlainDate, lang: Lang): string =>
  t(lang, 'date.of_year', toDayParts(day, lang));

/** `vie 20 nov` · `Fri, Nov 20`; with the year where it is not `this_year`. */
export const formatShortDay = (
  day: Temporal.PlainDate,
  lang: Lang,
  this_year: number = day.year,
): string =>
  t(lang, day.year === this_year ? 'date.short' : 'date.short_year', {
    weekday: formatShortWeekday(day, lang),
    number: day.day,
    month: toShortMonth(day, lang),
    year: day.year,
  });

/** `vie 20` · `Fri 20`, under the name of its month. */
export const formatShortDayNoMonth = (day: Temporal.PlainDate, lang: Lang): string =>
  `${formatShortWeekday(day, lang)} ${day.day}`;

/**
 * One day or the first and the last, short: `vie 20 – dom 22 nov`, `lun 30 nov – mié 2 dic 2026`; what both share is
 * said once, and the year where it is not `this_year`.
 */
export function formatShortRange(
  { from, to }: DayRange,
  lang: Lang,
  this_year: number = from.year,
): string {
  if (from.equals(to)) return formatShortDay(from, lang, this_year);
  const shared = toShared({ from, to });
  if (shared === 'month')
    return t(lang, `date.short_range.${from.year === this_year ? 'month' : 'month_year'}`, {
      weekday: formatShortWeekday(from, lang),
      number: from.day,
      last_weekday: formatShortWeekday(to, lang),
      last_number: to.day,
      month: toShortMonth(from, lang),
      year: from.year,
    });
  return t(lang, 'date.short_range', {
    from: formatShortDay(from, lang, shared === 'years' ? this_year : from.year),
    to: formatShortDay(to, lang, shared === 'years' ? from.year : this_year),
  });
}

/** `20:00`, `9:00` · `8 p.m.`, `8:30 p.m.`, `midnight`; one clock a language (contract 1.12). */
export function formatTime(moment: Temporal.PlainTime, lang: Lang): string {
  const minute = String(moment.minute).padStart(2, '0');
  if (t(lang, 'time.hour_cycle') === 'h23') return `${moment.hour}:${minute}`;
  if (moment.hour === 0 && moment.minute === 0) return t(lang, 'time.midnight');
  const hour = moment.hour % 12 || 12;
  const half = t(lang, moment.hour < 12 ? 'time.am' : 'time.pm');
  return `${hour}${moment.minute === 0 ? '' : `:${minute}`} ${half}`;
}

/** `20 de noviembre de 2026` · `November 20, 2026`. */
export const formatDateNoWeekday = (day: Temporal.PlainDate, lang: Lang): string =>
  t(lang, 'date.day', toDayParts(day, lang));

/** `noviembre de 2026` · `November 2026`. */
export const formatMonthAndYear = (day: Temporal.PlainDate, lang: Lang): string =>
  t(lang, 'date.month_of_year', toDayParts(day, lang));

/** The key of a phrase that names one hour: Spanish says `a la 1:30` and `a las 13:30`. */
export const pickHourPhraseKey = <K extends MessageKey>(
  moment: Temporal.PlainTime,
  one: K,
  other: K,
): K => (moment.hour === 1 ? one : other);

/** `a las 20:00`, `a la 1:30` · `8 p.m.`, `1:30 a.m.`. */
export const formatAtTime = (moment: Temporal.PlainTime, lang: Lang): string =>
  t(lang, pickHourPhraseKey(moment, 'time.from_one', 'time.from'), {
    start: formatTime(moment, lang),
  });

/** Whether it ends on another day than it begins: the night's last hours are still its own (contract 2.3). */
const endsLater = ({ start, end, end_known, ...on }: OccurrenceRecord): boolean =>
  end_known &&
  (on.last_day > on.first_day ||
    // A night that goes on up to its own hour is more than a night.
    (end.slice(0, 10) > start.slice(0, 10) && end.slice(11, 19) >= start.slice(11, 19)));

/** `dom 22 nov, 18:00` · `Sun, Nov 22, 6 p.m.`. */
const toEnd = ({ first_day, end_ms }: OccurrenceRecord, lang: Lang): string =>
  t(lang, 'date.hour', {
    day: formatShortDay(toLocalDay(end_ms), lang, fromDayNumber(first_day).year),
    hour: formatTime(toLocalTime(end_ms), lang),
  });

/**
 * Until when what does not end on the day it begins goes on: `hasta el dom 22 nov, 18:00`, of whole
 * days `hasta el dom 22 nov`; null for all else (contract 1.12).
 */
export function formatUntil(occurrence: OccurrenceRecord, lang: Lang): string | null {
  const { all_day, first_day, last_day } = occurrence;
  if (all_day)
    return last_day === first_day
      ? null
      : t(lang, 'time.until', { end: formatShortDay(fromDayNumber(last_day), lang) });
  return endsLater(occurrence) ? t(lang, 'time.until', { end: toEnd(occurrence, lang) }) : null;
}

/**
 * The hours alone: `de 20:00 a 23:00`, `a las 20:00` where the end is not known, `a las 20:00, hasta el
 * dom 22 nov, 18:00` where that is another day, `todo el día`.
 */
export function formatHours(occurrence: OccurrenceRecord, lang: Lang): string {
  if (!occurrence.time_known) return t(lang, 'time.unknown');
  if (occurrence.all_day) return t(lang, 'time.all_day');
  const start = toLocalTime(occurrence.start_ms);
  const until = formatUntil(occurrence, lang);
  if (until !== null) return `${formatAtTime(start, lang)}, ${until}`;
  if (!occurrence.end_known) return formatAtTime(start, lang);
  return t(lang, 'time.range', {
    start: formatTime(start, lang),
    end: formatTime(toLocalTime(occurrence.end_ms), lang),
  });
}

/**
 * What is said of the hours beside the date: for an all-day one its note (`Horario por confirmar`),
 * for then the day is not its length; nothing (null) where it lasts several whole days, unless its hour is not known (contract 2.8).
 */
export function formatHoursOrNote(occurrence: OccurrenceRecord, lang: Lang): string | null {
  const { status, time_known, all_day, notes } = occurrence;
  if (status === 'scheduled' && time_known && all_day && notes) return notes[lang];
  return all_day && time_known && occurrence.first_day !== occurrence.last_day
    ? null
    : formatHours(occurrence, lang);
}

/** What a date says beside its day. */
export interface DateDetails {
  readonly hours: string | null;
  readonly note: string | null;
}

export const formatDateDetails = (occurrence: OccurrenceRecord, lang: Lang): DateDetails => ({
  hours: occurrence.all_day && occurrence.time_known ? null : formatHours(occurrence, lang),
  note: occurrence.notes?.[lang] ?? null,
});

/** What more than half of some dates say beside their day, to be said once for all of them. */
export function findSharedDateDetails(dates: readonly OccurrenceRecord[], lang: Lang): DateDetails {
  const alike = Map.groupBy(
    dates
      .filter(({ status }) => status === 'scheduled')
      .map((date) => formatDateDetails(date, lang)),
    ({ hours, note }) => `${hours}\n${note}`,
  );
  const [most] = [...alike.values()].sort((a, b) => b.length - a.length);
  return most?.[0] && most.length * 2 > dates.length ? most[0] : { hours: null, note: null };
}

/** A longer range is a season, whose weekdays tell nobody anything. */
const MAX_WEEKDAYS = 14;

/** What the first and the last day share is said once. */
function toShared({ from, to }: DayRange): 'month' | 'year' | 'years' {
  if (from.year !== to.year) return 'years';
  return from.month === to.month ? 'month' : 'year';
}

/**
 * A day as formatLongDay writes it, or the first and the last of several: `del viernes 20 al domingo 22
 * de noviembre de 2026`; of a season without weekdays, `del 1 de octubre de 2026 al 30 de abril de
 * 2027`.
 */
export function formatLongRange(range: DayRange, lang: Lang): string {
  if (range.from.equals(range.to)) return formatLongDay(range.from, lang);
  return toRange(range, countDays(range) > MAX_WEEKDAYS ? 'season' : 'range', lang);
}

/** The first and the last day of several without their weekdays: `del 10 al 17 de diciembre de 2026`. */
export const formatRange = (range: DayRange, lang: Lang): string => toRange(range, 'season', lang);

function toRange(range: DayRange, kind: 'season' | 'range', lang: Lang): string {
  const { from, to } = range;
  return t(lang, `date.${kind}.${toShared(range)}`, {
    ...toDayParts(from, lang),
    last_weekday: formatWeekday(to, lang),
    last_number: to.day,
    last_month: formatMonth(to, lang),
    last_year: to.year,
  });
}

/** `viernes 20 de noviembre de 2026, de 20:00 a 23:00`; both days of several whole ones. */
export function formatWhen(occurrence: OccurrenceRecord, lang: Lang): string {
  const { first_day, last_day, all_day, time_known } = occurrence;
  const first = fromDayNumber(first_day);
  if (last_day === first_day || !all_day)
    return `${formatLongDay(first, lang)}, ${formatHours(occurrence, lang)}`;
  const days = formatLongRange({ from: first, to: fromDayNumber(last_day) }, lang);
  return time_known ? days : `${days}, ${formatHours(occurrence, lang)}`;
}

/** So many days on end are said by the first and the last. */
const MIN_RUN = 3;

/** Days, or months of twelve and weekdays of seven, as runs that follow one another, over the end too. */
export function groupConsecutive(
  numbers: readonly number[],
  of: number = Number.POSITIVE_INFINITY,
): readonly (readonly number[])[] {
  const all = new Set(numbers);
  const toNext = (number: number): number => (number % of) + 1;
  const starts = [...all].filter((number) => ![...all].some((other) => toNext(other) === number));
  return starts
    .sort((a, b) => a - b)
    .map((start) => {
      const run = [start];
      for (let next = toNext(start); all.has(next); next = toNext(next)) run.push(next);
      return run;
    });
}

const DAYS_OF_WEEK = 7;

/**
 * `también domingo y de martes a viernes` · `also Sunday and Tuesday to Friday`, from day numbers
 * in order, each once; of more than a week their number; null for no day.
 */
export function formatAlsoOn(days: readonly number[], lang: Lang): string | null {
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  if (days.length === 0) return null;
  if (last - first >= DAYS_OF_WEEK) return tPlural(lang, 'dates.more', days.length);
  const toWord = (day: number): string => formatWeekday(fromDayNumber(day), lang);
  const words = groupConsecutive(days).flatMap((run) => {
    const [begin = 0, end = 0] = [run[0], run.at(-1)];
    return run.length < MIN_RUN
      ? run.map(toWord)
      : [t(lang, 'date.weekdays', { first: toWord(begin), last: toWord(end) })];
  });
  return t(lang, 'dates.also', { days: formatList(words, lang) });
}

/** Several days, short: `4–6 de diciembre de 2026`, `1 nov – 31 dic 2026` · `Nov 1 – Dec 31, 2026`. */
export function formatHeadingRange(range: DayRange, lang: Lang): string {
  const { from, to } = range;
  return t(lang, `date.heading.${toShared(range)}`, {
    number: from.day,
    month: formatMonth(from, lang),
    short_month: toShortMonth(from, lang),
    year: from.year,
    last_number: to.day,
    last_month: toShortMonth(to, lang),
    last_year: to.year,
  });
}

const PART_KINDS = ['weekday', 'number', 'month', 'year'] as const;
type PartKind = (typeof PART_KINDS)[number];

/** A piece of a day, for pages that set the number large; in order they are one natural phrase. */
interface DatePart {
  /** `until`: the last day of a range over months. */
  readonly kind: PartKind | 'until';
  readonly text: string;
  /** What stands between this piece and the one before where they are read as one line. */
  readonly joint: string;
}

/**
 * The pieces in the order of `date.long`. Of what stands there before a piece, the joint goes to
 * the first space, and the rest belongs to the piece: `de noviembre`.
 */
function toParts(
  texts: Readonly<Record<PartKind, string | number>>,
  lang: Lang,
): readonly DatePart[] {
  const places = t(lang, 'date.long').matchAll(/([^\s{]*\s)?([^{]*)\{(\w+)\}/g);
  return [...places].flatMap(([, joint = ' ', before = '', name]) => {
    const kind = PART_KINDS.find((known) => known === name);
    return kind ? [{ kind, text: `${before}${texts[kind]}`, joint }] : [];
  });
}

/**
 * `viernes · 20 · de noviembre · de 2026`, `Friday · November · 20 · 2026`; a range gives `de
 * viernes a domingo · 20–22 · …`, over months `15 · de mayo al 17 de septiembre · de 2027`.
 */
export function formatDateParts({ from, to }: DayRange, lang: Lang): readonly DatePart[] {
  const first = toDayParts(from, lang);
  if (from.equals(to)) return toParts(first, lang);
  const weekdays = { first: first.weekday, last: formatWeekday(to, lang) };
  const in_month = from.month === to.month && from.year === to.year;
  const parts = toParts(
    {
      weekday: t(lang, 'date.weekdays', weekdays),
      number: in_month ? `${from.day}–${to.day}` : from.day,
      month: first.month,
      year: to.year,
    },
    lang,
  );
  if (in_month && countDays({ from, to }) <= MAX_WEEKDAYS) return parts;
  // Of a season nobody asks the weekdays, and over two months there is no room for them.
  const asked = parts.filter(({ kind }) => kind !== 'weekday');
  if (in_month) return asked;
  const end = { number: to.day, month: formatMonth(to, lang) };
  const until: DatePart = { kind: 'until', text: t(lang, 'date.until', end), joint: ' ' };
  return asked.flatMap((part) => (part.kind === 'year' ? [until, part] : [part]));
}

/** The hours of an occurrence in a column; null where it is all day. */
interface HourColumn {
  readonly timestamp: string;
  readonly start: string;
  /** Null where the end is not known, or is on another day, which formatUntil says. */
  readonly end: string | null;
}

/** `20:00` and `23:00`; `8 p.m.` and `11 p.m.`. */
export function formatHourColumn(occurrence: OccurrenceRecord, lang: Lang): HourColumn | null {
  const { all_day, end_known, start, start_ms, end_ms } = occurrence;
  if (all_day) return null;
  const has_end = end_known && !endsLater(occurrence);
  return {
    timestamp: start,
    start: formatTime(toLocalTime(start_ms), lang),
    end: has_end ? formatTime(toLocalTime(end_ms), lang) : null,
  };
}

/** `lunes 30 de noviembre`; with its year where that is not `this_year`. */
export const formatBriefDay = (day: Temporal.PlainDate, this_year: number, lang: Lang): string =>
  day.year === this_year ? formatLongDayNoYear(day, lang) : formatLongDay(day, lang);

/** As toWhen, one day of `this_year` without it. */
export function formatBriefWhen(
  occurrence: OccurrenceRecord,
  this_year: number,
  lang: Lang,
): string {
  const { first_day, last_day, all_day } = occurrence;
  if (first_day !== last_day && all_day) return formatWhen(occurrence, lang);
  return `${formatBriefDay(fromDayNumber(first_day), this_year, lang)}, ${formatHours(occurrence, lang)}`;
}

function toClockParts(now_ms: number, lang: Lang) {
  const now = toZoned(now_ms);
  const time = now.toPlainTime();
  const day = formatLongDay(now.toPlainDate(), lang);
  return { time, hour: formatTime(time, lang), day, utc: formatUtcOffset(now.offset) };
}

/** `Son las 19:30 del sábado 21 de noviembre de 2026 en Mérida.`: for an answer that nobody keeps. */
export function formatCurrentTimeLine(now_ms: number, lang: Lang): string {
  const { time, ...parts } = toClockParts(now_ms, lang);
  return t(lang, pickHourPhraseKey(time, 'clock.one', 'clock.other'), parts);
}

/**
 * `Escrito a las 19:30 del sábado 21 …, hora de Mérida (UTC−6). Datos al 2026-11-21T18:00:00-06:00.`: true of
 * a document that is kept, too. `updated` is the snapshot's time, a timestamp with offset.
 */
export function formatGeneratedLine(now_ms: number, updated: string, lang: Lang): string {
  const { time, ...parts } = toClockParts(now_ms, lang);
  const key = pickHourPhraseKey(time, 'clock.written_one', 'clock.written_other');
  return t(lang, key, { ...parts, updated });
}
