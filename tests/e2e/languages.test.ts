// Both languages: the same thing on the other side, and back; addresses without a page say so in
// the language asked.
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { MISSING_PAGES, PAGES } from '../fixtures/pages.ts';
import { follow, newReader, readHeading, readWords } from '../fixtures/reader.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
});
afterAll(() => browser.close());

const SPANISH = /\b(Hoy en|Mañana|Avisos|Dónde|Precio|Gratis|Cómo|Próxim\w+|eventos?)\b/;
const ENGLISH = /\b(Today|Tomorrow|Weekend|Notices|Where|Price|Free|Directions|Upcoming|events?)\b/;
/** What no reader should see. */
const RAW = /\b(undefined|null|NaN|Invalid)\b|\[object|\{\w+\}/;

test.each(PAGES)(
  '%s (%s) leads to itself in the other language and back, and says no word of the other',
  async (_kind, es, en) => {
    const reader = await newReader(browser);
    const { page } = reader;
    expect(await reader.open(es)).toBe(200);
    expect(await page.locator('html').getAttribute('lang')).toBe('es-MX');
    const spanish = await readWords(page.locator('body'));
    await follow(reader, 'English');
    expect([reader.at(), await page.locator('html').getAttribute('lang')]).toEqual([en, 'en']);
    expect(await page.getByRole('link', { name: 'Español' }).getAttribute('href')).toBe(es);
    const english = await readWords(page.locator('body'));
    expect([
      spanish.match(ENGLISH)?.[0],
      english.match(SPANISH)?.[0],
      `${spanish} ${english}`.match(RAW)?.[0],
    ]).toEqual([undefined, undefined, undefined]);
  },
);

test.each(MISSING_PAGES)('%i says so in both languages and leads on', async (status, es, en) => {
  const reader = await newReader(browser);
  const titles = {
    404: ['Aquí no hay nada', 'Nothing here'],
    410: ['Página retirada', 'Page taken down'],
  }[status];
  expect([await reader.open(es), await readHeading(reader.page)]).toEqual([status, titles[0]]);
  await follow(reader, 'Qué hay hoy');
  expect(reader.at()).toBe('/hoy');
  expect([await reader.open(en), await readHeading(reader.page)]).toEqual([status, titles[1]]);
  await follow(reader, 'What’s on this weekend');
  expect(reader.at()).toBe('/en/weekend');
});
