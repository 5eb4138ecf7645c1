// Without a network: what was visited is there and says since when; what was typed is never kept.
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { newReader } from '../fixtures/reader.ts';

const browser = await getBrowser();

const KEPT = /^Copia (del 20 de noviembre a|de) las 1\d:\d\d; puede haber cambios$/;
const KEPT_EN = /^Copy from (November 20 at )?\d+(:\d\d)? p\.m\.; things may have changed$/;

/** Waits until a path is kept. Opens no store: that makes anew what the worker has just deleted. */
const untilKept = (page: Page, path: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(`caches.match('${path}', { ignoreVary: true }).then(Boolean)`), {
      timeout: 20_000,
    })
    .toBe(true);

const listKept = (page: Page): Promise<string[]> =>
  page.evaluate(`(async () => { const found = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    return found; })()`);

/** Without a network: the browser tells the worker so a moment after it tells the page. */
async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  const [worker] = page.context().serviceWorkers();
  const isCutOff = () =>
    worker?.evaluate('fetch("/robots.txt", { cache: "no-store" }).then(() => false, () => true)');
  await expect.poll(isCutOff, { timeout: 10_000 }).toBe(true);
}

const asApp = () => newReader(browser, { serviceWorkers: 'allow' });

describe('a reader without a network', () => {
  test('sees what was visited, tomorrow and the weekend, and since when', async () => {
    const { page, open } = await asApp();
    await open('/hoy');
    await untilKept(page, '/fin-de-semana');
    await open('/en/today');
    await untilKept(page, '/en/weekend');
    await open('/eventos/feria-diaria');
    await untilKept(page, '/eventos/feria-diaria');
    expect(await page.locator('.kept').count()).toBe(0);
    await goOffline(page);
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Feria diaria');
    for (const path of ['/manana', '/fin-de-semana', '/en/tomorrow']) {
      await page.goto(path);
      const kept = path.startsWith('/en/') ? KEPT_EN : KEPT;
      expect(await page.getByRole('status').first().textContent(), path).toMatch(kept);
      const drawn = `document.querySelector('.thumb').naturalWidth`;
      await expect.poll(() => page.evaluate(drawn), { timeout: 5_000 }).toBeGreaterThan(0);
    }
    await page.goto('/zonas/centro');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sin conexión');
    await page.goto('/en/zones/downtown');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You’re offline');
  });

  test('gets the page as it is now once there is a network again', async () => {
    const { page, open } = await asApp();
    await open('/hoy');
    await untilKept(page, '/fin-de-semana');
    // What is kept is made to look old: were it shown, it would be seen.
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

test('forms, the desk and what is for programs are never kept', async () => {
  const { page, open } = await asApp();
  await open('/hoy');
  await untilKept(page, '/fin-de-semana');
  for (const path of ['/publicar', '/corregir/evento/feria-diaria', '/revision/entrar'])
    await open(path);
  await open('/api/v1/events');
  await open('/mapa');
  await untilKept(page, '/mapa');
  const kept = (await listKept(page)).filter((path) => !/^\/(_astro|motifs)\//.test(path));
  expect(kept.toSorted()).toEqual([
    ...['/en/offline', '/fin-de-semana', '/hoy', '/manana', '/mapa', '/sin-conexion'],
  ]);
});
