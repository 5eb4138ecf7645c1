// Links and samples: crawls every link of the site, and runs every code sample of the docs (contract 8.35, 9.2).
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { minCount } from '../fixtures/least.ts';
import { SITE_URL } from '../fixtures/built-server.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const server = await serveSharedRelease();

const CONCURRENCY = 8;
/** Day pages link to their neighbors for years. Outside of this range the crawler does not follow links. */
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

/** Filtered pages link to further filters without end. The crawler takes one step, and not from similar days. */
const isFiltered = (path: string): boolean => path.includes('?');
const isFarDay = (path: string): boolean =>
  /\d{4}-\d{2}-\d{2}/.test(path) && !/2026-11-2[01]/.test(path);
/** Targets of the date field, which redirect to a day. */
const REDIRECTS: ReadonlySet<string> = new Set(['/fecha', '/en/date']);

async function crawl(start_paths: readonly string[]) {
  const visited = new Map<string, { status: number; is_page: boolean; ids: Set<string> }>();
  const anchors: { from: string; to: string; id: string }[] = [];
  const queued = new Set(start_paths);
  const queue = [...queued];
  const visit = async (path: string): Promise<void> => {
    const response = await server.get(path);
    const is_page = response.headers.get('content-type') === 'text/html; charset=utf-8';
    const text = await response.text();
    visited.set(path, { status: response.status, is_page, ids: listIds(is_page ? text : '') });
    if (!is_page || !isNearDay(path) || isFiltered(path)) return;
    for (const href of listHrefs(text)) {
      const site_path = href.startsWith(SITE_URL) ? href.slice(SITE_URL.length) : href;
      if (!site_path.startsWith('/') && !site_path.startsWith('#')) continue;
      const [to = '', id] = site_path.split('#');
      if (id) anchors.push({ from: path, to: to || path, id });
      if (to !== '' && !queued.has(to) && !(isFiltered(to) && isFarDay(path))) {
        queued.add(to);
        queue.push(to);
      }
    }
  };
  const work = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) await visit(path);
  };
  while (queue.length > 0) await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { visited, anchors };
}

const listSiteUrls = (text: string): string[] =>
  [...text.matchAll(/https:\/\/agenda\.example(\/[^\s"<)>\]`#]*)/g)].map(([, path = '']) =>
    decode(path),
  );

/** Documents that list addresses. */
const DOCUMENTS = '/sitemap.xml /robots.txt /llms.txt /.well-known/api-catalog'.split(' ');
/** Addresses without a GET response: the MCP endpoint and the API root. */
const NO_PAGES = ['/mcp', '/api/v1'];
const PAGE_FIELDS = /"(?:url|url_es|url_en|docs)":"https:\/\/agenda\.example(\/[^"]*)"/g;

test('every link, listed address, API field and anchor has a target', {
  timeout: 180_000,
}, async () => {
  const listed = await Promise.all(
    DOCUMENTS.map(async (path) => listSiteUrls(await readText(path))),
  );
  expect(listed.filter(({ length }) => length === 0)).toEqual([]);
  const api_queries = ['es', 'en'].flatMap((lang) => [
    `events?limit=200&lang=${lang}`,
    `notices?lang=${lang}`,
    `events?from=2026-09-01&to=2026-11-19&limit=200&lang=${lang}`,
  ]);
  const api_responses = await Promise.all(api_queries.map((query) => readText(`/api/v1/${query}`)));
  const pages = api_responses.flatMap((text) =>
    [...text.matchAll(PAGE_FIELDS)].map(([, path = '']) => path.split('#')[0] ?? ''),
  );
  expect(new Set(pages).size).toBeGreaterThan(minCount(100, 60));
  const start_paths = ['/hoy', '/en/today', ...listed.flat(), ...pages];
  const { visited, anchors } = await crawl(start_paths.filter((path) => !NO_PAGES.includes(path)));
  expect(visited.size).toBeGreaterThan(minCount(500, 300));
  const expectedStatus = (path: string): number => (REDIRECTS.has(path) ? 302 : 200);
  const broken = [...visited].filter(([path, { status }]) => status !== expectedStatus(path));
  expect(broken.map(([path, { status }]) => `${status} ${path}`)).toEqual([]);
  const non_pages = pages.filter((path) => !visited.get(path)?.is_page);
  expect(non_pages.filter((path) => !path.startsWith('/motifs/'))).toEqual([]);
  expect(anchors.filter(({ to, id }) => !visited.get(to)?.ids.has(id))).toEqual([]);
});

test.each(['/docs.md', '/en/docs/calendars.md'])(
  'every address to copy in %s answers',
  async (path) => {
    const lines = [...(await readText(path)).matchAll(/:(?:\*\*)? `([^`]+)`$/gm)];
    const addresses = new Set(
      lines.flatMap(([, line = '']) => listSiteUrls(line.replaceAll("'", ' '))),
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

test('every sample of the docs runs unchanged and prints a result', {
  timeout: 120_000,
}, async () => {
  const operations = listSamples(await readText('/en/docs'));
  expect(operations.length).toBeGreaterThan(10);
  for (const [operation, sources] of operations) {
    // A town without notices has no address for an example.
    const has_example = operation !== 'getNotice' || sources.length > 0;
    expect(sources, operation).toHaveLength(has_example ? RUNNERS.length : 0);
    const runs = sources.map(async (source, at) => {
      const [program = '', ...args] = RUNNERS[at] ?? [];
      const local_source = source
        .replaceAll(SITE_URL, server.origin)
        .replace('-o agenda.ics', '-fsS')
        .replace(/^curl /, 'curl -fsS ');
      const { stdout } = await run(program, [...args, local_source], {
        maxBuffer: 16 * 1024 * 1024,
      });
      if (operation !== 'listNotices')
        expect(stdout.length, `${operation} by ${program}`).toBeGreaterThan(10);
    });
    await Promise.all(runs);
  }
});

test('the curl call of the MCP docs runs unchanged', async () => {
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
