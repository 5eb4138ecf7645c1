// Today's places as GeoJSON: those whose very spot is known and that have something on.
import * as v from 'valibot';
import { afterAll, expect, test } from 'vitest';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { ask } from '../fixtures/ask.ts';

const { snapshot, close } = openFixture();
afterAll(close);

const PlacesSchema = v.object({
  type: v.literal('FeatureCollection'),
  features: v.array(
    v.object({
      type: v.literal('Feature'),
      geometry: v.object({
        type: v.literal('Point'),
        coordinates: v.tuple([v.number(), v.number()]),
      }),
      properties: v.object({
        name: v.string(),
        url: v.pipe(v.string(), v.url()),
        count: v.number(),
        words: v.string(),
      }),
    }),
  ),
});
const read = (path: string, now_ms: number) => {
  const { status, headers, body } = ask(snapshot, path, { now_ms });
  expect([status, headers['content-type']]).toEqual([200, 'application/geo+json; charset=utf-8']);
  return v.parse(PlacesSchema, JSON.parse(String(body))).features;
};

test.each([
  ['/map/es.geojson', '2 eventos hoy', '/lugares/malecon-inventado'],
  ['/map/en.geojson', '2 events today', '/en/venues/malecon-inventado'],
])('%s has each with its events, longitude first', (path, words, page) => {
  const [place, ...others] = read(path, FRIDAY_NOON_MS);
  expect(others).toEqual([]);
  expect(place?.geometry.coordinates).toEqual([-86.8161, 21.1266]);
  expect(place?.properties).toMatchObject({ name: 'Malecón Inventado', count: 2, words });
  expect(place?.properties.url).toContain(page);
});

test('a place where nothing takes place that day says its hours, where it is open by itself', () => {
  const [place] = read('/map/es.geojson', at('2026-11-22T12:00:00'));
  expect(place?.properties).toMatchObject({
    count: 0,
    words: 'Abierto hoy de 9:00 a 18:00 (último acceso 17:30)',
  });
});
