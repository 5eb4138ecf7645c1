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

/**
 * Computes the declination of the moon in degrees, to 0.3 degrees: the low-precision formulas of
 * the Astronomical Almanac (page D22), independent of the library.
 */
function computeMoonDeclination(epoch_ms: number): number {
  const centuries = (epoch_ms - Date.UTC(2000, 0, 1, 12)) / 86_400_000 / 36_525;
  const sine = (at_2000: number, rate: number): number =>
    Math.sin(((at_2000 + rate * centuries) * Math.PI) / 180);
  const longitude =
    218.32 +
    481_267.881 * centuries +
    6.29 * sine(135, 477_198.87) -
    1.27 * sine(259.3, -413_335.36) +
    0.66 * sine(235.7, 890_534.22) +
    0.21 * sine(269.9, 954_397.74) -
    0.19 * sine(357.5, 35_999.05) -
    0.11 * sine(186.5, 966_404.03);
  const latitude =
    5.13 * sine(93.3, 483_202.02) +
    0.28 * sine(228.2, 960_400.89) -
    0.28 * sine(318.3, 6_003.15) -
    0.17 * sine(217.6, -407_332.21);
  const [b, l, tilt] = [latitude, longitude, 23.44].map((angle) => (angle * Math.PI) / 180);
  const z = Math.cos(tilt ?? 0) * Math.sin(b ?? 0);
  const x = Math.sin(tilt ?? 0) * Math.cos(b ?? 0) * Math.sin(l ?? 0);
  return (Math.asin(z + x) * 180) / Math.PI;
}

// At latitude 70 a body stays up if its declination, of the same sign, is above 20 degrees, and
// down if it is below -20: for the sun at both solstices (23.4 degrees).
describe.each([70, -70])('at latitude %d', (lat) => {
  const place = { lat, lng: 25, time_zone: 'UTC' };
  test.each(['2026-06-21', '2026-12-21'])('the sun of %s is up or down all day', (date) => {
    const is_summer = date.includes('-06-') === lat > 0;
    expect(computeSky(day(date), place)).toMatchObject({
      sun_all_day: is_summer ? 'up' : 'down',
      sunrise_ms: null,
      sunset_ms: null,
    });
  });
  // Full moons of 2026 are on June 29 and December 24: opposite to the sun.
  test.each(['2026-06-29', '2026-12-23', '2026-06-15', '2026-12-10'])(
    'the moon of %s is up or down all day, as by its declination',
    (date) => {
      const declination = computeMoonDeclination(Date.parse(`${date}T12:00:00Z`));
      expect(Math.abs(declination)).toBeGreaterThan(23);
      expect(computeSky(day(date), place)).toMatchObject({
        moon_all_day: declination > 0 === lat > 0 ? 'up' : 'down',
        moonrise_ms: null,
        moonset_ms: null,
      });
    },
  );
  test('sun and moon rise and set at the equinox, near the quarter moon', () => {
    const sky = computeSky(day('2026-03-24'), place);
    expect([sky.sun_all_day, sky.sunrise_ms === null]).toEqual([null, false]);
  });
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

  // U.S. Naval Observatory: full on November 24, 14:53 UTC, and December 24, 01:28; new on December 9, 00:52.
  test.each([
    ['2026-11-24', '2026-11-24T09:53', '2026-12-08T19:52'],
    ['2026-11-25', '2026-12-23T20:28', '2026-12-08T19:52'],
    ['2026-12-08', '2026-12-23T20:28', '2026-12-08T19:52'],
  ])('on %s the next full moon is at %s, the next new moon at %s', (date, full, new_moon) => {
    const sky = computeSky(day(date));
    const minutes = [sky.next_full_moon_ms, sky.next_new_moon_ms].map((ms) =>
      Math.round(ms / 60_000),
    );
    const expected = [full, new_moon].map((text) => Date.parse(`${text}:00-05:00`) / 60_000);
    for (const [index, minute] of minutes.entries())
      expect(Math.abs(minute - (expected[index] ?? 0))).toBeLessThanOrEqual(1);
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
