// A picture's way from a phone to everybody, without a script: chosen, looked at, sent, approved,
// published; replaced and left out (contract 14.13, 16.3).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Life, openLife } from '../fixtures/life.ts';
import { makePhoto } from '../fixtures/picture-server.ts';
import { clickThrough, press } from '../fixtures/press.ts';
import { countTaps, type Taps } from '../fixtures/taps.ts';

const TITLE = 'Noche de son con cartel';
const PATH = '/eventos/noche-de-son-con-cartel';
const JSON_PATH = PATH.replace('/eventos', '/api/v1/events');
let life: Life;
let phone: Page;
let desk: Page;
let photo = '';
let no_photo = '';
let status_url = '';

beforeAll(async () => {
  life = await openLife(inject('browser_endpoint'));
  ({ phone, desk } = life);
  await phone.setViewportSize({ width: 360, height: 780 });
  photo = join(life.folder, 'cartel.jpg');
  no_photo = join(life.folder, 'nota.jpg');
  writeFileSync(photo, await makePhoto('jpeg', 900, 1200));
  writeFileSync(no_photo, 'this is no picture');
}, 300_000);
afterAll(() => life.stop());

/** Pixels of the picture with this alternative text; 0 where it does not load. */
const readWidth = (page: Page, alt: string): Promise<number> =>
  page
    .getByRole('img', { name: alt, exact: true })
    .first()
    .evaluate((image) => Number(Reflect.get(image, 'naturalWidth')));

describe('the touches of a form', () => {
  const fill = async (taps: Taps, title: string, category: string): Promise<void> => {
    await phone.goto(`${life.server.origin}/publicar`);
    await taps.write('Nombre del evento', title);
    await taps.write('De qué se trata', 'Una tarde inventada en el malecón, al aire libre.');
    await taps.choose('Categoría', category);
    await taps.pick('¿Qué día?', '2026-12-05');
    await taps.pick('¿A qué hora?', '18:00');
    await taps.pick('¿En qué lugar es?', 'Malecón Inventado');
  };
  const sendIt = async (taps: Taps, looks: string): Promise<void> => {
    await taps.press('Ver cómo queda');
    expect(await phone.getByRole('status').textContent()).toContain(looks);
    await phone.waitForTimeout(4_200);
    await taps.press('Enviar a revisión');
    expect(phone.url()).toMatch(/\/publicar\/estado\/[\w-]{32}$/);
  };
  test('are at most 14 for a concert with its price and tickets', async () => {
    const taps = countTaps(phone);
    await fill(taps, 'Trova frente al mar', 'Música en vivo');
    await taps.write('Precio, en pesos', '80-250');
    await taps.write('Enlace para comprar boletos', 'boletos.example/trova');
    await sendIt(taps, 'De $80 a $250 MXN');
    expect(taps.count()).toBeLessThanOrEqual(14);
  });
  test('are at most 16 for a family event with its poster', async () => {
    const taps = countTaps(phone);
    await fill(taps, 'Títeres del mar', 'Familia');
    await taps.tick('Nada, es gratis');
    await taps.unfold('Una imagen');
    await taps.attach('Sube una imagen', photo);
    await sendIt(taps, 'Gratis');
    expect(taps.count()).toBeLessThanOrEqual(16);
  });
});

test('is chosen on a phone; what is none is told, and what was typed stays', async () => {
  await phone.goto(`${life.server.origin}/publicar`);
  await phone.getByLabel('Nombre del evento').fill(TITLE);
  await phone.getByLabel('De qué se trata').fill('Dos grupos de son jarocho y una tarima abierta.');
  await phone.getByLabel('Categoría').selectOption({ label: 'Música en vivo' });
  await phone.getByLabel('¿Qué día?').fill('2026-12-05');
  await phone.getByLabel('¿A qué hora?').fill('20:00');
  await phone.getByLabel('¿En qué lugar es?').fill('Patio del Son');
  await phone.getByText('Cómo llegar').click();
  await phone.getByLabel('Zona').selectOption({ label: 'Centro' });
  await phone.getByLabel('Es gratis').check();
  await phone.getByText('Una imagen', { exact: true }).click();
  await phone.getByLabel('Sube una imagen').setInputFiles(no_photo);
  await press(phone, 'Ver cómo queda');
  expect(await phone.getByRole('alert').textContent()).toContain('No es una imagen');
  expect(await phone.getByLabel('Nombre del evento').inputValue()).toBe(TITLE);
  await phone.getByLabel('Sube una imagen').setInputFiles(photo);
  await phone.getByLabel('Qué se ve en la imagen').fill('El cartel con dos músicos');
  await press(phone, 'Ver cómo queda');
  expect(await readWidth(phone, 'El cartel con dos músicos')).toBe(900);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test('is sent without being chosen again, and shown on the status page', async () => {
  await phone.waitForTimeout(4_200);
  await press(phone, 'Enviar a revisión');
  status_url = phone.url();
  expect(status_url).toMatch(/\/publicar\/estado\/[\w-]{32}$/);
  expect(await readWidth(phone, 'El cartel con dos músicos')).toBe(900);
});

test('is looked at and approved at the desk', async () => {
  await desk.goto(`${life.server.origin}/revision`);
  await clickThrough(desk.getByRole('link', { name: TITLE, exact: true }));
  expect(await readWidth(desk, 'El cartel con dos músicos')).toBe(900);
  await desk.getByLabel('Qué se ve en la imagen', { exact: true }).fill('Cartel: dos músicos');
  await desk.getByLabel('Qué se ve en la imagen en inglés').fill('Poster: two musicians');
  await desk.getByLabel('Nombre en inglés').fill('Son night');
  await desk.getByLabel('Resumen en inglés').fill('Two son jarocho bands and an open dance floor.');
  await press(desk, 'Aprobar');
  expect(await desk.getByRole('status').textContent()).toContain('Listo');
});

test('is on every surface after the release, from our own address', async () => {
  await life.release(JSON_PATH, (json) => json.includes(TITLE));
  await phone.goto(`${life.server.origin}${PATH}`);
  await phone.getByRole('img', { name: 'Cartel: dos músicos' }).scrollIntoViewIfNeeded();
  await expect.poll(() => readWidth(phone, 'Cartel: dos músicos')).toBeGreaterThan(0);
  const { data } = JSON.parse(await life.read(JSON_PATH));
  const address = /\/pictures\/[0-9a-f]{32}\/900\.jpg$/;
  expect(data.image).toMatchObject({ alt: 'Cartel: dos músicos', width: 900, height: 1200 });
  expect(data.image.url).toMatch(address);
  const html = await life.read(PATH);
  expect(html).toContain(`"image":["${data.image.url}"]`);
  expect(await life.read('/en/events/son-night')).toContain('alt="Poster: two musicians"');
  const calendar = (await life.read('/api/v1/events.ics?q=son')).replaceAll('\r\n ', '');
  expect(calendar).toContain(`IMAGE;VALUE=URI;DISPLAY=BADGE:${data.image.url}`);
  const file = await life.server.get(new URL(data.image.url).pathname);
  expect([file.status, file.headers.get('cache-control')]).toEqual([
    200,
    expect.stringContaining('immutable'),
  ]);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect(bytes.includes('SECRET-NAME')).toBe(false);
  for (const text of [html, JSON.stringify(data), calendar])
    expect(text).not.toMatch(/upload:|subidas/);
}, 180_000);

test('its sender corrects it, the desk leaves the picture out, and so does every surface', async () => {
  await phone.goto(status_url);
  await press(phone, 'Corregirlo');
  expect(await readWidth(phone, 'La imagen que se subió')).toBe(900);
  await phone.waitForTimeout(4_200);
  await phone.getByLabel('De qué se trata').fill('Tres grupos de son jarocho y tarima abierta.');
  await press(phone, 'Enviar a revisión');
  await desk.goto(`${life.server.origin}/revision`);
  await clickThrough(desk.getByRole('link', { name: TITLE, exact: true }));
  await desk.getByLabel('Publicar sin imagen').check();
  await press(desk, 'Guardar y ver');
  expect(await desk.locator('img').count()).toBe(0);
  await press(desk, 'Aprobar');
  await life.release(JSON_PATH, (json) => json.includes('"image":null'));
  await phone.goto(`${life.server.origin}${PATH}`);
  expect(await phone.locator('picture').count()).toBe(0);
}, 200_000);
