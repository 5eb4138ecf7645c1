// Rows of two lines on a phone: over the real content and the made-up town, most take at most 84 px
// (issue 11, point 4; contract 3.8).
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { newReader } from '../fixtures/reader.ts';
import { makeFolder } from '../fixtures/folder.ts';

const MAX_MEDIAN = 84;
/** A long title, a long place and a price between two amounts. */
const MAX_NINTH_TENTH = 104;

const folder = makeFolder();
const browser = await getBrowser();
let server: BuiltServer;
beforeAll(async () => {
  server = await startServer({
    data_dir: join(folder, 'data'),
    content_dir: resolve(import.meta.dirname, '..', '..', 'content'),
    clock_start: '2026-11-21T19:30:00-05:00',
  });
}, 400_000);
afterAll(() => server.stop());

/** The heights of all rows of these pages, in ascending order; what is folded is open. */
async function measureRows(paths: readonly string[], base_url?: string): Promise<number[]> {
  const { page, open } = await newReader(browser, base_url ? { baseURL: base_url } : {});
  const heights: number[] = [];
  for (const path of paths) {
    await open(path);
    await page.evaluate(
      `for (const fold of document.querySelectorAll('details')) fold.open = true`,
    );
    heights.push(
      ...(await page
        .locator('.row')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))),
    );
  }
  return heights.sort((a, b) => a - b);
}

const at = (heights: readonly number[], part: number): number =>
  heights[Math.floor(heights.length * part)] ?? Number.NaN;

describe('of the real content', () => {
  test.each([
    ['es', ['/hoy', '/manana', '/fecha/2026-11-24', '/semana', '/fin-de-semana', '/buscar?q=de']],
    ['en', ['/en/today', '/en/tomorrow', '/en/date/2026-11-24', '/en/weekend']],
  ])('most rows are of two lines: %s', async (_, paths) => {
    const heights = await measureRows(paths, server.origin);
    expect(heights.length).toBeGreaterThan(40);
    expect(at(heights, 0.5)).toBeLessThanOrEqual(MAX_MEDIAN);
    expect(at(heights, 0.9)).toBeLessThanOrEqual(MAX_NINTH_TENTH);
  });
});

test('of the small town with hostile words, most rows are of two lines too', async () => {
  const heights = await measureRows(['/hoy', '/manana', '/semana', '/en/week']);
  expect(at(heights, 0.5)).toBeLessThanOrEqual(MAX_MEDIAN);
});
