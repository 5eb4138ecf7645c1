// Form dates: converts the date controls of the form to submission fields and back: a first day
// with its hours, and further days, listed or repeated, some with their own hours (contract 14.1).
import { Temporal } from 'temporal-polyfill';
import { parseDay, toLocalDay } from '../local-time.ts';
import { isCustomaryRestDay } from '../day/holidays.ts';
import { expandDays } from '../event/occurrences.ts';
import { WEEKDAYS } from '../opening-hours.ts';
import {
  SUBMISSION_LIMITS,
  type SubmissionIssue,
  type ControlTexts,
  createIssue,
} from './field-rules.ts';
import type { Submission } from './submission.ts';

/**
 * Repetitions. `monthly` is the same day of the month, skipping months that are too short;
 * `monthly_weekday` the same weekday, such as the first Friday; `monthly_last` the last one of the
 * month.
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

/** Returns the trimmed text of a control; empty if it is missing. */
const trimmedText = (values: ControlTexts, name: string): string => (values[name] ?? '').trim();

/** A row of the date table: a day, with hours if they differ from the first day. */
export type DateRow = Readonly<Record<'day' | 'from' | 'until', string>>;
/** Controls of a row. The brackets mark repeated controls, one per row. */
export const DATE_ROW_CONTROLS = {
  day: 'dates_day[]',
  from: 'dates_from[]',
  until: 'dates_until[]',
} as const satisfies DateRow;
/** Repeated control of an exception to the repetition. */
export const EXCEPTION_CONTROL = 'exceptions[]';

const EMPTY_ROW: DateRow = { day: '', from: '', until: '' };
/** Most filled rows of the table; the form shows further dates as text below it. */
const MAX_ROWS = 24;
/** Empty rows after the filled ones. */
const EMPTY_ROWS = 3;
const HOURS_PATTERN = /^(\d{1,2}:\d{2})?(?:[-–](\d{1,2}:\d{2})?)?$/;

/** Converts `24/12/2026` to `2026-12-24`; other texts are unchanged. */
export const normalizeDay = (text: string): string =>
  text.replace(
    /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/,
    (_, day: string, month: string, year: string) =>
      `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );

/** Splits a list of days at commas, semicolons and spaces. */
export const splitDayList = (text: string): string[] =>
  text
    .split(/[,;\s]+/)
    .filter((part) => part !== '')
    .map(normalizeDay);

/**
 * Parses the text of several dates to rows. A part that is not an hour becomes a day, valid or not.
 */
export function parseDateRows(text: string): readonly DateRow[] {
  const rows: DateRow[] = [];
  for (const part of splitDayList(text.replace(/(:\d{2})\s*[-–]\s*(?=\d{1,2}:)/g, '$1-'))) {
    const [hours, from = '', until = ''] = HOURS_PATTERN.exec(part) ?? [];
    const previous = hours === undefined ? undefined : rows.pop();
    rows.push(previous ? { ...previous, from, until } : { ...EMPTY_ROW, day: part });
  }
  return rows;
}

/** Formats a row. Hours without a day get `?` as the day, so that validation reports them. */
const formatDateRow = ({ day, from, until }: DateRow): string =>
  from + until === '' ? day : `${day || '?'} ${from}${until === '' ? '' : `-${until}`}`;

export const formatDateRows = (rows: readonly DateRow[]): string =>
  rows
    .filter(({ day, from, until }) => day + from + until !== '')
    .map(formatDateRow)
    .join('\n');

/**
 * Joins the submitted date table and the text below it to one text. The value of each column is the
 * list of its cells, in order, separated by commas.
 */
export function joinDateControls(fields: ControlTexts): string {
  const [days = [], from = [], until = []] = Object.values(DATE_ROW_CONTROLS).map((name) =>
    (fields[name] ?? '').split(',').map((part) => part.trim()),
  );
  const rows = days.map((day, index) => ({
    day,
    from: from[index] ?? '',
    until: until[index] ?? '',
  }));
  return [formatDateRows(rows), fields.dates ?? ''].filter((text) => text !== '').join('\n');
}

/**
 * Parses a text to the rows of the table, followed by empty ones, and the text of the dates beyond
 * its limit.
 */
export function parseDateTable(text: string): { readonly rows: readonly DateRow[]; rest: string } {
  const all = parseDateRows(text);
  return {
    rows: [...all.slice(0, MAX_ROWS), ...Array.from({ length: EMPTY_ROWS }, () => EMPTY_ROW)],
    rest: formatDateRows(all.slice(MAX_ROWS)),
  };
}

/** Parses a list of days without hours to one text per control, followed by empty ones. */
export const parseDayRows = (text: string): readonly string[] => [
  ...splitDayList(text),
  ...Array.from({ length: EMPTY_ROWS }, () => ''),
];

/**
 * Converts the date controls to submission fields, as texts. Pushes the issues that only the form
 * can have.
 * @param listDays Lists the days after the first.
 */
export function parseFormDates(
  values: ControlTexts,
  issues: Issues,
  listDays = expandFurtherDays,
): Record<string, string> {
  const start = {
    day: normalizeDay(trimmedText(values, 'start_date')),
    hour: trimmedText(values, 'start_time'),
  };
  const end = {
    day: normalizeDay(trimmedText(values, 'end_date')),
    hour: trimmedText(values, 'end_time'),
  };
  const is_all_day = trimmedText(values, 'all_day') !== '';
  const is_unknown = trimmedText(values, 'hour_unknown') !== '';
  const rest = {
    ...parseFurtherDays(values, start.day, issues, listDays),
    all_day: is_all_day ? '1' : '',
    hour: is_unknown ? 'unknown' : '',
    open_end: trimmedText(values, 'open_end'),
  };
  // Contradictory controls are passed on, so that validation rejects them as it does for the MCP
  // tool.
  const has_no_hours = is_unknown && start.hour === '' && end.hour === '';
  if (is_all_day || start.day === '' || has_no_hours)
    return { start: start.day, end: end.day, ...rest };
  if (start.hour === '' && !is_unknown) issues.push(createIssue('start_time', 'no_hour'));
  if (end.day !== '' && end.hour === '' && !is_unknown)
    issues.push(createIssue('end_time', 'no_hour'));
  return {
    start: start.hour === '' ? start.day : `${start.day}T${start.hour}`,
    end: end.hour === '' ? '' : `${end.day || inferEndDay(start, end.hour)}T${end.hour}`,
    ...rest,
  };
}

/**
 * Returns the day of an end hour without a day: a party from 22:00 to 03:00 ends on the next day.
 */
function inferEndDay(start: { readonly day: string; readonly hour: string }, hour: string): string {
  if (hour > start.hour) return start.day;
  return parseDay(start.day)?.add({ days: 1 }).toString() ?? start.day;
}

/** Converts the days after the first, and the hours of those that have their own. */
function parseFurtherDays(
  values: ControlTexts,
  start_day: string,
  issues: Issues,
  listDays: typeof expandFurtherDays,
): Record<'dates' | 'hours', string> {
  const rows = parseDateRows(trimmedText(values, 'dates'));
  if (rows.some(({ from, until }) => from === '' && until !== ''))
    issues.push(createIssue('dates', 'no_hour'));
  const listed = rows.map(({ day }) => day);
  const days = new Set(listDays(listed, values, start_day, issues));
  const rows_with_hours = rows.filter(({ day, from }) => from !== '' && days.has(day));
  return {
    dates: [...days].join(','),
    hours: rows_with_hours
      .map(({ day, from, until }) => `${day}T${from}${until === '' ? '' : `/${until}`}`)
      .join(','),
  };
}

/** Converts local start and end to controls. An end on the start's day has no day of its own. */
export const datesToControls = (start: string, end: string | null) => ({
  start_date: start.slice(0, 10),
  start_time: start.slice(11),
  end_date: end === null || end.startsWith(`${start.slice(0, 10)}T`) ? '' : end.slice(0, 10),
  end_time: end?.slice(11) ?? '',
});

/** Returns the last day of all dates of a submission. */
export const getLastDay = (submission: {
  readonly start: string;
  readonly end: string | null;
  readonly dates: readonly string[];
}): string =>
  [submission.start, submission.end ?? '', ...submission.dates]
    .map((day) => day.slice(0, 10))
    .sort()
    .at(-1) ?? '';

/** Weeks of dates for a repetition without a known end; after them the sender must add more. */
const OPEN_WEEKS = 12;
/** A longer repetition has too many days, even a monthly one. */
const MAX_MONTHS = SUBMISSION_LIMITS.dates + 2;

/** Lists the days after the first: listed and repeated ones, without exceptions. Pushes issues. */
export function expandFurtherDays(
  listed: readonly string[],
  values: ControlTexts,
  start_day: string,
  issues: Issues,
): string[] {
  const except = parseExceptions(values, start_day, issues);
  const until_text = trimmedText(values, 'repeat_until');
  const is_open = !['', '0', 'false'].includes(values.open_end ?? '');
  if (is_open && until_text !== '') issues.push(createIssue('open_end', 'until_and_open'));
  const first = parseDay(start_day);
  const rrule = parseRepetition(values, first, issues);
  const has_exceptions = except.some((day) => !isRestDay(day));
  const needs_rule = (has_exceptions || is_open) && listed.length === 0;
  if (rrule === null && (until_text !== '' || needs_rule))
    issues.push(createIssue('repeat', 'missing'));
  const until = is_open ? first?.add({ weeks: OPEN_WEEKS }) : parseDay(normalizeDay(until_text));
  if (rrule !== null && !until && !is_open)
    issues.push(createIssue('repeat_until', until_text === '' ? 'missing' : 'not_dates'));
  const listed_days = listed.filter((day) => !except.includes(day));
  if (rrule === null || !first || !until) return listed_days;
  const repeated = expandRepetition(rrule, first, until, except);
  // The sender may add the rest days, so the limit counts them.
  if (is_open || repeated.length <= SUBMISSION_LIMITS.dates)
    return [
      ...listed_days,
      ...repeated.slice(0, SUBMISSION_LIMITS.dates).filter((day) => !isRestDay(day)),
    ];
  issues.push(createIssue('repeat_until', 'too_many', SUBMISSION_LIMITS.dates));
  return listed_days;
}

const isRestDay = (text: string): boolean => {
  const day = parseDay(text);
  return day !== null && isCustomaryRestDay(day);
};

/** Customary rest days of a repetition that are not among its dates (contract 14.58). */
export interface RestDays {
  /** Its sender has not said whether it takes place. */
  readonly resting: readonly string[];
  /** Its sender or an editor has said that it does not take place. */
  readonly rests: readonly string[];
}

/**
 * Lists the customary rest days of a repetition that its sender does not list as dates; exceptions
 * answer the question whether it takes place.
 */
export function listRestDays(
  listed: readonly string[],
  values: ControlTexts,
  start_day: string,
): RestDays {
  const no_issues: Issues = { push: () => 0 };
  const first = parseDay(start_day);
  const rrule = parseRepetition(values, first, no_issues);
  const is_open = !['', '0', 'false'].includes(values.open_end ?? '');
  const until = is_open
    ? first?.add({ weeks: OPEN_WEEKS })
    : parseDay(normalizeDay(trimmedText(values, 'repeat_until')));
  if (rrule === null || !first || !until) return NO_REST_DAYS;
  const days = expandRepetition(rrule, first, until, []).filter(
    (day) => isRestDay(day) && !listed.includes(day),
  );
  return splitAnswered(days, splitDayList(values.exceptions ?? ''));
}

export const NO_REST_DAYS: RestDays = { resting: [], rests: [] };

const splitAnswered = (days: readonly string[], except: readonly string[]): RestDays => ({
  resting: days.filter((day) => !except.includes(day)),
  rests: days.filter((day) => except.includes(day)),
});

/**
 * Lists the customary rest days of a submission and of its form: of the repetition in the form, or
 * else those stored before, answered by the form's dates and exceptions.
 */
export function findFormRestDays(values: ControlTexts, stored: RestDays): RestDays {
  const listed = parseDateRows(values.dates ?? '').map(({ day }) => day);
  const start_day = normalizeDay(values.start_date ?? '');
  if (values.repeat) return listRestDays(listed, values, start_day);
  const isUnlisted = (day: string): boolean => day !== start_day && !listed.includes(day);
  const answered = splitAnswered(
    stored.resting.filter(isUnlisted),
    splitDayList(values.exceptions ?? ''),
  );
  return { ...answered, rests: [...stored.rests.filter(isUnlisted), ...answered.rests].sort() };
}

/** Returns a submission with the customary rest days of its repetition that it does not list. */
export function withRestDays<T extends Pick<Submission, 'start' | 'dates' | 'resting' | 'rests'>>(
  submission: T,
  { resting, rests }: RestDays,
): T {
  const listed = [submission.start.slice(0, 10), ...submission.dates];
  const unlisted = Object.entries({ resting, rests }).map(
    ([name, days]) => [name, days.filter((day) => !listed.includes(day))] as const,
  );
  return {
    ...submission,
    ...Object.fromEntries(unlisted.filter(([, days]) => days.length > 0)),
  };
}

/**
 * Lists the customary rest days of a stored submission from today on, answered by its sender or in
 * the editor's draft.
 */
export function listStoredRestDays(
  {
    text: { start, dates, resting = [], rests = [] },
    draft,
  }: {
    readonly text: Pick<Submission, 'start' | 'dates' | 'resting' | 'rests'>;
    readonly draft: ControlTexts | null;
  },
  now_ms: number,
): RestDays {
  const today = toLocalDay(now_ms).toString();
  const listed = [start.slice(0, 10), ...dates];
  const isAhead = (day: string): boolean => day >= today && !listed.includes(day);
  return findFormRestDays(
    { dates: draft?.dates, exceptions: draft?.exceptions },
    { resting: resting.filter(isAhead), rests: rests.filter(isAhead) },
  );
}

/** Parses the days on which a repetition does not take place. */
function parseExceptions(
  values: ControlTexts,
  start_day: string,
  issues: Issues,
): readonly string[] {
  const except = splitDayList(values.exceptions ?? '');
  if (except.some((day) => parseDay(day) === null))
    issues.push(createIssue('exceptions', 'not_dates'));
  if (except.includes(start_day)) issues.push(createIssue('exceptions', 'first_left_out'));
  return except;
}

/** Lists the days of a rule after the first one, up to `until` and at most MAX_MONTHS. */
function expandRepetition(
  rrule: string,
  first: Temporal.PlainDate,
  until: Temporal.PlainDate,
  except: readonly string[],
): readonly string[] {
  const limit = first.add({ months: MAX_MONTHS });
  const last = Temporal.PlainDate.compare(until, limit) < 0 ? until : limit;
  const start_day = first.toString();
  return expandDays({ rrule, since: start_day, days: 1, except }, last)
    .map(String)
    .filter((day) => day > start_day);
}

/**
 * Parses the repetition to a rule of RFC 5545. Pushes an issue if the first day is not a day of the
 * rule.
 * @returns null if the event does not repeat.
 */
export function parseRepetition(
  values: ControlTexts,
  first: Temporal.PlainDate | null,
  issues: Issues,
): string | null {
  const repeat = REPEAT_OPTIONS.find((option) => option === trimmedText(values, 'repeat'));
  const names = splitDayList((values.weekdays ?? '').toLowerCase());
  if (!names.every((name) => WEEKDAYS.some((weekday) => weekday === name)))
    issues.push(createIssue('weekdays', 'not_weekdays', null, WEEKDAYS));
  const is_weekly = repeat === 'weekly' || repeat === 'biweekly';
  if (names.length > 0 && !is_weekly) issues.push(createIssue('weekdays', 'not_weekly'));
  if (!repeat) return null;
  const weekdays = WEEKDAYS.filter((name) => names.includes(name));
  if (!first) return formatRule(repeat, weekdays, ANY_DAY);
  const rrule = formatRule(repeat, weekdays, first);
  const first_days = expandDays({ rrule, since: first.toString(), days: 1, except: [] }, first);
  if (repeat === 'monthly_weekday' && first.day > 28)
    issues.push(createIssue('repeat', 'fifth_weekday'));
  else if (first_days.length === 0)
    issues.push(createIssue(is_weekly ? 'weekdays' : 'repeat', 'first_left_out'));
  return rrule;
}

const ANY_DAY = Temporal.PlainDate.from('2024-01-01');

/**
 * Formats a repetition from `first` as a rule of RFC 5545. `weekdays` only matter for weekly ones.
 */
function formatRule(
  repeat: Repeat,
  weekdays: readonly string[],
  first: Temporal.PlainDate,
): string {
  const first_weekday = (WEEKDAYS[first.dayOfWeek - 1] ?? 'mo').toUpperCase();
  const by_day = weekdays.map((name) => name.toUpperCase()).join(',') || first_weekday;
  const rules: Readonly<Record<Repeat, string>> = {
    daily: 'DAILY',
    weekly: `WEEKLY;BYDAY=${by_day}`,
    biweekly: `WEEKLY;INTERVAL=2;BYDAY=${by_day}`,
    monthly: `MONTHLY;BYMONTHDAY=${first.day}`,
    monthly_weekday: `MONTHLY;BYDAY=${Math.ceil(first.day / 7)}${first_weekday}`,
    monthly_last: `MONTHLY;BYDAY=-1${first_weekday}`,
  };
  return `FREQ=${rules[repeat]}`;
}

/**
 * Converts a rule that starts on `first` to controls. @returns null if the controls cannot express
 * it.
 */
export function repetitionToControls(
  rrule: string,
  first: Temporal.PlainDate,
): { readonly repeat: Repeat; readonly weekdays: string } | null {
  const weekdays = /^FREQ=WEEKLY;.*BYDAY=([A-Z,]+)$/.exec(rrule)?.[1]?.toLowerCase() ?? '';
  const repeat = REPEAT_OPTIONS.find(
    (option) => formatRule(option, weekdays.split(',').filter(Boolean), first) === rrule,
  );
  return repeat === undefined ? null : { repeat, weekdays };
}
