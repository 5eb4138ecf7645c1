// What every kind of page keeps: no fault, no other host, no scroll sideways, room for thumbs,
// nothing in anyone's way, little weight.
import { brotliCompressSync } from 'node:zlib';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { MISSING_PAGES, PAGES, SERVICE_PAGES } from '../fixtures/pages.ts';
import { newReader, PHONE, type Reader, SMALL_PHONE } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
});
afterAll(() => browser.close());

const ALL = [...PAGES, ...SERVICE_PAGES, ...MISSING_PAGES];
const readWidth = (page: Page): Promise<unknown> =>
  page.evaluate('document.scrollingElement.scrollWidth');

/** What is pressed with a thumb and is not 44 pixels high. */
const findSmall = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('header a, nav a, .actions a, .coast a, footer a, summary, li.row')]
  .map((at) => [at.textContent.trim(), at.getBoundingClientRect().height]).filter(([, height]) => height > 0 && height < 44)`);

/** What a page loads beside itself, each thing once: its sheet, the one module, the letters. */
const FILES = ['css', 'js', 'woff2'] as const;
/** Where it is something else: a form does without scripts, a frame on another site without letters. */
const LOADED: ReadonlyMap<string, readonly string[]> = new Map([
  ['the form', ['css', 'woff2']],
  ['a calendar brought in', ['css', 'woff2']],
  ['the form of a correction', ['css', 'woff2']],
  ['404', ['css', 'woff2']],
  ['410', ['css', 'woff2']],
  ['the frame', ['css']],
  // The snippet is shown at work: the frame, with the frame's own sheet.
  ['the snippet', ['/embed', 'css', 'css', 'js', 'woff2']],
]);

/** The endings of what a page asked for beside itself, sorted. */
const listFiles = (reader: Reader, path: string): string[] =>
  reader.asked
    .filter((asked) => asked !== path.replace(/\?.*/, '') && asked !== '/favicon.svg')
    .map((asked) => asked.replace(/.*\./, ''))
    .toSorted();

test.each(ALL)(
  '%s (%s) is fit for everyone on the smallest phone, and asks nobody else',
  async (kind, es, en) => {
    const reader = await newReader(browser, { viewport: SMALL_PHONE, colorScheme: 'light' });
    const { page } = reader;
    await reader.open(es);
    await page.evaluate('document.fonts.ready');
    const loaded = LOADED.get(String(kind)) ?? FILES;
    // A frame within the page loads when it likes, so its sheet is waited for; nothing comes after it.
    await expect.poll(() => listFiles(reader, es)).toEqual(loaded);
    await page.evaluate(
      'for (const folded of document.querySelectorAll("details")) folded.open = true',
    );
    expect(await findSmall(page)).toEqual([]);
    expect(await findViolations(page, false)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findViolations(page, true)).toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await findViolations(page, true)).toEqual([]);
    expect(listFiles(reader, es)).toEqual(loaded);
    const width = await readWidth(page);
    await reader.open(en);
    expect([width, await readWidth(page)]).toEqual([SMALL_PHONE.width, SMALL_PHONE.width]);
    expect(reader.issues).toEqual([]);
  },
);

describe.each(['light', 'dark'] as const)(
  'in the colours that the system forces, %s',
  (colorScheme) => {
    let page: Page;
    beforeAll(async () => {
      // Opened with them: a page that is there already tells axe its own colours.
      const options = { baseURL: inject('origin'), viewport: PHONE, colorScheme } as const;
      const context = await browser.newContext({ ...options, forcedColors: 'active' });
      page = await context.newPage();
    });
    afterAll(() => page.context().close());
    test.each(ALL)('%s (%s) is read', async (_kind, es) => {
      await page.goto(es);
      expect(await findViolations(page, true)).toEqual([]);
    });
  },
);

describe('the weight', () => {
  const measure = async (path: string) => {
    const answer = await fetch(`${inject('origin')}${path}`, {
      headers: { 'accept-encoding': 'br' },
    });
    return { text: await answer.text(), transfer: Number(answer.headers.get('content-length')) };
  };
  // What a server may send before it hears back (RFC 6928), less what the headers take.
  test.each(['/hoy', '/en/today', '/semana', '/fecha/2026-11-25', '/eventos/feria-diaria'])(
    'of %s with its style is that of the first flight of packets',
    async (path) => {
      const { text, transfer } = await measure(path);
      expect(transfer).toBeGreaterThan(500);
      expect(transfer).toBeLessThanOrEqual(9_000);
      expect(text).not.toMatch(/<script(?! type="(?:application\/ld\+json"|module" src=))/);
    },
  );
  test('of a plain day is 15 kB before it is compressed, without its style', async () => {
    const { text } = await measure('/fecha/2026-11-25');
    expect(text).toContain('<style>');
    expect(text.replace(/<style>.*?<\/style>/s, '').length).toBeLessThanOrEqual(15_000);
  });
  // Each look carries the style of its own first screen and no other.
  test.each([
    ['/fecha/2026-11-25', 15_000, 4_200],
    ['/avisos', 12_000, 3_500],
    ['/eventos/feria-diaria', 12_000, 3_500],
    ['/mapa', 16_000, 4_300],
    ['/publicar', 21_000, 5_200],
    ['/docs', 16_000, 4_300],
  ])('of the style in %s is %i bytes, %i compressed', async (path, bytes, compressed) => {
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec((await measure(path)).text) ?? [];
    expect(style.length).toBeGreaterThan(5_000);
    expect(style.length).toBeLessThanOrEqual(bytes);
    expect(brotliCompressSync(style).length).toBeLessThanOrEqual(compressed);
  });
  test('of today with all it asks for is 30 kB', async () => {
    const reader = await newReader(browser);
    await reader.open('/hoy');
    await reader.page.evaluate('document.fonts.ready');
    const parts = [...new Set(reader.asked)].filter((path) => path !== '/favicon.svg');
    expect(parts.map((path) => path.replace(/.*\./, '')).sort()).toEqual([
      '/hoy',
      'css',
      'js',
      'woff2',
    ]);
    const bytes = await Promise.all(parts.map(async (path) => (await measure(path)).transfer));
    expect(bytes.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(30_000);
  });
});
