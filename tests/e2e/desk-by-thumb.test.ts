// The queue worked through by thumb on a phone, without a script; and what a script adds.
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { type DeskServer, startDesk } from '../fixtures/desk-server.ts';
import { sendIn } from '../fixtures/inbox.ts';
import { newReader, PHONE } from '../fixtures/reader.ts';

let browser: Browser;
let desk: DeskServer;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
  desk = await startDesk(copyBrowserRelease);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await desk.stop();
});

async function openQueue(javaScriptEnabled: boolean): Promise<Page> {
  const { page } = await newReader(browser, {
    ...{ baseURL: desk.server.origin, javaScriptEnabled, viewport: PHONE, hasTouch: true },
    locale: 'es-MX',
  });
  const cookie = (await desk.logIn()).headers.get('set-cookie') ?? '';
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  await page.context().addCookies([{ name, value, url: desk.server.origin }]);
  await page.goto('/revision');
  return page;
}

test('three taps reject one, and the next opens with the way back', async () => {
  for (const title of ['Basura primera', 'Basura segunda']) await sendIn(desk.inbox, { title });
  const page = await openQueue(false);
  await page
    .getByRole('link', { name: /^Basura/ })
    .first()
    .tap();
  await page.getByRole('link', { name: 'Decisión' }).tap();
  await page.getByRole('button', { name: 'No es un evento' }).tap();
  await page.waitForURL(/done=reject/);
  expect(await page.getByRole('status').textContent()).toContain('rechazado');
  await page.getByRole('button', { name: 'Deshacer' }).first().tap();
  await page.waitForURL(/done=undone/);
  expect(await page.getByRole('link', { name: /^Basura/ }).count()).toBe(2);
});

test('where scripts run, a name that is the same in both languages is copied by a button', async () => {
  await sendIn(desk.inbox, { title: 'Jazz Night' });
  const page = await openQueue(true);
  await page.getByRole('link', { name: 'Jazz Night' }).tap();
  await page.getByRole('button', { name: 'Igual que el original' }).tap();
  expect(await page.inputValue('[name="other_title"]')).toBe('Jazz Night');
});
