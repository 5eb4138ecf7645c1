// What every kind of page keeps, seen in one visit: no fault, no other host, no scroll sideways, room for thumbs,
// fit for dark screens, paper, large letters and forced colours; and what is in sight at first.
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { MISSING_PAGES, PAGES, SERVICE_PAGES } from '../fixtures/pages.ts';
import { newReader, PHONE, type Reader, SMALL_PHONE } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

const browser = await getBrowser();

const readWidth = (page: Page): Promise<unknown> =>
  page.evaluate('document.scrollingElement.scrollWidth');

/** What is pressed with a thumb and is not 44 pixels high. */
const findSmall = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('header a, nav a, .actions a, .coast a, footer a, summary, li.row')]
  .map((at) => [at.textContent.trim(), at.getBoundingClientRect().height]).filter(([, height]) => height > 0 && height < 44)`);

/** Words that are too light for white paper, and the ground that is not white. */
const findPale = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('main *, footer *')]
  .filter((at) => at.checkVisibility() && [...at.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  .map((at) => getComputedStyle(at).color).filter((colour) => colour.match(/\\d+/g).slice(0, 3).some((part) => part > 160))
  .concat([getComputedStyle(document.documentElement).backgroundColor].filter((colour) => colour !== 'rgb(255, 255, 255)'))`);

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

/** Made of the same parts as another one: dark it is looked at once. */
const ALIKE = [
  ...['tomorrow', 'weekend', 'a day', 'a day long past', 'all categories', 'a search without'],
  ...['a postponed event', 'a past event', 'a category', 'an organizer', 'all places', '410'],
  ...['the docs for agents', 'the docs of calendars', 'what changed for programs', 'the calendar'],
];
/** What people take along on paper. */
const PRINTED = ['today', 'an event of many dates', 'a venue'];

/** The endings of what a page asked for beside itself, sorted. */
const listFiles = (reader: Reader, path: string): string[] =>
  reader.asked
    .filter((asked) => asked !== path.replace(/\?.*/, '') && asked !== '/favicon.svg')
    .map((asked) => asked.replace(/.*\./, ''))
    .toSorted();

test.each([...PAGES, ...SERVICE_PAGES, ...MISSING_PAGES])(
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
    if (!ALIKE.includes(String(kind))) {
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findViolations(page, true)).toEqual([]);
    }
    if (PRINTED.includes(String(kind))) {
      await page.emulateMedia({ media: 'print' });
      expect(await findViolations(page, true)).toEqual([]);
      expect(await findPale(page)).toEqual([]);
      await page.emulateMedia({ media: 'screen' });
    }
    expect(listFiles(reader, es)).toEqual(loaded);
    const width = await readWidth(page);
    // Text twice as large on a phone of 360 px.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    if (kind !== 'the map') expect(await readWidth(page)).toBe(360);
    await page.setViewportSize(SMALL_PHONE);
    await reader.open(en);
    expect([width, await readWidth(page)]).toEqual([SMALL_PHONE.width, SMALL_PHONE.width]);
    expect(reader.issues).toEqual([]);
  },
);

/** The looks that differ most. */
const LOOKS = ['/hoy', '/mapa', '/eventos/feria-diaria', '/publicar', '/embed?theme=dark'];

test.each(['light', 'dark'] as const)(
  'in the colours that the system forces, %s, all is read',
  async (colorScheme) => {
    // Opened with them: a page that is there already tells axe its own colours.
    const options = { colorScheme, forcedColors: 'active' } as const;
    const { page, open } = await newReader(browser, options);
    for (const path of LOOKS) {
      await open(path);
      expect([path, await findViolations(page, true)]).toEqual([path, []]);
    }
    await open('/hoy');
    const number = await page.locator('.day-title .number').boundingBox();
    for (const words of ['.kicker', '.weekday', '.month']) {
      const box = await page.locator(`.day-title ${words}`).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual((number?.x ?? 0) + (number?.width ?? 0));
    }
  },
);

describe('at first sight on a phone', () => {
  test.each(['/hoy', '/en/today', '/manana', '/en/tomorrow', '/fecha/2026-11-25'])(
    '%s has its filters, and today its first event and the present minute',
    async (path) => {
      const { page, open } = await newReader(browser, { viewport: PHONE });
      await open(path);
      const { y = 0, height = 0 } = (await page.locator('.narrowing').boundingBox()) ?? {};
      expect(y + height).toBeGreaterThan(100);
      expect(y + height).toBeLessThanOrEqual(220);
      const is_today = path === '/hoy' || path === '/en/today';
      expect(await page.locator('.sea .now').count()).toBe(is_today ? 1 : 0);
      if (!is_today) return;
      // The fixture's Friday has two notices: with one, the line of the other falls away.
      await page.evaluate(`document.querySelector('.others')?.remove()`);
      expect((await page.locator('.row').first().boundingBox())?.y).toBeLessThanOrEqual(480);
    },
  );

  test('most rows have two lines', async () => {
    const { page, open } = await newReader(browser, { viewport: PHONE });
    const heights: number[] = [];
    for (const path of ['/hoy', '/manana', '/semana', '/en/week']) {
      await open(path);
      await page.evaluate(
        `for (const fold of document.querySelectorAll('details')) fold.open = true`,
      );
      const rows = page.locator('.row');
      heights.push(
        ...(await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))),
      );
    }
    const middle = heights.toSorted((a, b) => a - b)[Math.floor(heights.length / 2)];
    expect(middle).toBeLessThanOrEqual(84);
  });
});
