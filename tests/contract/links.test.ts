// Nothing leads nowhere: every link of every page of the built site answers, and so does every
// address that the API gives.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { SITE_URL } from '../fixtures/built-server.ts';
import { serveShared } from '../fixtures/shared-release.ts';

const server = await serveShared();

/** Questions in flight at once. */
const AT_ONCE = 8;
/**
 * The page of a day leads to the days around it, for years: beyond the built ones only the first
 * step is taken.
 */
const FIRST_DAY = '2026-11-19';
const LAST_DAY = '2027-02-20';

const decode = (href: string): string => href.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
const listHrefs = (html: string): string[] =>
  [...html.matchAll(/\s(?:href|action)="([^"]*)"/g)].map((match) => decode(match[1] ?? ''));
const listIds = (html: string): Set<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1] ?? ''));
const isNearDay = (path: string): boolean => {
  const day = /^\/(?:fecha|en\/date)\/(\d{4}-\d{2}-\d{2})$/.exec(path)?.[1];
  return day === undefined || (day >= FIRST_DAY && day <= LAST_DAY);
};

/**
 * Narrowed pages lead to narrower ones without end: one step is taken, and not from each of a
 * hundred days that are alike.
 */
const isNarrowed = (path: string): boolean => path.includes('?');
const isFarDay = (path: string): boolean =>
  /\d{4}-\d{2}-\d{2}/.test(path) && !/2026-11-2\d/.test(path);
/** Where the field for a date leads, which is on to some day. */
const JUMPS: ReadonlySet<string> = new Set(['/fecha', '/en/date']);

interface Visited {
  readonly status: number;
  readonly ids: ReadonlySet<string>;
}

/**
 * Every address reached from `starts` by links inside the site, without what stands behind `#`,
 * with what it answered.
 */
async function crawl(
  starts: readonly string[],
): Promise<{ visited: Map<string, Visited>; anchors: [from: string, to: string, id: string][] }> {
  const visited = new Map<string, Visited>();
  const anchors: [string, string, string][] = [];
  const queue = [...starts];
  const seen = new Set(starts);
  const visit = async (path: string): Promise<void> => {
    const answer = await server.get(path);
    const is_page = answer.headers.get('content-type')?.startsWith('text/html') ?? false;
    const text = await answer.text();
    visited.set(path, { status: answer.status, ids: is_page ? listIds(text) : new Set() });
    if (!is_page || !isNearDay(path) || isNarrowed(path)) return;
    for (const href of listHrefs(text)) {
      const inside = href.startsWith(SITE_URL) ? href.slice(SITE_URL.length) : href;
      if (!inside.startsWith('/') && !inside.startsWith('#')) continue;
      const [to = '', id] = inside.split('#');
      if (id) anchors.push([path, to || path, id]);
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

describe('the site', () => {
  test('has no link that leads nowhere, and no anchor that is not there', {
    timeout: 120_000,
  }, async () => {
    const listed = [
      ...(await (await server.get('/sitemap.xml')).text()).matchAll(/<loc>([^<]+)<\/loc>/g),
    ].map((match) => decode(match[1] ?? '').slice(SITE_URL.length));
    const { visited, anchors } = await crawl(['/hoy', '/en/today', ...listed]);
    expect(visited.size).toBeGreaterThan(500);
    expect(
      [...visited]
        .filter(([path, { status }]) => status !== (JUMPS.has(path) ? 302 : 200))
        .map(([path, { status }]) => `${status} ${path}`),
    ).toEqual([]);
    expect(anchors.filter(([, to, id]) => !visited.get(to)?.ids.has(id))).toEqual([]);
  });

  test('answers every address of robots.txt, llms.txt and the catalogs', async () => {
    for (const path of [
      '/robots.txt',
      '/llms.txt',
      '/.well-known/api-catalog',
      '/.well-known/ai-catalog.json',
    ]) {
      const text = await (await server.get(path)).text();
      const found = [...text.matchAll(/https:\/\/agenda\.example(\/[^\s")>\]`]*)/g)].map(
        (match) => match[1] ?? '',
      );
      expect(found.length, path).toBeGreaterThan(0);
      // The endpoint of the MCP server takes messages only; the API's own root is a name for the
      // whole.
      for (const to of found.filter((address) => address !== '/mcp' && address !== '/api/v1'))
        expect((await server.get(to.split('#')[0] ?? to)).status, `${path}: ${to}`).toBe(200);
    }
  });
});

/** The fields that lead to pages of ours, wherever they stand in an answer. */
const PAGE_FIELDS: ReadonlySet<string> = new Set(['url', 'url_es', 'url_en', 'docs']);

function listAddresses(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listAddresses);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    PAGE_FIELDS.has(key) && typeof inner === 'string' ? [inner] : listAddresses(inner),
  );
}

describe('the API', () => {
  test('gives no address that does not answer with a page', { timeout: 120_000 }, async () => {
    const addresses = new Set<string>();
    const questions = ['es', 'en'].flatMap((lang) => [
      `events?limit=200&lang=${lang}`,
      `notices?lang=${lang}`,
      `events?from=2026-09-01&to=2026-11-19&limit=200&lang=${lang}`,
    ]);
    for (const question of questions)
      for (const address of listAddresses(await (await server.get(`/api/v1/${question}`)).json()))
        addresses.add(address);
    // An image is the one address that is not ours.
    const ours = [...addresses].filter((address) => address.startsWith(SITE_URL));
    expect(ours.length).toBeGreaterThan(100);
    for (const address of ours) {
      const answer = await server.get(address.slice(SITE_URL.length));
      expect([answer.status, answer.headers.get('content-type')], address).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
    }
  });
});

/** What every address that the docs tell to copy is, by how its path ends. */
const COPIED: readonly (readonly [RegExp, string])[] = [
  [/^\/feeds\/.+\.atom$/, 'application/atom+xml; charset=utf-8'],
  [/^\/feeds\/.+\.json$/, 'application/feed+json; charset=utf-8'],
  [/\.ics$/, 'text/calendar; charset=utf-8'],
  [/\/embed$/, 'text/html; charset=utf-8'],
  [/^\/api\//, 'application/json; charset=utf-8'],
];

test.each(['/docs', '/en/docs', '/docs.md', '/en/docs.md'])(
  'every address that %s tells to copy answers as what it is',
  async (path) => {
    const text = decode(await (await server.get(path)).text());
    const copied = path.endsWith('.md')
      ? [...text.matchAll(/:(?:\*\*)? `([^`]+)`$/gm)]
      : [...text.matchAll(/<pre class="line"[^>]*>(.+?)<\/pre>/g)];
    const addresses = new Set(
      copied
        .flatMap(([, line = '']) => [
          ...decode(line).matchAll(
            /https:\/\/agenda\.example(\/[^\s'"`&<]*(?:&[a-z]+=[^\s'"`&<]*)*)/g,
          ),
        ])
        .map(([, found = '']) => found),
    );
    const kinds = new Set<string>();
    for (const address of addresses) {
      const { pathname } = new URL(address, server.origin);
      const [, type = ''] = COPIED.find(([ending]) => ending.test(pathname)) ?? [];
      const answer = await server.get(address);
      expect([answer.status, answer.headers.get('content-type')], address).toEqual([200, type]);
      kinds.add(type);
    }
    expect([...kinds].sort()).toEqual(COPIED.map(([, type]) => type).sort());
  },
);

/** The samples of each operation as the page has them, in the order of RUNNERS. */
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

test('every sample of the docs runs as it stands, and prints something', {
  timeout: 120_000,
}, async () => {
  const operations = listSamples(await (await server.get('/en/docs')).text());
  expect(operations.length).toBeGreaterThan(10);
  for (const [operation, sources] of operations) {
    expect(sources, operation).toHaveLength(RUNNERS.length);
    for (const [at, source] of sources.entries()) {
      const [program = '', ...args] = RUNNERS[at] ?? [];
      const here = source
        .replaceAll(SITE_URL, server.origin)
        .replace('-o agenda.ics', '-fsS')
        .replace(/^curl /, 'curl -fsS ');
      const { stdout } = await run(program, [...args, here]);
      if (operation !== 'listNotices')
        expect(stdout.length, `${operation} by ${program}`).toBeGreaterThan(10);
    }
  }
});
