// An operation is tried from the docs: filled in and sent by keyboard, the answer told and shown on the
// page; without a script the same form leads to it (contract 8.35).
import type { Browser, Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { newReader, type Reader, readWords, SMALL_PHONE } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
});
afterAll(() => browser.close());

/** The part of an operation, its form open. */
async function openForm(reader: Reader, path: string, id: string, open: string): Promise<Locator> {
  await reader.open(path);
  const part = reader.page.locator(`section[aria-labelledby="${id}"]`);
  const summary = part.getByText(open, { exact: true });
  await summary.focus();
  await summary.press('Enter');
  return part;
}

const waitForAnswer = (part: Locator, sentence: RegExp): Promise<void> =>
  expect.poll(() => part.getByRole('status').textContent()).toMatch(sentence);

describe('with a script', () => {
  test('a question is written, sent and answered without leaving the page, on a small telephone too', async () => {
    const reader = await newReader(browser, { viewport: SMALL_PHONE });
    const part = await openForm(reader, '/docs', 'listEvents', 'Probar aquí');
    await part.getByLabel('date', { exact: true }).fill('2026-11-21');
    await part.getByLabel('limit', { exact: true }).fill('2');
    await part.getByLabel('lang', { exact: true }).selectOption('en');
    expect(await part.locator('pre.line').textContent()).toBe(
      "curl 'https://agenda.example/api/v1/events?date=2026-11-21&lang=en&limit=2'",
    );
    await part.getByLabel('limit', { exact: true }).press('Enter');
    await waitForAnswer(part, /^Respuesta 200 OK, \d+ caracteres\.$/);
    expect(reader.at()).toBe('/docs');
    const body = part.getByRole('region', { name: 'Cuerpo de la respuesta' });
    const asked = await fetch(`${inject('origin')}/api/v1/events?date=2026-11-21&limit=2&lang=en`);
    expect(await body.textContent()).toBe(JSON.stringify(await asked.json(), null, 2));
    expect(await readWords(part.locator('.answered dl'))).toMatch(
      /content-type application\/json; charset=utf-8 .*etag ".*ratelimit-remaining \d+/,
    );
    expect(await findViolations(reader.page, false)).toEqual([]);
    const width = await reader.page.evaluate('document.scrollingElement.scrollWidth');
    expect(width).toBe(SMALL_PHONE.width);
    expect(reader.issues).toEqual([]);
  });

  test('an identifier goes into the path, and an error is an answer like any other', async () => {
    const reader = await newReader(browser);
    const part = await openForm(reader, '/en/docs', 'getEvent', 'Try it here');
    await part.getByLabel('idOrSlug').fill("nobody's / event");
    expect(await part.locator('pre.line').textContent()).toContain(
      "/api/v1/events/nobody%27s%20%2F%20event?lang=en'",
    );
    await part.getByRole('button', { name: 'Send' }).click();
    await waitForAnswer(part, /^Response 404/);
    expect(await part.locator('.answered pre').textContent()).toContain('"code": "not_found"');
  });

  test('a long answer is cut where it is shown, and a calendar is shown as it is', async () => {
    const reader = await newReader(browser);
    const part = await openForm(reader, '/en/docs', 'eventsCalendarFeed', 'Try it here');
    await part.getByRole('button', { name: 'Send' }).click();
    await waitForAnswer(part, /^Response 200/);
    const text = (await part.locator('.answered pre').textContent()) ?? '';
    expect(text).toMatch(/^BEGIN:VCALENDAR/);
    await part.getByLabel('category', { exact: true }).fill('');
    await part.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => part.locator('.answered').textContent()).toMatch(/20000 of \d+/);
    expect((await part.locator('.answered pre').textContent())?.length).toBe(20_000);
  });

  test('where nothing comes it says so, and the next time works', async () => {
    const reader = await newReader(browser);
    const part = await openForm(reader, '/docs', 'listZones', 'Probar aquí');
    await reader.page.route('**/api/**', (route) => route.abort());
    await part.getByRole('button', { name: 'Enviar' }).click();
    await waitForAnswer(part, /^No llegó ninguna respuesta/);
    await reader.page.unroute('**/api/**');
    await part.getByRole('button', { name: 'Enviar' }).click();
    await waitForAnswer(part, /^Respuesta 200/);
  });
});

test('without a script the form leads to the answer itself', async () => {
  const reader = await newReader(browser, { javaScriptEnabled: false });
  const part = await openForm(reader, '/docs', 'listVenues', 'Probar aquí');
  await part.getByLabel('limit', { exact: true }).fill('1');
  await part.getByRole('button', { name: 'Enviar' }).click();
  await reader.page.waitForURL(/\/api\/v1\/venues\?.*limit=1/);
  expect(await reader.page.textContent('body')).toContain('"data"');
});

test('every operation has a form that asks what its line for curl asks', async () => {
  const reader = await newReader(browser);
  await reader.open('/en/docs');
  const parts = await reader.page.locator('section.operation').all();
  expect(parts.length).toBeGreaterThan(15);
  for (const part of parts) {
    const line = (await part.locator('pre.line').textContent()) ?? '';
    await part.locator('form').dispatchEvent('input');
    expect(await part.locator('pre.line').textContent()).toBe(line);
  }
});
