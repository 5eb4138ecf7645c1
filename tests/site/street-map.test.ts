// Which pages have the button of the map with streets, and that only those may load from its source.
import { afterAll, expect, test } from 'vitest';
import { toSecurityHeaders } from '../../src/http/response-headers.ts';
import { resolvePage } from '../../src/site/answer.ts';
import { parsePagePath } from '../../src/site/page-request.ts';
import { listMapOrigins } from '../../src/site/street-map.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const ORIGIN = 'https://tiles.example';
const MAPPED = {
  ...SITE,
  tiles: {
    ...{ url: `${ORIGIN}/{z}/{x}/{y}.png`, is_raster: true, attribution: '© X' },
    ...{ host: 'tiles.example', origins: [ORIGIN] },
  },
};
const WITH_BUTTON = ['/mapa', '/en/map', '/zonas/tajamar', '/lugares/malecon-inventado'];
const WITHOUT = [
  '/hoy',
  '/zonas/ninguna',
  '/lugares/foro-sin-punto',
  '/lugares/ninguno',
  '/categorias/musica-en-vivo',
  '/eventos/feria-diaria',
  '/publicar',
];

const hasButton = (path: string, site: typeof SITE): boolean => {
  const request = parsePagePath(path, FRIDAY_NOON_MS);
  const result = resolvePage({ snapshot, site, now_ms: FRIDAY_NOON_MS }, request);
  return 'page' in result && 'streets' in result.page && result.page.streets !== null;
};

test.each(WITH_BUTTON)('%s has it, and may load from there', (path) => {
  expect(hasButton(path, MAPPED)).toBe(true);
  const map_origins = listMapOrigins(MAPPED, path, snapshot);
  const policy = toSecurityHeaders('text/html', SITE.url, { map_origins });
  expect(policy['content-security-policy']).toContain(`connect-src 'self' ${ORIGIN};`);
  expect(policy['content-security-policy']).not.toMatch(/unsafe|script-src [^;]*(blob|http)/);
});

test.each(WITHOUT)('%s has none, and its policy is as strict as without a map', (path) => {
  expect(hasButton(path, MAPPED)).toBe(false);
  expect(listMapOrigins(MAPPED, path, snapshot)).toEqual([]);
});

test('a site without tiles has it nowhere', () => {
  for (const path of [...WITH_BUTTON, '/_astro/street-map.js']) {
    expect(hasButton(path, SITE)).toBe(false);
    expect(listMapOrigins(SITE, path, snapshot)).toEqual([]);
  }
  const { 'content-security-policy': policy } = toSecurityHeaders('text/html', SITE.url);
  expect(policy).toContain("connect-src 'self'; img-src 'self';");
});
