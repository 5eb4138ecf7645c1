// Sky: computed times compared with published tables, to the minute.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  type GeoLocation,
  computeClearSkyUvIndex,
  computeSky,
  getUvBand,
} from '../../../src/domain/day/sky.ts';

/** The tables round to the minute: half a minute, plus ten seconds for a different atmosphere model. */
const TOLERANCE_MS = 40_000;
const FREDONIA: GeoLocation = { lat: 36.95, lng: -112.52, time_zone: 'America/Phoenix' };
const CANCUN: GeoLocation = { lat: 21.17, lng: -86.85, time_zone: 'America/Cancun' };
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

// Fredonia: U.S. Naval Observatory, tables of 2023 (aa.usno.navy.mil). Cancún: timezone.io.
test.each([
  ['2023-05-10', FREDONIA, '05:27 19:27 00:15 09:38'],
  ['2023-09-23', FREDONIA, '06:19 18:26 15:01 none'],
  ['2023-12-21', FREDONIA, '07:39 17:17 13:36 02:07'],
  ['2026-06-01', CANCUN, '06:05 19:25'],
])('sun and moon rise and set on %s over %j at %s', (date, place, clocks) => {
  const { sunrise_ms, sunset_ms, moonrise_ms, moonset_ms } = computeSky(day(date), place);
  const times = [sunrise_ms, sunset_ms, moonrise_ms, moonset_ms];
  for (const [at, clock] of clocks.split(' ').entries()) {
    const time_ms = times[at] ?? null;
    if (clock === 'none') expect(time_ms).toBeNull();
    else {
      const published = day(date).toZonedDateTime({
        timeZone: place.time_zone,
        plainTime: clock,
      });
      const error_ms = Math.abs((time_ms ?? 0) - published.epochMilliseconds);
      expect(error_ms, clock).toBeLessThan(TOLERANCE_MS);
    }
  }
});

describe('in Cancún', () => {
  // Phases of 2026 in UTC, U.S. Naval Observatory: full on March 3, 11:38, new on February 17, 12:01.
  test('the moon has its eight phases in order', () => {
    const full = { moon_phase: 'full', moon_lit_percent: 100 };
    expect(computeSky(day('2026-03-03'))).toMatchObject(full);
    const month = Array.from({ length: 29 }, (_, days) => day('2026-02-17').add({ days }));
    const names = month.map((date) => computeSky(date).moon_phase);
    expect([...new Set(names)].join(' ')).toBe(
      'new waxing_crescent first_quarter waxing_gibbous full waning_gibbous last_quarter waning_crescent',
    );
  });

  test('the UV index is highest in summer, and 0 with the sun below the horizon', () => {
    const bands = ['2026-06-21', '2026-12-21'].map((date) => computeSky(day(date)).uv_band);
    expect([...bands, computeClearSkyUvIndex(-10)]).toEqual(['extreme', 'high', 0]);
  });
});

test('the bands of the UV index are those of the WHO', () => {
  expect([0, 2, 3, 5, 6, 7, 8, 10, 11].map(getUvBand).join(' ')).toBe(
    'low low moderate moderate high high very_high very_high extreme',
  );
});
