// Local time: converts between epoch milliseconds, local days and timestamps with the town's UTC
// offset (contract 2.1).
import { Temporal } from 'temporal-polyfill';
import { TOWN } from '../town.ts';

export const TIME_ZONE = TOWN.time_zone;

/** An event that ends at or before this local hour belongs to the day before (contract 2.3). */
export const NIGHT_ENDS_HOUR = 6;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
export const MINUTES_PER_DAY = 1440;

/** Assumed duration of an occurrence without a known end (contract 2.6). */
export const UNKNOWN_END_HOURS = 3;

export function toZoned(epoch_ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epoch_ms).toZonedDateTimeISO(TIME_ZONE);
}

export function toLocalDay(epoch_ms: number): Temporal.PlainDate {
  return fromDayNumber(Math.floor((epoch_ms + getOffsetPeriod(epoch_ms).offset_ms) / DAY_MS));
}

/** Cache by minute of the day: an agenda repeats the same few times. */
const TIMES: Temporal.PlainTime[] = [];

/** Converts epoch milliseconds to local clock time. */
export function toLocalTime(epoch_ms: number): Temporal.PlainTime {
  const local_ms = epoch_ms + getOffsetPeriod(epoch_ms).offset_ms;
  if (local_ms < 0 || local_ms % MINUTE_MS !== 0) return toZoned(epoch_ms).toPlainTime();
  const minute = (local_ms % DAY_MS) / MINUTE_MS;
  TIMES[minute] ??= new Temporal.PlainTime(Math.floor(minute / 60), minute % 60);
  return TIMES[minute];
}

/** The time between two clock changes of the zone. */
export interface OffsetPeriod {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly offset_ms: number;
  /** `+01:00`. */
  readonly offset: string;
}

const PERIODS: OffsetPeriod[] = [];
let last_period = findOffsetPeriod(Date.UTC(2026, 0, 1));

function findOffsetPeriod(epoch_ms: number): OffsetPeriod {
  const moment = toZoned(epoch_ms);
  const period = {
    from_ms:
      moment.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to_ms: moment.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset_ms: moment.offsetNanoseconds / 1e6,
    offset: moment.offset,
  };
  // Exactly at a clock change, the previous transition is an older one: the period begins at this
  // instant.
  const from_ms = toZoned(epoch_ms - 1).offset === moment.offset ? period.from_ms : epoch_ms;
  PERIODS.push({ ...period, from_ms });
  return PERIODS.at(-1) ?? period;
}

/** Returns the offset period of an instant. Periods are cached. */
export function getOffsetPeriod(epoch_ms: number): OffsetPeriod {
  const isIn = ({ from_ms, to_ms }: OffsetPeriod): boolean =>
    epoch_ms >= from_ms && epoch_ms < to_ms;
  if (!isIn(last_period)) last_period = PERIODS.find(isIn) ?? findOffsetPeriod(epoch_ms);
  return last_period;
}

/**
 * Lists the distinct offsets from a year on, starting with January's: `+01:00`. Ramadan may have
 * its own offset.
 */
const listOffsets = (first_year: number): readonly string[] => {
  const offsets = new Set<string>();
  for (
    let ms = Date.UTC(first_year, 0, 1);
    ms < Date.UTC(2027, 0, 1);
    ms = getOffsetPeriod(ms).to_ms
  )
    offsets.add(getOffsetPeriod(ms).offset);
  return [...offsets];
};
export const OFFSETS = listOffsets(2026);

/** `UTC−5`, `UTC+5:30`. */
export const formatUtcOffset = (offset: string): string =>
  `UTC${offset.replace('-', '−').replace(/^(.)0/, '$1').replace(/:00$/, '')}`;

const offsetPattern = (offsets: readonly string[]): string => {
  const escaped = offsets.map((offset) => offset.replace('+', '\\+')).join('|');
  return offsets.length === 1 ? escaped : `(${escaped})`;
};
/** Regular expression source for the offset of a timestamp. */
export const OFFSET_PATTERN = offsetPattern(OFFSETS);
/** Offset pattern for timestamps since 2016, as a town may have stopped changing its clocks. */
export const PAST_OFFSET_PATTERN = offsetPattern(listOffsets(2016));

/** Start of the last year with four digits, epoch ms. */
const LAST_YEAR_MS = Date.UTC(9999, 0, 1);

/**
 * Converts a local time to epoch milliseconds. A time that occurs twice resolves to the earlier
 * instant; a skipped time moves forward by the length of the gap.
 */
export function toEpochMs(moment: Temporal.PlainDateTime): number {
  const { year, month, day, hour, minute, second, millisecond } = moment;
  // `Date.UTC` adds 1900 to years below 100.
  return year > 99
    ? fromLocalMs(Date.UTC(year, month - 1, day, hour, minute, second, millisecond))
    : moment.toZonedDateTime(TIME_ZONE).epochMilliseconds;
}

/** Upper bound of a clock change. */
const MAX_CLOCK_CHANGE_MS = DAY_MS;

/** Converts like toEpochMs, from a local time expressed as if it were UTC. */
function fromLocalMs(local_ms: number): number {
  const before = getOffsetPeriod(local_ms - MAX_CLOCK_CHANGE_MS);
  const first_ms = local_ms - before.offset_ms;
  if (first_ms < before.to_ms) return first_ms;
  const after = getOffsetPeriod(local_ms + MAX_CLOCK_CHANGE_MS);
  const second_ms = local_ms - after.offset_ms;
  return second_ms >= after.from_ms ? second_ms : first_ms;
}

/** Formats a timestamp, `2026-11-21T20:00:00+01:00`: the only format in use. */
export function formatTimestamp(epoch_ms: number): string {
  const { offset_ms, offset } = getOffsetPeriod(epoch_ms);
  return epoch_ms < LAST_YEAR_MS
    ? `${new Date(epoch_ms + offset_ms).toISOString().slice(0, 19)}${offset}`
    : toZoned(epoch_ms).toString({ smallestUnit: 'second', timeZoneName: 'never' });
}

/** Compares two timestamps. As texts, timestamps of a repeated hour would not sort correctly. */
export const isLater = (a: string, b: string): boolean => Date.parse(a) > Date.parse(b);

export function startOfDayMs(day: Temporal.PlainDate): number {
  return toEpochMs(day.toPlainDateTime());
}

/** Converts a day number and minutes after midnight (local clock time) to epoch milliseconds. */
export const epochMsAt = (day_number: number, minutes: number): number =>
  fromLocalMs(day_number * DAY_MS + minutes * MINUTE_MS);

/** Parses `19:30`, or a text that begins like it, into minutes after midnight. */
export const parseMinutesOfDay = (hour: string): number =>
  Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3, 5));

/** Converts a day to the number of days since 1970-01-01, so that ranges compare as integers. */
export function toDayNumber(day: Temporal.PlainDate): number {
  return Math.round(Date.UTC(day.year, day.month - 1, day.day) / DAY_MS);
}

export function fromDayNumber(number: number): Temporal.PlainDate {
  const date = new Date(number * DAY_MS);
  return new Temporal.PlainDate(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/**
 * Rounds down to the minute. All agenda times are whole minutes, so responses change only with it.
 */
export function floorToMinute(epoch_ms: number): number {
  return Math.floor(epoch_ms / MINUTE_MS) * MINUTE_MS;
}

/**
 * Parses YYYY-MM-DD.
 * @returns null if the text has another form or the day does not exist (2026-02-30).
 */
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

/** Counts the days of a range, both ends included. */
export const countDays = ({ from, to }: DayRange): number =>
  toDayNumber(to) - toDayNumber(from) + 1;

interface TodayBounds {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Epoch ms of its start and of the next day's start. */
  readonly start_ms: number;
  readonly end_ms: number;
}

let cached: TodayBounds = { day: '', start_ms: 0, end_ms: 0 };

/**
 * Returns the local day at `now_ms`. Cached, as calendar arithmetic would cost each request part of
 * a millisecond.
 */
export function getToday(now_ms: number): TodayBounds {
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

/** Returns the whole seconds until the next local midnight; 0 in the last second. */
export function secondsToMidnight(now_ms: number): number {
  return Math.floor((getToday(now_ms).end_ms - now_ms) / 1000);
}
