// Where points of this coast stand on the drawn map.
import { describe, expect, test } from 'vitest';
import {
  BOULEVARD,
  type Coordinates,
  ISLAND,
  KILOMETRES,
  LAGOON,
  MAP_SIZE,
  SHORE,
  toMapPoint,
  toMapSpot,
  ZONE_PLACES,
} from '../../src/domain/coast.ts';

const at = (point: Coordinates) => {
  const found = toMapPoint(point);
  if (!found) throw new Error(`${point} is not on the map`);
  return found;
};

describe('a point on the map', () => {
  test('north is up and east is right', () => {
    const [juarez, punta_cancun, morelos] = [
      at([21.187, -86.806]),
      at([21.137, -86.7415]),
      at([20.853, -86.872]),
    ];
    expect(juarez.y).toBeLessThan(punta_cancun.y);
    expect(punta_cancun.y).toBeLessThan(morelos.y);
    expect(morelos.x).toBeLessThan(juarez.x);
    expect(juarez.x).toBeLessThan(punta_cancun.x);
  });

  test('in Cancún a kilometre is as long across as down, within 2 %', () => {
    const km_down = (at([21.1, -86.8]).y - at([21.2, -86.8]).y) / (0.1 * 110.7);
    const km_across =
      (at([21.15, -86.7]).x - at([21.15, -86.8]).x) /
      (0.1 * 111.3 * Math.cos((21.15 / 180) * Math.PI));
    expect(Math.abs(km_down / km_across - 1)).toBeLessThan(0.02);
  });

  test('the corners are the edges, and what lies beyond is not on it', () => {
    expect(toMapPoint([21.29, -86.955])).toEqual({ x: 0, y: 0 });
    expect(toMapPoint([20.81, -86.665])).toEqual({ x: MAP_SIZE.width, y: MAP_SIZE.height });
    for (const beyond of [
      [21.2901, -86.8],
      [20.8099, -86.8],
      [21.1, -86.9551],
      [21.1, -86.6649],
      [Number.NaN, -86.8],
      [21.1, Number.NaN],
    ] as const)
      expect(toMapPoint(beyond)).toBe(null);
  });

  test('every point that is drawn lies on it', () => {
    const drawn = [
      ...[SHORE, LAGOON, ISLAND, BOULEVARD].flat(),
      ...KILOMETRES.map(([, point]) => point),
      ...Object.values(ZONE_PLACES),
    ];
    expect(drawn.filter((point) => toMapPoint(point) === null)).toEqual([]);
  });
});

describe('the spot of a venue', () => {
  const NOWHERE = { lat: null, lng: null, coordinates: null, zone_lat: null, zone_lng: null };
  test('is its own, or the middle of its zone, or none', () => {
    const own = toMapSpot({ ...NOWHERE, coordinates: 'venue', lat: 21.07363, lng: -86.77718 });
    expect(own).toEqual({ ...at([21.07363, -86.77718]), exact: true });
    const middle = {
      ...NOWHERE,
      coordinates: 'zone',
      zone_lat: 21.15636,
      zone_lng: -86.8367,
    } as const;
    expect(toMapSpot(middle)).toEqual({ ...at([21.15636, -86.8367]), exact: false });
    expect(toMapSpot(NOWHERE)).toBe(null);
    expect(toMapSpot({ ...NOWHERE, coordinates: 'venue', lat: 20.98, lng: -87.2 })).toBe(null);
  });
});
