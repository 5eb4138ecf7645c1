// The sky against tables that others have published, to the minute.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { type SkyPlace, toClearSkyUv, toSky, toUvBand } from '../../../src/domain/day/sky.ts';

/** A table rounds to the minute: half of one, and ten seconds for another model of the air. */
const TOLERANCE_MS = 40_000;

/** Seconds from a published clock time to a moment; null where both say that there is none. */
function toDistance(epoch_ms: number | null, day: string, clock: string, place: SkyPlace): number {
  if (epoch_ms === null || clock === 'none')
    return clock === 'none' && epoch_ms === null ? 0 : Number.POSITIVE_INFINITY;
  const said = Temporal.PlainDateTime.from(`${day}T${clock}`).toZonedDateTime(place.time_zone);
  return Math.abs(epoch_ms - said.epochMilliseconds);
}

/** The year's tables of the U.S. Naval Observatory for Fredonia, Arizona, 2023 (aa.usno.navy.mil). */
const FREDONIA: SkyPlace = { lat: 36.95, lng: -112.52, time_zone: 'America/Phoenix' };
const CANCUN: SkyPlace = { lat: 21.17, lng: -86.85, time_zone: 'America/Cancun' };

describe('sun and moon rise and set as the U.S. Naval Observatory says', () => {
  test.each([
    ['2023-01-01', '07:43', '17:24', '13:42', '02:57'],
    ['2023-03-20', '06:34', '18:42', '06:17', '17:47'],
    ['2023-05-10', '05:27', '19:27', '00:15', '09:38'],
    ['2023-06-21', '05:11', '19:53', '08:07', '22:55'],
    ['2023-09-23', '06:19', '18:26', '15:01', 'none'],
    ['2023-12-21', '07:39', '17:17', '13:36', '02:07'],
  ])(
    '%s: sun %s to %s, moon up at %s and down at %s',
    (day, sunrise, sunset, moonrise, moonset) => {
      const sky = toSky(Temporal.PlainDate.from(day), FREDONIA);
      for (const [moment, clock] of [
        [sky.sunrise_ms, sunrise],
        [sky.sunset_ms, sunset],
        [sky.moonrise_ms, moonrise],
        [sky.moonset_ms, moonset],
      ] as const)
        expect(toDistance(moment, day, clock, FREDONIA), clock).toBeLessThan(TOLERANCE_MS);
    },
  );

  test('and over Cancún as a clock of the world says (timezone.io, 1 June 2026)', () => {
    const { sunrise_ms, sunset_ms } = toSky(Temporal.PlainDate.from('2026-06-01'), CANCUN);
    expect(toDistance(sunrise_ms, '2026-06-01', '06:05', CANCUN)).toBeLessThan(TOLERANCE_MS);
    expect(toDistance(sunset_ms, '2026-06-01', '19:25', CANCUN)).toBeLessThan(TOLERANCE_MS);
  });
});

describe('the day in Cancún', () => {
  // Phases of 2026 in UTC, U.S. Naval Observatory: full 3 March 11:38, new 17 February 12:01.
  test.each([
    ['2026-03-03', 'full', 100],
    ['2026-02-17', 'new', 0],
  ] as const)('of %s has a %s moon', (day, phase, lit) => {
    const sky = toSky(Temporal.PlainDate.from(day));
    expect([sky.moon_phase, sky.moon_lit_percent]).toEqual([phase, lit]);
  });

  test('goes through the eight phases in their order', () => {
    const from = Temporal.PlainDate.from('2026-02-17');
    const names = Array.from({ length: 29 }, (_, at) => toSky(from.add({ days: at })).moon_phase);
    expect([...new Set(names)]).toEqual([
      'new',
      'waxing_crescent',
      'first_quarter',
      'waxing_gibbous',
      'full',
      'waning_gibbous',
      'last_quarter',
      'waning_crescent',
    ]);
  });

  test('is dusk some twenty minutes after sunset, all the year', () => {
    for (
      let day = Temporal.PlainDate.from('2026-01-01');
      day.year === 2026;
      day = day.add({ days: 10 })
    ) {
      const { sunset_ms, civil_dusk_ms } = toSky(day);
      const minutes = ((civil_dusk_ms ?? 0) - (sunset_ms ?? 0)) / 60_000;
      expect(minutes, day.toString()).toBeGreaterThan(20);
      expect(minutes, day.toString()).toBeLessThan(26);
    }
  });

  test('burns most in summer: extreme in June, high in December', () => {
    expect(toSky(Temporal.PlainDate.from('2026-06-21')).uv_band).toBe('extreme');
    expect(toSky(Temporal.PlainDate.from('2026-12-21')).uv_band).toBe('high');
  });
});

test.each([
  [0, 'low'],
  [2, 'low'],
  [3, 'moderate'],
  [6, 'high'],
  [8, 'very_high'],
  [10, 'very_high'],
  [11, 'extreme'],
] as const)('a UV index of %d is %s (WHO)', (index, band) => {
  expect(toUvBand(index)).toBe(band);
});

test('a sun below the horizon does not burn', () => {
  expect(toClearSkyUv(-10)).toBe(0);
});
