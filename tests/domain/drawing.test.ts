// Where points stand on the drawn map.
import { expect, test } from 'vitest';
import { toMapPoint, toMapSpot } from '../../src/domain/drawing.ts';

test.each([
  [21.29, -86.955, { x: 0, y: 0 }],
  [20.81, -86.665, { x: 300, y: 392 }],
  [21.02, -86.81, { x: 150, y: 298 }],
  [21.2901, -86.8, null],
  [20.8099, -86.8, null],
  [21.1, -86.9551, null],
  [21.1, -86.6649, null],
  [Number.NaN, -86.8, null],
])('%d, %d stands at %j', (lat, lng, point) => {
  expect(toMapPoint({ lat, lng })).toEqual(point);
});

test.each([
  [
    { coordinates: 'venue', lat: 21.02, lng: -86.81 },
    { x: 150, y: 298, exact: true },
  ],
  [
    { coordinates: 'zone', zone_lat: 21.02, zone_lng: -86.81 },
    { x: 150, y: 298, exact: false },
  ],
  [{}, null],
  [{ coordinates: 'venue', lat: 20.98, lng: -87.2 }, null],
] as const)('the spot of a venue at %j is %j', (place, spot) => {
  const nowhere = { lat: null, lng: null, coordinates: null, zone_lat: null, zone_lng: null };
  expect(toMapSpot({ ...nowhere, ...place })).toEqual(spot);
});
