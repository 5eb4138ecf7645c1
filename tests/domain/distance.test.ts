// Distance: great-circle distances, the point of a venue, and the radius of a search.
import { expect, test } from 'vitest';
import {
  computeDistanceKm,
  findPoint,
  greatCircleKm,
  isWithinRadius,
  type Locatable,
} from '../../src/domain/distance.ts';

const UNLOCATED = { lat: null, lng: null, coordinates: null, zone_lat: null, zone_lng: null };
const venueAt = (lat: number, lng: number): Locatable => ({
  ...UNLOCATED,
  ...{ lat, lng, coordinates: 'venue' },
});

test.each([
  [0, 0, 0, 0, 0],
  // A quarter and half of the circumference of a sphere with a radius of 6,371.0088 km.
  [0, 0, 0, 90, 10_007.557],
  [90, 0, -90, 0, 20_015.115],
  // One degree of longitude shrinks with the latitude.
  [0, 0, 0, 1, 111.195],
  [60, 0, 60, 1, 55.595],
  // The short way across the antimeridian.
  [0, 179.5, 0, -179.5, 111.195],
])('from %d,%d to %d,%d are %d km', (lat_a, lng_a, lat_b, lng_b, km) => {
  expect(greatCircleKm(lat_a, lng_a, lat_b, lng_b)).toBeCloseTo(km, 2);
});

test.each<[Partial<Locatable>, string | null]>([
  [{ coordinates: 'venue', lat: 1, lng: 2, zone_lat: 3, zone_lng: 4 }, '1,2'],
  [{ coordinates: 'zone', lat: 1, lng: 2, zone_lat: 3, zone_lng: 4 }, '3,4'],
  [{ coordinates: null, lat: 1, lng: 2 }, null],
  [{ coordinates: 'venue', lat: 1 }, null],
])('the point of %j is %s', (venue, expected) => {
  const point = findPoint({ ...UNLOCATED, ...venue });
  expect(point && `${point.lat},${point.lng}`).toBe(expected);
});

const NEAR = { lat: 21, lng: -86, radius_km: 5 };

test('rounds a distance to ten meters, and has none without a location', () => {
  expect(computeDistanceKm(NEAR, venueAt(21.01234, -86))).toBe(1.37);
  expect(computeDistanceKm(NEAR, UNLOCATED)).toBeNull();
  expect(computeDistanceKm(NEAR, null)).toBeNull();
});

/** Degrees of 5 km along a meridian. */
const FIVE_KM = 5 / 111.19508;
test.each([
  ['just inside, north', 21 + FIVE_KM * 0.9999, -86, true],
  ['just outside, north', 21 + FIVE_KM * 1.0001, -86, false],
  ['just inside, south', 21 - FIVE_KM * 0.9999, -86, true],
  ['just outside, south', 21 - FIVE_KM * 1.0001, -86, false],
  ['just inside, east', 21, -86 + (FIVE_KM * 0.9999) / Math.cos((21 * Math.PI) / 180), true],
  ['just outside, east', 21, -86 + (FIVE_KM * 1.0001) / Math.cos((21 * Math.PI) / 180), false],
])('a venue %s of the radius is found: %s', (_, lat, lng, expected) => {
  expect(isWithinRadius(NEAR, venueAt(lat, lng))).toBe(expected);
});

test('a venue without a location is outside of every radius', () => {
  expect(isWithinRadius({ ...NEAR, radius_km: 100_000 }, UNLOCATED)).toBe(false);
});
