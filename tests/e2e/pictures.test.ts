// Event pictures in a browser (contract 16.3).
import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, SITE_URL, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { servePictures } from '../fixtures/picture-server.ts';
import { openVisitor } from '../fixtures/reader.ts';
import { useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const content_dir = join(folder, 'content');
const pictures = await servePictures();
let server: BuiltServer;
const browser = await getBrowser();

const addImage = (stem: string, path: string, alt: string): void =>
  appendFileSync(
    join(content_dir, 'events', `${stem}.yml`),
    `\nimage: { url: "${pictures.toUrl(path)}", alt: { es: '${alt}', en: '${alt}' } }\n`,
  );

beforeAll(async () => {
  cpSync(FIXTURE_DIR, content_dir, { recursive: true });
  addImage('feria-diaria', '/photo.jpg', 'Un sol "sobre" <b>el agua</b>');
  addImage('exposicion-larga', '/flyer.png', 'El cartel');
  appendFileSync(join(content_dir, 'events', 'fiesta-de-viernes.yml'), '\nmotif: ola\n');
  const env = { PICTURES_ALLOW: pictures.host };
  server = await startServer({ data_dir: join(folder, 'data'), content_dir, env });
  // The first start does not wait for pictures: a later release adds them.
  const hasPicture = async () =>
    expect(await (await server.get('/eventos/feria-diaria')).text()).toContain('<picture');
  await vi.waitFor(hasPicture, { timeout: 120_000, interval: 200 });
}, 240_000);
afterAll(() => server.stop());

test('a row shows a square of the picture or drawing, and folded rows load none', async () => {
  const viewport = { width: 390, height: 2000 };
  const visitor = await openVisitor(browser, { baseURL: server.origin, viewport });
  const requested: string[] = [];
  visitor.page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await visitor.open('/fecha/2026-11-20');
  const images = visitor.page.locator('.row > .thumb');
  await expect.poll(() => requested.some((path) => path.endsWith('/160.webp'))).toBe(true);
  const drawing = requested.find((path) => /^\/motifs\/\w+\.[0-9a-f]{10}\.svg$/.test(path));
  const { headers } = await server.get(String(drawing));
  expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
  expect(headers.get('cache-control')).toContain('immutable');
  for (const outdated of ['/motifs/sol.svg', '/motifs/sol.0123456789.svg'])
    expect((await server.get(outdated)).headers.get('location')).toBe(drawing);
  for (const image of await images.all())
    if (await image.isVisible())
      expect(await image.boundingBox()).toMatchObject({ width: 72, height: 72 });
  const isFoldedLoaded = (): boolean => requested.some((path) => path.startsWith('/motifs/ola.'));
  expect(isFoldedLoaded()).toBe(false);
  await visitor.page.locator('.nightclubs summary').click();
  await expect.poll(isFoldedLoaded).toBe(true);
  expect(visitor.issues).toEqual([]);
});

const IMAGE = `document.querySelector('.picture img')`;

async function holdPictures(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route('**/pictures/**', async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

test.each([
  ['/eventos/feria-diaria', 390, 'Un sol "sobre" <b>el agua</b>'],
  ['/eventos/exposicion-larga', 320, 'El cartel'],
])(
  '%s at %i px loads the picture from our own host without layout shift',
  async (path, width, alt) => {
    const options = { baseURL: server.origin, viewport: { width, height: 800 }, bypassCSP: true };
    const visitor = await openVisitor(browser, options);
    const releasePictures = await holdPictures(visitor.page);
    await visitor.open(path);
    await visitor.page.evaluate('document.fonts.ready.then(() => 0)');
    const image = visitor.page.getByRole('img', { name: alt, exact: true });
    await image.scrollIntoViewIfNeeded();
    const box = await image.boundingBox();
    releasePictures();
    await expect
      .poll(() => visitor.page.evaluate(`${IMAGE}.naturalWidth`), { timeout: 10_000 })
      .toBeGreaterThan(0);
    expect(await visitor.page.evaluate(`new URL(${IMAGE}.currentSrc).pathname`)).toMatch(
      /^\/pictures\/[0-9a-f]{32}\/\d+\.avif$/,
    );
    expect(await image.boundingBox()).toEqual(box);
    expect(box?.height).toBeGreaterThan(100);
    expect(box?.width).toBeLessThanOrEqual(width);
    expect(visitor.issues).toEqual([]);
  },
);

test('JSON, JSON-LD and calendars link to our copy, which is immutable', async () => {
  const { data } = JSON.parse(await (await server.get('/api/v1/events/feria-diaria')).text());
  expect(data.image).toMatchObject({ kind: 'own', width: 1200, height: 800 });
  const path = String(data.image.url).slice(SITE_URL.length);
  expect(path).toMatch(/^\/pictures\/[0-9a-f]{32}\/1200\.jpg$/);
  const page = await server.get('/eventos/feria-diaria');
  expect(await page.text()).toContain(`["${data.image.url}"]`);
  const calendar = await (await server.get('/events/feria-diaria.ics')).text();
  expect(calendar.replaceAll('\r\n ', '')).toContain(
    `IMAGE;VALUE=URI;DISPLAY=BADGE;FMTTYPE=image/jpeg:${data.image.url}`,
  );
  const file = await server.get(path);
  expect(file.headers.get('cache-control')).toContain('immutable');
  expect(file.headers.get('content-type')).toBe('image/jpeg');
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 800 });
  expect(bytes.includes('SECRET-NAME')).toBe(false);
  for (const missing of [path.replace('1200', '1201'), '/pictures/outcomes.json'])
    expect((await server.get(missing)).status).toBe(404);
});
