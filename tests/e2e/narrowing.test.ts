// Finding something without script: links that narrow, a field for words, a field for a date.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { EventListResponse } from '../fixtures/responses.ts';
import { connectBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { newReader, type Reader } from '../fixtures/reader.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
let browser: Browser;
let server: BuiltServer;

const toEvent = (title: string, place: string, price: string, tags: string, start: string) =>
  `title: { es: ${title}, en: ${title} }
summary: { es: Inventado., en: Made up. }
category: culture
${tags}
${place}
price: ${price}
when:
  - { dates: [2026-11-20], start: "${start}", end: "21:00" }
sources: [{ name: Inventado para las pruebas, checked: 2026-11-20 }]
confidence: high
`;
const FAMILY = 'tags: [familia]';
const ISLAND = 'zone: isla-mujeres';
/** One that answers the question, and what looks like it. */
const EVENTS = [
  ['titeres', toEvent('Títeres en la isla', ISLAND, 'free', FAMILY, '19:00')],
  ['titeres-caros', toEvent('Títeres de pago', ISLAND, '{ min: 100 }', FAMILY, '19:00')],
  ['titeres-centro', toEvent('Títeres del centro', 'zone: downtown', 'free', FAMILY, '10:00')],
  ['poesia', toEvent('Poesía en la isla', ISLAND, 'free', 'tags: []', '19:00')],
] as const;

beforeAll(async () => {
  const content_dir = join(folder, 'content');
  cpSync(FIXTURE_DIR, content_dir, { recursive: true });
  for (const [name, text] of EVENTS)
    writeFileSync(join(content_dir, 'events', `${name}.yml`), text);
  [server, browser] = await Promise.all([
    startServer({ data_dir: join(folder, 'data'), content_dir }),
    connectBrowser(inject('browser_endpoint')),
  ]);
}, 240_000);
afterAll(() => Promise.all([server.stop(), browser.close()]));

/** A visitor on a telephone, without script. */
const visit = (): Promise<Reader> =>
  newReader(browser, { baseURL: server.origin, javaScriptEnabled: false, hasTouch: true });
const listTitles = async (page: Page): Promise<string[]> =>
  (await page.locator('.row h3').allTextContents()).map((title) => title.trim());
const findLink = (page: Page, name: RegExp | string): Locator =>
  page.getByRole('main').getByRole('link', { name }).first();

/** Touches a link and waits for what is behind it. */
async function touch({ page }: Reader, name: RegExp | string): Promise<void> {
  const before = page.url();
  await findLink(page, name).tap();
  await page.waitForURL((url) => url.href !== before);
}

async function askApi(query: string): Promise<string[]> {
  const answer: unknown = await (await server.get(`/api/v1/events?${query}`)).json();
  return v.parse(EventListResponse, answer).data.map(({ title }) => title);
}

describe('free, tonight, on the island, with kids', () => {
  test('each filter is taken away by itself', async () => {
    const reader = await visit();
    await reader.open('/hoy?zone=isla-mujeres&free=1&family=1');
    await touch(reader, 'Quitar En familia');
    expect((await listTitles(reader.page)).sort()).toEqual([
      'Poesía en la isla',
      'Títeres en la isla',
    ]);
    await touch(reader, 'Quitar Gratis');
    await touch(reader, 'Quitar Isla Mujeres');
    expect(new URL(reader.page.url()).search).toBe('');
  });

  test('the other language keeps the filters', async () => {
    const reader = await visit();
    await reader.open('/hoy?zone=isla-mujeres&free=1');
    await reader.page.getByRole('link', { name: 'English' }).tap();
    await reader.page.waitForURL(/\/en\/today\?zone=isla-mujeres&free=1$/);
    expect((await listTitles(reader.page)).length).toBe(2);
  });
});

describe('the search', () => {
  test('is reached by the keyboard from any page, and finds', async () => {
    const reader = await visit();
    await reader.open('/avisos');
    const field = reader.page.getByRole('searchbox', { name: 'Buscar eventos' });
    for (let step = 0; step < 12; step += 1) {
      await reader.page.keyboard.press('Tab');
      if (await field.evaluate((at) => at === at.ownerDocument.activeElement)) break;
    }
    await reader.page.keyboard.type('titeres isla');
    await reader.page.keyboard.press('Enter');
    await reader.page.waitForURL(/\/buscar\?q=titeres/);
    expect(await listTitles(reader.page)).toEqual(await askApi('q=titeres%20isla'));
    expect(await listTitles(reader.page)).toContain('Títeres en la isla');
  });

  test('its form asks for everything at once', async () => {
    const reader = await visit();
    const { page } = reader;
    await reader.open('/buscar');
    await page.getByLabel('Cuándo').selectOption('tonight');
    await page.getByLabel('Zona').selectOption('isla-mujeres');
    await page.getByLabel('Solo lo gratis').check();
    await page.getByRole('button', { name: 'Buscar' }).last().tap();
    await page.waitForURL(/free=1/);
    expect(await listTitles(page)).toEqual(await askApi('date=tonight&zone=isla-mujeres&free=1'));
    await page.getByText('Fechas, zonas y más filtros').tap();
    expect(await page.getByLabel('Zona').inputValue()).toBe('isla-mujeres');
    expect(await page.getByLabel('Solo lo gratis').isChecked()).toBe(true);
  });

  test('that finds nothing says what to take away', async () => {
    const reader = await visit();
    await reader.open('/buscar?q=zzz&zone=isla-mujeres&date=today');
    expect(await reader.page.getByText('No encontramos nada con eso.').isVisible()).toBe(true);
    await touch(reader, 'Sin el filtro «zzz»');
    expect((await listTitles(reader.page)).length).toBeGreaterThan(2);
  });
});

describe('other days', () => {
  test('the field leads to the page of a day and keeps the filters', async () => {
    const reader = await visit();
    const { page } = reader;
    await reader.open('/hoy?free=1');
    await page.getByLabel('Ir a otra fecha').fill('2026-11-24');
    await page.getByRole('button', { name: 'Ir' }).tap();
    await page.waitForURL(/\/fecha\/2026-11-24\?free=1$/);
    expect(await listTitles(page)).toContain('Feria diaria');
  });
});
