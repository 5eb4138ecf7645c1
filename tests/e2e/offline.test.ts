// Offline use: visited pages are served from the cache with their date; forms are never cached.
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { openVisitor } from '../fixtures/reader.ts';

const browser = await getBrowser();

const CACHED_BANNER = /^Copia (del 20 de noviembre a|de) las 1\d:\d\d; puede haber cambios$/;
const CACHED_BANNER_EN =
  /^Copy from (November 20 at )?\d+(:\d\d)? p\.m\.; things may have changed$/;

/** Waits until a path is cached. Does not open the cache, which would recreate one that the worker has deleted. */
const waitUntilCached = (page: Page, path: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(`caches.match('${path}', { ignoreVary: true }).then(Boolean)`), {
      timeout: 20_000,
    })
    .toBe(true);

const listCachedPaths = (page: Page): Promise<string[]> =>
  page.evaluate(`(async () => { const found = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    return found; })()`);

/** Goes offline, and waits for the service worker, which is offline a moment after the page. */
async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  const [worker] = page.context().serviceWorkers();
  const isCutOff = () =>
    worker?.evaluate('fetch("/robots.txt", { cache: "no-store" }).then(() => false, () => true)');
  await expect.poll(isCutOff, { timeout: 10_000 }).toBe(true);
}

const openWithWorker = () => openVisitor(browser, { serviceWorkers: 'allow' });

describe('an offline visitor', () => {
  test('sees visited pages, tomorrow and the weekend, with the time of the copy', async () => {
    const { page, open } = await openWithWorker();
    await open('/hoy');
    await waitUntilCached(page, '/fin-de-semana');
    await open('/en/today');
    await waitUntilCached(page, '/en/weekend');
    await open('/eventos/feria-diaria');
    await waitUntilCached(page, '/eventos/feria-diaria');
    expect(await page.locator('.kept').count()).toBe(0);
    await goOffline(page);
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Feria diaria');
    for (const path of ['/manana', '/fin-de-semana', '/en/tomorrow']) {
      await page.goto(path);
      const banner = path.startsWith('/en/') ? CACHED_BANNER_EN : CACHED_BANNER;
      expect(await page.getByRole('status').first().textContent(), path).toMatch(banner);
      const image_width = `document.querySelector('.thumb').naturalWidth`;
      await expect.poll(() => page.evaluate(image_width), { timeout: 5_000 }).toBeGreaterThan(0);
    }
    await page.goto('/zonas/centro');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sin conexión');
    await page.goto('/en/zones/downtown');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You’re offline');
  });

  test('gets the current page once online again', async () => {
    const { page, open } = await openWithWorker();
    await open('/hoy');
    await waitUntilCached(page, '/fin-de-semana');
    // Replaces the cached copy by a recognizable old page.
    await page.evaluate(`(async () => { for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      if (await cache.match('/hoy')) await cache.put('/hoy', new Response(
        '<main><h1>Viejo</h1></main>', { headers: { 'content-type': 'text/html', date: new Date(0).toUTCString() } })); } })()`);
    await goOffline(page);
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Viejo');
    expect(await page.getByRole('status').textContent()).toContain('31 de diciembre');
    await page.context().setOffline(false);
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Hoy en Cancún');
    expect(await page.locator('.kept').count()).toBe(0);
  });
});

test('forms, the desk and the API are never cached', async () => {
  const { page, open } = await openWithWorker();
  await open('/hoy');
  await waitUntilCached(page, '/fin-de-semana');
  for (const path of ['/publicar', '/corregir/evento/feria-diaria', '/revision/entrar'])
    await open(path);
  await open('/api/v1/events');
  await open('/mapa');
  await waitUntilCached(page, '/mapa');
  const cached = (await listCachedPaths(page)).filter((path) => !/^\/(_astro|motifs)\//.test(path));
  expect(cached.toSorted()).toEqual([
    ...['/en/offline', '/fin-de-semana', '/hoy', '/manana', '/mapa', '/sin-conexion'],
  ]);
});
