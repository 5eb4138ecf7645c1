// The sky over a place on a day: sun, twilight, moon and how strong a clear sky burns. Computed from
// the positions of sun and moon, never looked up or guessed.
import {
  Body,
  Illumination,
  MakeTime,
  MoonPhase,
  Observer,
  SearchAltitude,
  SearchHourAngle,
  SearchMoonPhase,
  SearchRiseSet,
} from 'astronomy-engine';
import type { Temporal } from 'temporal-polyfill';
import { TOWN } from '../../town.ts';
import { TIME_ZONE } from '../local-time.ts';

export interface GeoLocation {
  readonly lat: number;
  readonly lng: number;
  readonly time_zone: string;
}

const SKY_PLACE: GeoLocation = { ...TOWN.sky, time_zone: TIME_ZONE };

/** In the order of a month, from new moon to new moon. */
export const MOON_PHASES = [
  'new',
  'waxing_crescent',
  'first_quarter',
  'waxing_gibbous',
  'full',
  'waning_gibbous',
  'last_quarter',
  'waning_crescent',
] as const;
type MoonPhaseName = (typeof MOON_PHASES)[number];

/** WHO's bands of the UV index: 0-2, 3-5, 6-7, 8-10, 11 and more. */
export const UV_BANDS = ['low', 'moderate', 'high', 'very_high', 'extreme'] as const;
type UvBand = (typeof UV_BANDS)[number];

/** Moments are epoch milliseconds; null if that day has none. */
export interface Sky {
  readonly sunrise_ms: number | null;
  readonly sunset_ms: number | null;
  /** The sun six degrees below the horizon in the evening: from then on lamps are needed. */
  readonly civil_dusk_ms: number | null;
  readonly moon_phase: MoonPhaseName;
  readonly moon_lit_percent: number;
  readonly moonrise_ms: number | null;
  readonly moonset_ms: number | null;
  /** At the highest sun under a sky without clouds. */
  readonly uv_index: number;
  readonly uv_band: UvBand;
}

/** Dobson units, about the mean of a year: 275 in the tropics, 330 over 40 degrees. */
const toOzone = (lat: number): number => 275 + 3 * Math.max(0, Math.abs(lat) - 22);

/**
 * The UV index under a clear sky (Madronich, Photochemistry and Photobiology 83, 2007): the cosine
 * of the sun's distance from the zenith and the ozone above.
 */
export function computeClearSkyUvIndex(sun_altitude_degrees: number, lat = 0): number {
  const cosine = Math.max(0, Math.sin((sun_altitude_degrees * Math.PI) / 180));
  return Math.round(12.5 * cosine ** 2.42 * (toOzone(lat) / 300) ** -1.23);
}

export function getUvBand(index: number): UvBand {
  if (index >= 11) return 'extreme';
  if (index >= 8) return 'very_high';
  if (index >= 6) return 'high';
  return index >= 3 ? 'moderate' : 'low';
}

/** The sky of a day, from its midnight to the next one at the place. */
export function computeSky(day: Temporal.PlainDate, place: GeoLocation = SKY_PLACE): Sky {
  const from_ms = day.toZonedDateTime(place.time_zone).epochMilliseconds;
  const until_ms = day.add({ days: 1 }).toZonedDateTime(place.time_zone).epochMilliseconds;
  const observer = new Observer(place.lat, place.lng, 0);
  const start = MakeTime(new Date(from_ms));
  const limit_days = (until_ms - from_ms) / 86_400_000;
  const toMs = (found: { readonly date: Date } | null): number | null =>
    found === null ? null : found.date.getTime();
  const rise = (body: Body): number | null =>
    toMs(SearchRiseSet(body, observer, RISING, start, limit_days));
  const set = (body: Body): number | null =>
    toMs(SearchRiseSet(body, observer, SETTING, start, limit_days));
  const noon = SearchHourAngle(Body.Sun, observer, 0, start);
  const uv_index = computeClearSkyUvIndex(noon.hor.altitude, place.lat);
  return {
    sunrise_ms: rise(Body.Sun),
    sunset_ms: set(Body.Sun),
    civil_dusk_ms: toMs(SearchAltitude(Body.Sun, observer, SETTING, start, limit_days, -6)),
    moon_phase: toPhaseName(from_ms, until_ms),
    moon_lit_percent: Math.round(Illumination(Body.Moon, noon.time).phase_fraction * 100),
    moonrise_ms: rise(Body.Moon),
    moonset_ms: set(Body.Moon),
    uv_index,
    uv_band: getUvBand(uv_index),
  };
}

const RISING = 1;
const SETTING = -1;
/** The four moments that give their day its name, by ecliptic longitude. */
const QUARTERS = [
  [0, 'new'],
  [90, 'first_quarter'],
  [180, 'full'],
  [270, 'last_quarter'],
] as const;

/** A day on which a quarter falls is called after it; every other one after what lies between. */
function toPhaseName(from_ms: number, until_ms: number): MoonPhaseName {
  const start = MakeTime(new Date(from_ms));
  for (const [longitude, name] of QUARTERS) {
    const moment = SearchMoonPhase(longitude, start, (until_ms - from_ms) / 86_400_000);
    if (moment !== null && moment.date.getTime() < until_ms) return name;
  }
  const between = (
    ['waxing_crescent', 'waxing_gibbous', 'waning_gibbous', 'waning_crescent'] as const
  )[Math.floor(MoonPhase(start) / 90) % 4];
  return between ?? 'waning_crescent';
}
