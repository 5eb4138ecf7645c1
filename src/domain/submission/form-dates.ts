// When an event takes place, as the form says it: a first day with its hours, and further days, named or
// repeated, some with hours of their own (contract 14.1).
import { Temporal } from 'temporal-polyfill';
import { parseDay } from '../local-time.ts';
import { expandDays } from '../event/occurrences.ts';
import { WEEKDAYS } from '../opening-hours.ts';
import {
  SUBMISSION_LIMITS,
  type SubmissionIssue,
  type ControlTexts,
  createIssue,
} from './field-rules.ts';

/**
 * How often. `monthly` is the same day of the month, left out in months that do not have it;
 * `monthly_weekday` the first Friday, if the first day is one; `monthly_last` the last.
 */
export const REPEAT_OPTIONS = [
  'daily',
  'weekly',
  'biweekly',
  'monthly',
  'monthly_weekday',
  'monthly_last',
] as const;
type Repeat = (typeof REPEAT_OPTIONS)[number];

type Issues = Pick<SubmissionIssue[], 'push'>;

const textOf = (values: ControlTexts, name: string): string => (values[name] ?? '').trim();

/** A day of the table, with hours where they are not those of the first. */
export type DateRow = Readonly<Record<'day' | 'from' | 'until', string>>;
/** The controls of a row; each is there once a row, as its brackets say. */
export const DATE_ROW_CONTROLS = {
  day: 'dates_day[]',
  from: 'dates_from[]',
  until: 'dates_until[]',
} as const satisfies DateRow;
/** The control of a day that a repetition leaves out, once a day. */
export const EXCEPTION_CONTROL = 'exceptions[]';

const EMPTY_ROW: DateRow = { day: '', from: '', until: '' };
/** Rows of the table: of more dates the rest is text below it. */
const MOST_ROWS = 24;
/** Rows to be filled in, beside those that are. */
const EMPTY_ROWS = 3;
const HOURS = /^(\d{1,2}:\d{2})?(?:[-–](\d{1,2}:\d{2})?)?$/;

/** `24/12/2026` means the same day as `2026-12-24`. */
export const normalizeDay = (text: string): string =>
  text.replace(
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

/** The days of a list, between commas, semicolons or spaces. */
export const splitDayList = (text: string): string[] =>
  text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(normalizeDay);

/** The rows of a text; what is no hour is a day, if a wrong one. */
export function parseDateRows(text: string): readonly DateRow[] {
  const rows: DateRow[] = [];
  for (const part of splitDayList(text.replace(/(:\d{2})\s*[-–]\s*(?=\d{1,2}:)/g, '$1-'))) {
    const [is_hours, from = '', until = ''] = HOURS.exec(part) ?? [];
    const before = is_hours === undefined ? undefined : rows.pop();
    rows.push(before ? { ...before, from, until } : { ...EMPTY_ROW, day: part });
  }
  return rows;
}

/** Hours without a day are no row that could be read, and stay to be told. */
const toLine = ({ day, from, until }: DateRow): string =>
  from + until === '' ? day : `${day || '?'} ${from}${until === '' ? '' : `-${until}`}`;

export const formatDateRows = (rows: readonly DateRow[]): string =>
  rows
    .filter(({ day, from, until }) => day + from + until !== '')
    .map(toLine)
    .join('\n');

/** What was sent of the table, and below it, as text; the values of each of its columns stand in order, with commas. */
export function joinDateControls(fields: ControlTexts): string {
  const [days = [], from = [], until = []] = Object.values(DATE_ROW_CONTROLS).map((name) =>
    (fields[name] ?? '').split(',').map((part) => part.trim()),
  );
  const rows = days.map((day, at) => ({ day, from: from[at] ?? '', until: until[at] ?? '' }));
  return [formatDateRows(rows), fields.dates ?? ''].filter((text) => text !== '').join('\n');
}

/** The rows of the table that a text fills, with empty ones behind them, and the text that is too long for it. */
export function parseDateTable(text: string): { readonly rows: readonly DateRow[]; rest: string } {
  const all = parseDateRows(text);
  return {
    rows: [...all.slice(0, MOST_ROWS), ...Array.from({ length: EMPTY_ROWS }, () => EMPTY_ROW)],
    rest: formatDateRows(all.slice(MOST_ROWS)),
  };
}

/** The same for a list of days alone: a control for each, and some to fill in. */
export const parseDayRows = (text: string): readonly string[] => [
  ...splitDayList(text),
  ...Array.from({ length: EMPTY_ROWS }, () => ''),
];

/**
 * The fields of a submission that say when, as texts. What only the form can be wrong about is pushed.
 * `listDays` gives the days after the first.
 */
export function parseFormDates(
  values: ControlTexts,
  issues: Issues,
  listDays = expandFurtherDays,
): Record<string, string> {
  const start = {
    day: normalizeDay(textOf(values, 'start_date')),
    hour: textOf(values, 'start_time'),
  };
  const end = { day: normalizeDay(textOf(values, 'end_date')), hour: textOf(values, 'end_time') };
  const is_all_day = textOf(values, 'all_day') !== '';
  const is_unknown = textOf(values, 'hour_unknown') !== '';
  const rest = {
    ...readFurther(values, start.day, issues, listDays),
    all_day: is_all_day ? '1' : '',
    hour: is_unknown ? 'unknown' : '',
    open_end: textOf(values, 'open_end'),
  };
  // What is ticked and filled in at once is passed on, to be refused as from a tool.
  const has_no_hours = is_unknown && start.hour === '' && end.hour === '';
  if (is_all_day || start.day === '' || has_no_hours)
    return { start: start.day, end: end.day, ...rest };
  if (start.hour === '' && !is_unknown) issues.push(createIssue('start_time', 'no_hour'));
  if (end.day !== '' && end.hour === '' && !is_unknown)
    issues.push(createIssue('end_time', 'no_hour'));
  return {
    start: start.hour === '' ? start.day : `${start.day}T${start.hour}`,
    end: end.hour === '' ? '' : `${end.day || toEndDay(start, end.hour)}T${end.hour}`,
    ...rest,
  };
}

/** An hour without a day is of the same night: a party from 22:00 to 03:00 ends the day after. */
function toEndDay(start: { readonly day: string; readonly hour: string }, hour: string): string {
  if (hour > start.hour) return start.day;
  return parseDay(start.day)?.add({ days: 1 }).toString() ?? start.day;
}

/** The days after the first, and the hours of those that have their own. */
function readFurther(
  values: ControlTexts,
  start_day: string,
  issues: Issues,
  listDays: typeof expandFurtherDays,
): Record<'dates' | 'hours', string> {
  const rows = parseDateRows(textOf(values, 'dates'));
  if (rows.some(({ from, until }) => from === '' && until !== ''))
    issues.push(createIssue('dates', 'no_hour'));
  const named = rows.map(({ day }) => day);
  const days = new Set(listDays(named, values, start_day, issues));
  const own = rows.filter(({ day, from }) => from !== '' && days.has(day));
  return {
    dates: [...days].join(','),
    hours: own
      .map(({ day, from, until }) => `${day}T${from}${until === '' ? '' : `/${until}`}`)
      .join(','),
  };
}

/** The controls of two local moments; the day of the same night is told by the hour. */
export const datesToControls = (start: string, end: string | null) => ({
  start_date: start.slice(0, 10),
  start_time: start.slice(11),
  end_date: end === null || end.startsWith(`${start.slice(0, 10)}T`) ? '' : end.slice(0, 10),
  end_time: end?.slice(11) ?? '',
});

/** The last day of all that it takes place. */
export const getLastDay = (s: {
  readonly start: string;
  readonly end: string | null;
  readonly dates: readonly string[];
}): string =>
  [s.start, s.end ?? '', ...s.dates]
    .map((day) => day.slice(0, 10))
    .sort()
    .at(-1) ?? '';

/** How far dates are taken where nobody knows the last one: then its sender is to look again. */
const OPEN_WEEKS = 12;
/** More than that gives too many days, however rarely it repeats. */
const MOST_MONTHS = SUBMISSION_LIMITS.dates + 2;

/**
 * The days after the first: those that were named and those of a repetition, without those that are
 * left out. What is wrong with it is pushed.
 */
export function expandFurtherDays(
  named: readonly string[],
  values: ControlTexts,
  start_day: string,
  issues: Issues,
): string[] {
  const except = splitDayList(values.exceptions ?? '');
  if (except.some((day) => parseDay(day) === null))
    issues.push(createIssue('exceptions', 'not_dates'));
  if (except.includes(start_day)) issues.push(createIssue('exceptions', 'first_left_out'));
  const until_text = textOf(values, 'repeat_until');
  const is_open = !['', '0', 'false'].includes(values.open_end ?? '');
  if (is_open && until_text !== '') issues.push(createIssue('open_end', 'until_and_open'));
  const first = parseDay(start_day);
  const rrule = parseRepetition(values, first, issues);
  const is_alone = (except.length > 0 || is_open) && named.length === 0;
  if (rrule === null && (until_text !== '' || is_alone))
    issues.push(createIssue('repeat', 'missing'));
  const until = is_open ? first?.add({ weeks: OPEN_WEEKS }) : parseDay(normalizeDay(until_text));
  if (rrule !== null && !until && !is_open)
    issues.push(createIssue('repeat_until', until_text === '' ? 'missing' : 'not_dates'));
  const kept = named.filter((day) => !except.includes(day));
  if (rrule === null || !first || !until) return kept;
  const most = first.add({ months: MOST_MONTHS });
  const last = Temporal.PlainDate.compare(until, most) < 0 ? until : most;
  const repeated = expandDays({ rrule, since: start_day, days: 1, except }, last)
    .map(String)
    .filter((day) => day > start_day);
  if (repeated.length <= SUBMISSION_LIMITS.dates) return [...kept, ...repeated];
  if (is_open) return [...kept, ...repeated.slice(0, SUBMISSION_LIMITS.dates)];
  issues.push(createIssue('repeat_until', 'too_many', SUBMISSION_LIMITS.dates));
  return kept;
}

/** As a rule of RFC 5545; null where it does not repeat. The first day must be one of the rule. */
export function parseRepetition(
  values: ControlTexts,
  first: Temporal.PlainDate | null,
  issues: Issues,
): string | null {
  const repeat = REPEAT_OPTIONS.find((known) => known === textOf(values, 'repeat'));
  const names = splitDayList((values.weekdays ?? '').toLowerCase());
  if (!names.every((name) => WEEKDAYS.some((known) => known === name)))
    issues.push(createIssue('weekdays', 'not_weekdays', null, WEEKDAYS));
  const is_weekly = repeat === 'weekly' || repeat === 'biweekly';
  if (names.length > 0 && !is_weekly) issues.push(createIssue('weekdays', 'not_weekly'));
  if (!repeat) return null;
  const weekdays = WEEKDAYS.filter((name) => names.includes(name));
  if (!first) return toRule(repeat, weekdays, ANY_DAY);
  const rrule = toRule(repeat, weekdays, first);
  const own = expandDays({ rrule, since: first.toString(), days: 1, except: [] }, first);
  if (repeat === 'monthly_weekday' && first.day > 28)
    issues.push(createIssue('repeat', 'fifth_weekday'));
  else if (own.length === 0)
    issues.push(createIssue(is_weekly ? 'weekdays' : 'repeat', 'first_left_out'));
  return rrule;
}

const ANY_DAY = Temporal.PlainDate.from('2024-01-01');

function toRule(repeat: Repeat, weekdays: readonly string[], first: Temporal.PlainDate): string {
  const own = (WEEKDAYS[first.dayOfWeek - 1] ?? 'mo').toUpperCase();
  const named = weekdays.map((name) => name.toUpperCase()).join(',') || own;
  const rules: Readonly<Record<Repeat, string>> = {
    daily: 'DAILY',
    weekly: `WEEKLY;BYDAY=${named}`,
    biweekly: `WEEKLY;INTERVAL=2;BYDAY=${named}`,
    monthly: `MONTHLY;BYMONTHDAY=${first.day}`,
    monthly_weekday: `MONTHLY;BYDAY=${Math.ceil(first.day / 7)}${own}`,
    monthly_last: `MONTHLY;BYDAY=-1${own}`,
  };
  return `FREQ=${rules[repeat]}`;
}

/** The controls of a rule whose first day that is; null where they cannot say it. */
export function repetitionToControls(
  rrule: string,
  first: Temporal.PlainDate,
): { readonly repeat: Repeat; readonly weekdays: string } | null {
  const listed = /^FREQ=WEEKLY;.*BYDAY=([A-Z,]+)$/.exec(rrule)?.[1]?.toLowerCase() ?? '';
  const repeat = REPEAT_OPTIONS.find(
    (one) => toRule(one, listed.split(',').filter(Boolean), first) === rrule,
  );
  return repeat === undefined ? null : { repeat, weekdays: listed };
}
