// Date range: resolves the keywords, days and instants of a query, and matches occurrences against
// `now` and `tonight` (contract 2.3, 2.5, 2.10, 7.1).
import { Temporal } from 'temporal-polyfill';
import { TOWN } from '../../town.ts';
import {
  AGENDA_KEYWORDS,
  type AgendaKeyword,
  SINGLE_DAY_KEYWORDS,
  resolveAgendaKeyword,
} from '../date-keywords.ts';
import {
  formatTimestamp,
  countDays,
  type DayRange,
  floorToMinute,
  NIGHT_ENDS_HOUR,
  parseDay,
  startOfDayMs,
  toZoned,
  toLocalDay,
  toDayNumber,
  TIME_ZONE,
} from '../local-time.ts';
import { COMPUTABLE_YEARS, isComputableDay } from '../day/day-facts.ts';
import { admitsNewcomers, type EventRecord, type OccurrenceRecord } from '../event/event.ts';
import {
  HOUR_KEYWORDS,
  type HourKeyword,
  listDayWords,
  readDayWord,
  readPastDayWord,
} from './day-words.ts';
import type { ParameterIssue } from './parameter-issue.ts';

/** Most days of `from` to `to`. */
export const MAX_RANGE_DAYS = 92;
/** Length of the range if only `from` is present. */
export const DEFAULT_RANGE_DAYS = 30;
/** Length of a calendar feed's default range: today to today + 60. */
const FEED_DAYS = 61;
/** Start of the evening, local hour: `tonight` runs from here to NIGHT_ENDS_HOUR. */
export const EVENING_HOUR = 18;

/** Every keyword of `date`, in the order in which error messages offer them. */
export const DATE_KEYWORDS: readonly (AgendaKeyword | HourKeyword)[] = [
  ...AGENDA_KEYWORDS,
  ...HOUR_KEYWORDS,
];

/**
 * Hours in epoch ms. An occurrence touches them if it begins before `until_ms` and ends after
 * `from_ms`.
 */
export interface HourSpan {
  readonly keyword: HourKeyword;
  readonly from_ms: number;
  /** Also the instant from which the keyword resolves to other hours. */
  readonly until_ms: number;
}

/**
 * Resolves `now` to the current minute, and `tonight` to 18:00 to 06:00 of the coming night, or of
 * the current night between midnight and 06:00.
 * @returns null for any other text.
 */
export function resolveHourKeyword(text: string | undefined, now_ms: number): HourSpan | null {
  if (text === 'now') {
    const from_ms = floorToMinute(now_ms);
    return { keyword: text, from_ms, until_ms: from_ms + 60_000 };
  }
  if (text !== 'tonight') return null;
  const now = toZoned(now_ms);
  const evening = now.toPlainDate().subtract({ days: now.hour < NIGHT_ENDS_HOUR ? 1 : 0 });
  const toMs = (day: Temporal.PlainDate, hour: number): number =>
    day.toZonedDateTime(TIME_ZONE).with({ hour }).epochMilliseconds;
  return {
    keyword: text,
    from_ms: toMs(evening, EVENING_HOUR),
    until_ms: toMs(evening.add({ days: 1 }), NIGHT_ENDS_HOUR),
  };
}

type NamedEvent = Pick<EventRecord, 'category' | 'tags' | 'title'>;

/**
 * Tag of events that take place at night; the pattern finds such words in a title or in a date's
 * note.
 */
const NIGHT_TAG = 'noche';
const NIGHT_WORD_PATTERN = /\b(?:noches?|nights?|evenings?)\b/i;

const isAtNight = ({ category, tags, title }: NamedEvent, { notes }: OccurrenceRecord): boolean =>
  category === 'party' ||
  tags.includes(NIGHT_TAG) ||
  [title, notes].some((text) => text !== null && NIGHT_WORD_PATTERN.test(`${text.es} ${text.en}`));

/**
 * Tests whether an occurrence that begins before the end of the hours is in them. `now` excludes
 * cancelled and postponed occurrences, those without a known hour and those past their last entry.
 * `tonight` includes the
 * former, with their status, and all-day occurrences only if category, tag, title or note places
 * them at night.
 */
export function isOccurrenceInHours(
  hours: HourSpan,
  occurrence: OccurrenceRecord,
  event: NamedEvent,
): boolean {
  const { status, time_known, all_day, first_day, last_day, end_ms } = occurrence;
  if (end_ms <= hours.from_ms) return false;
  if (hours.keyword === 'now')
    return status === 'scheduled' && time_known && admitsNewcomers(occurrence, hours.from_ms);
  if (!all_day) return true;
  const evening_day = toDayNumber(toLocalDay(hours.from_ms));
  return first_day <= evening_day && last_day >= evening_day && isAtNight(event, occurrence);
}

/** The last day that YYYY-MM-DD can express. */
const LAST_DAY = Temporal.PlainDate.from('9999-12-31');

/** Builds a range of `count` days, cut at LAST_DAY. */
function daysFrom(from: Temporal.PlainDate, count: number): DayRange {
  const to = from.add({ days: count - 1 });
  return { from, to: Temporal.PlainDate.compare(to, LAST_DAY) > 0 ? LAST_DAY : to };
}

/** Builds the range of a calendar feed whose query has no days (contract 2.5). */
export const defaultCalendarRange = (now_ms: number): DayRange =>
  daysFrom(toLocalDay(now_ms), FEED_DAYS);

/**
 * Returns the texts of a query with its day words read as keywords or days: `date=sábado` becomes
 * the next Saturday, `since=sábado` the last one.
 */
export function readDayWords(
  texts: Readonly<Record<string, string>>,
  now_ms: number,
): Readonly<Record<string, string>> {
  const today = toLocalDay(now_ms);
  const { date, since, updated_since } = texts;
  return {
    ...texts,
    ...(date !== undefined && { date: readDayWord(date, today) }),
    ...(since !== undefined && { since: readPastDayWord(since, today) }),
    ...(updated_since !== undefined && { updated_since: readPastDayWord(updated_since, today) }),
  };
}

/** Resolves a keyword, or a single day, to a range of days. */
function resolveDays(text: string, now_ms: number): DayRange | null {
  const date = readDayWord(text, toLocalDay(now_ms));
  const hours = resolveHourKeyword(date, now_ms);
  if (hours) return { from: toLocalDay(hours.from_ms), to: toLocalDay(hours.until_ms - 1) };
  const day = parseDay(date);
  return resolveAgendaKeyword(date, toLocalDay(now_ms)) ?? (day && { from: day, to: day });
}

/** Appends today's date to the last issue, unless one already states it. */
function withToday(issues: readonly ParameterIssue[], now_ms: number): readonly ParameterIssue[] {
  const last = issues.at(-1);
  if (last === undefined || issues.some(({ states_today }) => states_today)) return issues;
  const today = `Today is ${toLocalDay(now_ms)} in ${TOWN.name.en}`;
  return [...issues.slice(0, -1), { ...last, message: `${last.message}. ${today}` }];
}

/** The day parameters of a query, unparsed. */
interface DateRangeTexts {
  readonly lang?: string | undefined;
  readonly date?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Parses `date`, or `from` and `to`, and pushes every issue as `param: sentence`.
 * @param now_ms The instant that decides which day is today.
 * @returns null for upcoming events from now on.
 */
export function parseRange(
  texts: DateRangeTexts,
  now_ms: number,
  issues: ParameterIssue[],
): DayRange | null {
  const range_issues: ParameterIssue[] = [];
  const by_date =
    texts.date === undefined ? null : parseDate(texts.date, texts, now_ms, range_issues);
  const today = toLocalDay(now_ms);
  const first = parseBoundary('from', texts, today, range_issues);
  const last = parseBoundary('to', texts, first ?? today, range_issues);
  const is_valid_range = texts.date === undefined && range_issues.length === 0;
  const by_boundaries = is_valid_range ? buildRange(first, last, now_ms) : null;
  if (by_boundaries) range_issues.push(...listRangeIssues(by_boundaries, first !== null));
  issues.push(...withToday(range_issues, now_ms));
  return by_date ?? by_boundaries;
}

/** Parses the parameter `date`, which excludes `from` and `to`. */
function parseDate(
  date: string,
  { from, to, lang }: DateRangeTexts,
  now_ms: number,
  issues: ParameterIssue[],
): DayRange | null {
  const range = resolveDays(date, now_ms);
  if (!range)
    issues.push({
      param: 'date',
      message: `'${date}' is invalid. Use ${listDayWords(DATE_KEYWORDS, lang)} or a day as YYYY-MM-DD`,
    });
  if (from !== undefined || to !== undefined)
    issues.push({
      param: 'date',
      message: "cannot be combined with 'from' or 'to'. Use either date, or from and to",
    });
  return range;
}

/**
 * Parses `from` or `to`; null if it is missing or invalid.
 * @param earliest A weekday is its first date from this day on.
 */
function parseBoundary(
  name: 'from' | 'to',
  { [name]: text, lang }: DateRangeTexts,
  earliest: Temporal.PlainDate,
  issues: ParameterIssue[],
): Temporal.PlainDate | null {
  if (text === undefined) return null;
  const day = resolveSingleDay(readDayWord(text, earliest), earliest);
  if (day === null)
    issues.push({
      param: name,
      message: `'${text}' is not a valid date. Use ${listDayWords(SINGLE_DAY_KEYWORDS, lang)} or a day as YYYY-MM-DD`,
    });
  return day;
}

/** Resolves a keyword of one day, or a day; null for any other text. */
function resolveSingleDay(word: string, today: Temporal.PlainDate): Temporal.PlainDate | null {
  const keyword = SINGLE_DAY_KEYWORDS.find((each) => each === word);
  return keyword ? (resolveAgendaKeyword(keyword, today)?.from ?? null) : parseDay(word);
}

/**
 * Builds the range of `from` and `to`; `to` alone starts today, `from` alone covers
 * DEFAULT_RANGE_DAYS.
 */
function buildRange(
  first: Temporal.PlainDate | null,
  last: Temporal.PlainDate | null,
  now_ms: number,
): DayRange | null {
  if (last) return { from: first ?? toLocalDay(now_ms), to: last };
  return first && daysFrom(first, DEFAULT_RANGE_DAYS);
}

/** Lists the issue of a range that is too long or ends before it starts, if any. */
function listRangeIssues({ from, to }: DayRange, has_from: boolean): readonly ParameterIssue[] {
  const count = countDays({ from, to });
  if (count > MAX_RANGE_DAYS) {
    const message = `${from} to ${to} is ${count} days. The limit is ${MAX_RANGE_DAYS} days, including both ends`;
    return [{ param: 'to', message }];
  }
  if (count >= 1) return [];
  if (has_from) return [{ param: 'from', message: `${from} is after 'to' (${to}). Swap them` }];
  const message = `${to} is before today (${from}). Give 'from' as well to ask for past days`;
  return [{ param: 'to', message, states_today: true }];
}

/**
 * Parses a day, `today`, `tomorrow` or a weekday. Any other text is pushed as an issue of the
 * parameter `name`, and today is returned.
 * @param lang `lang` of the request, unparsed: the language of the words in the issue.
 */
export function parseDayParameter(
  date: string,
  now_ms: number,
  issues: ParameterIssue[],
  lang?: string,
  name = 'date',
): Temporal.PlainDate {
  const today = toLocalDay(now_ms);
  const day = resolveSingleDay(readDayWord(date, today), today);
  if (day) return day;
  const accepted = `${listDayWords(SINGLE_DAY_KEYWORDS, lang)} or a day as YYYY-MM-DD`;
  const issue = { param: name, message: `'${date}' is invalid. Use ${accepted}` };
  issues.push(...withToday([issue], now_ms));
  return today;
}

/**
 * Parses the day of a request for sky and holidays. A day outside COMPUTABLE_YEARS is pushed as an
 * issue.
 */
export function parseComputableDay(
  date: string,
  now_ms: number,
  issues: ParameterIssue[],
  lang: string,
): Temporal.PlainDate {
  const day = parseDayParameter(date, now_ms, issues, lang);
  if (!isComputableDay(day))
    issues.push({
      param: 'date',
      message: `'${date}' is out of range. Use a day from ${COMPUTABLE_YEARS.first} to ${COMPUTABLE_YEARS.last}`,
    });
  return day;
}

const INSTANT_FORMS = `a day as YYYY-MM-DD or an instant with its offset, for example 2026-11-20 or ${formatTimestamp(Date.UTC(2026, 10, 20, 23))}`;

/**
 * Bounds of an instant. No stored timestamp lies outside, and between them every timestamp has the
 * same length.
 */
const FIRST_MS = Date.UTC(2020, 0, 1);
const LAST_MS = Date.UTC(2100, 0, 1);

/**
 * Parses a day (its start) or an instant with its offset, in which a `+` may have become a space.
 * The result is clamped to 2020 … 2100.
 * @returns Epoch ms, or null if the text is neither.
 */
export function parseInstant(text: string): number | null {
  const day = parseDay(text);
  try {
    const instant_ms = day
      ? startOfDayMs(day)
      : Temporal.Instant.from(text.trim().replace(' ', '+')).epochMilliseconds;
    return Math.min(LAST_MS, Math.max(FIRST_MS, instant_ms));
  } catch {
    return null;
  }
}

/**
 * Parses a parameter as an instant. An invalid text is pushed as an issue.
 * @returns Epoch ms, or null if the parameter is missing or invalid.
 */
export function parseInstantParameter(
  name: string,
  { [name]: text }: Readonly<Record<string, string>>,
  issues: ParameterIssue[],
): number | null {
  const instant_ms = text === undefined ? null : parseInstant(text);
  if (text !== undefined && instant_ms === null)
    issues.push({ param: name, message: `'${text}' is invalid. Use ${INSTANT_FORMS}` });
  return instant_ms;
}
