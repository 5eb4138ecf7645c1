// When an event takes place: rules of days and hours expanded into occurrences
// (contract 2.3, 2.6, 2.7).
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import {
  NIGHT_ENDS_HOUR,
  parseDay,
  startOfDayMs,
  toDayNumber,
  toEpochMs,
  UNKNOWN_END_HOURS,
} from '../cancun-time.ts';
import { toEaster } from '../easter.ts';

/** How far ahead occurrences are written out at the least. */
export const HORIZON_MONTHS = 18;
/** Most occurrences one rule may give: fifteen years of every day. */
export const MAX_OCCURRENCES = 5_500;

/**
 * Days by rule, by list or counted from Easter, with the hours they share. All day without
 * `start`. The form of a content file's `when`.
 */
export interface Schedule {
  readonly rrule?: string | null | undefined;
  /** Days from Easter Sunday. */
  readonly easter?: number | null | undefined;
  readonly dates?: readonly string[] | null | undefined;
  /** First day that counts; none where `dates` say it all. */
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  /** Nobody knows when on the day: not the same as all day. */
  readonly hour?: 'unknown' | undefined;
  /** Local `HH:MM`. */
  readonly start?: string | null | undefined;
  readonly end?: string | null | undefined;
  /** How many days it lasts. */
  readonly days: number;
  readonly except: readonly string[];
}

/** One time of a schedule, before it has an id or a status. */
export interface Span {
  /** Where the hour is not known the day's last minute: what has an hour comes first. */
  readonly start_ms: number;
  readonly end_ms: number;
  readonly first_day: number;
  readonly last_day: number;
  readonly all_day: boolean;
  readonly time_known: boolean;
  readonly end_known: boolean;
}

/**
 * The last day up to which occurrences are written out: the end of a month, so that what a rule gives
 * grows once a month and not every day.
 */
export function toHorizon(today: Temporal.PlainDate): Temporal.PlainDate {
  const month = today.add({ months: HORIZON_MONTHS });
  return month.with({ day: month.daysInMonth });
}

const toDay = (text: string): Temporal.PlainDate => {
  const day = parseDay(text);
  if (!day) throw new RangeError(`'${text}' is not a day`);
  return day;
};

/**
 * The days of a recurrence rule (RFC 5545, 3.3.10) from `since` to `last`, both inclusive, one after the
 * other. Throws where it is no rule.
 */
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

/** All of them. */
export const expandRule = (...rule: Parameters<typeof walkRule>): Temporal.PlainDate[] => [
  ...walkRule(...rule),
];

/** Whether a text is a rule that can be expanded. */
export function isRule(rrule: string): boolean {
  const day = parseDay('2024-01-01');
  if (!day || !/^FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(;[A-Z]+=[A-Z0-9,+-]+)*$/.test(rrule))
    return false;
  try {
    expandRule(rrule, day, day);
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
    days.push(toEaster(year).add({ days: offset }));
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

/** All of them, in order. */
export const expandDays = (schedule: Schedule, horizon: Temporal.PlainDate): Temporal.PlainDate[] =>
  [...walkDays(schedule, horizon)].sort(Temporal.PlainDate.compare);

/** Whether one of them is on a day or after it. */
export function hasDayFrom(
  schedule: Schedule,
  from: Temporal.PlainDate,
  horizon: Temporal.PlainDate,
): boolean {
  for (const day of walkDays(schedule, horizon))
    if (Temporal.PlainDate.compare(day, from) >= 0) return true;
  return false;
}

/** The last day an end belongs to: an end at or before 06:00 still belongs to the night before. */
export function toLastDay(
  first: Temporal.PlainDate,
  end: Temporal.PlainDateTime,
): Temporal.PlainDate {
  const ended_by_night =
    end.hour < NIGHT_ENDS_HOUR || (end.hour === NIGHT_ENDS_HOUR && end.minute === 0);
  const last = ended_by_night ? end.toPlainDate().subtract({ days: 1 }) : end.toPlainDate();
  return Temporal.PlainDate.compare(last, first) < 0 ? first : last;
}

/** One day of a schedule as a span of time in Cancún. */
export function toSpan(schedule: Schedule, day: Temporal.PlainDate): Span {
  const final_day = day.add({ days: schedule.days - 1 });
  if (!schedule.start) {
    const time_known = schedule.hour !== 'unknown';
    return {
      start_ms: toEpochMs(day.toPlainDateTime(time_known ? '00:00' : '23:59')),
      end_ms: startOfDayMs(final_day.add({ days: 1 })),
      first_day: toDayNumber(day),
      last_day: toDayNumber(final_day),
      all_day: true,
      time_known,
      end_known: time_known,
    };
  }
  const start = day.toPlainDateTime(schedule.start);
  const end = toEnd(schedule, start, final_day);
  return {
    start_ms: toEpochMs(start),
    end_ms: toEpochMs(end),
    first_day: toDayNumber(day),
    last_day: toDayNumber(toLastDay(day, end)),
    all_day: false,
    time_known: true,
    end_known: Boolean(schedule.end),
  };
}

function toEnd(
  schedule: Schedule,
  start: Temporal.PlainDateTime,
  final_day: Temporal.PlainDate,
): Temporal.PlainDateTime {
  if (!schedule.end)
    return final_day.toPlainDateTime(start.toPlainTime()).add({ hours: UNKNOWN_END_HOURS });
  const end = final_day.toPlainDateTime(schedule.end);
  return Temporal.PlainTime.compare(end.toPlainTime(), start.toPlainTime()) <= 0
    ? end.add({ days: 1 })
    : end;
}
