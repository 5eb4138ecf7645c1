// Words that break careless programs: on a page they are words.
import { expect, inject, test } from 'vitest';
import { HOSTILE_TITLES } from '../../bench/town/hostile.ts';
import { getBrowser } from '../fixtures/browser.ts';
import { newReader, readHeading, SMALL_PHONE } from '../fixtures/reader.ts';

const browser = await getBrowser();

test('hostile words stay words, run nothing, load nothing and break no layout', async () => {
  const { page, open, issues } = await newReader(browser, { viewport: SMALL_PHONE });
  const seen = new Set<string>();
  const marks = page.locator(
    'main :is(script, img:not(.thumb, .card img), iframe, b:not(.row b, .card b), code, pre)',
  );
  for (const path of inject('hostile_paths')) {
    const status = await open(path);
    expect([200, 410], path).toContain(status);
    if (status === 200) seen.add(await readHeading(page));
    const width: unknown = await page.evaluate('document.scrollingElement.scrollWidth');
    expect([await marks.count(), width], path).toEqual([0, SMALL_PHONE.width]);
  }
  // As the page shows them: composed (NFC), runs of spaces as one.
  const titles = HOSTILE_TITLES.map((title) => title.es.normalize('NFC').replace(/\s+/g, ' '));
  expect([...seen].filter((heading) => !titles.includes(heading))).toEqual([]);
  expect(seen.size).toBeGreaterThan(HOSTILE_TITLES.length / 2);
  expect(issues).toEqual([]);
});
