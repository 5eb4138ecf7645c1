// What a page gains where scripts run, and that nothing is missing where they do not.
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as v from 'valibot';
import { connectBrowser } from '../fixtures/browser.ts';
import { newReader } from '../fixtures/reader.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
});
afterAll(() => browser.close());

const ManifestSchema = v.object({
  start_url: v.string(),
  icons: v.array(v.object({ src: v.string(), sizes: v.string(), purpose: v.optional(v.string()) })),
});
const EVENT = '/eventos/concierto-unico-a-b';

test('without scripts there is WhatsApp, with title, day and address, and no dead button', async () => {
  const { page, open } = await newReader(browser, { javaScriptEnabled: false });
  await open(EVENT);
  const href = await page.getByRole('link', { name: 'Enviar por WhatsApp' }).getAttribute('href');
  expect(new URL(href ?? '').searchParams.get('text')).toMatch(
    /^Concierto único; "a", b\. viernes 20 de noviembre de 2026, a las 19:00\nhttp.*\/eventos\/concierto-unico-a-b$/,
  );
  for (const path of [EVENT, '/mapa', '/buscar']) {
    await open(path);
    const buttons = page.locator('main').getByRole('button');
    expect(
      (await buttons.allTextContents()).filter((text) => text !== 'Buscar'),
      path,
    ).toEqual([]);
  }
});

test('with them the address is copied', async () => {
  const { page, open, issues } = await newReader(browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await open(EVENT);
  await page.getByRole('button', { name: 'Copiar enlace' }).click();
  await page.getByRole('button', { name: 'Enlace copiado' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /\/eventos\/concierto-unico-a-b$/,
  );
  expect(issues).toEqual([]);
});

test('near me searches around a point of three decimals, and asks nobody else', async () => {
  const { page, open, issues, at } = await newReader(browser, {
    permissions: ['geolocation'],
    geolocation: { latitude: 21.126649, longitude: -86.816149 },
  });
  await open('/mapa');
  await page.getByRole('button', { name: 'Cerca de mí' }).click();
  await page.waitForURL(/buscar/);
  expect(at()).toContain('/buscar');
  expect(new URL(page.url()).search).toBe('?near=21.127,-86.816');
  expect(await page.getByText('No incluye').isVisible()).toBe(true);
  expect(issues).toEqual([]);
});

test('where the reader is stays unknown, a sentence says what to do', async () => {
  const { page, open } = await newReader(browser);
  await open('/en/search');
  await page.getByRole('button', { name: 'Near me' }).click();
  await page.getByText('We couldn’t tell where you are. Choose a zone.').waitFor();
});

test('nothing moves when what scripts offer is there', async () => {
  const { page, open } = await newReader(browser);
  await page.route('**/*.js', async (route) => {
    await page.waitForTimeout(500);
    await route.continue();
  });
  await page.addInitScript(`globalThis.moved = 0;
new PerformanceObserver((list) => { for (const { value } of list.getEntries()) moved += value; }).observe({ type: 'layout-shift', buffered: true });`);
  for (const path of ['/buscar?date=week', '/en/search', '/mapa']) {
    await open(path);
    await page.getByRole('button', { name: /^(Cerca de mí|Near me)$/ }).waitFor();
    await page.waitForTimeout(200);
    expect(await page.evaluate('globalThis.moved'), path).toBeLessThan(0.005);
  }
});

test('rows that began or ended since the page was made say so', async () => {
  const { page, open } = await newReader(browser);
  await page.clock.install();
  await open('/hoy');
  expect(await page.locator('b.state').count()).toBe(0);
  const row = page.getByRole('listitem').filter({ hasText: 'Concierto único' });
  // It begins at 19:00, and nobody knows when it ends: three hours are assumed (contract 2.6).
  await page.clock.fastForward(8 * 3_600_000);
  expect(await row.locator('b.state').allTextContents()).toEqual(['Ahora']);
  await page.clock.fastForward(3 * 3_600_000);
  expect(await row.locator('b.state').allTextContents()).toEqual(['Ya terminó']);
});

test('is light: the worker at most 2 kB, the module 3 kB, the map 6 kB, gzipped', async () => {
  const read = async (path: string): Promise<string> =>
    (await fetch(`${inject('origin')}${path}`)).text();
  const map = await read('/mapa');
  const modules = [...map.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src]) => src);
  expect(modules).toHaveLength(1);
  expect(modules[0]).toMatch(/^\/_astro\/.+\.\w{8}\.js$/);
  const weigh = (text: string): number => gzipSync(text).length;
  expect(weigh(await read('/sw.js'))).toBeLessThanOrEqual(2_000);
  expect(weigh(await read(modules[0] ?? ''))).toBeLessThanOrEqual(3_000);
  // Without the style of the first screen, which every page has in it.
  expect(weigh(map.replace(/<style>.*?<\/style>/s, ''))).toBeLessThanOrEqual(6_000);
});

test('can be installed: a manifest in each language, with icons that are there', async () => {
  for (const [page, path, start] of [
    ['/hoy', '/manifest.webmanifest', '/hoy'],
    ['/en/today', '/en/manifest.webmanifest', '/en/today'],
  ] as const) {
    const html = await (await fetch(`${inject('origin')}${page}`)).text();
    expect(html).toContain(`<link rel="manifest" href="${path}"`);
    const response = await fetch(`${inject('origin')}${path}`);
    expect(response.headers.get('content-type')).toMatch(/^application\/manifest\+json/);
    const { start_url, icons } = v.parse(ManifestSchema, await response.json());
    expect(start_url).toBe(start);
    expect(icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '192x192 maskable',
      '512x512 any',
      '512x512 maskable',
    ]);
    for (const { src, sizes } of [
      ...icons,
      { src: '/icons/apple-touch-icon.png', sizes: '180x180' },
    ]) {
      const image = Buffer.from(await (await fetch(`${inject('origin')}${src}`)).arrayBuffer());
      // PNG, 11.2.2: width and height stand behind the first chunk's name.
      expect(`${image.readUInt32BE(16)}x${image.readUInt32BE(20)}`, src).toBe(sizes);
    }
  }
  expect((await fetch(`${inject('origin')}/favicon.ico`)).headers.get('content-type')).toBe(
    'image/x-icon',
  );
});
