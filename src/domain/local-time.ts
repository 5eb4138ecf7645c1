// The time of the town: instants, local days and the offset that every timestamp carries (contract 2.1).
import { Temporal } from 'temporal-polyfill';
import { TOWN } from '../town.ts';

export const TIME_ZONE = TOWN.time_zone;

/** What ends at or before this local hour is not of the day it ends on (contract 2.3). */
export const NIGHT_ENDS_HOUR = 6;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
export const MINUTES_PER_DAY = 1440;

/** Hours given to an occurrence whose end is not known (contract 2.6). */
export const UNKNOWN_END_HOURS = 3;

export function toZoned(epoch_ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epoch_ms).toZonedDateTimeISO(TIME_ZONE);
}

export function toLocalDay(epoch_ms: number): Temporal.PlainDate {
  return fromDayNumber(Math.floor((epoch_ms + getOffsetPeriod(epoch_ms).offset_ms) / DAY_MS));
}

/** Those that have been asked for, by the minute of the day: an agenda says the same few hours again and again. */
const TIMES: Temporal.PlainTime[] = [];

/** What a local clock shows at an epoch time in milliseconds. */
export function toLocalTime(epoch_ms: number): Temporal.PlainTime {
  const local_ms = epoch_ms + getOffsetPeriod(epoch_ms).offset_ms;
  if (local_ms < 0 || local_ms % MINUTE_MS !== 0) return toZoned(epoch_ms).toPlainTime();
  const minute = (local_ms % DAY_MS) / MINUTE_MS;
  TIMES[minute] ??= new Temporal.PlainTime(Math.floor(minute / 60), minute % 60);
  return TIMES[minute];
}

/** The instants between two changes of the local clocks; as the zone's data say it. */
export interface OffsetPeriod {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly offset_ms: number;
  /** `+01:00`. */
  readonly offset: string;
}

const SPANS: OffsetPeriod[] = [];
let last_span = findSpan(Date.UTC(2026, 0, 1));

function findSpan(epoch_ms: number): OffsetPeriod {
  const within = toZoned(epoch_ms);
  const span = {
    from_ms:
      within.getTimeZoneTransition('previous')?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to_ms: within.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset_ms: within.offsetNanoseconds / 1e6,
    offset: within.offset,
  };
  // Just when the clocks change, the change before is that of this very instant.
  const begins = toZoned(epoch_ms - 1).offset === within.offset ? span.from_ms : epoch_ms;
  SPANS.push({ ...span, from_ms: begins });
  return SPANS.at(-1) ?? span;
}

/** Kept: the zone's data are asked once for each. */
export function getOffsetPeriod(epoch_ms: number): OffsetPeriod {
  const isIn = ({ from_ms, to_ms }: OffsetPeriod): boolean =>
    epoch_ms >= from_ms && epoch_ms < to_ms;
  if (!isIn(last_span)) last_span = SPANS.find(isIn) ?? findSpan(epoch_ms);
  return last_span;
}

/** All offsets since a year, that of January first: `+01:00`. A month of fasting may have one of its own. */
const listOffsets = (first: number): readonly string[] => {
  const offsets = new Set<string>();
  for (let ms = Date.UTC(first, 0, 1); ms < Date.UTC(2027, 0, 1); ms = getOffsetPeriod(ms).to_ms)
    offsets.add(getOffsetPeriod(ms).offset);
  return [...offsets];
};
export const OFFSETS = listOffsets(2026);

/** `UTC−5`, `UTC+5:30`. */
export const formatUtcOffset = (offset: string): string =>
  `UTC${offset.replace('-', '−').replace(/^(.)0/, '$1').replace(/:00$/, '')}`;

const toPattern = (offsets: readonly string[]): string => {
  const escaped = offsets.map((offset) => offset.replace('+', '\\+')).join('|');
  return offsets.length === 1 ? escaped : `(${escaped})`;
};
/** What the offset of a timestamp may be, as a regular expression. */
export const OFFSET_PATTERN = toPattern(OFFSETS);
/** The same of one that may be some years past: since then a town may have ceased to change its clocks. */
export const PAST_OFFSET_PATTERN = toPattern(listOffsets(2016));

/** From here on a year has more than four digits. */
const LAST_YEAR_MS = Date.UTC(9999, 0, 1);

/**
 * The epoch milliseconds of a local moment: the earlier one where it is there twice; where clocks leap over it, as
 * long after the leap as it is after the leap's beginning.
 */
export function toEpochMs(moment: Temporal.PlainDateTime): number {
  const { year, month, day, hour, minute, second, millisecond } = moment;
  // `Date.UTC` reads a year below 100 as one of our century.
  return year > 99
    ? fromLocalMs(Date.UTC(year, month - 1, day, hour, minute, second, millisecond))
    : moment.toZonedDateTime(TIME_ZONE).epochMilliseconds;
}

/** No clock is set so far at once. */
const MAX_LEAP_MS = DAY_MS;

/** The same for a local moment as if it were one of UTC. */
function fromLocalMs(local_ms: number): number {
  const before = getOffsetPeriod(local_ms - MAX_LEAP_MS);
  const first_ms = local_ms - before.offset_ms;
  if (first_ms < before.to_ms) return first_ms;
  const after = getOffsetPeriod(local_ms + MAX_LEAP_MS);
  const second_ms = local_ms - after.offset_ms;
  return second_ms >= after.from_ms ? second_ms : first_ms;
}

/** `2026-11-21T20:00:00+01:00`: the only way a timestamp is written. */
export function formatTimestamp(epoch_ms: number): string {
  const { offset_ms, offset } = getOffsetPeriod(epoch_ms);
  return epoch_ms < LAST_YEAR_MS
    ? `${new Date(epoch_ms + offset_ms).toISOString().slice(0, 19)}${offset}`
    : toZoned(epoch_ms).toString({ smallestUnit: 'second', timeZoneName: 'never' });
}

/** Of two timestamps: as text those of the hour that is there twice do not sort. */
export const isLater = (one: string, other: string): boolean => Date.parse(one) > Date.parse(other);

export function startOfDayMs(day: Temporal.PlainDate): number {
  return toEpochMs(day.toPlainDateTime());
}

/** The epoch milliseconds of so many minutes after the midnight that begins a day; as clocks show it. */
export const epochMsAt = (day_number: number, minutes: number): number =>
  fromLocalMs(day_number * DAY_MS + minutes * MINUTE_MS);

/** `19:30`, or a text that begins so, as minutes after midnight. */
export const parseMinutesOfDay = (hour: string): number =>
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

interface TodayBounds {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** Epoch ms at which it begins, and at which the next one does. */
  readonly start_ms: number;
  readonly end_ms: number;
}

let cached: TodayBounds = { day: '', start_ms: 0, end_ms: 0 };

/** What "today" means at `now_ms`. Kept: calendars cost a good part of a millisecond, requests are many. */
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

/** Whole seconds until the next local midnight; 0 in the last one. */
export function secondsToMidnight(now_ms: number): number {
  return Math.floor((getToday(now_ms).end_ms - now_ms) / 1000);
}
