// When an event takes place: rules of days and hours expanded into occurrences, their ids, and the
// pattern of a rule as people say it (contract 2.3, 2.6, 2.7, 5.6).
import ICAL from 'ical.js';
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
import { computeEaster } from '../day/holidays.ts';

/** How far ahead occurrences are written out at the least. */
export const HORIZON_MONTHS = 18;
/** Most occurrences one rule may give: fifteen years of every day. */
const MAX_OCCURRENCES = 5_500;

/** The form of a content file's `when`: a rule, a list or days from Easter, and their hours. */
export interface Schedule {
  readonly rrule?: string | null | undefined;
  readonly easter?: number | null | undefined;
  readonly dates?: readonly string[] | null | undefined;
  /** First day that counts; none where `dates` say it all. */
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  /** Nobody knows when on the day: not the same as all day. */
  readonly hour?: 'unknown' | undefined;
  readonly start?: string | null | undefined;
  readonly end?: string | null | undefined;
  readonly days: number;
  readonly except: readonly string[];
}

/** One time of a schedule, before it has an id or a status. */
export interface OccurrenceSpan {
  /** Where the hour is not known the day's last minute: what has an hour comes first. */
  readonly start_ms: number;
  readonly end_ms: number;
  readonly first_day: number;
  readonly last_day: number;
  readonly all_day: boolean;
  readonly time_known: boolean;
  readonly end_known: boolean;
}

/** The end of a month, so that what a rule gives grows once a month and not every day. */
export function computeHorizon(today: Temporal.PlainDate): Temporal.PlainDate {
  const month = today.add({ months: HORIZON_MONTHS });
  return month.with({ day: month.daysInMonth });
}

function toDay(text: string): Temporal.PlainDate {
  const day = parseDay(text);
  if (!day) throw new RangeError(`'${text}' is not a day`);
  return day;
}

/** The days of a rule (RFC 5545, 3.3.10), both inclusive, in order. Throws where it is none. */
function* walkRule(
  rrule: string,
  since: Temporal.PlainDate,
  last: Temporal.PlainDate,
): Generator<Temporal.PlainDate> {
  const rule = ICAL.Recur.fromString(rrule);
  if (!['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(rule.freq))
    throw new RangeError('FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY');
  const steps = rule.iterator(ICAL.Time.fromDateString(since.toString()));
  let count = 0;
  for (let step = steps.next(); step && count < MAX_OCCURRENCES; step = steps.next()) {
    const day = new Temporal.PlainDate(step.year, step.month, step.day);
    if (Temporal.PlainDate.compare(day, last) > 0) return;
    count += 1;
    yield day;
  }
}

const RULE = /^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;[A-Z]+=[A-Z0-9,+-]+)*$/;
const ANY_DAY = toDay('2024-01-01');

export function isRecurrenceRule(rrule: string): boolean {
  if (!RULE.test(rrule)) return false;
  try {
    // The first step is where a library stumbles.
    Array.from(walkRule(rrule, ANY_DAY, ANY_DAY));
    return true;
  } catch {
    return false;
  }
}

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

/** The days of a schedule up to `horizon`, inclusive, without its exceptions; a rule's as far as they are asked for. */
function* walkDays(schedule: Schedule, horizon: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  const until = schedule.until ? toDay(schedule.until) : horizon;
  const last = Temporal.PlainDate.compare(until, horizon) < 0 ? until : horizon;
  const since = toDay(schedule.since ?? '0001-01-01');
  let days: Iterable<Temporal.PlainDate>;
  if (schedule.dates) days = schedule.dates.map(toDay);
  else if (typeof schedule.easter === 'number') days = expandEaster(schedule.easter, since, last);
  else days = walkRule(schedule.rrule ?? '', since, last);
  const skipped = new Set(schedule.except);
  for (const day of days) if (!skipped.has(day.toString())) yield day;
}

export const expandDays = (schedule: Schedule, horizon: Temporal.PlainDate): Temporal.PlainDate[] =>
  [...walkDays(schedule, horizon)].sort(Temporal.PlainDate.compare);

export function hasOccurrenceFrom(
  schedule: Schedule,
  from: Temporal.PlainDate,
  horizon: Temporal.PlainDate,
): boolean {
  for (const day of walkDays(schedule, horizon))
    if (Temporal.PlainDate.compare(day, from) >= 0) return true;
  return false;
}

/** One day of a schedule as a span of time on local clocks. */
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
  const end = toEnd(schedule, start);
  const start_ms = epochMsAt(first_day, start);
  const end_ms = epochMsAt(final_day, end);
  return {
    start_ms,
    // Where clocks leap over its beginning alone, it lasts as long as it was to.
    end_ms: end_ms > start_ms ? end_ms : start_ms + (end - start) * 60_000,
    first_day,
    last_day: Math.max(first_day, final_day + toDaysIn(end)),
    all_day: false,
    time_known: true,
    end_known: Boolean(schedule.end),
  };
}

/** When it ends, in minutes after the midnight that begins its final day: at or before its start it is the next day. */
function toEnd({ end }: Schedule, start: number): number {
  if (!end) return start + UNKNOWN_END_HOURS * 60;
  const minutes = parseMinutesOfDay(end);
  return minutes <= start ? minutes + MINUTES_PER_DAY : minutes;
}

/** How many days after the final one an end belongs to: one at or before 06:00 still belongs to the night before. */
const toDaysIn = (end: number): number =>
  Math.ceil((end - NIGHT_ENDS_HOUR * 60) / MINUTES_PER_DAY) - 1;

// An id is the event's and the local start as first published: `ev_…-20261121T2000`, all day
// `ev_…-20261121`. It stays over a change of the hour.

export function formatOccurrenceId(event: string, span: OccurrenceSpan): string {
  const day = fromDayNumber(span.first_day).toString().replaceAll('-', '');
  if (span.all_day) return `${event}-${day}`;
  return `${event}-${day}T${formatTimestamp(span.start_ms).slice(11, 16).replace(':', '')}`;
}

const toDayOf = (id: string): string => id.split('T', 1)[0] ?? id;

/**
 * The ids of the dates of one event, each beside its first id. `published`: those its dates ever had.
 * A start that was published has its own; the others of a day take what is left of that day's, in
 * order of time, whole days first; who finds none left is new.
 */
export function assignOccurrenceIds(
  first_ids: readonly string[],
  published: readonly string[],
): ReadonlyMap<string, string> {
  const starts = new Set(first_ids);
  const free = Map.groupBy(published.filter((id) => !starts.has(id)).sort(), toDayOf);
  const known = new Set(published);
  return new Map(
    [...starts]
      .sort()
      .map((id) => [id, known.has(id) ? id : (free.get(toDayOf(id))?.shift() ?? id)]),
  );
}

/** Dates of every event, made once for each ledger and kept as long as it. */
const DATES = new WeakMap<ReadonlyMap<string, unknown>, ReadonlyMap<string, readonly string[]>>();

export function listOccurrenceIds(
  ledger: ReadonlyMap<string, unknown>,
  event: string,
): readonly string[] {
  const dates = DATES.get(ledger) ?? Map.groupBy(ledger.keys(), (id) => id.split('-', 1)[0] ?? id);
  DATES.set(ledger, dates);
  return (dates.get(event) ?? []).filter((id) => id !== event);
}

const RULE_WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** From 1, Monday, to 7, Sunday, as Temporal counts; 0 for none of them. */
export const parseWeekday = (name: string): number => RULE_WEEKDAYS.indexOf(name) + 1;

/** Weekdays from 1, Monday, to 7, Sunday; hours local `HH:MM`; days YYYY-MM-DD. */
export const RecurrenceSchema = v.object({
  kind: v.picklist(['daily', 'weekly', 'monthly_weekday', 'monthly_day', 'yearly', 'easter']),
  /** In order of the week; none where the kind does not need them. */
  weekdays: v.array(v.number()),
  /** Of a month's weekdays 1 to 5 or -1, the last; a day of the month; days from Easter. */
  position: v.nullable(v.number()),
  /** Months from 1 to 12; none for all of them. */
  months: v.array(v.number()),
  start: v.nullable(v.string()),
  end: v.nullable(v.string()),
  /** First and last day that count. */
  since: v.nullable(v.string()),
  until: v.nullable(v.string()),
});
type Stored = v.InferOutput<typeof RecurrenceSchema>;
export interface Recurrence extends Readonly<Omit<Stored, 'weekdays' | 'months'>> {
  readonly weekdays: readonly number[];
  readonly months: readonly number[];
}

const toNumbers = (list: string | undefined): number[] =>
  (list ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map(Number);

function toParts(rrule: string): ReadonlyMap<string, string> {
  return new Map(
    rrule.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name.toUpperCase(), value.toUpperCase()] as const;
    }),
  );
}

/** The pattern of a schedule; null where it is a list of dates, or more than a sentence can say. */
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
  const parts = toParts(rrule);
  const interval = Number(parts.get('INTERVAL') ?? '1');
  if (interval !== 1 || parts.has('COUNT')) return null;
  const months = toNumbers(parts.get('BYMONTH'));
  const month_days = toNumbers(parts.get('BYMONTHDAY'));
  const days = [...(parts.get('BYDAY') ?? '').matchAll(/(-?\d+)?(MO|TU|WE|TH|FR|SA|SU)/g)];
  const weekdays = [...new Set(days.map((found) => parseWeekday(found[2] ?? '')))].sort();
  const numbered = days.filter((found) => found[1] !== undefined);
  const set_position = toNumbers(parts.get('BYSETPOS'))[0];
  const position = numbered[0]?.[1] === undefined ? (set_position ?? null) : Number(numbered[0][1]);
  const is_one_weekday = weekdays.length === 1 && position !== null && numbered.length < 2;
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
