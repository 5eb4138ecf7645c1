// The short way to an instant and its timestamp says what the zone's data say, whenever it is.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  formatTimestamp,
  fromDayNumber,
  startOfDayMs,
  toCancunDay,
  toCancunTime,
  toDayNumber,
  toEpochMs,
  toEpochMsOf,
  ZONE,
} from '../../src/domain/cancun-time.ts';

const FIRST_MS = Date.UTC(1960, 0, 1);
const LAST_MS = Date.UTC(9990, 0, 1);
/** The clocks of Cancún were last moved in 2015: both sides of it, to the minute. */
const LAST_CHANGE_MS = Date.UTC(2015, 1, 1, 8);
const DAY_MS = 86_400_000;

const instant = fc.oneof(
  fc.integer({ min: FIRST_MS, max: LAST_MS }),
  fc.integer({ min: LAST_CHANGE_MS - DAY_MS, max: LAST_CHANGE_MS + DAY_MS }),
);
const toZoned = (epoch_ms: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(epoch_ms).toZonedDateTimeISO(ZONE);

test('a timestamp', () => {
  fc.assert(
    fc.property(instant, (epoch_ms) => {
      const written = toZoned(epoch_ms).toString({
        smallestUnit: 'second',
        timeZoneName: 'never',
      });
      expect(formatTimestamp(epoch_ms)).toBe(written);
    }),
    { numRuns: 2_000 },
  );
});

test('what a clock shows, at whole minutes and between them', () => {
  fc.assert(
    fc.property(instant, (epoch_ms) => {
      for (const ms of [epoch_ms, Math.floor(epoch_ms / 60_000) * 60_000])
        expect(`${toCancunTime(ms)}`).toBe(`${toZoned(ms).toPlainTime()}`);
    }),
    { numRuns: 2_000 },
  );
});

test('the instant of a local moment, and of the beginning of its day', () => {
  fc.assert(
    fc.property(instant, (epoch_ms) => {
      const local = toZoned(epoch_ms).toPlainDateTime();
      expect(toEpochMs(local)).toBe(local.toZonedDateTime(ZONE).epochMilliseconds);
      const day = local.toPlainDate();
      expect(startOfDayMs(day)).toBe(day.toZonedDateTime(ZONE).epochMilliseconds);
      expect([toCancunDay(epoch_ms), fromDayNumber(toDayNumber(day))].map(String)).toEqual([
        `${day}`,
        `${day}`,
      ]);
      const minutes = local.hour * 60 + local.minute;
      const moment = local.round({ smallestUnit: 'minute', roundingMode: 'trunc' });
      const before = toDayNumber(day) - 1;
      for (const written of [toEpochMsOf(before + 1, minutes), toEpochMsOf(before, minutes + 1440)])
        expect(written).toBe(moment.toZonedDateTime(ZONE).epochMilliseconds);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['0001-01-01', '0026-11-21', '9999-12-31'])('the day %s', (text) => {
  const day = Temporal.PlainDate.from(text);
  expect(startOfDayMs(day)).toBe(day.toZonedDateTime(ZONE).epochMilliseconds);
});
