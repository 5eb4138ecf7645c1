// Time in Cancún: instants, local days and the offset that every timestamp carries (contract 2.1).
import { Temporal } from 'temporal-polyfill';

export const ZONE = 'America/Cancun';

/** What ends at or before this local hour is not of the day it ends on (contract 2.3). */
export const NIGHT_ENDS_HOUR = 6;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
export const MINUTES_A_DAY = 1440;

/** Hours given to an occurrence whose end is not known (contract 2.6). */
export const UNKNOWN_END_HOURS = 3;

export function toZoned(epoch_ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epoch_ms).toZonedDateTimeISO(ZONE);
}

export function toLocalDay(epoch_ms: number): Temporal.PlainDate {
  return isSteady(epoch_ms)
    ? fromDayNumber(Math.floor((epoch_ms + STEADY.offset_ms) / DAY_MS))
    : toZoned(epoch_ms).toPlainDate();
}

/** Those that have been asked for, by the minute of the day: an agenda says the same few hours again and again. */
const TIMES: Temporal.PlainTime[] = [];

/** What a clock in Cancún shows at an epoch time in milliseconds. */
export function toLocalTime(epoch_ms: number): Temporal.PlainTime {
  const local_ms = epoch_ms + STEADY.offset_ms;
  if (!isSteady(epoch_ms) || local_ms < 0 || local_ms % MINUTE_MS !== 0)
    return toZoned(epoch_ms).toPlainTime();
  const minute = (local_ms % DAY_MS) / MINUTE_MS;
  TIMES[minute] ??= new Temporal.PlainTime(Math.floor(minute / 60), minute % 60);
  return TIMES[minute];
}

/** The span of instants, around one of today, in which the clocks of Cancún never change; as the zone's data say it. */
interface SteadySpan {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly offset_ms: number;
  readonly offset: string;
}

const STEADY = findSteadySpan(Date.UTC(2026, 0, 1));

function findSteadySpan(epoch_ms: number): SteadySpan {
  const within = toZoned(epoch_ms);
  return {
    from_ms:
      within.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to_ms: within.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset_ms: within.offsetNanoseconds / 1e6,
    offset: within.offset,
  };
}

/** From here on a year has more than four digits. */
const LAST_YEAR_MS = Date.UTC(9999, 0, 1);

const isSteady = (epoch_ms: number): boolean =>
  epoch_ms >= STEADY.from_ms && epoch_ms < STEADY.to_ms;

/** The epoch milliseconds of a local moment, the earlier one where it is there twice. */
export function toEpochMs(moment: Temporal.PlainDateTime): number {
  const { year, month, day, hour, minute, second, millisecond } = moment;
  const epoch_ms =
    Date.UTC(year, month - 1, day, hour, minute, second, millisecond) - STEADY.offset_ms;
  // `Date.UTC` reads a year below 100 as one of our century.
  return year > 99 && isSteady(epoch_ms)
    ? epoch_ms
    : moment.toZonedDateTime(ZONE).epochMilliseconds;
}

/** `2026-11-21T20:00:00-05:00`: the only way a timestamp is written. */
export function formatTimestamp(epoch_ms: number): string {
  return isSteady(epoch_ms) && epoch_ms < LAST_YEAR_MS
    ? `${new Date(epoch_ms + STEADY.offset_ms).toISOString().slice(0, 19)}${STEADY.offset}`
    : toZoned(epoch_ms).toString({ smallestUnit: 'second', timeZoneName: 'never' });
}

export function startOfDayMs(day: Temporal.PlainDate): number {
  return toEpochMs(day.toPlainDateTime());
}

/** The epoch milliseconds of so many minutes after the midnight that begins a day; as clocks show it. */
export function toEpochMsOf(day_number: number, minutes: number): number {
  const epoch_ms = day_number * DAY_MS + minutes * MINUTE_MS - STEADY.offset_ms;
  if (isSteady(epoch_ms)) return epoch_ms;
  const day = fromDayNumber(day_number + Math.floor(minutes / MINUTES_A_DAY));
  const minute = minutes % MINUTES_A_DAY;
  return toEpochMs(day.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 }));
}

/** `19:30`, or a text that begins so, as minutes after midnight. */
export const toMinutes = (hour: string): number =>
  Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3, 5));

/** Days since 1970-01-01: one small integer, so that ranges are compared without objects. */
export function toDayNumber(day: Temporal.PlainDate): number {
  return Math.round(Date.UTC(day.year, day.month - 1, day.day) / DAY_MS);
}

export function fromDayNumber(number: number): Temporal.PlainDate {
  const date = new Date(number * DAY_MS);
  return new Temporal.PlainDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** All our times are whole minutes, so answers only change when this does. */
export function floorToMinute(epoch_ms: number): number {
  return Math.floor(epoch_ms / MINUTE_MS) * MINUTE_MS;
}

/** A day written YYYY-MM-DD, or null where no such day exists (2026-02-30). */
export function parseDay(text: string): Temporal.PlainDate | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return null;
  try {
    return new Temporal.PlainDate(Number(year), Number(month), Number(day));
  } catch {
    return null;
  }
}

/** Inclusive local days. */
export interface DayRange {
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
}

/** How many days a range has, both ends counted. */
export const countDays = ({ from, to }: DayRange): number =>
  toDayNumber(to) - toDayNumber(from) + 1;

interface Today {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Epoch ms at which it begins, and at which the next one does. */
  readonly start_ms: number;
  readonly end_ms: number;
}

let cached: Today = { day: '', start_ms: 0, end_ms: 0 };

/** What "today" means at `now_ms`. Kept: calendars cost a good part of a millisecond, requests are many. */
export function findToday(now_ms: number): Today {
  if (now_ms < cached.start_ms || now_ms >= cached.end_ms) {
    const day = toLocalDay(now_ms);
    cached = {
      day: day.toString(),
      start_ms: startOfDayMs(day),
      end_ms: startOfDayMs(day.add({ days: 1 })),
    };
  }
  return cached;
}

/** Whole seconds until the next midnight in Cancún; 0 in the last one. */
export function toSecondsToMidnight(now_ms: number): number {
  return Math.floor((findToday(now_ms).end_ms - now_ms) / 1000);
}
