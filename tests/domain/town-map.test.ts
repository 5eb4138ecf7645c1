// Town map: projects points, validates map.yml, and builds the fallback drawing.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildFallbackMap, projectPoint, locateVenue } from '../../src/domain/town-map.ts';
import { loadTown, interpolate } from '../../src/town.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { createTestFolder } from '../fixtures/folder.ts';

test.each([
  [21.29, -86.955, { x: 0, y: 0 }],
  [20.81, -86.665, { x: 300, y: 392 }],
  [21.02, -86.81, { x: 150, y: 298 }],
  [21.2901, -86.8, null],
  [20.8099, -86.8, null],
  [21.1, -86.9551, null],
  [21.1, -86.6649, null],
  [Number.NaN, -86.8, null],
])('projects %d, %d to %j', (lat, lng, point) => {
  expect(projectPoint({ lat, lng })).toEqual(point);
});

const SPOT = { x: 150, y: 298 };
test.each([
  [
    { coordinates: 'venue', lat: 21.02, lng: -86.81 },
    { ...SPOT, exact: true },
  ],
  [
    { coordinates: 'zone', zone_lat: 21.02, zone_lng: -86.81 },
    { ...SPOT, exact: false },
  ],
  [{}, null],
  [{ coordinates: 'venue', lat: 20.98, lng: -87.2 }, null],
] as const)('the marker of a venue at %j is %j', (location, marker) => {
  const nowhere = { lat: null, lng: null, coordinates: null, zone_lat: null, zone_lng: null };
  expect(locateVenue({ ...nowhere, ...location })).toEqual(marker);
});

function copyTown(): string {
  const folder = createTestFolder();
  for (const file of ['town.yml', 'zones.yml', 'categories.yml'])
    cpSync(join(FIXTURE_DIR, file), join(folder, file));
  return folder;
}

test.each([
  ['  tajamar:', '  nowhere:', ':59 zones.nowhere: is not a zone of zones.yml'],
  ['x: 296,', 'x: left,', ':52 zones.isla-mujeres.x: must be a number'],
  ['lat: 21.186,', 'lat: 22,', ':53 zones.puerto-juarez: 22,-86.81 is outside the drawing'],
  ['21.29,-86.8075', '21.3,-86.8075', ':16 shapes[0]: 21.3,-86.8075 is outside the drawing'],
  [
    '21.29,-86.8075',
    '21.29',
    ':18 shapes[0].line: must be two or more points such as 21.16,-86.83',
  ],
  ['height: 392', 'height: 0', ':4 height: must be 100 or more'],
  [
    '-86.665, 300]]',
    '-86.955, 300]]',
    ':5 longitudes: must be ordered by units, with different degrees each',
  ],
  ['kind: road', 'kind: rail', ':36 shapes[3].kind: must be one of land, water, road'],
])('rejects a map.yml with "%s" replaced by "%s"', (right, wrong, issue) => {
  const folder = copyTown();
  const text = readFileSync(join(FIXTURE_DIR, 'map.yml'), 'utf8');
  writeFileSync(join(folder, 'map.yml'), text.replace(right, wrong));
  expect(() => loadTown(folder)).toThrow(new Error(`${folder}/map.yml${issue}`));
});

test('without map.yml, draws the middles of the zones with names apart and without crossing lines', () => {
  const town = loadTown(copyTown());
  const middles = Array.from({ length: 12 }, (_, at) => ({
    key: `zone-${at}`,
    lat: 40 + ((at * 7) % 12) / 100,
    lng: -3 + ((at * 5) % 11) / 70,
  }));
  const plot = buildFallbackMap({ ...town, middles });
  expect([town.drawing, buildFallbackMap(town)?.height]).toEqual([null, undefined]);
  const lines = Object.values(plot?.zones ?? {}).map(({ lat, lng, ...from }) => {
    const x = interpolate(plot?.longitudes ?? [], lng) ?? Number.NaN;
    return { from, to: { x, y: interpolate(plot?.latitudes ?? [], lat) ?? Number.NaN } };
  });
  expect(lines).toHaveLength(middles.length);
  type At = { readonly x: number; readonly y: number };
  const turn = (p: At, q: At, r: At) =>
    Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  for (const [i, { from, to }] of lines.entries())
    for (const other of lines.slice(i + 1)) {
      expect(Math.abs(other.from.y - from.y)).toBeGreaterThanOrEqual(46);
      const sides = [turn(from, to, other.from), turn(from, to, other.to)];
      const others = [turn(other.from, other.to, from), turn(other.from, other.to, to)];
      expect(sides[0] === sides[1] || others[0] === others[1]).toBe(true);
    }
});
