// Nothing leads nowhere, and every sample of the docs runs (contract 8.35, 9.2).
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { minCount } from '../fixtures/least.ts';
import { SITE_URL } from '../fixtures/built-server.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const server = await serveSharedRelease();

const AT_ONCE = 8;
/** The page of a day leads to the days around it, for years: beyond these only the first step is taken. */
const FIRST_DAY = '2026-11-19';
const LAST_DAY = '2026-12-06';

const decode = (href: string): string => href.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
const readText = async (path: string): Promise<string> => (await server.get(path)).text();
const listHrefs = (html: string): string[] =>
  [...html.matchAll(/\s(?:href|action)="([^"]*)"/g)].map((match) => decode(match[1] ?? ''));
const listIds = (html: string): Set<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1] ?? ''));
const isNearDay = (path: string): boolean => {
  const day = /^\/(?:fecha|en\/date)\/(\d{4}-\d{2}-\d{2})$/.exec(path)?.[1];
  return day === undefined || (day >= FIRST_DAY && day <= LAST_DAY);
};

/** Narrowed pages lead to narrower ones without end: one step is taken, and not from days that are alike. */
const isNarrowed = (path: string): boolean => path.includes('?');
const isFarDay = (path: string): boolean =>
  /\d{4}-\d{2}-\d{2}/.test(path) && !/2026-11-2[01]/.test(path);
/** Where the field for a date leads, which is on to some day. */
const JUMPS: ReadonlySet<string> = new Set(['/fecha', '/en/date']);

async function crawl(starts: readonly string[]) {
  const visited = new Map<string, { status: number; is_page: boolean; ids: Set<string> }>();
  const anchors: { from: string; to: string; id: string }[] = [];
  const seen = new Set(starts);
  const queue = [...seen];
  const visit = async (path: string): Promise<void> => {
    const answer = await server.get(path);
    const is_page = answer.headers.get('content-type') === 'text/html; charset=utf-8';
    const text = await answer.text();
    visited.set(path, { status: answer.status, is_page, ids: listIds(is_page ? text : '') });
    if (!is_page || !isNearDay(path) || isNarrowed(path)) return;
    for (const href of listHrefs(text)) {
      const inside = href.startsWith(SITE_URL) ? href.slice(SITE_URL.length) : href;
      if (!inside.startsWith('/') && !inside.startsWith('#')) continue;
      const [to = '', id] = inside.split('#');
      if (id) anchors.push({ from: path, to: to || path, id });
      if (to !== '' && !seen.has(to) && !(isNarrowed(to) && isFarDay(path))) {
        seen.add(to);
        queue.push(to);
      }
    }
  };
  const work = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) await visit(path);
  };
  while (queue.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { visited, anchors };
}

const listOurs = (text: string): string[] =>
  [...text.matchAll(/https:\/\/agenda\.example(\/[^\s"<)>\]`#]*)/g)].map(([, path = '']) =>
    decode(path),
  );

/** What lists addresses; the endpoint of MCP takes messages only, the root of the API is a name. */
const DOCUMENTS = '/sitemap.xml /robots.txt /llms.txt /.well-known/api-catalog'.split(' ');
const NO_PAGES = ['/mcp', '/api/v1'];
const PAGE_FIELDS = /"(?:url|url_es|url_en|docs)":"https:\/\/agenda\.example(\/[^"]*)"/g;

test('no link, address, API field or anchor leads nowhere', { timeout: 180_000 }, async () => {
  const listed = await Promise.all(DOCUMENTS.map(async (path) => listOurs(await readText(path))));
  expect(listed.filter(({ length }) => length === 0)).toEqual([]);
  const questions = ['es', 'en'].flatMap((lang) => [
    `events?limit=200&lang=${lang}`,
    `notices?lang=${lang}`,
    `events?from=2026-09-01&to=2026-11-19&limit=200&lang=${lang}`,
  ]);
  const answers = await Promise.all(questions.map((one) => readText(`/api/v1/${one}`)));
  const pages = answers.flatMap((text) =>
    [...text.matchAll(PAGE_FIELDS)].map(([, path = '']) => path.split('#')[0] ?? ''),
  );
  expect(new Set(pages).size).toBeGreaterThan(minCount(100, 60));
  const starts = ['/hoy', '/en/today', ...listed.flat(), ...pages];
  const { visited, anchors } = await crawl(starts.filter((path) => !NO_PAGES.includes(path)));
  expect(visited.size).toBeGreaterThan(minCount(500, 300));
  const toStatus = (path: string): number => (JUMPS.has(path) ? 302 : 200);
  const wrong = [...visited].filter(([path, { status }]) => status !== toStatus(path));
  expect(wrong.map(([path, { status }]) => `${status} ${path}`)).toEqual([]);
  const others = pages.filter((path) => !visited.get(path)?.is_page);
  expect(others.filter((path) => !path.startsWith('/motifs/'))).toEqual([]);
  expect(anchors.filter(({ to, id }) => !visited.get(to)?.ids.has(id))).toEqual([]);
});

test.each(['/docs.md', '/en/docs/calendars.md'])(
  'every address to copy in %s answers',
  async (path) => {
    const lines = [...(await readText(path)).matchAll(/:(?:\*\*)? `([^`]+)`$/gm)];
    const addresses = new Set(
      lines.flatMap(([, line = '']) => listOurs(line.replaceAll("'", ' '))),
    );
    expect(addresses.size).toBeGreaterThan(3);
    for (const address of addresses) expect((await server.get(address)).status, address).toBe(200);
  },
);

const listSamples = (html: string): readonly (readonly [operation: string, sources: string[]])[] =>
  [...html.matchAll(/<section class="operation" aria-labelledby="(\w+)">(.*?)<\/section>/gs)].map(
    ([, operation = '', part = '']) => [
      operation,
      [...part.matchAll(/<pre class="lines?"[^>]*><code>(.*?)<\/code>/gs)].map(([, source = '']) =>
        decode(source).replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
      ),
    ],
  );
const run = promisify(execFile);
const RUNNERS: readonly (readonly [string, ...string[]])[] = [
  ['sh', '-c'],
  [process.execPath, '--input-type=module', '-e'],
  ['python3', '-c'],
];

test('every sample of the docs runs as it stands, and prints', { timeout: 120_000 }, async () => {
  const operations = listSamples(await readText('/en/docs'));
  expect(operations.length).toBeGreaterThan(10);
  for (const [operation, sources] of operations) {
    expect(sources, operation).toHaveLength(RUNNERS.length);
    const runs = sources.map(async (source, at) => {
      const [program = '', ...args] = RUNNERS[at] ?? [];
      const here = source
        .replaceAll(SITE_URL, server.origin)
        .replace('-o agenda.ics', '-fsS')
        .replace(/^curl /, 'curl -fsS ');
      const { stdout } = await run(program, [...args, here], { maxBuffer: 16 * 1024 * 1024 });
      if (operation !== 'listNotices')
        expect(stdout.length, `${operation} by ${program}`).toBeGreaterThan(10);
    });
    await Promise.all(runs);
  }
});

test('the call by hand to the MCP server runs as it stands', async () => {
  const [line = ''] = /^curl .*$/m.exec(await readText('/en/docs/agents.md')) ?? [];
  const { stdout } = await run('sh', ['-c', line.replaceAll(SITE_URL, server.origin)]);
  expect(stdout).toContain('structuredContent');
});

test('an error links to its code, and the status page agrees with /healthz', async () => {
  const { error } = JSON.parse(await readText('/api/v1/events/evento-que-no-hay'));
  expect(error.help_url).toBe(`${SITE_URL}/en/docs/errors#not_found`);
  expect(await readText('/en/docs/errors')).toContain('id="not_found"');
  const { release } = JSON.parse(await readText('/healthz'));
  for (const path of ['/docs/estado', '/en/docs/status.md'])
    expect(await readText(path)).toContain(release);
});
