// Sixty mixed items worked through by keys alone, and by thumb: how long each takes beside reading
// (contract 14.21).
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sendCorrection } from '../../src/desk/corrections.ts';
import { correct, requestChange } from '../../src/desk/submit.ts';
import { countWaiting } from '../../src/inbox/waiting.ts';
import { publish } from '../fixtures/approved.ts';
import { connectBrowser } from '../fixtures/browser.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { type DeskServer, startDesk } from '../fixtures/desk-server.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sendIn, SUBMISSION } from '../fixtures/inbox.ts';
import { Typist } from '../fixtures/keystrokes.ts';
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

/** 6 requests, 8 corrections, 6 reports, 20 new ones to approve, 20 to reject. */
function fillQueue(): void {
  const { inbox } = desk;
  const now_ms = FRIDAY_NOON_MS;
  for (let at = 0; at < 14; at += 1) {
    const title = `Publicado número ${at}`;
    const reference = publish(inbox, { title });
    if (at < 6) requestChange(inbox, { reference, now_ms, asks: 'cancel', message: 'Llueve.' });
    else {
      const submission = { ...SUBMISSION, title, start: '2026-12-05T21:30' };
      correct(inbox, { reference, now_ms: now_ms + 60_000, submission });
    }
  }
  for (let at = 0; at < 6; at += 1)
    sendCorrection(inbox, {
      correction: { change: `Cambió la hora ${at}`, source_url: null, contact_email: null },
      about: { kind: 'venue', id: 've_x', title: 'Plaza' },
      lang: 'es',
      sender: `203.0.${at}.1`,
      now_ms,
    });
  for (let at = 0; at < 20; at += 1) {
    sendIn(inbox, { title: `Taller de barro número ${at}`, venue_name: `Casa ${at}` });
    sendIn(inbox, { title: `Gana dinero en casa ${at}`, venue_name: `Sitio ${at}` }, 'agent');
  }
}

async function logIn(page: Page): Promise<void> {
  const cookie = (await desk.logIn()).headers.get('set-cookie') ?? '';
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  await page.context().addCookies([{ name, value, url: desk.server.origin }]);
  await page.goto('/revision');
}

/** Decides what is on the screen, by keys; gives how. */
async function decide(page: Page, typist: Typist): Promise<'approved' | 'rejected'> {
  const title = (await page.locator('main h1').textContent()) ?? '';
  if (title.startsWith('Gana dinero')) {
    await typist.press('r', '1');
    return 'rejected';
  }
  const is_empty = (await page.locator('[name="other_title"]').count()) > 0;
  if (is_empty && (await page.inputValue('[name="other_title"]')) === '') {
    await typist.press('e');
    await typist.type('Clay workshop number 12');
    await typist.press('Control+Enter');
  } else await typist.press('a');
  return 'approved';
}

test('sixty mixed items by keys: 12 s an approval, 3 s a rejection, and each opens the next', async () => {
  fillQueue();
  const { page, issues } = await newReader(browser, {
    baseURL: desk.server.origin,
    viewport: { width: 1280, height: 900 },
    locale: 'es-MX',
  });
  await logIn(page);
  const typist = new Typist(page);
  const seconds = { approved: [] as number[], rejected: [] as number[] };
  await page.keyboard.press('o');
  for (let at = 0; at < 60; at += 1) {
    await page.waitForURL(/\/revision\/(envios|correcciones)\//);
    const here = page.url();
    typist.begin();
    seconds[await decide(page, typist)].push(typist.seconds);
    await page.waitForURL((url) => url.href !== here);
  }
  expect(new URL(page.url()).pathname).toBe('/revision');
  expect([seconds.approved.length, seconds.rejected.length]).toEqual([40, 20]);
  expect(Math.max(...seconds.approved)).toBeLessThanOrEqual(12);
  expect(Math.max(...seconds.rejected)).toBeLessThanOrEqual(3);
  expect(countWaiting(desk.inbox).waiting).toBe(0);
  expect(issues).toEqual([]);
}, 180_000);

test('the keys are listed by ?, work in the list, and can be switched off', async () => {
  for (let at = 0; at < 3; at += 1) sendIn(desk.inbox, { title: `Otra basura ${at}` });
  const { page } = await newReader(browser, { baseURL: desk.server.origin, locale: 'es-MX' });
  await logIn(page);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Teclas' });
  expect(await dialog.textContent()).toMatch(/r 1.*No es un evento/);
  await page.keyboard.press('Escape');
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.keyboard.press('r');
  await page.keyboard.press('1');
  await page.waitForURL(/done=several/);
  expect(await page.getByRole('status').textContent()).toContain('2 rechazados');
  await page.keyboard.press('?');
  await dialog.getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  expect(new URL(page.url()).pathname).toBe('/revision');
});

test('by thumb, without a script: two taps reject one, and one more for each that is checked', async () => {
  for (let at = 0; at < 3; at += 1) sendIn(desk.inbox, { title: `Más basura ${at}` });
  const { page } = await newReader(browser, {
    baseURL: desk.server.origin,
    javaScriptEnabled: false,
    viewport: PHONE,
    hasTouch: true,
    locale: 'es-MX',
  });
  await logIn(page);
  await page.getByRole('link', { name: 'Más basura 0' }).tap();
  await page.getByRole('link', { name: 'Decisión' }).tap();
  await page.getByRole('button', { name: 'No es un evento' }).tap();
  await page.waitForURL(/done=reject/);
  expect(await page.getByRole('status').textContent()).toContain('rechazado');
  await page.getByRole('link', { name: 'A la fila' }).tap();
  await page.waitForURL(({ pathname }) => pathname === '/revision');
  const before = countWaiting(desk.inbox).waiting;
  for (const box of (await page.getByRole('checkbox', { name: /Marcar/ }).all()).slice(0, 2))
    await box.tap();
  await page.getByRole('button', { name: 'Repetido' }).tap();
  await page.waitForURL(/done=several/);
  expect(countWaiting(desk.inbox).waiting).toBe(before - 2);
});
