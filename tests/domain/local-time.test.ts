// Local time: the fast conversions agree with Temporal.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { useOtherTown } from '../fixtures/other-town.ts';
const DAY_MS = 86_400_000;

/** Each time zone with a clock change, tested to the minute on both sides. */
describe.each([
  ['America/Cancun', Date.UTC(2015, 1, 1, 8)],
  ['Europe/Madrid', Date.UTC(2026, 2, 29, 1)],
  ['America/Los_Angeles', Date.UTC(2026, 10, 1, 9)],
  ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15)],
  ['America/Santiago', Date.UTC(2026, 8, 6, 4)],
])('in %s', async (time_zone, change_ms) => {
  useOtherTown({ time_zone });
  const { TIME_ZONE, ...local_time } = await import('../../src/domain/local-time.ts');
  const { formatTimestamp, fromDayNumber, startOfDayMs, toLocalDay, toLocalTime } = local_time;
  const { toDayNumber, toEpochMs, epochMsAt } = local_time;
  const instant = fc.oneof(
    fc.integer({ min: Date.UTC(1960, 0, 1), max: Date.UTC(2040, 0, 1) }),
    fc.integer({ min: Date.UTC(2040, 0, 1), max: Date.UTC(9990, 0, 1) }),
    fc.integer({ min: change_ms - DAY_MS, max: change_ms + DAY_MS }),
  );
  const toZoned = (epoch_ms: number): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(epoch_ms).toZonedDateTimeISO(TIME_ZONE);
  const toMs = (local: Temporal.PlainDateTime): number =>
    local.toZonedDateTime(TIME_ZONE).epochMilliseconds;

  test('timestamps, clocks, days and local moments agree with Temporal', () => {
    expect(TIME_ZONE).toBe(time_zone);
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
        expect(epochMsAt(number, minutes)).toBe(moment_ms);
        expect(epochMsAt(number - 1, minutes + 1440)).toBe(moment_ms);
      }),
      { numRuns: 500 },
    );
  });
});
