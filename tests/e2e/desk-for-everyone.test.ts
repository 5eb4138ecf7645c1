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

/** Shows a page as it was answered, with the style that it asks the server for. */
async function show(page: Page, { html }: SentPage): Promise<void> {
  const still = html.replace('http-equiv="refresh"', 'name="refresh"');
  await page.route('**/shown', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: still }),
  );
  await page.goto('/shown');
  await page.unroute('**/shown');
}

test('every screen, light and dark, has no fault and no scroll sideways', async () => {
  const { page } = await newReader(browser, { baseURL: desk.server.origin, bypassCSP: true });
  const look = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    // The dark has other colours and nothing else of its own.
    const faults = await findViolations(page, colorScheme === 'dark');
    const width: unknown = await page.evaluate('document.scrollingElement.scrollWidth');
    return { faults, width };
  };
  const none = { faults: [], width: PHONE.width };
  for (const shown of pages) {
    await page.emulateMedia({ colorScheme: 'light' });
    await show(page, shown);
    const [light, dark] = [await look('light'), await look('dark')];
    expect({ name: shown.name, light, dark }).toEqual({
      name: shown.name,
      light: none,
      dark: none,
    });
  }
}, 240_000);

test('every room of the desk is in sight on a phone of 360 px', async () => {
  const shown = pages.find(({ html }) => html.includes('class="menu"'));
  if (!shown) throw new Error('no screen has the rooms');
  const { page } = await newReader(browser, {
    baseURL: desk.server.origin,
    viewport: { width: 360, height: 740 },
  });
  await show(page, shown);
  const rooms = await page.locator('.menu a').all();
  expect(rooms.length).toBe(8);
  for (const room of rooms) {
    const { x = -1, width = 0 } = (await room.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(360);
  }
});
