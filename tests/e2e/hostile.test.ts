// Hostile titles in a browser: markup, scripts and unusual characters render as text.
import { expect, inject, test } from 'vitest';
import { HOSTILE_TITLES } from '../../bench/town/hostile.ts';
import { getBrowser } from '../fixtures/browser.ts';
import { openVisitor, readHeading, SMALL_PHONE } from '../fixtures/reader.ts';

const browser = await getBrowser();

test('hostile titles render as text, run and load nothing, and do not break the layout', async () => {
  const { page, open, issues } = await openVisitor(browser, { viewport: SMALL_PHONE });
  const headings = new Set<string>();
  const marks = page.locator(
    'main :is(script, img:not(.thumb, .card img), iframe, b:not(.row b, .card b), code, pre)',
  );
  for (const path of inject('hostile_paths')) {
    const status = await open(path);
    expect([200, 410], path).toContain(status);
    if (status === 200) headings.add(await readHeading(page));
    const width: unknown = await page.evaluate('document.scrollingElement.scrollWidth');
    expect([await marks.count(), width], path).toEqual([0, SMALL_PHONE.width]);
  }
  // The browser shows them composed (NFC) and with single spaces.
  const titles = HOSTILE_TITLES.map((title) => title.es.normalize('NFC').replace(/\s+/g, ' '));
  expect([...headings].filter((heading) => !titles.includes(heading))).toEqual([]);
  expect(headings.size).toBeGreaterThan(HOSTILE_TITLES.length / 2);
  expect(issues).toEqual([]);
});
