// Date texts: formats days and times as phrases and as parts, the same in every output. Names of
// days and months come from Intl for the language's locale; the order of the parts from the
// messages `date.…` and `time.…`. Examples are Spanish · English. An occurrence is one date of an
// event; its `end_known` and `time_known` are false if no source has the end or the start.
import { Temporal } from 'temporal-polyfill';
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
import { stripTrailingPeriod } from '../domain/place-text.ts';
import { type MessageKey, t, tPlural, localeOf, formatList } from './translate.ts';

const NAME_FORMATS = {
  weekday: { weekday: 'long' },
  short_weekday: { weekday: 'short' },
  month: { month: 'long' },
  short_month: { month: 'short' },
} as const;

/**
 * Cache by language and format: creating a formatter costs as much as serializing a whole event.
 */
const NAMES = new Map<string, readonly string[]>();

/** Lists the names of the weekdays from Monday on, or of the months. */
function listNames(form: keyof typeof NAME_FORMATS, lang: Lang): readonly string[] {
  const key = `${lang} ${form}`;
  const cached = NAMES.get(key);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat(localeOf(lang), {
    ...NAME_FORMATS[form],
    timeZone: 'UTC',
  });
  // January 1, 2024 was a Monday.
  const exampleDate = (index: number): number =>
    form.endsWith('month') ? Date.UTC(2024, index, 1) : Date.UTC(2024, 0, index + 1);
  const names = Array.from({ length: 12 }, (_, index) => format.format(exampleDate(index)));
  NAMES.set(key, names);
  return names;
}

/** Formats a weekday as `viernes` · `Friday`. */
export const formatWeekday = (day: Temporal.PlainDate, lang: Lang): string =>
  listNames('weekday', lang)[day.dayOfWeek - 1] ?? '';
/** Formats a weekday as `vie` · `Fri`. */
export const formatShortWeekday = (day: Temporal.PlainDate, lang: Lang): string =>
  listNames('short_weekday', lang)[day.dayOfWeek - 1] ?? '';
/** Formats a month as `noviembre` · `November`. */
export const formatMonth = (day: Temporal.PlainDate, lang: Lang): string =>
  listNames('month', lang)[day.month - 1] ?? '';
const formatShortMonth = (day: Temporal.PlainDate, lang: Lang): string =>
  listNames('short_month', lang)[day.month - 1] ?? '';

/** Returns the placeholder values of a day. */
const dayPlaceholders = (day: Temporal.PlainDate, lang: Lang) => ({
  weekday: formatWeekday(day, lang),
  number: day.day,
  month: formatMonth(day, lang),
  year: day.year,
});

/** Formats a day as `viernes 20 de noviembre de 2026` · `Friday, November 20, 2026`. */
export const formatLongDay = (day: Temporal.PlainDate, lang: Lang): string =>
  t(lang, 'date.long', dayPlaceholders(day, lang));

/** Formats a day without its year: `viernes 20 de noviembre` · `Friday, November 20`. */
export const formatLongDayNoYear = (day: Temporal.PlainDate, lang: Lang): string =>
  t(lang, 'date.of_year', dayPlaceholders(day, lang));

/** Formats a day as `vie 20 nov` · `Fri, Nov 20`, with the year if it is not `this_year`. */
export const formatShortDay = (
  day: Temporal.PlainDate,
  lang: Lang,
  this_year: number = day.year,
): string =>
  t(lang, day.year === this_year ? 'date.short' : 'date.short_year', {
    weekday: formatShortWeekday(day, lang),
    number: day.day,
    month: formatShortMonth(day, lang),
    year: day.year,
  });

/** Formats a day as `vie 20` · `Fri 20`, for lists under the name of the month. */
export const formatShortDayNoMonth = (day: Temporal.PlainDate, lang: Lang): string =>
  `${formatShortWeekday(day, lang)} ${day.day}`;

/**
 * Formats one day or a short range: `vie 20 – dom 22 nov`, `lun 30 nov – mié 2 dic 2026`. A shared
 * month or year appears once; the year only if it is not `this_year`.
 */
export function formatShortRange(
  { from, to }: DayRange,
  lang: Lang,
  this_year: number = from.year,
): string {
  if (from.equals(to)) return formatShortDay(from, lang, this_year);
  const difference = findWidestDifference({ from, to });
  if (difference === 'month')
    return t(lang, `date.short_range.${from.year === this_year ? 'month' : 'month_year'}`, {
      weekday: formatShortWeekday(from, lang),
      number: from.day,
      last_weekday: formatShortWeekday(to, lang),
      last_number: to.day,
      month: formatShortMonth(from, lang),
      year: from.year,
    });
  return t(lang, 'date.short_range', {
    from: formatShortDay(from, lang, difference === 'years' ? this_year : from.year),
    to: formatShortDay(to, lang, difference === 'years' ? from.year : this_year),
  });
}

/**
 * Formats a time as `20:00`, `9:00` · `8 p.m.`, `8:30 p.m.`, `midnight`, by the clock of the
 * language (contract 1.12).
 */
export function formatTime(moment: Temporal.PlainTime, lang: Lang): string {
  const minute = String(moment.minute).padStart(2, '0');
  if (t(lang, 'time.hour_cycle') === 'h23') return `${moment.hour}:${minute}`;
  if (moment.hour === 0 && moment.minute === 0) return t(lang, 'time.midnight');
  const hour = moment.hour % 12 || 12;
  const half = t(lang, moment.hour < 12 ? 'time.am' : 'time.pm');
  return `${hour}${moment.minute === 0 ? '' : `:${minute}`} ${half}`;
}

/** Formats a date as `20 de noviembre de 2026` · `November 20, 2026`. */
export const formatDateNoWeekday = (day: Temporal.PlainDate, lang: Lang): string =>
  t(lang, 'date.day', dayPlaceholders(day, lang));

/** Formats a month as `noviembre de 2026` · `November 2026`. */
export const formatMonthAndYear = (day: Temporal.PlainDate, lang: Lang): string =>
  t(lang, 'date.month_of_year', dayPlaceholders(day, lang));

/**
 * Returns key `one` for a time from 1:00 to 1:59, otherwise `other`: Spanish has `a la 1:30`, but
 * `a las 13:30`.
 */
export const pickHourPhraseKey = <K extends MessageKey>(
  moment: Temporal.PlainTime,
  one: K,
  other: K,
): K => (moment.hour === 1 ? one : other);

/** Formats a start time as `a las 20:00`, `a la 1:30` · `8 p.m.`, `1:30 a.m.`. */
export const formatAtTime = (moment: Temporal.PlainTime, lang: Lang): string =>
  t(lang, pickHourPhraseKey(moment, 'time.from_one', 'time.from'), {
    start: formatTime(moment, lang),
  });

/**
 * Returns true if an occurrence has a known end on a later day. The hours after midnight belong to
 * the evening before (contract 2.3).
 */
const endsLater = ({ start, end, end_known, first_day, last_day }: OccurrenceRecord): boolean =>
  end_known &&
  (last_day > first_day ||
    // An event of 24 hours or more is longer than one night.
    (end.slice(0, 10) > start.slice(0, 10) && end.slice(11, 19) >= start.slice(11, 19)));

/** Formats an end on a later day as `dom 22 nov, 18:00` · `Sun, Nov 22, 6 p.m.`. */
const formatEnd = ({ first_day, end_ms }: OccurrenceRecord, lang: Lang): string =>
  t(lang, 'date.hour', {
    day: formatShortDay(toLocalDay(end_ms), lang, fromDayNumber(first_day).year),
    hour: formatTime(toLocalTime(end_ms), lang),
  });

/**
 * Formats the end of an occurrence of several days: `hasta el dom 22 nov, 18:00`, for whole days
 * `hasta el dom 22 nov` (contract 1.12).
 * @returns null if it ends on the day it begins.
 */
export function formatUntil(occurrence: OccurrenceRecord, lang: Lang): string | null {
  const { all_day, first_day, last_day } = occurrence;
  if (all_day)
    return last_day === first_day
      ? null
      : t(lang, 'time.until', { end: formatShortDay(fromDayNumber(last_day), lang) });
  return endsLater(occurrence) ? t(lang, 'time.until', { end: formatEnd(occurrence, lang) }) : null;
}

/**
 * Formats the hours: `de 20:00 a 23:00`; `a las 20:00` if the end is unknown; `a las 20:00, hasta
 * el dom 22 nov, 18:00` if it is on another day; `todo el día`.
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

/** Maximum length of a note next to an unknown hour. */
const MAX_HOUR_NOTE_LENGTH = 30;

/**
 * Formats the hours next to a date. A scheduled all-day occurrence with a note shows the note
 * (`Horario por confirmar`) instead of `todo el día`, and one with an unknown hour a short note
 * with it: `De noche · hora por confirmar` (contract 2.8).
 * @returns null for several whole days, unless the hour is unknown.
 */
export function formatHoursOrNote(occurrence: OccurrenceRecord, lang: Lang): string | null {
  const { status, time_known, all_day } = occurrence;
  const note = status === 'scheduled' ? occurrence.notes?.[lang] : undefined;
  if (note && time_known && all_day) return note;
  if (note && !time_known && note.length <= MAX_HOUR_NOTE_LENGTH)
    return `${stripTrailingPeriod(note)} · ${t(lang, 'time.unknown')}`;
  return all_day && time_known && occurrence.first_day !== occurrence.last_day
    ? null
    : formatHours(occurrence, lang);
}

/** Details of a date besides its day. */
export interface DateDetails {
  /** Null if it is all day. */
  readonly hours: string | null;
  readonly note: string | null;
}

export const formatDateDetails = (occurrence: OccurrenceRecord, lang: Lang): DateDetails => ({
  hours: occurrence.all_day && occurrence.time_known ? null : formatHours(occurrence, lang),
  note: occurrence.notes?.[lang] ?? null,
});

/** Finds the details that more than half of the dates share, to show them once. */
export function findSharedDateDetails(dates: readonly OccurrenceRecord[], lang: Lang): DateDetails {
  const by_details = Map.groupBy(
    dates
      .filter(({ status }) => status === 'scheduled')
      .map((date) => formatDateDetails(date, lang)),
    ({ hours, note }) => `${hours}\n${note}`,
  );
  const [largest] = [...by_details.values()].sort((a, b) => b.length - a.length);
  return largest?.[0] && largest.length * 2 > dates.length
    ? largest[0]
    : { hours: null, note: null };
}

/** Maximum days of a range with weekdays; a longer range is formatted as a season, without them. */
const MAX_WEEKDAYS = 14;

/**
 * Finds the extent of a range, which selects its message: within one `month`, within one `year`, or
 * over several `years`.
 */
function findWidestDifference({ from, to }: DayRange): 'month' | 'year' | 'years' {
  if (from.year !== to.year) return 'years';
  return from.month === to.month ? 'month' : 'year';
}

/**
 * Formats a single day like formatLongDay, or a range: `del viernes 20 al domingo 22 de noviembre
 * de 2026`; a season without weekdays, `del 1 de octubre de 2026 al 30 de abril de 2027`.
 */
export function formatLongRange(range: DayRange, lang: Lang): string {
  if (range.from.equals(range.to)) return formatLongDay(range.from, lang);
  return fillRange(range, countDays(range) > MAX_WEEKDAYS ? 'season' : 'range', lang);
}

/** Formats a range without weekdays: `del 10 al 17 de diciembre de 2026`. */
export const formatRange = (range: DayRange, lang: Lang): string =>
  fillRange(range, 'season', lang);

function fillRange(range: DayRange, kind: 'season' | 'range', lang: Lang): string {
  const { from, to } = range;
  return t(lang, `date.${kind}.${findWidestDifference(range)}`, {
    ...dayPlaceholders(from, lang),
    last_weekday: formatWeekday(to, lang),
    last_number: to.day,
    last_month: formatMonth(to, lang),
    last_year: to.year,
  });
}

/**
 * Formats day and hours: `viernes 20 de noviembre de 2026, de 20:00 a 23:00`; for several whole
 * days, the range.
 */
export function formatWhen(occurrence: OccurrenceRecord, lang: Lang): string {
  const { first_day, last_day, all_day, time_known } = occurrence;
  const first = fromDayNumber(first_day);
  if (last_day === first_day || !all_day)
    return `${formatLongDay(first, lang)}, ${formatHours(occurrence, lang)}`;
  const days = formatLongRange({ from: first, to: fromDayNumber(last_day) }, lang);
  return time_known ? days : `${days}, ${formatHours(occurrence, lang)}`;
}

/**
 * Formats the note of a date in parentheses, to follow its day and hours: ` (De noche)`, or the
 * reason if it is called off; empty without one.
 */
export const formatNoteInParentheses = ({ notes }: OccurrenceRecord, lang: Lang): string =>
  notes === null ? '' : ` (${stripTrailingPeriod(notes[lang])})`;

/** From this many consecutive days on, only the first and last are named. */
const MIN_RUN = 3;

/**
 * Groups distinct numbers into runs of consecutive ones, by first number.
 * @param cycle Length of the cycle if runs wrap around: 12 for months, 7 for weekdays.
 */
export function groupConsecutive(
  numbers: readonly number[],
  cycle: number = Number.POSITIVE_INFINITY,
): readonly (readonly number[])[] {
  const all = new Set(numbers);
  const nextNumber = (number: number): number => (number % cycle) + 1;
  const starts = [...all].filter(
    (number) => ![...all].some((other) => nextNumber(other) === number),
  );
  return starts
    .sort((a, b) => a - b)
    .map((start) => {
      const run = [start];
      for (let next = nextNumber(start); all.has(next); next = nextNumber(next)) run.push(next);
      return run;
    });
}

const DAYS_OF_WEEK = 7;

/**
 * Formats the further dates of an event after its first one: `también domingo y de martes a
 * viernes` · `also Sunday and Tuesday to Friday`; for more than a week, only their number.
 * @param days Distinct day numbers in order.
 * @returns null for an empty list.
 */
export function formatAlsoOn(days: readonly number[], lang: Lang): string | null {
  const [first_day = 0, last_day = 0] = [days[0], days.at(-1)];
  if (days.length === 0) return null;
  if (last_day - first_day >= DAYS_OF_WEEK) return tPlural(lang, 'dates.more', days.length);
  const weekdayName = (day: number): string => formatWeekday(fromDayNumber(day), lang);
  const words = groupConsecutive(days).flatMap((run) => {
    const [run_start = 0, run_end = 0] = [run[0], run.at(-1)];
    return run.length < MIN_RUN
      ? run.map(weekdayName)
      : [t(lang, 'date.weekdays', { first: weekdayName(run_start), last: weekdayName(run_end) })];
  });
  return t(lang, 'dates.also', { days: formatList(words, lang) });
}

/**
 * Formats a range for headings: `4–6 de diciembre de 2026`, `1 nov – 31 dic 2026` · `Nov 1 – Dec
 * 31, 2026`.
 */
export function formatHeadingRange(range: DayRange, lang: Lang): string {
  const { from, to } = range;
  return t(lang, `date.heading.${findWidestDifference(range)}`, {
    number: from.day,
    month: formatMonth(from, lang),
    short_month: formatShortMonth(from, lang),
    year: from.year,
    last_number: to.day,
    last_month: formatShortMonth(to, lang),
    last_year: to.year,
  });
}

const PART_KINDS = ['weekday', 'number', 'month', 'year'] as const;
type PartKind = (typeof PART_KINDS)[number];

/**
 * A part of a formatted day, for pages with a large number; in order, the parts form one phrase.
 */
interface DatePart {
  /** A part of `date.long`, or `until`: the last day of a range over several months. */
  readonly kind: PartKind | 'until';
  readonly text: string;
  /** Separator before this part in a single line. */
  readonly joint: string;
}

/**
 * Splits a day into parts in the order of `date.long`. Text before a placeholder is the separator
 * up to the first space; the rest belongs to the part: `de noviembre`.
 */
function splitIntoParts(
  texts: Readonly<Record<PartKind, string | number>>,
  lang: Lang,
): readonly DatePart[] {
  const placeholders = t(lang, 'date.long').matchAll(/([^\s{]*\s)?([^{]*)\{(\w+)\}/g);
  return [...placeholders].flatMap(([, joint = ' ', before = '', name]) => {
    const kind = PART_KINDS.find((candidate) => candidate === name);
    return kind ? [{ kind, text: `${before}${texts[kind]}`, joint }] : [];
  });
}

/**
 * Formats a day as parts: `viernes · 20 · de noviembre · de 2026`, `Friday · November · 20 · 2026`.
 * A range gives `de viernes a domingo · 20–22 · …`, over several months `15 · de mayo al 17 de
 * septiembre · de 2027`.
 */
export function formatDateParts({ from, to }: DayRange, lang: Lang): readonly DatePart[] {
  const first = dayPlaceholders(from, lang);
  if (from.equals(to)) return splitIntoParts(first, lang);
  const weekdays = { first: first.weekday, last: formatWeekday(to, lang) };
  const is_within_month = from.month === to.month && from.year === to.year;
  const parts = splitIntoParts(
    {
      weekday: t(lang, 'date.weekdays', weekdays),
      number: is_within_month ? `${from.day}–${to.day}` : from.day,
      month: first.month,
      year: to.year,
    },
    lang,
  );
  if (is_within_month && countDays({ from, to }) <= MAX_WEEKDAYS) return parts;
  // Weekdays are irrelevant for a season, and do not fit if the range covers several months.
  const without_weekday = parts.filter(({ kind }) => kind !== 'weekday');
  if (is_within_month) return without_weekday;
  const end = { number: to.day, month: formatMonth(to, lang) };
  const until: DatePart = { kind: 'until', text: t(lang, 'date.until', end), joint: ' ' };
  return without_weekday.flatMap((part) => (part.kind === 'year' ? [until, part] : [part]));
}

/** Start and end of an occurrence, for a column of hours. */
interface HourColumn {
  /** Start with offset, for the `datetime` attribute. */
  readonly timestamp: string;
  readonly start: string;
  /** Null if the end is unknown or on another day (see formatUntil). */
  readonly end: string | null;
}

/**
 * Formats `20:00` and `23:00`; `8 p.m.` and `11 p.m.`.
 * @returns null for an all-day occurrence.
 */
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

/** Formats a day as `lunes 30 de noviembre`, with the year if it is not `this_year`. */
export const formatBriefDay = (day: Temporal.PlainDate, this_year: number, lang: Lang): string =>
  day.year === this_year ? formatLongDayNoYear(day, lang) : formatLongDay(day, lang);

/** Formats like formatWhen, but a single day of `this_year` without the year. */
export function formatBriefWhen(
  occurrence: OccurrenceRecord,
  this_year: number,
  lang: Lang,
): string {
  const { first_day, last_day, all_day } = occurrence;
  if (first_day !== last_day && all_day) return formatWhen(occurrence, lang);
  return `${formatBriefDay(fromDayNumber(first_day), this_year, lang)}, ${formatHours(occurrence, lang)}`;
}

/** Most dates that formatDatesWithNotes names. */
const MAX_NAMED_DATES = 6;

/**
 * Formats dates in a few words, with the note that consecutive ones share: `vie 20 nov, a las
 * 20:00; sáb 21 nov, todo el día (Lluvia) y 3 más hasta el dom 3 ene 2027`. The year only if it
 * differs from the year of the date before, at first from `this_year`.
 */
export function formatDatesWithNotes(
  dates: readonly OccurrenceRecord[],
  lang: Lang,
  { this_year, max = MAX_NAMED_DATES }: { readonly this_year?: number; readonly max?: number } = {},
): string {
  const named = dates.slice(0, max);
  const days = named.map(({ first_day }) => fromDayNumber(first_day));
  const texts = named.map((date, index) => {
    const this_day = fromDayNumber(date.first_day);
    const day = formatShortDay(this_day, lang, days[index - 1]?.year ?? this_year ?? this_day.year);
    const when = date.time_known ? `${day}, ${formatHours(date, lang)}` : day;
    const [note, next_note] = [date.notes?.[lang], named[index + 1]?.notes?.[lang]];
    return note === undefined || note === next_note
      ? when
      : `${when} (${stripTrailingPeriod(note)})`;
  });
  const last = dates.at(-1);
  const more = dates.length - named.length;
  if (more === 0 || last === undefined) return texts.join('; ');
  const last_day = formatShortDay(fromDayNumber(last.first_day), lang, days.at(-1)?.year);
  return `${texts.join('; ')} ${tPlural(lang, 'dates.and_more', more, { day: last_day })}`;
}

/** Returns the placeholder values of an instant, and its local time. */
function clockPlaceholders(now_ms: number, lang: Lang) {
  const now = toZoned(now_ms);
  const time = now.toPlainTime();
  const day = formatLongDay(now.toPlainDate(), lang);
  return { time, hour: formatTime(time, lang), day, utc: formatUtcOffset(now.offset) };
}

/**
 * Formats the current time, for responses that are not stored: `Son las 19:30 del sábado 21 de
 * noviembre de 2026 en Mérida.`
 */
export function formatCurrentTimeLine(now_ms: number, lang: Lang): string {
  const { time, ...parts } = clockPlaceholders(now_ms, lang);
  return t(lang, pickHourPhraseKey(time, 'clock.one', 'clock.other'), parts);
}

/**
 * Formats the time of generation, for documents that may be stored: `Escrito a las 19:30 del sábado
 * 21 …, hora de Mérida (UTC−6). Datos al 2026-11-21T18:00:00-06:00.`
 * @param updated Timestamp of the snapshot, with offset.
 */
export function formatGeneratedLine(now_ms: number, updated: string, lang: Lang): string {
  const { time, ...parts } = clockPlaceholders(now_ms, lang);
  const key = pickHourPhraseKey(time, 'clock.written_one', 'clock.written_other');
  return t(lang, key, { ...parts, updated });
}

/** Formats a sentence about customary rest days of a repetition, YYYY-MM-DD. */
export const formatRestingDays = (
  key:
    | 'batch.resting'
    | 'desk.resting'
    | 'desk.resting.yes'
    | 'desk.resting.no'
    | 'mcp.tool.enviar_evento.holidays'
    | 'status.resting'
    | 'status.rests'
    | 'submit.ask.holidays',
  days: readonly string[],
  lang: Lang,
): string =>
  t(lang, key, {
    days: formatList(
      days.map((day) => {
        const words = formatLongDayNoYear(Temporal.PlainDate.from(day), lang);
        return t(lang, 'date.in_list', { day: words });
      }),
      lang,
    ),
    list: days.join(','),
  });

/** Formats the holidays on which an event does not take place; null without any. */
export const formatRests = (days: readonly string[], lang: Lang): string | null =>
  days.length === 0 ? null : formatRestingDays('status.rests', days, lang);
