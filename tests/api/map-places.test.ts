// Today's places as GeoJSON: those whose very spot is known and that have something on.
import { afterAll, expect, test } from 'vitest';
import { ask } from '../fixtures/ask.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);

test.each([
  ['es', FRIDAY_NOON_MS, 2, '2 eventos hoy', '/lugares/'],
  ['en', FRIDAY_NOON_MS, 2, '2 events today', '/en/venues/'],
  // Nothing takes place there that day, but it is open by itself.
  [
    ...(['es', at('2026-11-22T12:00:00'), 0] as const),
    ...(['Abierto hoy de 9:00 a 18:00 (último acceso 17:30)', '/lugares/'] as const),
  ],
] as const)(
  'in %s at %i each has its %i events, longitude first',
  (lang, now_ms, count, words, section) => {
    const { headers, body } = ask(snapshot, `/map/${lang}.geojson`, { now_ms });
    expect(headers['content-type']).toBe('application/geo+json; charset=utf-8');
    expect(JSON.parse(String(body))).toMatchObject({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-86.8161, 21.1266] },
          properties: {
            ...{ name: 'Malecón Inventado', count, words },
            url: `${SITE.url}${section}malecon-inventado`,
          },
        },
      ],
    });
  },
);
