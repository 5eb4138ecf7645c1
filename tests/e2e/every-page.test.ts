// What every kind of page keeps, seen in one visit, and what is in sight at first.
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

/** Made of the same parts as another one: dark it is looked at once. */
const ALIKE = [
  ...['tomorrow', 'weekend', 'a day', 'a day long past', 'all categories', 'a search without'],
  ...['a postponed event', 'a past event', 'a category', 'an organizer', 'all places', '410'],
  ...['the docs for agents', 'the docs of calendars', 'what changed for programs', 'the calendar'],
];
/** What does without a script. */
const SCRIPTLESS = [
  ...['the form', 'a calendar brought in', 'the form of a correction', 'the frame', '404', '410'],
];

const listFiles = (reader: Reader, path: string): string[] =>
  reader.asked
    .filter((asked) => asked !== path.replace(/\?.*/, '') && asked !== '/favicon.svg')
    .filter((asked) => !asked.startsWith('/motifs/'))
    .map((asked) => asked.replace(/.*\./, ''));

test.each([...PAGES, ...SERVICE_PAGES, ...MISSING_PAGES])(
  '%s (%s) is fit for everyone on the smallest phone, and asks nobody else',
  async (kind, es, en) => {
    const reader = await newReader(browser, { viewport: SMALL_PHONE, colorScheme: 'light' });
    const { page } = reader;
    await reader.open(es);
    await page.evaluate('document.fonts.ready');
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    expect(await findSmall(page)).toEqual([]);
    expect(await findViolations(page, false)).toEqual([]);
    if (!ALIKE.includes(String(kind))) {
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findViolations(page, true)).toEqual([]);
    }
    const loaded = listFiles(reader, es);
    expect(loaded.includes('js')).toBe(!SCRIPTLESS.includes(String(kind)));
    // The snippet is shown at work: the frame, with the frame's own sheet.
    if (kind !== 'the snippet') {
      expect(['css', 'js', 'woff2']).toEqual(expect.arrayContaining(loaded));
      expect(new Set(loaded).size).toBe(loaded.length);
    }
    const width = await readWidth(page);
    // Text twice as large on a phone of 360 px.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await readWidth(page)).toBe(360);
    await page.setViewportSize(SMALL_PHONE);
    await reader.open(en);
    expect([width, await readWidth(page)]).toEqual([SMALL_PHONE.width, SMALL_PHONE.width]);
    expect(reader.issues).toEqual([]);
  },
);

/** The looks that differ most. */
const LOOKS = ['/hoy', '/mapa', '/eventos/feria-diaria', '/publicar', '/embed?theme=dark'];

test.each(['light', 'dark'] as const)('in forced colours, %s, all is read', async (colorScheme) => {
  // Opened with them: a page that is there already tells axe its own colours.
  const options = { colorScheme, forcedColors: 'active' } as const;
  const { page, open } = await newReader(browser, options);
  for (const path of LOOKS) {
    await open(path);
    expect([path, await findViolations(page, true)]).toEqual([path, []]);
  }
});

describe('at first sight on a phone', () => {
  test('days have their first event, what is asked for its filters, and today the present minute', async () => {
    const { page, open } = await newReader(browser, { viewport: PHONE });
    const bottomOf = async (selector: string): Promise<number> => {
      const { y = 0, height = 0 } = (await page.locator(selector).first().boundingBox()) ?? {};
      return y + height;
    };
    for (const [path, now, first] of [
      ['/fecha/2026-12-05', 0, '.pick h3, .row h3'],
      ['/en/today', 1, '.pick h3'],
      ['/hoy', 1, '.pick h3'],
      ['/semana?free=1', 1, '.chips'],
    ] as const) {
      await open(path);
      expect(await bottomOf(first), path).toBeGreaterThan(100);
      expect(await bottomOf(first), path).toBeLessThanOrEqual(first === '.chips' ? 300 : 400);
      expect(await page.locator('.sea .now').count(), path).toBe(now);
    }
  });

  test('most rows have two lines', async () => {
    const { page, open } = await newReader(browser, { viewport: PHONE });
    const heights: number[] = [];
    for (const path of ['/manana', '/semana', '/en/week']) {
      await open(path);
      const rows = page.locator('.row:visible');
      heights.push(
        ...(await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))),
      );
    }
    const middle = heights.toSorted((a, b) => a - b)[Math.floor(heights.length / 2)];
    expect(middle).toBeLessThanOrEqual(100);
  });
});
