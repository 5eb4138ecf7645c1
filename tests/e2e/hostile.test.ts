// Words that break careless programs: on a page they are words.
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { HOSTILE_TITLES } from '../../bench/town/hostile.ts';
import { connectBrowser } from '../fixtures/browser.ts';
import { newReader, readHeading, SMALL_PHONE } from '../fixtures/reader.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
});
afterAll(() => browser.close());

test('hostile words stay words, run nothing, load nothing and break no layout', async () => {
  const reader = await newReader(browser, { viewport: SMALL_PHONE });
  const seen = new Set<string>();
  for (const path of inject('hostile_paths')) {
    const status = await reader.open(path);
    expect([200, 410], path).toContain(status);
    if (status === 200) seen.add(await readHeading(reader.page));
    expect(
      await reader.page.locator('main :is(script, img, iframe, b:not(.row b), code, pre)').count(),
      path,
    ).toBe(0);
    expect(
      await reader.page.evaluate('document.scrollingElement.scrollWidth'),
      path,
    ).toBeLessThanOrEqual(SMALL_PHONE.width);
  }
  // As the page shows them: composed (NFC), runs of spaces as one.
  const titles = HOSTILE_TITLES.map((title) => title.es.normalize('NFC').replace(/\s+/g, ' '));
  expect([...seen].filter((heading) => !titles.includes(heading))).toEqual([]);
  expect(seen.size).toBeGreaterThan(HOSTILE_TITLES.length / 2);
  expect(reader.issues).toEqual([]);
});
