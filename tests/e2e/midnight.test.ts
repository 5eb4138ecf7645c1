// A page left open over midnight: reloaded at 23:59 it is the same day, at 00:00 the next one.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Browser } from 'playwright';
import { connectBrowser } from '../fixtures/browser.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { newReader, readHeading } from '../fixtures/reader.ts';
import { makeFolder } from '../fixtures/folder.ts';

const MIDNIGHT_MS = Date.parse('2026-11-21T00:00:00-05:00');
/** Room for the server to start and for the first pages. */
const LEAD_MS = 15_000;
const PATIENCE_MS = 30_000;
const folder = makeFolder();
let browser: Browser;
let server: BuiltServer;
beforeAll(async () => {
  // A copy of the release that is served already: nothing has to be built.
  await copyBrowserRelease({ data_dir: folder });
  const clock_start = new Date(MIDNIGHT_MS - LEAD_MS).toISOString();
  [server, browser] = await Promise.all([
    startServer({ data_dir: folder, content_dir: inject('content_dir'), clock_start }),
    connectBrowser(inject('browser_endpoint')),
  ]);
});
afterAll(() => Promise.all([server.stop(), browser.close()]));

test('today and tomorrow turn over with the clock', async () => {
  const [today, tomorrow] = [
    await newReader(browser, { baseURL: server.origin }),
    await newReader(browser, { baseURL: server.origin }),
  ];
  await today.open('/hoy');
  await tomorrow.open('/en/tomorrow');
  const read = async (): Promise<string[]> =>
    Promise.all([readHeading(today.page), readHeading(tomorrow.page)]);
  expect(await read()).toEqual([
    'Hoy en Cancún, viernes 20 de noviembre de 2026',
    'Tomorrow in Cancún, Saturday, November 21, 2026',
  ]);
  await today.page.reload();
  expect((await read())[0]).toContain('viernes 20');
  const begun_ms = performance.now();
  while (
    performance.now() - begun_ms < PATIENCE_MS &&
    (await read()).some((heading) => /viernes 20|November 21/.test(heading))
  ) {
    await new Promise((done) => {
      setTimeout(done, 500);
    });
    await Promise.all([today.page.reload(), tomorrow.page.reload()]);
  }
  expect(await read()).toEqual([
    'Hoy en Cancún, sábado 21 de noviembre de 2026',
    'Tomorrow in Cancún, Sunday, November 22, 2026',
  ]);
  expect(await today.page.getByText('Solo una prueba.').isVisible()).toBe(true);
  expect([...today.issues, ...tomorrow.issues]).toEqual([]);
});
