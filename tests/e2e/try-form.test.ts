// An operation is tried from the docs, with a script and without (contract 8.35).
import { expect, inject, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { newReader } from '../fixtures/reader.ts';

const browser = await getBrowser();

test.each([true, false])('leads to the answer; scripts run: %s', async (javaScriptEnabled) => {
  const { page, open } = await newReader(browser, { javaScriptEnabled });
  await open('/docs');
  const part = page.locator('section[aria-labelledby="listEvents"]');
  await part.getByText('Probar aquí', { exact: true }).press('Enter');
  await part.getByLabel('date', { exact: true }).fill('2026-11-21');
  await part.getByLabel('lang', { exact: true }).selectOption('en');
  await part.getByLabel('limit', { exact: true }).fill('2');
  await part.getByLabel('limit', { exact: true }).press('Enter');
  await page.waitForURL(/\/api\/v1\/events\?/);
  const asked = await fetch(`${inject('origin')}/api/v1/events?date=2026-11-21&limit=2&lang=en`);
  expect(await page.textContent('body')).toContain(JSON.stringify(await asked.json()));
});
