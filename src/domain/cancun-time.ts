// Time in Cancún: instants, local days and the offset that every timestamp carries (contract 2.1).
import { Temporal } from 'temporal-polyfill';

export const ZONE = 'America/Cancun';

/**
 * An occurrence that ends at or before this local hour does not belong to the day it ends on
 * (contract 2.3).
 */
export const NIGHT_ENDS_HOUR = 6;

/** Hours given to an occurrence whose end is not known (contract 2.6). */
export const UNKNOWN_END_HOURS = 3;

/** The local moment of an epoch time in milliseconds. */
export function toCancun(epoch_ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epoch_ms).toZonedDateTimeISO(ZONE);
}

/** The Cancún day of an epoch time in milliseconds. */
export function toCancunDay(epoch_ms: number): Temporal.PlainDate {
  return toCancun(epoch_ms).toPlainDate();
}

/** `2026-11-21T20:00:00-05:00`: the only way a timestamp is written. */
export function toTimestamp(moment: Temporal.ZonedDateTime): string {
  return moment.toString({ smallestUnit: 'second', timeZoneName: 'never' });
}

/** The timestamp of an epoch time in milliseconds, in Cancún. */
export function formatTimestamp(epoch_ms: number): string {
  return toTimestamp(toCancun(epoch_ms));
}

/** The epoch milliseconds at which a local day begins. */
export function startOfDayMs(day: Temporal.PlainDate): number {
  return day.toZonedDateTime(ZONE).epochMilliseconds;
}

/**
 * Days since 1970-01-01: a day as one small integer, so that ranges are compared without objects.
 */
export function toDayNumber(day: Temporal.PlainDate): number {
  return Math.round(Date.UTC(day.year, day.month - 1, day.day) / 86_400_000);
}

/** The day of a day number; the inverse of toDayNumber. */
export function fromDayNumber(number: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(number * 86_400_000)
    .toZonedDateTimeISO('UTC')
    .toPlainDate();
}

/**
 * The whole minute of an instant: all our times are whole minutes, so answers only change when this
 * does.
 */
export function floorToMinute(epoch_ms: number): number {
  return Math.floor(epoch_ms / 60_000) * 60_000;
}

/**
 * A day written YYYY-MM-DD, or null where the text is not one or no such day exists (2026-02-30).
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
