// The page of today at three hours: what is on comes first, what is over is folded, and at 00:40 the
// nightclub that is open is in sight.
import { join } from 'node:path';
import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Browser, Page } from 'playwright';
import { connectBrowser } from '../fixtures/browser.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { newReader } from '../fixtures/reader.ts';
import { makeFolder } from '../fixtures/folder.ts';

const HOURS = ['2026-11-20T19:30', '2026-11-20T22:10', '2026-11-21T00:40'] as const;
const folder = makeFolder();
const servers = new Map<string, BuiltServer>();
let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
  for (const hour of HOURS) {
    // A copy of the release that is served already: nothing has to be built.
    const data_dir = join(folder, hour.slice(-5).replace(':', ''));
    await copyBrowserRelease({ data_dir });
    const settings = { data_dir, content_dir: inject('content_dir') };
    servers.set(hour, await startServer({ ...settings, clock_start: `${hour}:05-05:00` }));
  }
}, 300_000);
afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
  await browser.close();
});

const getServer = (hour: string): BuiltServer => {
  const server = servers.get(hour);
  if (!server) throw new Error(`Nothing serves at ${hour}`);
  return server;
};

/** The headings of the list with the first words of their rows; `*` where it is folded away. */
const readGroups = (page: Page): Promise<readonly string[]> =>
  page.locator('main section.group:has(.row)').evaluateAll((sections) =>
    sections.map((section) => {
      const is_closed = section.querySelector('details:not([open])') !== null;
      const rows = [...section.querySelectorAll('.row h3')].map((row) => row.textContent?.trim());
      const title = section.querySelector('h2')?.textContent?.trim();
      return `${title}${is_closed ? '*' : ''}: ${rows.filter((row) => !/<|&|\{/.test(row ?? '')).join(', ')}`;
    }),
  );

describe.each([
  [
    '2026-11-20T19:30',
    '/hoy',
    ['Ahora: Concierto único; "a", b', 'Ya empezaron: Exposición larga'],
    ['Antros de esta noche*: ¡Fiesta de viernes!', 'Ya terminó*: Feria diaria'],
  ],
  [
    '2026-11-20T22:10',
    '/hoy',
    ['Antros abiertos ahora*: ¡Fiesta de viernes!', 'Ya empezaron: Exposición larga'],
    ['Ya terminó*: Feria diaria, Concierto único; "a", b'],
  ],
  [
    '2026-11-21T00:40',
    '/en/today',
    ['Nightclubs open now: Friday Night Out'],
    ['Ongoing: A Long Exhibition'],
  ],
  ['2026-11-21T00:40', '/semana', ['Antros abiertos ahora: ¡Fiesta de viernes!'], []],
  ['2026-11-21T00:40', '/en/weekend', ['Nightclubs open now: Friday Night Out'], []],
])('at %s %s', (hour, path, first, last) => {
  test('says first what is on, and folds what is over', async () => {
    const { page, open, issues } = await newReader(browser, {
      baseURL: getServer(hour).origin,
      bypassCSP: true,
    });
    expect(await open(path)).toBe(200);
    const groups = (await readGroups(page)).filter((group) => !group.endsWith(': '));
    for (const group of [...first, ...last]) expect(groups).toContain(group);
    const positions = first.map((group) => groups.indexOf(group));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(positions[0]).toBe(0);
    await page.evaluate(axe.source);
    expect(await page.evaluate('axe.run(document).then(({ violations }) => violations)')).toEqual(
      [],
    );
    expect(issues).toEqual([]);
  });
});

test('at 00:40 the open nightclub says until when, without a touch', async () => {
  const { page, open } = await newReader(browser, {
    baseURL: getServer('2026-11-21T00:40').origin,
  });
  await open('/hoy');
  const row = page.locator('.now_nightclubs .row');
  expect(await row.isVisible()).toBe(true);
  expect((await row.textContent())?.replace(/\s+/g, ' ')).toContain('hasta 3:00');
});

test('at 00:40 several days begin with what goes on since last night, in Markdown too', async () => {
  const server = getServer('2026-11-21T00:40');
  for (const path of ['/en/week.md', '/en/weekend.md']) {
    const [, first = ''] = (await (await server.get(path)).text()).split(/\n## (?!Notices)/);
    expect(first).toMatch(/^Nightclubs open now \(18\+\)\n\n### .*Friday Night Out/);
  }
  const later = await (await getServer('2026-11-20T19:30').get('/en/week.md')).text();
  expect(later).not.toContain('open now');
});

test('page, Markdown, tool and date=now agree on what is on', async () => {
  for (const hour of HOURS) {
    const server = getServer(hour);
    const list = await (await server.get('/api/v1/events?date=now&lang=en')).json();
    const [page, markdown] = await Promise.all(
      ['/en/today', '/en/today.md'].map(async (path) => (await server.get(path)).text()),
    );
    const tool = await (await server.callTool('eventos_hoy', { lang: 'en' })).text();
    for (const event of list.data.filter(
      (one: { next: { all_day: boolean } }) => !one.next.all_day,
    )) {
      const path = new URL(event.url).pathname;
      const is_club = event.tags.includes('antro');
      const key = is_club ? 'now_nightclubs' : 'now';
      const heading = is_club ? 'Nightclubs open now' : 'On now';
      const section = page?.split(`class="group ${key}"`)[1]?.split('</section>')[0];
      expect(section, hour).toContain(`href="${path}"`);
      for (const text of [markdown, tool.replace(/\\n/g, '\n')])
        expect(text?.split(`## ${heading}`)[1]?.split('\n## ')[0], hour).toContain(path);
    }
    expect(markdown).toMatch(
      /Written at \d+:\d\d [ap]\.m\. on \w+day, November 2[01], 2026, Cancún time/,
    );
  }
});
