// Desk in a browser: accessibility of its screens and of the sender's pages, and review by touch.
import type { BrowserContextOptions, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { listDeskPages, type RenderedPage } from '../fixtures/desk-pages.ts';
import { type DeskServer, startDesk } from '../fixtures/desk-server.ts';
import { submitTestEvent } from '../fixtures/inbox.ts';
import { openVisitor, PHONE } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

const browser = await getBrowser();
let desk: DeskServer;
let pages: readonly RenderedPage[];
beforeAll(async () => {
  desk = await startDesk(copyBrowserRelease);
  pages = await listDeskPages(desk, 'es');
}, 120_000);
afterAll(() => desk.stop());

const openPage = async (options: BrowserContextOptions): Promise<Page> =>
  (await openVisitor(browser, { baseURL: desk.server.origin, ...options })).page;
async function openScreen() {
  const page = await openPage({ bypassCSP: true, viewport: PHONE });
  let body = '';
  await page.route('**/shown', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
  );
  return async ({ html }: RenderedPage): Promise<Page> => {
    body = html.replace('http-equiv="refresh"', 'name="refresh"');
    await page.goto('/shown');
    return page;
  };
}

test('every screen passes axe without horizontal scroll, also in dark mode', async () => {
  const show = await openScreen();
  const checked = new Set<string>();
  /** Dark mode only changes the colors of classes, so each class is checked once. */
  const hasNewClass = (html: string): boolean => {
    const before = checked.size;
    for (const [tag] of html.matchAll(/<\w+ [^>]*class="[^"]*"/g))
      checked.add(tag.replace(/ .*class=/, ' '));
    return checked.size > before;
  };
  for (const screen of pages) {
    const page = await show(screen);
    await page.emulateMedia({ colorScheme: 'light' });
    // At the end of the page the sticky buttons cover nothing.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await findViolations(page, false), screen.name).toEqual([]);
    const width: unknown = await page.evaluate('document.scrollingElement.scrollWidth');
    expect(width, screen.name).toBe(PHONE.width);
    if (!hasNewClass(screen.html)) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(page, true), `${screen.name}, in the dark`).toEqual([]);
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

test('three taps reject an item, and the next one opens with an undo button', async () => {
  for (const title of ['Basura primera', 'Basura segunda'])
    await submitTestEvent(desk.inbox, { title });
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

test('with scripts, a button copies the title to the other language', async () => {
  await submitTestEvent(desk.inbox, { title: 'Basura Jazz Night' });
  const page = await openQueue(true);
  await page.getByRole('link', { name: 'Basura Jazz Night' }).tap();
  await page.getByRole('button', { name: 'Igual que el original' }).tap();
  expect(await page.inputValue('[name="other_title"]')).toBe('Basura Jazz Night');
});
