// Flyer dates: extracts the days and hours of an event from the text of a flyer, if they have only
// one meaning; else returns a question for the sender. Consecutive words of days
// (`sábado 5 de diciembre`) are a run, which is resolved as a whole. `part` is a line of the text
// or a sentence of it.
import type { Temporal } from 'temporal-polyfill';
import { MINUTES_PER_DAY } from '../local-time.ts';
import { foldText } from '../text-folding.ts';
import { WEEKDAYS } from '../opening-hours.ts';
import type { FormField } from './fields.ts';
import * as patterns from './flyer-patterns.ts';
import type { FormValues } from './form-values.ts';

/** A line of a flyer, or a sentence of it. */
export interface FlyerLine {
  readonly text: string;
  /** Number of its line in the text, from 0. */
  readonly line: number;
  /** The text that is not consumed yet: consumed matches are replaced by spaces. */
  rest: string;
}
/**
 * The reason why a control was left empty, and the ambiguous words. `weekday`: day and weekday do
 * not match; `order`: day and month may be swapped; `past`: the day is over; `day`: days contradict
 * each other; `hour`, `place`, `price`: several are possible.
 */
export interface FlyerQuestion {
  readonly reason: 'weekday' | 'order' | 'past' | 'day' | 'hour' | 'place' | 'price';
  readonly quote: string;
}
/** Form values and questions, by control, that one extraction found. */
export interface FlyerMatches {
  readonly values: FormValues;
  readonly questions?: readonly (readonly [FormField, FlyerQuestion])[];
}

/**
 * Replaces a range of the unconsumed text by spaces, so that the positions of other matches stay
 * the same.
 */
const blank = (part: FlyerLine, from: number, to: number): void => {
  part.rest = part.rest.slice(0, from) + ' '.repeat(to - from) + part.rest.slice(to);
};

/** Removes the matches that `isUsable` accepts from the unconsumed text. */
export function consumeMatches(
  parts: readonly FlyerLine[],
  pattern: RegExp,
  isUsable: (match: RegExpExecArray, part: FlyerLine) => boolean,
): void {
  for (const part of parts)
    for (const match of part.rest.matchAll(pattern))
      if (isUsable(match, part)) blank(part, match.index, match.index + match[0].length);
}

/** Returns the folded text just before a match. */
export const foldedTextBefore = ({ index, input }: RegExpExecArray): string =>
  foldText(input.slice(Math.max(0, index - 30), index));

/** Texts of a time: hour, minutes, period such as `pm`, or a word such as `noon`. */
type TimeTexts = readonly (string | undefined)[];
/** Tests for a time of the 24-hour clock, such as `20:00`, `09:00` and `9 h`. */
const is24HourTime = ([hour = '', , period = '']: TimeTexts): boolean =>
  /^h/i.test(period) || Number(hour) > 12 || (period === '' && hour.startsWith('0'));

/**
 * Lists the possible minutes after midnight: two, in the morning and evening, without a period such
 * as `pm`.
 */
function listMinutes(
  [hour = '', minutes = '0', period = '', word]: TimeTexts,
  is_24_hour: boolean,
): number[] {
  const [clock_minutes, half_day] = [Number(hour) * 60 + Number(minutes), MINUTES_PER_DAY / 2];
  if (word !== undefined) return [/^(?:noon|mediod)/i.test(word) ? half_day : 0];
  if (clock_minutes > MINUTES_PER_DAY || Number(minutes) > 59) return [];
  if (is_24_hour) return [clock_minutes % MINUTES_PER_DAY];
  if (/noche/i.test(period)) return [clock_minutes < half_day ? clock_minutes + half_day : 0];
  if (period === '') return [clock_minutes % half_day, (clock_minutes % half_day) + half_day];
  return [(clock_minutes % half_day) + (/^p|tarde|d[ií]a/i.test(period) ? half_day : 0)];
}

/**
 * Lists the possible start and end of a range such as `7 a 10 pm`: of several, those shorter than
 * half a day.
 */
function listTimeRanges(
  from: TimeTexts,
  to: TimeTexts,
): (readonly [start: number, end?: number])[] {
  const is_24_hour = is24HourTime(from) || (from[2] === undefined && is24HourTime(to));
  const starts = listMinutes(from, is_24_hour);
  if (to.length === 0) return starts.map((start) => [start]);
  const ends = listMinutes(to, is24HourTime(to));
  const all = starts.flatMap((start) => ends.map((end) => [start, end] as const));
  const short = all.filter(
    ([start, end]) =>
      (end - start + MINUTES_PER_DAY - 1) % MINUTES_PER_DAY < MINUTES_PER_DAY / 2 - 1,
  );
  return all.length === 1 ? all : short;
}

/** Tests for an hour without minutes, period or word, such as `8`. */
const isBare = ([, ...others]: TimeTexts): boolean => others.every((part) => part === undefined);

/** Tests whether numbers that match the pattern of hours are the hours of the event. */
function isEventTime(
  match: RegExpExecArray,
  from: TimeTexts,
  to: TimeTexts,
  text: string,
): boolean {
  const before = foldedTextBefore(match);
  const [quote] = match;
  if (to.length > 0) {
    if (isBare(from) && (patterns.FOLLOWS_DAY_PATTERN.test(before) || / las?\s/.test(quote)))
      return false;
    const is_end = /^\s*(?:$|[.,;])/.test(match.input.slice(match.index + quote.length));
    return !isBare(from) || !isBare(to) || (is_end && /\b(?:de|from)\s$/.test(before));
  }
  const [hour, minutes, period = '', word] = from;
  if (
    patterns.OFFER_DEADLINE_PATTERN.test(before) ||
    (patterns.END_TIME_PATTERN.test(before) && patterns.OFFER_PATTERN.test(foldText(text)))
  )
    return false;
  // `2 hrs` is a duration.
  const is_duration =
    /^h/i.test(period) && minutes === undefined && (Number(hour) < 13 || hour === '24');
  const is_explicit = quote.includes(':') || word !== undefined || (period !== '' && !is_duration);
  return is_explicit || /\b(?:las?|at)\s$/.test(before);
}

const formatClock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/**
 * A time or a range of times of the text, in minutes after midnight; `before` is the folded text
 * before it.
 */
interface TimeMatch {
  readonly start: number;
  readonly end: number | undefined;
  readonly before: string;
  readonly quote: string;
}

/** Extracts start and end, if the text has only one start. */
export function extractHours(parts: readonly FlyerLine[]): FlyerMatches {
  const { times, ambiguous } = matchTimes(parts);
  const ends = times.filter(
    ({ before, end }) => end === undefined && patterns.END_TIME_PATTERN.test(before),
  );
  const [first, ...others] = selectStarts(times.filter((time) => !ends.includes(time)));
  if (first === undefined || others.some(({ start }) => start !== first.start)) {
    const quotes = first ? [first, ...others].map(({ quote }) => quote) : ambiguous;
    const question = { reason: 'hour', quote: quotes.join(', ') } as const;
    return { values: {}, questions: quotes.length > 0 ? [['start_time', question]] : [] };
  }
  const end = first.end ?? (ends.length === 1 ? ends[0]?.start : undefined);
  const has_end = end !== undefined && end !== first.start;
  return {
    values: {
      start_time: formatClock(first.start),
      ...(has_end && { end_time: formatClock(end) }),
    },
  };
}

function matchTimes(parts: readonly FlyerLine[]): {
  readonly times: readonly TimeMatch[];
  readonly ambiguous: readonly string[];
} {
  const times: TimeMatch[] = [];
  const ambiguous: string[] = [];
  for (const pattern of [patterns.HOUR_RANGE_PATTERN, patterns.HOUR_PATTERN])
    consumeMatches(parts, pattern, (match, { text }) => {
      const [from, to] = [match.slice(1, 5), match.slice(5)];
      if (!isEventTime(match, from, to, text)) return false;
      const quote = match[0].trim();
      const before = foldedTextBefore(match);
      const [range, ...others] = listTimeRanges(from, to);
      // `5 y 8 pm` are two times.
      const is_second = to.length === 0 && /\d (?:y|o|and|&) $/.test(before);
      if (range === undefined || others.length > 0 || is_second) ambiguous.push(quote);
      else times.push({ start: range[0], end: range[1], before, quote });
      return true;
    });
  return { times, ambiguous };
}

/**
 * Selects the times after words such as `show`, or else those not after words such as `doors`, or
 * else all.
 */
function selectStarts(starts: readonly TimeMatch[]): readonly TimeMatch[] {
  const show_starts = starts.filter(({ before }) => patterns.SHOW_START_PATTERN.test(before));
  const not_doors = starts.filter(({ before }) => !patterns.DOORS_OPEN_PATTERN.test(before));
  return [show_starts, not_doors, starts].find(({ length }) => length > 0) ?? [];
}

/** A day from today on, `iso` as YYYY-MM-DD. */
type Day = Readonly<Record<'year' | 'month' | 'day' | 'weekday', number>> & {
  readonly iso: string;
};
/** Consecutive words of days. */
interface DayRun {
  readonly part: FlyerLine;
  readonly from: number;
  readonly to: number;
  readonly quote: string;
  readonly days: readonly (Day | FlyerQuestion)[];
  readonly weekdays: readonly number[];
}
/** A day as written; month and weekday are 0 if not written. */
interface WrittenDay {
  readonly number: number;
  readonly weekday: number;
  month: number;
  /** Day and month may be swapped: `12/05`. */
  readonly is_swappable?: true;
}

const isQuestion = (day: Day | FlyerQuestion): day is FlyerQuestion => 'reason' in day;
/**
 * Returns the number of a weekday or month, from 1, by its first three letters; 0 if there is none.
 */
const findNumberByPrefix = (prefixes: readonly string[], word: string): number =>
  prefixes.findIndex((prefix) => prefix.split(' ').includes(foldText(word).slice(0, 3))) + 1;
/** A weekday with a number, such as `sábado 5`, is within the next NEAR_DAYS. */
const [NEAR_DAYS, A_YEAR, TWO_YEARS] = [62, 366, 731];

/**
 * Lists two years of days from today on. Computed once per text, which may contain thousands of
 * days.
 */
const listUpcomingDays = (today: Temporal.PlainDate): readonly Day[] =>
  Array.from({ length: TWO_YEARS }, (_, days) => {
    const date = today.add({ days });
    const { year, month, day, dayOfWeek: weekday } = date;
    return { year, month, day, weekday, iso: date.toString() };
  });

/**
 * Resolves a written day to the only possible upcoming day, or to a question if there is no such
 * day.
 * @returns null if the words are not a day.
 */
function resolveDay(written: WrittenDay, year: number, upcoming: readonly Day[], quote: string) {
  const { number, month, weekday, is_swappable } = written;
  if (month + weekday === 0) return null;
  // The less is written, the closer the day must be.
  const search_days_without_year = month > 0 ? A_YEAR : NEAR_DAYS;
  const search_days = year > 0 ? TWO_YEARS : search_days_without_year;
  const candidates = upcoming
    .slice(0, search_days)
    .filter(
      (day) =>
        (day.day === number && (month === 0 || day.month === month)) ||
        (is_swappable && day.day === month && day.month === number),
    );
  const of_year = candidates.filter((day) => year === 0 || day.year === year);
  const [day, other] = of_year.filter((each) => weekday === 0 || each.weekday === weekday);
  if (day !== undefined) return other === undefined ? day : ({ reason: 'order', quote } as const);
  if (of_year.length > 0 || month === 0) return { reason: 'weekday', quote } as const;
  return candidates.length > 0 ? ({ reason: 'past', quote } as const) : null;
}

/** Resolves consecutive words of days. @returns null if they are not a date of the event. */
function parseRun(
  tokens: readonly RegExpExecArray[],
  part: FlyerLine,
  upcoming: readonly Day[],
): DayRun | null {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (!first || !last || patterns.FALSE_DAY_CONTEXT_PATTERN.test(foldedTextBefore(first)))
    return null;
  const [from, to] = [first.index, last.index + last[0].length];
  const quote = part.text.slice(from, to).replace(/^[\s,&+/-]+|[\s,&+/-]+$/g, '');
  const { written, near, weekdays, month, year } = parseTokens(tokens, upcoming);
  const [only_weekday = 0] = written.length === 1 ? weekdays : [];
  const resolved = written.map((day) =>
    resolveDay(
      { ...day, month: day.month || month, weekday: day.weekday || only_weekday },
      year,
      upcoming,
      quote,
    ),
  );
  const days = resolved.filter((day) => day !== null);
  if (days.length < resolved.length) return null;
  const is_this_week = patterns.NEARBY_DAY_PATTERN.test(quote) && days.length + near.length === 0;
  const week = upcoming.slice(0, 7).filter((day) => weekdays.includes(day.weekday));
  return {
    ...{ part, from, to, quote, weekdays },
    days: [...days, ...near, ...(is_this_week ? week : [])],
  };
}

/**
 * Parses the words of a run to written days, days near today, weekdays, and the last month and
 * year.
 */
function parseTokens(tokens: readonly RegExpExecArray[], upcoming: readonly Day[]) {
  const written: WrittenDay[] = [];
  const near: Day[] = [];
  const weekdays: number[] = [];
  let [month, is_month_first, weekday, year] = [0, false, 0, 0];
  for (const { groups = {} } of tokens)
    if (groups.weekday) {
      weekday = findNumberByPrefix(patterns.WEEKDAY_PREFIXES, groups.weekday);
      weekdays.push(weekday);
    } else if (groups.month) {
      month = findNumberByPrefix(patterns.MONTH_PREFIXES, groups.month);
      const without_month = written.filter((day) => day.month === 0);
      is_month_first = without_month.length === 0;
      for (const day of without_month) day.month = month;
    } else if (groups.number) {
      written.push({ number: Number(groups.number), weekday, month: is_month_first ? month : 0 });
      weekday = 0;
    } else if (groups.figures) {
      const [a = 0, b = 0, c = 0] = groups.figures.split(/[/.-]/).map(Number);
      const is_year_first = a > 31;
      const last_as_year = c > 0 && c < 100 ? 2000 + c : c;
      year = is_year_first ? a : last_as_year;
      written.push({
        ...{ number: is_year_first ? c : a, month: b, weekday },
        ...(!is_year_first && { is_swappable: true }),
      });
    } else if (groups.year) year = Number(groups.year);
    else if (groups.near)
      near.push(...upcoming.slice(patterns.TODAY_PATTERN.test(groups.near) ? 0 : 1).slice(0, 1));
  return { written, near, weekdays, month, year };
}

/** Lists the runs of a part that are dates of the event. */
function listRuns(part: FlyerLine, upcoming: readonly Day[]): readonly DayRun[] {
  const runs: RegExpExecArray[][] = [];
  let end = 0;
  for (const token of part.rest.matchAll(patterns.DAY_WORD_PATTERN)) {
    const run = /^[\s.()|:]*$/.test(part.rest.slice(end, token.index)) ? runs.at(-1) : undefined;
    // `todos los jueves hasta el 17 de diciembre` are two runs.
    const is_until =
      patterns.UNTIL_PATTERN.test(token[0]) &&
      patterns.REPEATED_DAY_PATTERN.test(run?.join(' ') ?? '');
    if (run && !is_until) run.push(token);
    else runs.push([token]);
    end = token.index + token[0].length;
  }
  return runs.flatMap((tokens) => parseRun(tokens, part, upcoming) ?? []);
}

/** Lists the weekdays of a run; each day of a range such as `jueves a domingo`. */
function listWeekdays({ weekdays, quote }: DayRun): readonly number[] {
  const [from = 0, to = 0] = weekdays;
  if (!patterns.RANGE_PATTERN.test(quote) || weekdays.length !== 2) return weekdays;
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => ((from + at - 1) % 7) + 1);
}

/** A range of at least this many weekdays means every week. */
const WEEKLY_RANGE_DAYS = 5;

/** Extracts the days of the event: single days, a range of days, or weekdays of every week. */
export function extractDates(parts: readonly FlyerLine[], today: Temporal.PlainDate): FlyerMatches {
  const upcoming = listUpcomingDays(today);
  const runs = parts.flatMap((part) => listRuns(part, upcoming));
  const dated = selectDatedRuns(runs);
  const range = dated.find(
    ({ quote, days }) => patterns.RANGE_PATTERN.test(quote) && days.length === 2,
  );
  const weekly = findWeeklyRun(runs, dated, range);
  const until =
    weekly &&
    runs.find(({ quote, days }) => patterns.UNTIL_PATTERN.test(quote) && days.length === 1);
  for (const run of [...dated, weekly, until]) if (run) blank(run.part, run.from, run.to);
  const question = findDateQuestion(runs, dated, range, weekly);
  if (question) return { values: {}, questions: [['start_date', question]] };

  const days = listIsoDays(dated);
  const last = range ? days.at(-1) : listIsoDays(until ? [until] : [])[0];
  const [start_date, ...others] = days;
  if (weekly) return { values: buildWeeklyValues(weekly, start_date ?? '', last, upcoming) };
  if (start_date === undefined) return { values: {} };
  if (last !== undefined) return { values: { start_date, repeat: 'daily', repeat_until: last } };
  return { values: { start_date, ...(others.length > 0 && { dates: others.join('\n') }) } };
}

/**
 * Selects the runs with days, except ends of repetitions; if possible only those without `este`,
 * `hoy` and so on.
 */
function selectDatedRuns(runs: readonly DayRun[]): readonly DayRun[] {
  const dated = runs.filter(
    ({ days, quote }) => days.length > 0 && !patterns.UNTIL_PATTERN.test(quote),
  );
  const exact = dated.filter(({ quote }) => !patterns.NEARBY_DAY_PATTERN.test(quote));
  return exact.length > 0 ? exact : dated;
}

/** Lists the runs that have only weekdays. */
const listWeekdayRuns = (runs: readonly DayRun[]): readonly DayRun[] =>
  runs.filter(({ days, weekdays }) => days.length === 0 && weekdays.length > 0);

/** Finds a run with one day and also weekdays: `todos los jueves desde el 5 de diciembre`. */
const findMixedRun = (dated: readonly DayRun[]): DayRun | undefined =>
  dated.find(({ days, weekdays }) => days.length === 1 && weekdays.length > 0);

/** Finds the run with the weekdays of a weekly event. */
function findWeeklyRun(
  runs: readonly DayRun[],
  dated: readonly DayRun[],
  range: DayRun | undefined,
): DayRun | undefined {
  const weekday_runs = listWeekdayRuns(runs);
  const weekly = weekday_runs.find((run) => {
    const is_long = range !== undefined || listWeekdays(run).length >= WEEKLY_RANGE_DAYS;
    // `martes y jueves, del 8 al 17`.
    const is_in_range = range !== undefined && weekday_runs.length === 1 && run.weekdays.length > 1;
    return (
      patterns.REPEATED_DAY_PATTERN.test(run.quote) ||
      (patterns.RANGE_PATTERN.test(run.quote) && is_long) ||
      is_in_range
    );
  });
  // One day with weekdays is the start of a weekly event if it has a word such as `todos`.
  const mixed = findMixedRun(dated);
  return weekly ?? (mixed && patterns.EVERY_DAY_PATTERN.test(mixed.quote) ? mixed : undefined);
}

/**
 * Returns the question about a day that cannot be resolved, or about days that contradict each
 * other.
 */
function findDateQuestion(
  runs: readonly DayRun[],
  dated: readonly DayRun[],
  range: DayRun | undefined,
  weekly: DayRun | undefined,
): FlyerQuestion | null {
  const question = dated.flatMap(({ days }) => days).find(isQuestion);
  if (question) return question;
  const mixed = findMixedRun(dated);
  const has_several_weekdays = mixed !== undefined && mixed.weekdays.length > 1;
  const quote = (has_several_weekdays ? [mixed] : listWeekdayRuns(runs))
    .map((run) => run.quote)
    .join(', ');
  const is_ambiguous = range
    ? dated.length > 1
    : !weekly && quote !== '' && (has_several_weekdays || dated.length === 0);
  return is_ambiguous ? { reason: 'day', quote } : null;
}

/** Lists the distinct days of runs as YYYY-MM-DD, sorted. */
const listIsoDays = (runs: readonly DayRun[]): readonly string[] =>
  [
    ...new Set(runs.flatMap(({ days }) => days.flatMap((day) => (isQuestion(day) ? [] : day.iso)))),
  ].sort();

/**
 * Builds the form values of a weekly event from its weekdays; `last` is its last day, if the text
 * has one.
 */
function buildWeeklyValues(
  weekly: DayRun,
  not_before: string,
  last: string | undefined,
  upcoming: readonly Day[],
): FormValues {
  const weekday_numbers = listWeekdays(weekly).toSorted();
  const first = upcoming.find(
    ({ weekday, iso }) => weekday_numbers.includes(weekday) && iso >= not_before,
  );
  const weekdays = weekday_numbers.map((day) => WEEKDAYS[day - 1]).join(',');
  const end = last === undefined ? { open_end: '1' } : { repeat_until: last };
  return { start_date: first?.iso ?? '', repeat: 'weekly', weekdays, ...end };
}
