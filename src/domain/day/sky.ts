// Sky: computes sun, twilight, moon and the clear-sky UV index of a place on a day from the
// positions of sun and moon, without any forecast.
import {
  Body,
  Equator,
  Horizon,
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

/** A place, by default the town; degrees WGS 84, and IANA time zone. */
export interface GeoLocation {
  readonly lat: number;
  readonly lng: number;
  readonly time_zone: string;
}

const TOWN_LOCATION: GeoLocation = { ...TOWN.sky, time_zone: TIME_ZONE };

/** In order, from new moon to new moon. */
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

/** The WHO's bands of the UV index: 0-2, 3-5, 6-7, 8-10, 11 and more. */
export const UV_BANDS = ['low', 'moderate', 'high', 'very_high', 'extreme'] as const;
type UvBand = (typeof UV_BANDS)[number];

/** A body that neither rises nor sets on a day is above or below the horizon all day. */
export const ALL_DAY_POSITIONS = ['up', 'down'] as const;
type AllDayPosition = (typeof ALL_DAY_POSITIONS)[number];

/** Times are epoch milliseconds, null if the day has none. */
export interface Sky {
  /** `up` in midnight sun, `down` in the polar night; null if the sun rises or sets. */
  readonly sun_all_day: AllDayPosition | null;
  readonly sunrise_ms: number | null;
  readonly sunset_ms: number | null;
  /**
   * The sun is six degrees below the horizon in the evening; from then on, artificial light is
   * needed.
   */
  readonly civil_dusk_ms: number | null;
  readonly moon_phase: MoonPhaseName;
  /** Illuminated part of the moon, 0 to 100. */
  readonly moon_lit_percent: number;
  /** Null if the moon rises or sets. */
  readonly moon_all_day: AllDayPosition | null;
  readonly moonrise_ms: number | null;
  readonly moonset_ms: number | null;
  /** The first ones from the beginning of the day. */
  readonly next_full_moon_ms: number;
  readonly next_new_moon_ms: number;
  /** At the sun's highest point, with a clear sky. */
  readonly uv_index: number;
  readonly uv_band: UvBand;
}

/** Estimates the annual mean of ozone in Dobson units: 275 in the tropics, 330 at 40 degrees. */
const estimateOzone = (lat: number): number => 275 + 3 * Math.max(0, Math.abs(lat) - 22);

/**
 * Computes the UV index under a clear sky from the sun's zenith angle and the ozone column
 * (Madronich, Photochemistry and Photobiology 83, 2007).
 */
export function computeClearSkyUvIndex(sun_altitude_degrees: number, lat = 0): number {
  const cosine = Math.max(0, Math.sin((sun_altitude_degrees * Math.PI) / 180));
  return Math.round(12.5 * cosine ** 2.42 * (estimateOzone(lat) / 300) ** -1.23);
}

/** Returns the band of a UV index, one of UV_BANDS. */
export function getUvBand(index: number): UvBand {
  if (index >= 11) return 'extreme';
  if (index >= 8) return 'very_high';
  if (index >= 6) return 'high';
  return index >= 3 ? 'moderate' : 'low';
}

/** Computes the sky of a day, from local midnight to the next one. */
export function computeSky(day: Temporal.PlainDate, place: GeoLocation = TOWN_LOCATION): Sky {
  const midnight_ms = day.toZonedDateTime(place.time_zone).epochMilliseconds;
  const next_midnight_ms = day.add({ days: 1 }).toZonedDateTime(place.time_zone).epochMilliseconds;
  const observer = new Observer(place.lat, place.lng, 0);
  const start = MakeTime(new Date(midnight_ms));
  const limit_days = (next_midnight_ms - midnight_ms) / 86_400_000;
  const toMs = (time: { readonly date: Date } | null): number | null =>
    time === null ? null : time.date.getTime();
  const findRiseAndSet = (body: Body) => {
    const rise_ms = toMs(SearchRiseSet(body, observer, RISING, start, limit_days));
    const set_ms = toMs(SearchRiseSet(body, observer, SETTING, start, limit_days));
    if (rise_ms !== null || set_ms !== null) return { rise_ms, set_ms, all_day: null };
    const { ra, dec } = Equator(body, start, observer, true, true);
    const { altitude } = Horizon(start, observer, ra, dec, 'normal');
    return { rise_ms, set_ms, all_day: altitude > 0 ? 'up' : 'down' } as const;
  };
  const sun = findRiseAndSet(Body.Sun);
  const moon = findRiseAndSet(Body.Moon);
  const noon = SearchHourAngle(Body.Sun, observer, 0, start);
  const uv_index = computeClearSkyUvIndex(noon.hor.altitude, place.lat);
  return {
    sun_all_day: sun.all_day,
    sunrise_ms: sun.rise_ms,
    sunset_ms: sun.set_ms,
    civil_dusk_ms: toMs(SearchAltitude(Body.Sun, observer, SETTING, start, limit_days, -6)),
    moon_phase: computeMoonPhase(midnight_ms, next_midnight_ms),
    moon_lit_percent: Math.round(Illumination(Body.Moon, noon.time).phase_fraction * 100),
    moon_all_day: moon.all_day,
    moonrise_ms: moon.rise_ms,
    moonset_ms: moon.set_ms,
    next_full_moon_ms: findMoonPhase(FULL_MOON, midnight_ms),
    next_new_moon_ms: findMoonPhase(NEW_MOON, midnight_ms),
    uv_index,
    uv_band: getUvBand(uv_index),
  };
}

/** Directions for the search of rise and set. */
const RISING = 1;
const SETTING = -1;
/** The four principal phases by ecliptic longitude. */
const QUARTERS = [
  [0, 'new'],
  [90, 'first_quarter'],
  [180, 'full'],
  [270, 'last_quarter'],
] as const;

/** Ecliptic longitudes of the moon from the sun. */
const NEW_MOON = 0;
const FULL_MOON = 180;
/** A phase returns after at most 29.9 days. */
const MONTH_DAYS = 31;

/** Returns the first time of a phase from an instant on. @throws if the search fails. */
function findMoonPhase(longitude: number, from_ms: number): number {
  const time = SearchMoonPhase(longitude, MakeTime(new Date(from_ms)), MONTH_DAYS);
  if (time === null) throw new Error(`no moon of ${longitude} degrees within a month`);
  return time.date.getTime();
}

/**
 * Returns the principal phase that falls on the day, or else the phase between the two nearest
 * ones.
 */
function computeMoonPhase(midnight_ms: number, next_midnight_ms: number): MoonPhaseName {
  const start = MakeTime(new Date(midnight_ms));
  for (const [longitude, name] of QUARTERS) {
    const time = SearchMoonPhase(longitude, start, (next_midnight_ms - midnight_ms) / 86_400_000);
    if (time !== null && time.date.getTime() < next_midnight_ms) return name;
  }
  const between = (
    ['waxing_crescent', 'waxing_gibbous', 'waning_gibbous', 'waning_crescent'] as const
  )[Math.floor(MoonPhase(start) / 90) % 4];
  return between ?? 'waning_crescent';
}
