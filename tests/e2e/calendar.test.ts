// Following the agenda: a person chooses without a script, sees what is in it, and gets an address
// that gives just that.
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { newReader, readHeading } from '../fixtures/reader.ts';

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
  await Promise.all([
    page.waitForURL('**category=musica-en-vivo**'),
    page.getByRole('button', { name: 'Ver este calendario' }).click(),
  ]);
  expect(
    await page
      .getByRole('heading', { level: 2, name: 'Hoy Cancún: Música en vivo, gratis' })
      .count(),
  ).toBe(1);
  expect([
    await page.getByLabel('Categoría').inputValue(),
    await page.getByLabel('Solo lo gratis').isChecked(),
    await page.getByLabel('Solo planes en familia').isChecked(),
  ]).toEqual(['musica-en-vivo', true, false]);
  const address = new URL(await page.getByLabel('Enlace para copiar').inputValue());
  expect(address.pathname + address.search).toBe(
    '/api/v1/events.ics?category=musica-en-vivo&free=1',
  );
  expect(await page.getByRole('link', { name: 'Apple y otros' }).getAttribute('href')).toBe(
    address.href.replace(/^https?/, 'webcal'),
  );
  expect(
    new URL(
      (await page.getByRole('link', { name: 'Google' }).getAttribute('href')) ?? '',
    ).searchParams.get('cid'),
  ).toBe(address.href.replace(/^https?/, 'webcal'));
  expect(
    (await fetch(`${inject('origin')}${address.pathname}${address.search}`)).headers.get(
      'content-type',
    ),
  ).toBe('text/calendar; charset=utf-8');
});

test('a wrong choice is said above the form, with what is accepted', async () => {
  const { page, open } = await newReader(browser);
  expect(await open('/en/calendar?zone=atlantis')).toBe(400);
  expect(await page.getByRole('alert').textContent()).toContain(
    "zone: 'atlantis' is not known. Use one or several of hotel-zone",
  );
  expect(await readHeading(page)).toBe('Get these events in your calendar');
});
