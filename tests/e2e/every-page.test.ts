// Every page kind in a browser: accessibility, target sizes, layout and requests, and the first screen on a phone.
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { MISSING_PAGES, type PageKind, PAGES, SERVICE_PAGES } from '../fixtures/pages.ts';
import { openVisitor, PHONE, type TestVisitor, SMALL_PHONE } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

const browser = await getBrowser();

const readWidth = (page: Page): Promise<unknown> =>
  page.evaluate('document.scrollingElement.scrollWidth');

/** Finds touch targets that are lower than 44 pixels. */
const findSmallTargets = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('header a, nav a, .actions a, .coast a, footer a, summary, li.row')]
  .map((at) => [at.textContent.trim(), at.getBoundingClientRect().height]).filter(([, height]) => height > 0 && height < 44)`);

/** Kinds with the same parts as another one; dark mode is checked on the other one. */
const LIKE_ANOTHER_KIND: readonly PageKind[] = [
  ...(['tomorrow', 'weekend', 'a day', 'a day long past', 'all categories'] as const),
  ...(['a search without results', 'a postponed event', 'a past event', 'a category'] as const),
  ...(['an organizer', 'all venues', 'the docs for agents', 'the docs of calendars'] as const),
  ...(['the changelog of the API', 'the calendar', 410] as const),
];
const KINDS_WITHOUT_SCRIPT: readonly PageKind[] = [
  ...(['the form', 'a calendar import', 'the form of a correction', 'the frame'] as const),
  ...([404, 410] as const),
];

const listLoadedTypes = (visitor: TestVisitor, path: string): string[] =>
  visitor.requested_paths
    .filter((requested) => requested !== path.replace(/\?.*/, '') && requested !== '/favicon.svg')
    .filter((requested) => !requested.startsWith('/motifs/'))
    .map((requested) => requested.replace(/.*\./, ''));

test.each([...PAGES, ...SERVICE_PAGES, ...MISSING_PAGES])(
  '%s (%s) passes axe on the smallest phone, and makes no requests to other hosts',
  async (kind, es, en) => {
    const visitor = await openVisitor(browser, { viewport: SMALL_PHONE, colorScheme: 'light' });
    const { page } = visitor;
    await visitor.open(es);
    await page.evaluate('document.fonts.ready');
    await page.evaluate(
      'for (const fold of document.querySelectorAll("details")) fold.open = true',
    );
    expect(await findSmallTargets(page)).toEqual([]);
    expect(await findViolations(page, false)).toEqual([]);
    if (!LIKE_ANOTHER_KIND.includes(kind)) {
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findViolations(page, true)).toEqual([]);
    }
    const loaded = listLoadedTypes(visitor, es);
    expect(loaded.includes('js')).toBe(!KINDS_WITHOUT_SCRIPT.includes(kind));
    // The page of the snippet also loads the frame with its own style sheet.
    if (kind !== 'the snippet') {
      expect(['css', 'js', 'woff2']).toEqual(expect.arrayContaining(loaded));
      expect(new Set(loaded).size).toBe(loaded.length);
    }
    const width = await readWidth(page);
    // Text at 200 % on a phone 360 px wide.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await readWidth(page)).toBe(360);
    await page.setViewportSize(SMALL_PHONE);
    await visitor.open(en);
    expect([width, await readWidth(page)]).toEqual([SMALL_PHONE.width, SMALL_PHONE.width]);
    expect(visitor.issues).toEqual([]);
  },
);

/** Paths with the most different looks. */
const LOOK_PATHS = ['/hoy', '/mapa', '/eventos/feria-diaria', '/publicar', '/embed?theme=dark'];

test.each(['light', 'dark'] as const)('passes axe with forced colors, %s', async (colorScheme) => {
  // Set before opening: on a page that is already open, axe reads the page's own colors.
  const options = { colorScheme, forcedColors: 'active' } as const;
  const { page, open } = await openVisitor(browser, options);
  for (const path of LOOK_PATHS) {
    await open(path);
    expect([path, await findViolations(page, true)]).toEqual([path, []]);
  }
});

describe('the first screen on a phone', () => {
  test('has the first event of a day, the filters of a filtered list, and today the present minute', async () => {
    const { page, open } = await openVisitor(browser, { viewport: PHONE });
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
      expect(await bottomOf(first), path).toBeLessThanOrEqual(first === '.chips' ? 340 : 480);
      expect(await page.locator('.sea .now').count(), path).toBe(now);
    }
  });

  test('shows most event rows in two lines', async () => {
    const { page, open } = await openVisitor(browser, { viewport: PHONE });
    const heights: number[] = [];
    for (const path of ['/manana', '/semana', '/en/week']) {
      await open(path);
      const rows = page.locator('.row:visible');
      heights.push(
        ...(await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))),
      );
    }
    const median = heights.toSorted((a, b) => a - b)[Math.floor(heights.length / 2)];
    expect(median).toBeLessThanOrEqual(100);
  });
});
