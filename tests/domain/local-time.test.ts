// The short way to an instant and its timestamp says what the zone's data say.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  formatTimestamp,
  fromDayNumber,
  startOfDayMs,
  toLocalDay,
  toLocalTime,
  toDayNumber,
  toEpochMs,
  toEpochMsOf,
  ZONE,
} from '../../src/domain/local-time.ts';

/** The clocks of Cancún were last moved in 2015: both sides of it, to the minute. */
const LAST_CHANGE_MS = Date.UTC(2015, 1, 1, 8);
const DAY_MS = 86_400_000;

const instant = fc.oneof(
  fc.integer({ min: Date.UTC(1960, 0, 1), max: Date.UTC(9990, 0, 1) }),
  fc.integer({ min: LAST_CHANGE_MS - DAY_MS, max: LAST_CHANGE_MS + DAY_MS }),
);
const toZoned = (epoch_ms: number): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(epoch_ms).toZonedDateTimeISO(ZONE);
const toMs = (local: Temporal.PlainDateTime): number =>
  local.toZonedDateTime(ZONE).epochMilliseconds;

test('timestamps, clocks, days and local moments agree with Temporal', () => {
  fc.assert(
    fc.property(instant, (epoch_ms) => {
      const zoned = toZoned(epoch_ms);
      expect(formatTimestamp(epoch_ms)).toBe(
        zoned.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
      );
      for (const ms of [epoch_ms, Math.floor(epoch_ms / 60_000) * 60_000])
        expect(`${toLocalTime(ms)}`).toBe(`${toZoned(ms).toPlainTime()}`);

      const local = zoned.toPlainDateTime();
      const day = local.toPlainDate();
      const number = toDayNumber(day);
      expect(toEpochMs(local)).toBe(toMs(local));
      expect(startOfDayMs(day)).toBe(toMs(day.toPlainDateTime()));
      expect(`${toLocalDay(epoch_ms)} ${fromDayNumber(number)}`).toBe(`${day} ${day}`);

      const minutes = local.hour * 60 + local.minute;
      const moment_ms = toMs(local.round({ smallestUnit: 'minute', roundingMode: 'trunc' }));
      expect(toEpochMsOf(number, minutes)).toBe(moment_ms);
      expect(toEpochMsOf(number - 1, minutes + 1440)).toBe(moment_ms);
    }),
    { numRuns: 2_000 },
  );
});
