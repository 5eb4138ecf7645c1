// The days and hours that the text of a flyer names, where they can be meant in one way only.
import type { Temporal } from 'temporal-polyfill';
import { foldText } from '../text-folding.ts';
import { WEEKDAYS } from '../opening-hours.ts';
import type { FormField } from './fields.ts';
import * as words from './flyer-patterns.ts';
import type { FormValues } from './form-values.ts';

/** A line of a flyer, or a sentence of it. */
export interface FlyerLine {
  readonly text: string;
  readonly line: number;
  /** What is left once facts were taken out, with spaces in their place. */
  rest: string;
}
/** Why a control was left empty, and the words that leave it open. */
export interface FlyerQuestion {
  readonly why: 'weekday' | 'order' | 'past' | 'day' | 'hour' | 'place' | 'price';
  readonly said: string;
}
export interface FlyerMatches {
  readonly values: FormValues;
  readonly asks?: readonly (readonly [FormField, FlyerQuestion])[];
}

const blank = (part: FlyerLine, from: number, to: number): void => {
  part.rest = part.rest.slice(0, from) + ' '.repeat(to - from) + part.rest.slice(to);
};

/** Takes out what matches and is of use. */
export function consumeMatches(
  parts: readonly FlyerLine[],
  pattern: RegExp,
  isOfUse: (match: RegExpExecArray, part: FlyerLine) => boolean,
): void {
  for (const part of parts)
    for (const match of part.rest.matchAll(pattern))
      if (isOfUse(match, part)) blank(part, match.index, match.index + match[0].length);
}

/** The words just before a match, folded. */
export const foldedTextBefore = ({ index, input }: RegExpExecArray): string =>
  foldText(input.slice(Math.max(0, index - 30), index));

const DAY = 1440;
/** As four texts: hour, minutes, of which half of the day, `noon`. */
type Time = readonly (string | undefined)[];
/** Of a clock of 24 hours, as `20:00`, `09:00` and `9 h` are. */
const isOf24 = ([hour = '', , said = '']: Time): boolean =>
  /^h/i.test(said) || Number(hour) > 12 || (said === '' && hour.startsWith('0'));

/** Minutes after midnight, of each half of the day where it is not said which. */
function listMinutes(
  [hour = '', minutes = '0', said = '', word]: Time,
  is_of_24: boolean,
): number[] {
  const [at, half] = [Number(hour) * 60 + Number(minutes), DAY / 2];
  if (word !== undefined) return [/^(?:noon|mediod)/i.test(word) ? half : 0];
  if (at > DAY || Number(minutes) > 59) return [];
  if (is_of_24) return [at % DAY];
  if (/noche/i.test(said)) return [at < half ? at + half : 0];
  if (said === '') return [at % half, (at % half) + half];
  return [(at % half) + (/^p|tarde|d[ií]a/i.test(said) ? half : 0)];
}

/** `7 a 10 pm`, `10 a 2 pm`: where several are possible, those less than half a day apart. */
function listSpans(from: Time, to: Time): (readonly [start: number, end?: number])[] {
  const is_of_24 = isOf24(from) || (from[2] === undefined && isOf24(to));
  const starts = listMinutes(from, is_of_24);
  if (to.length === 0) return starts.map((start) => [start]);
  const ends = listMinutes(to, isOf24(to));
  const all = starts.flatMap((start) => ends.map((end) => [start, end] as const));
  const near = all.filter(([start, end]) => (end - start + DAY - 1) % DAY < DAY / 2 - 1);
  return all.length === 1 ? all : near;
}

const isBare = ([, ...others]: Time): boolean => others.every((part) => part === undefined);

/** Whether numbers that may be hours are some. */
function isHours(match: RegExpExecArray, from: Time, to: Time, text: string): boolean {
  const before = foldedTextBefore(match);
  const [said] = match;
  if (to.length > 0) {
    if (isBare(from) && (words.FOLLOWS_DAY_PATTERN.test(before) || / las?\s/.test(said)))
      return false;
    const is_end = /^\s*(?:$|[.,;])/.test(match.input.slice(match.index + said.length));
    return !isBare(from) || !isBare(to) || (is_end && /\b(?:de|from)\s$/.test(before));
  }
  const [hour, minutes, period = '', word] = from;
  if (
    words.OFFER_DEADLINE_PATTERN.test(before) ||
    (words.END_TIME_PATTERN.test(before) && words.OFFER_PATTERN.test(foldText(text)))
  )
    return false;
  // `2 hrs` is how long it lasts.
  const is_length =
    /^h/i.test(period) && minutes === undefined && (Number(hour) < 13 || hour === '24');
  const is_said = said.includes(':') || word !== undefined || (period !== '' && !is_length);
  return is_said || /\b(?:las?|at)\s$/.test(before);
}

const toClock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** When it begins and ends, where one hour is meant. */
export function extractHours(parts: readonly FlyerLine[]): FlyerMatches {
  const found: { start: number; end: number | undefined; before: string; said: string }[] = [];
  const unclear: string[] = [];
  for (const pattern of [words.HOUR_RANGE_PATTERN, words.HOUR_PATTERN])
    consumeMatches(parts, pattern, (match, { text }) => {
      const [from, to] = [match.slice(1, 5), match.slice(5)];
      if (!isHours(match, from, to, text)) return false;
      const said = match[0].trim();
      const before = foldedTextBefore(match);
      const [span, ...others] = listSpans(from, to);
      // `5 y 8 pm` are two.
      const is_second = to.length === 0 && /\d (?:y|o|and|&) $/.test(before);
      if (span === undefined || others.length > 0 || is_second) unclear.push(said);
      else found.push({ start: span[0], end: span[1], before, said });
      return true;
    });
  const ends = found.filter(
    ({ before, end }) => end === undefined && words.END_TIME_PATTERN.test(before),
  );
  const starts = found.filter((one) => !ends.includes(one));
  const named = starts.filter(({ before }) => words.SHOW_START_PATTERN.test(before));
  const shown = starts.filter(({ before }) => !words.DOORS_OPEN_PATTERN.test(before));
  const [one, ...others] = [named, shown, starts].find(({ length }) => length > 0) ?? [];
  if (one === undefined || others.some(({ start }) => start !== one.start)) {
    const said = one ? [one, ...others].map((each) => each.said) : unclear;
    const ask = { why: 'hour', said: said.join(', ') } as const;
    return { values: {}, asks: said.length > 0 ? [['start_time', ask]] : [] };
  }
  const end = one.end ?? (ends.length === 1 ? ends[0]?.start : undefined);
  const has_end = end !== undefined && end !== one.start;
  return { values: { start_time: toClock(one.start), ...(has_end && { end_time: toClock(end) }) } };
}

/** A day ahead, `iso` as YYYY-MM-DD. */
type Day = Readonly<Record<'year' | 'month' | 'day' | 'weekday', number>> & {
  readonly iso: string;
};
/** Words of days that stand together. */
interface Run {
  readonly part: FlyerLine;
  readonly from: number;
  readonly to: number;
  readonly said: string;
  readonly days: readonly (Day | FlyerQuestion)[];
  readonly weekdays: readonly number[];
}
interface Named {
  readonly number: number;
  readonly weekday: number;
  month: number;
  /** Whether the two may also be meant the other way round: `12/05`. */
  readonly is_open?: true;
}

const isAsk = (day: Day | FlyerQuestion): day is FlyerQuestion => 'why' in day;
const toNumber = (starts: readonly string[], word: string): number =>
  starts.findIndex((start) => start.split(' ').includes(foldText(word).slice(0, 3))) + 1;
/** A weekday and a number, as `sábado 5`, are of this month or the next. */
const [NEAR_DAYS, A_YEAR, TWO_YEARS] = [62, 366, 731];

/** From today on, made once for a text: it may name thousands. */
const listAhead = (today: Temporal.PlainDate): readonly Day[] =>
  Array.from({ length: TWO_YEARS }, (_, days) => {
    const date = today.add({ days });
    const { year, month, day, dayOfWeek: weekday } = date;
    return { year, month, day, weekday, iso: date.toString() };
  });

/** The one day that is meant, or why there is none. */
function findDay(named: Named, year: number, ahead: readonly Day[], said: string) {
  const { number, month, weekday, is_open } = named;
  if (month + weekday === 0) return null;
  const dated = ahead
    .slice(0, year > 0 ? TWO_YEARS : month > 0 ? A_YEAR : NEAR_DAYS)
    .filter(
      (day) =>
        (day.day === number && (month === 0 || day.month === month)) ||
        (is_open && day.day === month && day.month === number),
    );
  const of_year = dated.filter((day) => year === 0 || day.year === year);
  const [day, other] = of_year.filter((one) => weekday === 0 || one.weekday === weekday);
  if (day !== undefined) return other === undefined ? day : ({ why: 'order', said } as const);
  if (of_year.length > 0 || month === 0) return { why: 'weekday', said } as const;
  return dated.length > 0 ? ({ why: 'past', said } as const) : null;
}

function readRun(
  tokens: readonly RegExpExecArray[],
  part: FlyerLine,
  ahead: readonly Day[],
): Run | null {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (!first || !last || words.FALSE_DAY_CONTEXT_PATTERN.test(foldedTextBefore(first))) return null;
  const [from, to] = [first.index, last.index + last[0].length];
  const said = part.text.slice(from, to).replace(/^[\s,&+/-]+|[\s,&+/-]+$/g, '');
  const named: Named[] = [];
  const near: Day[] = [];
  const weekdays: number[] = [];
  let [month, is_month_first, weekday, year] = [0, false, 0, 0];
  for (const { groups = {} } of tokens)
    if (groups.weekday) {
      weekday = toNumber(words.WEEKDAY_PREFIXES, groups.weekday);
      weekdays.push(weekday);
    } else if (groups.month) {
      month = toNumber(words.MONTH_PREFIXES, groups.month);
      const open = named.filter((one) => one.month === 0);
      is_month_first = open.length === 0;
      for (const one of open) one.month = month;
    } else if (groups.number) {
      named.push({ number: Number(groups.number), weekday, month: is_month_first ? month : 0 });
      weekday = 0;
    } else if (groups.figures) {
      const [a = 0, b = 0, c = 0] = groups.figures.split(/[/.-]/).map(Number);
      year = a > 31 ? a : c > 0 && c < 100 ? 2000 + c : c;
      named.push({ number: a > 31 ? c : a, month: b, weekday, ...(a <= 31 && { is_open: true }) });
    } else if (groups.year) year = Number(groups.year);
    else if (groups.near)
      near.push(...ahead.slice(words.TODAY_PATTERN.test(groups.near) ? 0 : 1).slice(0, 1));
  const [alone = 0] = named.length === 1 ? weekdays : [];
  const days = named.map((one) =>
    findDay(
      { ...one, month: one.month || month, weekday: one.weekday || alone },
      year,
      ahead,
      said,
    ),
  );
  const dated = days.filter((day) => day !== null);
  if (dated.length < days.length) return null;
  const is_week = words.NEARBY_DAY_PATTERN.test(said) && dated.length + near.length === 0;
  const week = ahead.slice(0, 7).filter((day) => weekdays.includes(day.weekday));
  return { part, from, to, said, weekdays, days: [...dated, ...near, ...(is_week ? week : [])] };
}

function listRuns(part: FlyerLine, ahead: readonly Day[]): readonly Run[] {
  const runs: RegExpExecArray[][] = [];
  let end = 0;
  for (const token of part.rest.matchAll(words.DAY_WORD_PATTERN)) {
    const run = /^[\s.()|:]*$/.test(part.rest.slice(end, token.index)) ? runs.at(-1) : undefined;
    // `todos los jueves hasta el 17 de diciembre` are two.
    const is_until =
      words.UNTIL_PATTERN.test(token[0]) && words.REPEATED_DAY_PATTERN.test(run?.join(' ') ?? '');
    if (run && !is_until) run.push(token);
    else runs.push([token]);
    end = token.index + token[0].length;
  }
  return runs.flatMap((tokens) => readRun(tokens, part, ahead) ?? []);
}

/** `jueves a domingo` as each of its days. */
function listWeekdays({ weekdays, said }: Run): readonly number[] {
  const [from = 0, to = 0] = weekdays;
  if (!words.RANGE_PATTERN.test(said) || weekdays.length !== 2) return weekdays;
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => ((from + at - 1) % 7) + 1);
}

/** A span of so many weekdays is of every week. */
const WEEKLY_SPAN = 5;

/** The days on which it takes place. */
export function extractDates(parts: readonly FlyerLine[], today: Temporal.PlainDate): FlyerMatches {
  const ahead = listAhead(today);
  const runs = parts.flatMap((part) => listRuns(part, ahead));
  const dated = runs.filter(({ days, said }) => days.length > 0 && !words.UNTIL_PATTERN.test(said));
  const far = dated.filter(({ said }) => !words.NEARBY_DAY_PATTERN.test(said));
  const exact = far.length > 0 ? far : dated;
  const span = exact.find(({ said, days }) => words.RANGE_PATTERN.test(said) && days.length === 2);
  const of_week = runs.filter(({ days, weekdays }) => days.length === 0 && weekdays.length > 0);
  // One day and days of the week: from then on where it says so.
  const mixed = exact.find((run) => run.days.length === 1 && run.weekdays.length > 0);
  const from_then = mixed && words.EVERY_DAY_PATTERN.test(mixed.said) ? mixed : undefined;
  const named = of_week.find((run) => {
    const is_long = span !== undefined || listWeekdays(run).length >= WEEKLY_SPAN;
    // `martes y jueves, del 8 al 17`.
    const is_within = span !== undefined && of_week.length === 1 && run.weekdays.length > 1;
    const is_named = (words.RANGE_PATTERN.test(run.said) && is_long) || is_within;
    return words.REPEATED_DAY_PATTERN.test(run.said) || is_named;
  });
  const weekly = named ?? from_then;
  const until =
    weekly && runs.find(({ said, days }) => words.UNTIL_PATTERN.test(said) && days.length === 1);
  for (const run of [...exact, weekly, until]) if (run) blank(run.part, run.from, run.to);
  const days = exact.flatMap((run) => run.days);
  const asked = days.find(isAsk);
  const is_both = mixed !== undefined && mixed.weekdays.length > 1;
  const said = (is_both ? [mixed] : of_week).map((run) => run.said).join(', ');
  const is_unclear = span
    ? exact.length > 1
    : !weekly && said !== '' && (is_both || exact.length === 0);
  if (asked !== undefined || is_unclear)
    return { values: {}, asks: [['start_date', asked ?? { why: 'day', said }]] };
  const sure = [...new Set(days.flatMap((day) => (isAsk(day) ? [] : [day.iso])))].sort();
  const [start_date, ...others] = sure;
  const [end] = until?.days ?? [];
  const until_day = end === undefined || isAsk(end) ? undefined : end.iso;
  const last = span ? sure.at(-1) : until_day;
  if (weekly) {
    const on = listWeekdays(weekly).toSorted();
    const first = ahead.find(
      ({ weekday, iso }) => on.includes(weekday) && iso >= (start_date ?? ''),
    );
    const weekdays = on.map((day) => WEEKDAYS[day - 1]).join(',');
    const bound = last === undefined ? { open_end: '1' } : { repeat_until: last };
    return { values: { start_date: first?.iso ?? '', repeat: 'weekly', weekdays, ...bound } };
  }
  if (start_date === undefined) return { values: {} };
  if (last !== undefined) return { values: { start_date, repeat: 'daily', repeat_until: last } };
  return { values: { start_date, ...(others.length > 0 && { dates: others.join('\n') }) } };
}
