// When a place is open: rules by weekday, days that are different, holidays on which it closes.
import type { Temporal } from 'temporal-polyfill';
import { MINUTES_A_DAY, toMinutes, ZONE } from './cancun-time.ts';
import { isQuietDay } from './day/holidays.ts';
import type { LocalText } from './lang.ts';

/** Monday first, as ISO 8601 counts. */
export const WEEKDAYS = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Who is charged, or let in free. */
export const VISITORS = [
  'everyone',
  'national',
  'resident',
  'foreign',
  'adult',
  'child',
  'student',
  'senior',
] as const;
export type Visitor = (typeof VISITORS)[number];

/**
 * Hours that repeat on some days of the week. Local `HH:MM`; a close before the opening is on the
 * next day. Null where no source says it: a place may be known to open on a day, and not when.
 */
export interface OpeningRule {
  readonly days: readonly Weekday[];
  readonly open: string | null;
  readonly close: string | null;
  readonly last_entry: string | null;
  /** First and last day on which the rule counts, inclusive; null where there is none. */
  readonly since: string | null;
  readonly until: string | null;
}

/** A day that is not like its weekday: other hours, or closed where both are null. */
export interface OpeningException {
  readonly date: string;
  readonly open: string | null;
  readonly close: string | null;
  readonly note: LocalText | null;
}

/** Days of the week on which some are let in free. */
export interface FreeDay {
  readonly days: readonly Weekday[];
  readonly visitors: readonly Visitor[];
}

export interface OpeningHours {
  readonly rules: readonly OpeningRule[];
  readonly exceptions: readonly OpeningException[];
  /** Keys of holidays on which it closes. */
  readonly closed_on: readonly string[];
  /** `open` where a source says that these hours count on quiet days too. */
  readonly quiet_days?: 'open' | undefined;
  readonly free: readonly FreeDay[];
  /** What readers should know of these hours. */
  readonly note: LocalText | null;
}

/** What entering costs some visitors. */
export interface Admission {
  readonly visitor: Visitor;
  readonly amount: number;
  readonly currency: string;
  readonly note: LocalText | null;
}

/** One stretch of opening; epoch milliseconds. */
export interface OpenSpan {
  readonly open_ms: number;
  /** Null where the closing hour is not known. */
  readonly close_ms: number | null;
  readonly last_entry_ms: number | null;
}

/** A place on one day. */
export interface OpeningDay {
  readonly is_open: boolean;
  /**
   * Whether it is a quiet day of which its hours say nothing: whether it opens, and when, is not
   * known, whatever its weekday says.
   */
  readonly is_unsure: boolean;
  /** In order of time; none where it is closed, or open at hours that are not known. */
  readonly spans: readonly OpenSpan[];
  /** Why it differs from its weekday: the day's note, or the key of a holiday; null where it does not. */
  readonly note: LocalText | null;
  readonly holiday: string | null;
  /** Who enters free on that day. */
  readonly free_for: readonly Visitor[];
}

const toWeekday = (day: Temporal.PlainDate): Weekday => WEEKDAYS[day.dayOfWeek - 1] ?? 'mo';

const toMs = (day: Temporal.PlainDate, hour: string): number =>
  day.toZonedDateTime({ timeZone: ZONE, plainTime: hour }).epochMilliseconds;

function toSpan(
  day: Temporal.PlainDate,
  open: string,
  close: string | null,
  last_entry: string | null,
): OpenSpan {
  const on_the_day = (hour: string): Temporal.PlainDate =>
    hour <= open ? day.add({ days: 1 }) : day;
  return {
    open_ms: toMs(day, open),
    close_ms: close === null ? null : toMs(on_the_day(close), close),
    last_entry_ms: last_entry === null ? null : toMs(on_the_day(last_entry), last_entry),
  };
}

const countsOn = ({ days, since, until }: OpeningRule, day: Temporal.PlainDate): boolean =>
  days.includes(toWeekday(day)) &&
  (since === null || since <= day.toString()) &&
  (until === null || day.toString() <= until);

/**
 * The place on a day. `holidays`: the keys of that day's holidays. The hours of a week say nothing of
 * quiet days (contract 4.13).
 */
export function toOpeningDay(
  hours: OpeningHours,
  day: Temporal.PlainDate,
  holidays: readonly string[],
): OpeningDay {
  const exception = hours.exceptions.find(({ date }) => date === day.toString());
  const holiday = holidays.find((key) => hours.closed_on.includes(key)) ?? null;
  const free_for = hours.free
    .filter(({ days }) => days.includes(toWeekday(day)))
    .flatMap(({ visitors }) => visitors);
  if (exception) {
    const { open, close, note } = exception;
    const spans = open === null ? [] : [toSpan(day, open, close, null)];
    const is_open = spans.length > 0;
    const as_said = { is_unsure: false, note, holiday: null } as const;
    return { ...as_said, is_open, spans, free_for: is_open ? free_for : [] };
  }
  const plain = { is_unsure: false, spans: [], note: null, holiday, free_for: [] } as const;
  const rules = hours.rules.filter((rule) => countsOn(rule, day));
  const is_open = holiday === null && rules.length > 0;
  if (!is_open) return { ...plain, is_open };
  if (isQuietDay(day) && hours.quiet_days !== 'open') return { ...plain, is_open, is_unsure: true };
  const spans = rules
    .flatMap(({ open, close, last_entry }) =>
      open === null ? [] : [toSpan(day, open, close, last_entry)],
    )
    .sort((a, b) => a.open_ms - b.open_ms);
  return { ...plain, is_open, spans, free_for };
}

/** The days of the week of a place that opens on most of them; fewer are days it opens on. */
const MOST_DAYS = 4;

/** Whether people expect it to be open: a museum on its closed Monday, not a Sunday market. */
export const opensOnMostDays = ({ rules }: OpeningHours): boolean =>
  new Set(rules.flatMap(({ days }) => days)).size >= MOST_DAYS;

const overlaps = (a: OpeningRule, b: OpeningRule): boolean => {
  const is_apart_in_time =
    (a.until !== null && b.since !== null && a.until < b.since) ||
    (b.until !== null && a.since !== null && b.until < a.since);
  if (is_apart_in_time || !a.days.some((day) => b.days.includes(day))) return false;
  // What is not known may be the whole day, or what is left of it.
  const toRange = ({ open, close }: OpeningRule): readonly [number, number] => [
    open === null ? 0 : toMinutes(open),
    open === null || close === null
      ? MINUTES_A_DAY
      : toMinutes(close) + (close <= open ? MINUTES_A_DAY : 0),
  ];
  const [[a_open, a_close], [b_open, b_close]] = [toRange(a), toRange(b)];
  return a_open < b_close && b_open < a_close;
};

/** The positions of the first two rules whose hours overlap on some day; null where none do. */
export function findOverlap(rules: readonly OpeningRule[]): readonly [number, number] | null {
  for (const [i, rule] of rules.entries())
    for (let j = i + 1; j < rules.length; j += 1) {
      const other = rules[j];
      if (other && overlaps(rule, other)) return [i, j];
    }
  return null;
}
