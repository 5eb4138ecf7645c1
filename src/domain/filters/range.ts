// Which days a query asks about (contract 2.4, 2.5, 2.10, 7.1).
import { Temporal } from 'temporal-polyfill';
import { resolveAgendaWord } from '../agenda-words.ts';
import { type DayRange, parseDay, toCancunDay, toDayNumber } from '../cancun-time.ts';
import { DATE_WORDS, resolveHourWord, toTouchedDays } from '../hour-words.ts';

/** The longest range, both ends counted. */
export const MAX_RANGE_DAYS = 92;
/** What `from` alone asks for. */
export const FROM_ALONE_DAYS = 30;
/** The feed's range where none is asked: today … today + 60. */
export const FEED_DAYS = 61;

/** What a query says of days, each as it was written. */
export interface RangeQuery {
  readonly date?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The last that YYYY-MM-DD can write. */
const LAST_DAY = Temporal.PlainDate.from('9999-12-31');

/** So many days from one on, or as many of them as can be written. */
function days(from: Temporal.PlainDate, count: number): DayRange {
  const to = from.add({ days: count - 1 });
  return { from, to: Temporal.PlainDate.compare(to, LAST_DAY) > 0 ? LAST_DAY : to };
}

/** The days of one of the words, or of one day, at an instant. */
export function toRange(date: string, now_ms: number): DayRange | null {
  const hours = resolveHourWord(date, now_ms);
  if (hours) return toTouchedDays(hours);
  const range = resolveAgendaWord(date, toCancunDay(now_ms));
  if (range) return range;
  const day = parseDay(date);
  return day && days(day, 1);
}

/** How many days a range has, both ends counted. */
export function countDays(range: DayRange): number {
  return toDayNumber(range.to) - toDayNumber(range.from) + 1;
}

const NOT_A_DAY = 'is not a day that exists. Write it as YYYY-MM-DD';

/**
 * The days asked for, or null for upcoming from now. Issues are pushed as `param: sentence`, all of
 * them; `now_ms` is the instant that decides which day is today.
 */
export function resolveRange(query: RangeQuery, now_ms: number, issues: string[]): DayRange | null {
  const found: string[] = [];
  const range = readRange(query, now_ms, found);
  issues.push(...withToday(found, now_ms));
  return range;
}

/** The last of the sentences says which day it is, unless one does. */
export function withToday(found: readonly string[], now_ms: number): readonly string[] {
  const today = toCancunDay(now_ms).toString();
  const last = found.at(-1);
  return last === undefined || found.some((sentence) => sentence.includes(`today (${today})`))
    ? found
    : [...found.slice(0, -1), `${last}. Today is ${today} in Cancún`];
}

function readRange(query: RangeQuery, now_ms: number, issues: string[]): DayRange | null {
  const { date, from, to } = query;
  let asked: DayRange | null = null;
  if (date !== undefined) {
    asked = toRange(date, now_ms);
    if (!asked)
      issues.push(
        `date: '${date}' is not accepted. Use ${DATE_WORDS.join(', ')} or a day as YYYY-MM-DD`,
      );
    if (from !== undefined || to !== undefined) {
      issues.push("date: cannot be combined with 'from' or 'to'. Use either date, or from and to");
    }
  }
  const first = from === undefined ? null : parseDay(from);
  const last = to === undefined ? null : parseDay(to);
  if (from !== undefined && !first) issues.push(`from: '${from}' ${NOT_A_DAY}`);
  if (to !== undefined && !last) issues.push(`to: '${to}' ${NOT_A_DAY}`);
  if (date !== undefined || (from !== undefined && !first) || (to !== undefined && !last))
    return asked;
  if (first && last) asked = { from: first, to: last };
  else if (first) asked = days(first, FROM_ALONE_DAYS);
  else if (last) asked = { from: toCancunDay(now_ms), to: last };
  if (asked) checkRange(asked, first !== null, issues);
  return asked;
}

function checkRange(range: DayRange, from_given: boolean, issues: string[]): void {
  const count = countDays(range);
  if (count < 1) {
    issues.push(
      from_given
        ? `from: ${range.from} is after 'to' (${range.to}). Swap them`
        : `to: ${range.to} is before today (${range.from}). Give 'from' as well to ask for past days`,
    );
  } else if (count > MAX_RANGE_DAYS) {
    issues.push(
      `to: ${range.from} to ${range.to} is ${count} days. At most ${MAX_RANGE_DAYS} days are answered, both ends counted`,
    );
  }
}
