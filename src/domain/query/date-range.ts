// What a query says of days and hours: the words, a day, a range, a moment; and which occurrences
// are in hours (contract 2.3, 2.5, 2.10, 7.1).
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
import type { EventRecord, OccurrenceRecord } from '../event/event.ts';

export const MAX_RANGE_DAYS = 92;
/** What `from` alone asks for. */
export const DEFAULT_RANGE_DAYS = 30;
/** A calendar's range where none is asked: today … today + 60. */
const FEED_DAYS = 61;
/** Where the evening begins: what touches the hours from here to NIGHT_ENDS_HOUR is tonight's. */
export const EVENING_HOUR = 18;

export const HOUR_KEYWORDS = ['now', 'tonight'] as const;
type HourWord = (typeof HOUR_KEYWORDS)[number];

/** Every word that `date` takes, in the order in which they are offered. */
export const DATE_KEYWORDS: readonly (AgendaKeyword | HourWord)[] = [
  ...AGENDA_KEYWORDS,
  ...HOUR_KEYWORDS,
];

/** Instants, epoch ms: an occurrence touches it that begins before `until_ms` and ends after `from_ms`. */
export interface HourSpan {
  readonly word: HourWord;
  readonly from_ms: number;
  /** Also the moment from which the word means something else. */
  readonly until_ms: number;
}

/**
 * The hours that a word means at an instant: `now` its minute, `tonight` 18:00 to 06:00 of the night
 * to come, or between midnight and 06:00 of the one under way; null for any other word.
 */
export function resolveHourKeyword(text: string | undefined, now_ms: number): HourSpan | null {
  if (text === 'now') {
    const from_ms = floorToMinute(now_ms);
    return { word: text, from_ms, until_ms: from_ms + 60_000 };
  }
  if (text !== 'tonight') return null;
  const now = toZoned(now_ms);
  const evening = now.toPlainDate().subtract({ days: now.hour < NIGHT_ENDS_HOUR ? 1 : 0 });
  const toMs = (day: Temporal.PlainDate, hour: number): number =>
    day.toZonedDateTime(TIME_ZONE).with({ hour }).epochMilliseconds;
  return {
    word: text,
    from_ms: toMs(evening, EVENING_HOUR),
    until_ms: toMs(evening.add({ days: 1 }), NIGHT_ENDS_HOUR),
  };
}

type NamedEvent = Pick<EventRecord, 'category' | 'tags' | 'title'>;

/** The tag, and the words of a title or of a date's note, that say that it is at night. */
const NIGHT_TAG = 'noche';
const NIGHT_WORDS = /\b(?:noches?|nights?|evenings?)\b/i;

const saysNight = ({ category, tags, title }: NamedEvent, { notes }: OccurrenceRecord): boolean =>
  category === 'party' ||
  tags.includes(NIGHT_TAG) ||
  [title, notes].some((text) => text !== null && NIGHT_WORDS.test(`${text.es} ${text.en}`));

/**
 * Whether an occurrence that begins before the hours end is in them. What was called off or has no
 * known hour does not go on now; tonight keeps the former with its status, and of what has no hour that
 * day only what says that it is at night.
 */
export function isOccurrenceInHours(
  hours: HourSpan,
  occurrence: OccurrenceRecord,
  event: NamedEvent,
): boolean {
  const { status, time_known, all_day, first_day, last_day, end_ms } = occurrence;
  if (end_ms <= hours.from_ms) return false;
  if (hours.word === 'now') return status === 'scheduled' && time_known;
  if (!all_day) return true;
  const evening = toDayNumber(toLocalDay(hours.from_ms));
  return first_day <= evening && last_day >= evening && saysNight(event, occurrence);
}

/** The last that YYYY-MM-DD can write. */
const LAST_DAY = Temporal.PlainDate.from('9999-12-31');

/** So many days from one on, or as many of them as can be written. */
function daysFrom(from: Temporal.PlainDate, count: number): DayRange {
  const to = from.add({ days: count - 1 });
  return { from, to: Temporal.PlainDate.compare(to, LAST_DAY) > 0 ? LAST_DAY : to };
}

/** A calendar's range where no days are asked for (contract 2.5). */
export const defaultCalendarRange = (now_ms: number): DayRange =>
  daysFrom(toLocalDay(now_ms), FEED_DAYS);

/** The days of one of the words, or of one day, at an instant. */
function parseDays(date: string, now_ms: number): DayRange | null {
  const hours = resolveHourKeyword(date, now_ms);
  if (hours) return { from: toLocalDay(hours.from_ms), to: toLocalDay(hours.until_ms - 1) };
  const day = parseDay(date);
  return resolveAgendaKeyword(date, toLocalDay(now_ms)) ?? (day && { from: day, to: day });
}

/** The last of the sentences says which day it is, unless one does. */
function withToday(found: readonly string[], now_ms: number): readonly string[] {
  const today = toLocalDay(now_ms).toString();
  const last = found.at(-1);
  return last === undefined || found.some((sentence) => sentence.includes(`today (${today})`))
    ? found
    : [...found.slice(0, -1), `${last}. Today is ${today} in ${TOWN.name.en}`];
}

/** What a query says of days, each as it was written. */
interface AskedDays {
  readonly date?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The days asked for, or null for upcoming from now. Issues are pushed as `param: sentence`, all of
 * them; `now_ms` is the instant that decides which day is today.
 */
export function parseRange(asked: AskedDays, now_ms: number, issues: string[]): DayRange | null {
  const found: string[] = [];
  const range = asked.date === undefined ? null : readDate(asked.date, asked, now_ms, found);
  const first = readEnd('from', asked.from, found);
  const last = readEnd('to', asked.to, found);
  const is_plain = asked.date === undefined && found.length === 0;
  const between = is_plain ? toBetween(first, last, now_ms) : null;
  if (between) found.push(...listRangeIssues(between, first !== null));
  issues.push(...withToday(found, now_ms));
  return range ?? between;
}

function readDate(
  date: string,
  { from, to }: AskedDays,
  now_ms: number,
  found: string[],
): DayRange | null {
  const range = parseDays(date, now_ms);
  if (!range)
    found.push(
      `date: '${date}' is not accepted. Use ${DATE_KEYWORDS.join(', ')} or a day as YYYY-MM-DD`,
    );
  if (from !== undefined || to !== undefined)
    found.push("date: cannot be combined with 'from' or 'to'. Use either date, or from and to");
  return range;
}

function readEnd(
  name: 'from' | 'to',
  text: string | undefined,
  found: string[],
): Temporal.PlainDate | null {
  const day = text === undefined ? null : parseDay(text);
  if (text !== undefined && day === null)
    found.push(`${name}: '${text}' is not a day that exists. Write it as YYYY-MM-DD`);
  return day;
}

function toBetween(
  first: Temporal.PlainDate | null,
  last: Temporal.PlainDate | null,
  now_ms: number,
): DayRange | null {
  if (last) return { from: first ?? toLocalDay(now_ms), to: last };
  return first && daysFrom(first, DEFAULT_RANGE_DAYS);
}

function listRangeIssues({ from, to }: DayRange, from_given: boolean): readonly string[] {
  const count = countDays({ from, to });
  if (count > MAX_RANGE_DAYS)
    return [
      `to: ${from} to ${to} is ${count} days. At most ${MAX_RANGE_DAYS} days are answered, both ends counted`,
    ];
  if (count >= 1) return [];
  return from_given
    ? [`from: ${from} is after 'to' (${to}). Swap them`]
    : [`to: ${to} is before today (${from}). Give 'from' as well to ask for past days`];
}

/** A day, or `today` and `tomorrow`; today with an issue for the parameter `name` where it is neither. */
export function parseDayParameter(
  date: string,
  now_ms: number,
  issues: string[],
  name = 'date',
): Temporal.PlainDate {
  const today = toLocalDay(now_ms);
  const word = SINGLE_DAY_KEYWORDS.find((known) => known === date);
  const day = word ? resolveAgendaKeyword(word, today)?.from : parseDay(date);
  if (day) return day;
  const accepted = `${SINGLE_DAY_KEYWORDS.join(', ')} or a day as YYYY-MM-DD`;
  issues.push(...withToday([`${name}: '${date}' is not accepted. Use ${accepted}`], now_ms));
  return today;
}

/** The same for a day whose sky and holidays are asked for: within the years that are computed. */
export function parseComputableDay(
  date: string,
  now_ms: number,
  issues: string[],
): Temporal.PlainDate {
  const day = parseDayParameter(date, now_ms, issues);
  if (!isComputableDay(day))
    issues.push(
      `date: '${date}' is not computed. Use a day from ${COMPUTABLE_YEARS.first} to ${COMPUTABLE_YEARS.last}`,
    );
  return day;
}

const MOMENT_FORMS = `a day as YYYY-MM-DD or an instant with its offset, for example 2026-11-20 or ${formatTimestamp(Date.UTC(2026, 10, 20, 23))}`;

/** Nothing of ours is older or younger: between them every timestamp has the same length. */
const FIRST_MS = Date.UTC(2020, 0, 1);
const LAST_MS = Date.UTC(2100, 0, 1);

/**
 * Epoch ms of a text as sent, in which a `+` may have become a space, at the least 2020 and at the
 * most 2100; of a day its beginning. Null where it is no moment.
 */
export function parseInstant(text: string): number | null {
  const day = parseDay(text);
  try {
    const moment_ms = day
      ? startOfDayMs(day)
      : Temporal.Instant.from(text.trim().replace(' ', '+')).epochMilliseconds;
    return Math.min(LAST_MS, Math.max(FIRST_MS, moment_ms));
  } catch {
    return null;
  }
}

/** Epoch ms of a parameter; null where it is not given, or no moment, which is pushed. */
export function parseInstantParameter(
  name: string,
  { [name]: text }: Readonly<Record<string, string>>,
  issues: string[],
): number | null {
  const moment_ms = text === undefined ? null : parseInstant(text);
  if (text !== undefined && moment_ms === null)
    issues.push(`${name}: '${text}' is no moment. Use ${MOMENT_FORMS}`);
  return moment_ms;
}
