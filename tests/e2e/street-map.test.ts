// The map with streets on a telephone: nothing of it before its button is pressed, today's places on it,
// Escape gives the focus back, and where no tile comes the drawn map stays and a sentence says so.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { newReader } from '../fixtures/reader.ts';
import { startTileServer } from '../fixtures/tile-server.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'hoy-streets-'));
let browser: Browser;
let tiles: Awaited<ReturnType<typeof startTileServer>>;
let server: BuiltServer;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
  tiles = await startTileServer();
  server = await startServer({
    data_dir,
    content_dir: inject('content_dir'),
    env: {
      SITE_URL: 'http://agenda.example',
      TILES_URL: `${tiles.origin}/{z}/{x}/{y}.png`,
      TILES_ATTRIBUTION: '© Prueba <b>&',
    },
  });
}, 300_000);
afterAll(async () => {
  await server.stop();
  await tiles.stop();
  await browser.close();
  rmSync(data_dir, { recursive: true });
});
beforeEach(() => {
  tiles.state.is_up = true;
  tiles.asked.length = 0;
});

const isOfMap = (path: string): boolean => /maplibre|street-map|\.geojson$/.test(path);
/** What went wrong but for asking the source of tiles, which is what the button is for. */
const others = (issues: readonly string[]): readonly string[] =>
  issues.filter((issue) => issue !== `another host: ${tiles.origin}`);

describe.each([
  ['/mapa', 'Abrir el mapa con calles', 'Mapa con calles'],
  ['/zonas/tajamar', 'Abrir el mapa con calles', 'Mapa con calles'],
  ['/en/venues/malecon-inventado', 'Open the street map', 'Street map'],
])('on %s', (path, open_words, title) => {
  test('opens over the page with today’s places, and gives the focus back', async () => {
    const { page, open, issues, asked } = await newReader(browser, { baseURL: server.origin });
    expect(await open(path)).toBe(200);
    const button = page.getByRole('button', { name: open_words });
    await button.waitFor();
    expect([asked.filter(isOfMap), tiles.asked]).toEqual([[], []]);
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: title });
    const pin = dialog.getByRole('button', { name: /Malecón Inventado: 2 event(o)?s/ });
    await pin.waitFor();
    await expect.poll(() => tiles.asked.length).toBeGreaterThan(0);
    await expect.poll(() => dialog.getByText('© Prueba <b>&').count()).toBe(1);
    await pin.focus();
    await page.keyboard.press('Enter');
    const link = dialog.getByRole('link', { name: 'Malecón Inventado' });
    expect(await link.getAttribute('href')).toMatch(/\/malecon-inventado$/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(others(issues)).toEqual([]);
  });

  test('without tiles leaves the drawn map and says so', async () => {
    tiles.state.is_up = false;
    const { page, open } = await newReader(browser, { baseURL: server.origin });
    await open(path);
    const button = page.getByRole('button', { name: open_words });
    await button.click();
    const said = page.locator('.to-streets [role=status]');
    await expect.poll(() => said.textContent(), { timeout: 20_000 }).toMatch(/dibujado|drawn/);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.locator('svg.coast').isVisible()).toBe(true);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

test.each([390, 320])('what is said of a place keeps off the edges at %i px', async (width) => {
  const viewport = { width, height: 640 };
  const { page, open } = await newReader(browser, { baseURL: server.origin, viewport });
  await open('/mapa');
  await page.getByRole('button', { name: 'Abrir el mapa con calles' }).click();
  const pins = page.locator('.streets .pin');
  await pins.first().waitFor();
  for (const pin of await pins.all()) {
    await pin.dispatchEvent('click');
    const said = page.locator('.maplibregl-popup-content').last();
    await expect
      .poll(
        async () => {
          const { x = 0, width: own = 0 } = (await said.boundingBox()) ?? {};
          return Math.min(x, width - x - own);
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThanOrEqual(8);
  }
});

test('the open map has nothing that keeps anyone out', async () => {
  const { page, open } = await newReader(browser, { baseURL: server.origin, bypassCSP: true });
  await open('/mapa');
  await page.getByRole('button', { name: 'Abrir el mapa con calles' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Malecón/ })
    .waitFor();
  await page.evaluate(axe.source);
  expect(
    await page.evaluate(
      'axe.run(document).then(({ violations }) => violations.map(({ id }) => id))',
    ),
  ).toEqual([]);
});

test('without a script there is no button, and the drawn map is whole', async () => {
  const { page, open, asked } = await newReader(browser, {
    baseURL: server.origin,
    javaScriptEnabled: false,
  });
  await open('/mapa');
  expect(await page.locator('.to-streets').isVisible()).toBe(false);
  expect(await page.locator('svg.coast a').count()).toBeGreaterThan(3);
  expect(asked.filter(isOfMap)).toEqual([]);
});

test('a site without tiles has no button, no byte of the map and the strict policy', async () => {
  for (const path of ['/mapa', '/zonas/tajamar', '/lugares/malecon-inventado']) {
    const { page, open, asked } = await newReader(browser);
    const response = await page.request.get(path);
    expect(response.headers()['content-security-policy']).toContain(
      "connect-src 'self'; img-src 'self';",
    );
    expect(await response.text()).not.toMatch(/streets|street-/);
    await open(path);
    expect(await page.getByRole('button', { name: 'Abrir el mapa con calles' }).count()).toBe(0);
    expect(asked.filter(isOfMap)).toEqual([]);
  }
});

test('on a site with tiles only the pages with the button may load from there', async () => {
  const readPolicy = async (path: string): Promise<string> =>
    (await server.get(path, { accept: 'text/html' })).headers.get('content-security-policy') ?? '';
  expect(await readPolicy('/mapa')).toContain(`connect-src 'self' ${tiles.origin};`);
  for (const path of ['/hoy', '/lugares/foro-sin-punto', '/publicar', '/docs'])
    expect(await readPolicy(path), path).not.toContain(tiles.origin);
});
