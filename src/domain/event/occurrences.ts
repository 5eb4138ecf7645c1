// Occurrences: expands schedules into dates with hours, assigns their stable ids, and detects the
// pattern of a recurrence rule (contract 2.3, 2.6, 2.7, 5.6).
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import {
  formatTimestamp,
  fromDayNumber,
  MINUTES_PER_DAY,
  NIGHT_ENDS_HOUR,
  parseDay,
  toDayNumber,
  epochMsAt,
  parseMinutesOfDay,
  UNKNOWN_END_HOURS,
} from '../local-time.ts';
import {
  type DayBudget,
  iterateRuleDays,
  parseRecurrenceRule,
  parseWeekday,
  type RecurrenceRule,
} from './recurrence-rule.ts';
import { computeEaster } from '../day/holidays.ts';

/** Months ahead for which a release has occurrences, at least. */
export const HORIZON_MONTHS = 18;
/** Most occurrences of one rule: fifteen years of every day. */
const MAX_OCCURRENCES = 5_500;

/**
 * A schedule (a `when` of a content file): a rule of RFC 5545, a list of dates or an offset from
 * Easter; and hours.
 */
export interface Schedule {
  readonly rrule?: string | null | undefined;
  /** Days after Easter Sunday; negative before it. */
  readonly easter?: number | null | undefined;
  readonly dates?: readonly string[] | null | undefined;
  /** First and last day of the rule, YYYY-MM-DD; absent with `dates`. */
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  /** The event has an hour, but it is unknown: not the same as all day. */
  readonly hour?: 'unknown' | undefined;
  /** Local `HH:MM`; without `start` the event is all day. */
  readonly start?: string | null | undefined;
  readonly end?: string | null | undefined;
  /** Length of each date in days, at least 1. */
  readonly days: number;
  /** Days without the event, YYYY-MM-DD. */
  readonly except: readonly string[];
}

/** Start and end of one date of a schedule, before it has an id and a status. */
export interface OccurrenceSpan {
  /** The day's last minute if the hour is unknown, so that dates with an hour sort first. */
  readonly start_ms: number;
  readonly end_ms: number;
  readonly first_day: number;
  readonly last_day: number;
  readonly all_day: boolean;
  readonly time_known: boolean;
  readonly end_known: boolean;
}

/**
 * Computes the last day of occurrences: the end of a month, so that rules gain dates once a month,
 * not every day.
 */
export function computeHorizon(today: Temporal.PlainDate): Temporal.PlainDate {
  const month = today.add({ months: HORIZON_MONTHS });
  return month.with({ day: month.daysInMonth });
}

function parseDayOrThrow(text: string): Temporal.PlainDate {
  const day = parseDay(text);
  if (!day) throw new RangeError(`'${text}' is not a day`);
  return day;
}

/** Days before the last one for which a rule is expanded: more than a century. */
const MAX_RULE_DAYS = 40_000;
/** The range of days limits the expansion already. */
const UNLIMITED: DayBudget = { remaining: Number.POSITIVE_INFINITY };

/**
 * Lists the days of a rule from `since` to `last`, both inclusive: the newest ones if they are more
 * than MAX_OCCURRENCES.
 * @throws RangeError if the rule is invalid.
 */
function expandRule(
  rrule: string,
  since: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const days = [...iterateDaysOfRule(rrule, since, last)];
  return days.slice(-MAX_OCCURRENCES).map(fromDayNumber);
}

/** Yields the day numbers of a rule from `since` to `last`, or of the last MAX_RULE_DAYS. */
function* iterateDaysOfRule(
  rrule: string,
  since: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Generator<number> {
  const rule = parseRecurrenceRule(rrule);
  if (rule === null) throw new RangeError(`'${rrule}' is not a rule of days`);
  const last_number = Math.min(toDayNumber(last), lastDayOfRule(rule));
  const range = {
    first: toDayNumber(since),
    from: last_number - MAX_RULE_DAYS + 1,
    last: last_number,
    includes_first: false,
  };
  yield* iterateRuleDays(rule, range, UNLIMITED);
}

/** Returns the day number of UNTIL; infinity without it. */
function lastDayOfRule({ UNTIL = '' }: RecurrenceRule): number {
  const day = parseDay(UNTIL.replace(/^(\d{4})(\d\d)(\d\d)(T.*)?$/, '$1-$2-$3'));
  return day ? toDayNumber(day) : Number.POSITIVE_INFINITY;
}

const RULE_PATTERN = /^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;[A-Z]+=[A-Z0-9,+-]+)*$/;

/** Returns true for a rule that expandDays accepts. */
export const isRecurrenceRule = (rrule: string): boolean =>
  RULE_PATTERN.test(rrule) && parseRecurrenceRule(rrule) !== null;

/** Days from the first one in which a rule must have a date. */
const MAX_DAYS_TO_FIRST_DATE = 30 * 366;

/** Returns true if a schedule with a valid rule has a date that is not an exception. */
export function hasAnyDate({ rrule, since, until, except }: Omit<Schedule, 'days'>): boolean {
  if (!rrule || !since) return true;
  const first = parseDayOrThrow(since);
  const limit = first.add({ days: MAX_DAYS_TO_FIRST_DATE });
  const last = until ? earlierDay(parseDayOrThrow(until), limit) : limit;
  for (const number of iterateDaysOfRule(rrule, first, last))
    if (!except.includes(fromDayNumber(number).toString())) return true;
  return false;
}

const earlierDay = (a: Temporal.PlainDate, b: Temporal.PlainDate): Temporal.PlainDate =>
  Temporal.PlainDate.compare(a, b) < 0 ? a : b;

/** Lists the days that are `offset` days from an Easter Sunday. */
function expandEaster(
  offset: number,
  since: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  for (let year = since.year - 1; year <= last.year + 1; year += 1)
    days.push(computeEaster(year).add({ days: offset }));
  return days.filter(
    (day) =>
      Temporal.PlainDate.compare(day, since) >= 0 && Temporal.PlainDate.compare(day, last) <= 0,
  );
}

/**
 * Lists the days of a schedule up to `horizon`, inclusive, sorted and without its exceptions.
 * @throws RangeError if its rule is invalid.
 */
export function expandDays(schedule: Schedule, horizon: Temporal.PlainDate): Temporal.PlainDate[] {
  const last = schedule.until ? earlierDay(parseDayOrThrow(schedule.until), horizon) : horizon;
  const since = parseDayOrThrow(schedule.since ?? '0001-01-01');
  const exceptions = new Set(schedule.except);
  return listDays(schedule, since, last)
    .filter((day) => !exceptions.has(day.toString()))
    .sort(Temporal.PlainDate.compare);
}

/** Lists the days of a schedule. `since` and `last` limit a rule, not a list of dates. */
function listDays(
  { dates, easter, rrule }: Schedule,
  since: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Temporal.PlainDate[] {
  if (dates) return dates.map(parseDayOrThrow);
  if (typeof easter === 'number') return expandEaster(easter, since, last);
  return expandRule(rrule ?? '', since, last);
}

/** Returns true if a schedule has a day from `from` to `horizon`. */
export const hasOccurrenceFrom = (
  schedule: Schedule,
  from: Temporal.PlainDate,
  horizon: Temporal.PlainDate,
): boolean =>
  expandDays(schedule, horizon).some((day) => Temporal.PlainDate.compare(day, from) >= 0);

/** Computes start and end of a schedule's date from local clock times. */
export function computeSpan(schedule: Schedule, day: Temporal.PlainDate): OccurrenceSpan {
  const first_day = toDayNumber(day);
  const final_day = first_day + schedule.days - 1;
  if (!schedule.start) {
    const time_known = schedule.hour !== 'unknown';
    return {
      start_ms: epochMsAt(first_day, time_known ? 0 : MINUTES_PER_DAY - 1),
      end_ms: epochMsAt(final_day + 1, 0),
      first_day,
      last_day: final_day,
      all_day: true,
      time_known,
      end_known: time_known,
    };
  }
  const start = parseMinutesOfDay(schedule.start);
  const end = computeEndMinutes(schedule, start);
  const start_ms = epochMsAt(first_day, start);
  const end_ms = epochMsAt(final_day, end);
  return {
    start_ms,
    // If a clock change skips only the start, the event still has its planned duration.
    end_ms: end_ms > start_ms ? end_ms : start_ms + (end - start) * 60_000,
    first_day,
    last_day: Math.max(first_day, final_day + countFurtherDays(end)),
    all_day: false,
    time_known: true,
    end_known: Boolean(schedule.end),
  };
}

/**
 * Computes the end in minutes after the midnight that begins the final day. An end at or before the
 * start is on the next day.
 */
function computeEndMinutes({ end }: Schedule, start: number): number {
  if (!end) return start + UNKNOWN_END_HOURS * 60;
  const minutes = parseMinutesOfDay(end);
  return minutes <= start ? minutes + MINUTES_PER_DAY : minutes;
}

/**
 * Counts the days after the final one that an event touches; an end up to 06:00 belongs to the
 * night before.
 */
const countFurtherDays = (end: number): number =>
  Math.ceil((end - NIGHT_ENDS_HOUR * 60) / MINUTES_PER_DAY) - 1;

/**
 * Formats the id of an occurrence from the event's id and the local start: `ev_…-20261121T2000`,
 * all day `ev_…-20261121`. Once published, the id stays when the hour changes.
 */
export function formatOccurrenceId(event: string, span: OccurrenceSpan): string {
  const day = fromDayNumber(span.first_day).toString().replaceAll('-', '');
  if (span.all_day) return `${event}-${day}`;
  return `${event}-${day}T${formatTimestamp(span.start_ms).slice(11, 16).replace(':', '')}`;
}

const removeHour = (id: string): string => id.split('T', 1)[0] ?? id;

/**
 * Assigns ids to the dates of one event. A date with a published start gets the id of that start.
 * The others get the unused published ids of their day, in order of time, whole days first; if
 * there are none left, a date is new and gets the id of its start.
 * @param first_ids The ids of the dates' current starts.
 * @param published All ids that dates of the event ever had.
 * @returns The assigned ids by first id.
 */
export function assignOccurrenceIds(
  first_ids: readonly string[],
  published: readonly string[],
): ReadonlyMap<string, string> {
  const starts = new Set(first_ids);
  const unused = Map.groupBy(published.filter((id) => !starts.has(id)).sort(), removeHour);
  const published_set = new Set(published);
  return new Map(
    [...starts]
      .sort()
      .map((id) => [id, published_set.has(id) ? id : (unused.get(removeHour(id))?.shift() ?? id)]),
  );
}

/** Cached per ledger: the occurrence ids of every event. */
const IDS_BY_EVENT = new WeakMap<
  ReadonlyMap<string, unknown>,
  ReadonlyMap<string, readonly string[]>
>();

/** Lists the ids that dates of an event ever had, from the ids of a ledger's revisions. */
export function listOccurrenceIds(
  ledger: ReadonlyMap<string, unknown>,
  event: string,
): readonly string[] {
  const ids_by_event =
    IDS_BY_EVENT.get(ledger) ?? Map.groupBy(ledger.keys(), (id) => id.split('-', 1)[0] ?? id);
  IDS_BY_EVENT.set(ledger, ids_by_event);
  return (ids_by_event.get(event) ?? []).filter((id) => id !== event);
}

/**
 * The pattern of a rule. Weekdays are 1 (Monday) to 7 (Sunday), hours local `HH:MM`, days
 * YYYY-MM-DD.
 */
export const RecurrenceSchema = v.object({
  kind: v.picklist(['daily', 'weekly', 'monthly_weekday', 'monthly_day', 'yearly', 'easter']),
  /** In order of the week; empty if the kind does not use them. */
  weekdays: v.array(v.number()),
  /**
   * `monthly_weekday`: 1 to 5, or -1 for the last; `monthly_day`, `yearly`: day of the month;
   * `easter`: offset in days.
   */
  position: v.nullable(v.number()),
  /** 1 to 12; empty for all months. */
  months: v.array(v.number()),
  start: v.nullable(v.string()),
  end: v.nullable(v.string()),
  /** First and last day of the rule. */
  since: v.nullable(v.string()),
  until: v.nullable(v.string()),
});
type StoredRecurrence = v.InferOutput<typeof RecurrenceSchema>;
export interface Recurrence extends Readonly<Omit<StoredRecurrence, 'weekdays' | 'months'>> {
  readonly weekdays: readonly number[];
  readonly months: readonly number[];
}

const parseNumbers = (list: string | undefined): number[] =>
  (list ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map(Number);

function parseRuleParts(rrule: string): ReadonlyMap<string, string> {
  return new Map(
    rrule.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name.toUpperCase(), value.toUpperCase()] as const;
    }),
  );
}

/** Parses BYDAY and BYSETPOS; `is_one_weekday` for a rule such as the first Friday of a month. */
function parseByDay(parts: ReadonlyMap<string, string>) {
  const days = [...(parts.get('BYDAY') ?? '').matchAll(/(-?\d+)?(MO|TU|WE|TH|FR|SA|SU)/g)];
  const weekdays = [...new Set(days.map((match) => parseWeekday(match[2] ?? '')))].sort();
  const numbered = days.filter((match) => match[1] !== undefined);
  const set_position = parseNumbers(parts.get('BYSETPOS'))[0];
  const position = numbered[0]?.[1] === undefined ? (set_position ?? null) : Number(numbered[0][1]);
  const is_one_weekday = weekdays.length === 1 && position !== null && numbered.length < 2;
  return { weekdays, position, is_one_weekday };
}

/**
 * Detects the pattern of a schedule.
 * @returns null for a list of dates, and for a rule that is too complex for one sentence.
 */
export function detectRecurrence(schedule: Schedule): Recurrence | null {
  const { rrule = null, easter = null } = schedule;
  const base = {
    start: schedule.start ?? null,
    end: schedule.end ?? null,
    since: schedule.since ?? null,
    until: schedule.until ?? null,
    weekdays: [],
    position: null,
    months: [],
  } as const;
  if (easter !== null) return { ...base, kind: 'easter', position: easter };
  if (rrule === null) return null;
  const parts = parseRuleParts(rrule);
  const interval = Number(parts.get('INTERVAL') ?? '1');
  if (interval !== 1 || parts.has('COUNT')) return null;
  const months = parseNumbers(parts.get('BYMONTH'));
  const month_days = parseNumbers(parts.get('BYMONTHDAY'));
  const { weekdays, position, is_one_weekday } = parseByDay(parts);
  const is_one_day = month_days.length === 1 && weekdays.length === 0;
  const by_weekday = { ...base, kind: 'monthly_weekday', weekdays, position, months } as const;
  const by_day = { ...base, position: month_days[0] ?? null, months } as const;
  switch (parts.get('FREQ')) {
    case 'DAILY':
      if (weekdays.length === 0) return { ...base, kind: 'daily', months };
      return { ...base, kind: 'weekly', weekdays, months };
    case 'WEEKLY':
      if (weekdays.length === 0) return null;
      if (weekdays.length === 7) return { ...base, kind: 'daily', months };
      return { ...base, kind: 'weekly', weekdays, months };
    case 'MONTHLY':
      if (is_one_weekday) return by_weekday;
      return is_one_day ? { ...by_day, kind: 'monthly_day' } : null;
    case 'YEARLY':
      if (months.length !== 1) return null;
      if (is_one_day) return { ...by_day, kind: 'yearly' };
      return is_one_weekday ? by_weekday : null;
    default:
      return null;
  }
}
