// Where points of this coast stand on the drawn map.
import { expect, test } from 'vitest';
import { MAP_SIZE, toMapPoint, toMapSpot } from '../../src/domain/coast.ts';

test.each([
  [21.29, -86.955, { x: 0, y: 0 }],
  [20.81, -86.665, { x: MAP_SIZE.width, y: MAP_SIZE.height }],
  [21.02, -86.81, { x: 150, y: 298 }],
  [21.2901, -86.8, null],
  [20.8099, -86.8, null],
  [21.1, -86.9551, null],
  [21.1, -86.6649, null],
  [Number.NaN, -86.8, null],
  [21.1, Number.NaN, null],
])('%d, %d stands at %j', (lat, lng, point) => {
  expect(toMapPoint([lat, lng])).toEqual(point);
});

test('in Cancún a kilometre is as long across as down, within 2 %', () => {
  const at = (lat: number, lng: number) => toMapPoint([lat, lng]) ?? { x: 0, y: 0 };
  const km_down = (at(21.1, -86.8).y - at(21.2, -86.8).y) / (0.1 * 110.7);
  const km_of_degree = 111.3 * Math.cos((21.15 / 180) * Math.PI);
  const km_across = (at(21.15, -86.7).x - at(21.15, -86.8).x) / (0.1 * km_of_degree);
  expect(Math.abs(km_down / km_across - 1)).toBeLessThan(0.02);
});

test.each([
  ['its own', { coordinates: 'venue', lat: 21.02, lng: -86.81 }, { x: 150, y: 298, exact: true }],
  [
    'the middle of its zone',
    { coordinates: 'zone', zone_lat: 21.02, zone_lng: -86.81 },
    { x: 150, y: 298, exact: false },
  ],
  ['none', {}, null],
  ['none where it lies elsewhere', { coordinates: 'venue', lat: 20.98, lng: -87.2 }, null],
] as const)('the spot of a venue is %s', (_, place, spot) => {
  const nowhere = { lat: null, lng: null, coordinates: null, zone_lat: null, zone_lng: null };
  expect(toMapSpot({ ...nowhere, ...place })).toEqual(spot);
});
