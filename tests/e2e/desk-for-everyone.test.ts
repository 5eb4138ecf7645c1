// The desk and a sender's pages are fit for everyone too: each of them as it is answered, looked at in
// a browser on a telephone, by axe.
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { listDeskPages, type SentPage } from '../fixtures/desk-pages.ts';
import { type DeskServer, startDesk } from '../fixtures/desk-server.ts';
import { newReader, PHONE } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

let browser: Browser;
let desk: DeskServer;
let pages: readonly SentPage[];
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
  desk = await startDesk(copyBrowserRelease);
  pages = await listDeskPages(desk, 'es');
}, 120_000);
afterAll(async () => {
  await browser.close();
  await desk.stop();
});

/** Shows pages as they were answered, with the style that they ask the server for. */
async function openScreen(viewport: Readonly<Record<'width' | 'height', number>> = PHONE) {
  const { page } = await newReader(browser, {
    ...{ baseURL: desk.server.origin, bypassCSP: true, viewport },
  });
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
    for (const [names] of html.matchAll(/<\w+ [^>]*class="[^"]*"/g))
      known.add(names.replace(/ .*class=/, ' '));
    return known.size > before;
  };
  for (const shown of pages) {
    const page = await show(shown);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await findViolations(page, false), shown.name).toEqual([]);
    const width: unknown = await page.evaluate('document.scrollingElement.scrollWidth');
    expect(width, shown.name).toBe(PHONE.width);
    if (!hasNewClass(shown.html)) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(page, true), `${shown.name}, in the dark`).toEqual([]);
  }
}, 240_000);

test('every room of the desk is in sight on a phone of 360 px', async () => {
  const shown = pages.find(({ html }) => html.includes('class="menu"'));
  if (!shown) throw new Error('no screen has the rooms');
  const page = await (await openScreen({ width: 360, height: 740 }))(shown);
  const rooms = await page.locator('.menu a').all();
  expect(rooms.length).toBe(8);
  for (const room of rooms) {
    const { x = -1, width = 0 } = (await room.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(360);
  }
});
