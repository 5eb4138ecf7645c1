// Following the agenda: a person chooses without a script, and gets an address that gives just that.
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { clickThrough } from '../fixtures/press.ts';
import { newReader } from '../fixtures/reader.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
});
afterAll(() => browser.close());

test('a choice leads to its calendar, and stays in the form', async () => {
  const { page, open } = await newReader(browser);
  await open('/calendario');
  await page.getByLabel('Categoría').selectOption({ label: 'Música en vivo' });
  await page.getByLabel('Solo lo gratis').check();
  await clickThrough(page.getByRole('button', { name: 'Ver este calendario' }));
  expect(await page.getByLabel('Categoría').inputValue()).toBe('musica-en-vivo');
  expect(await page.getByLabel('Solo lo gratis').isChecked()).toBe(true);
  const address = new URL(await page.getByLabel('Enlace para copiar').inputValue());
  const path = '/api/v1/events.ics?category=musica-en-vivo&free=1';
  expect(address.pathname + address.search).toBe(path);
  expect(await page.getByRole('link', { name: 'Apple y otros' }).getAttribute('href')).toBe(
    address.href.replace(/^https?/, 'webcal'),
  );
});
