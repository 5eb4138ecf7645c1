// The desk and a sender's pages are fit for everyone, and worked through by thumb.
import type { BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { listDeskPages, type SentPage } from '../fixtures/desk-pages.ts';
import { type DeskServer, startDesk } from '../fixtures/desk-server.ts';
import { sendIn } from '../fixtures/inbox.ts';
import { newReader, PHONE } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

const browser = await getBrowser();
let desk: DeskServer;
let pages: readonly SentPage[];
beforeAll(async () => {
  desk = await startDesk(copyBrowserRelease);
  pages = await listDeskPages(desk, 'es');
}, 120_000);
afterAll(() => desk.stop());

const openPage = async (options: BrowserContextOptions): Promise<Page> =>
  (await newReader(browser, { baseURL: desk.server.origin, ...options })).page;
async function openScreen() {
  const page = await openPage({ bypassCSP: true, viewport: PHONE });
  let body = '';
  await page.route('**/shown', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
  );
  return async ({ html }: SentPage): Promise<Page> => {
    body = html.replace('http-equiv="refresh"', 'name="refresh"');
    await page.goto('/shown');
    return page;
  };
}

test('every screen has no fault and no scroll sideways; what is new on it has none in the dark', async () => {
  const show = await openScreen();
  const known = new Set<string>();
  /** The dark has other colours and nothing else of its own: those of a class are the same everywhere. */
  const hasNewClass = (html: string): boolean => {
    const before = known.size;
    for (const [tag] of html.matchAll(/<\w+ [^>]*class="[^"]*"/g))
      known.add(tag.replace(/ .*class=/, ' '));
    return known.size > before;
  };
  for (const shown of pages) {
    const page = await show(shown);
    await page.emulateMedia({ colorScheme: 'light' });
    // At its end the buttons at hand lie over nothing.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await findViolations(page, false), shown.name).toEqual([]);
    const width: unknown = await page.evaluate('document.scrollingElement.scrollWidth');
    expect(width, shown.name).toBe(PHONE.width);
    if (!hasNewClass(shown.html)) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(page, true), `${shown.name}, in the dark`).toEqual([]);
  }
}, 240_000);

async function openQueue(javaScriptEnabled: boolean): Promise<Page> {
  const page = await openPage({ javaScriptEnabled, hasTouch: true });
  const cookie = (await desk.logIn()).headers.get('set-cookie') ?? '';
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
  await page.context().addCookies([{ name, value, url: desk.server.origin }]);
  await page.goto('/revision/pendientes?q=basura');
  return page;
}

test('three taps reject one, and the next opens with the way back', async () => {
  for (const title of ['Basura primera', 'Basura segunda']) await sendIn(desk.inbox, { title });
  const page = await openQueue(false);
  const links = page.getByRole('link', { name: /^Basura/ });
  await links.first().tap();
  await page.getByRole('link', { name: 'Decisión' }).tap();
  await page.getByRole('button', { name: 'No es un evento' }).tap();
  await page.waitForURL(/done=reject/);
  expect(await page.getByRole('status').textContent()).toContain('rechazado');
  await page.getByRole('button', { name: 'Deshacer' }).first().tap();
  await page.waitForURL(/done=undone/);
  await page.goto('/revision/pendientes?q=basura');
  expect(await links.count()).toBe(2);
});

test('where scripts run, a name that is the same in both languages is copied by a button', async () => {
  await sendIn(desk.inbox, { title: 'Basura Jazz Night' });
  const page = await openQueue(true);
  await page.getByRole('link', { name: 'Basura Jazz Night' }).tap();
  await page.getByRole('button', { name: 'Igual que el original' }).tap();
  expect(await page.inputValue('[name="other_title"]')).toBe('Basura Jazz Night');
});
