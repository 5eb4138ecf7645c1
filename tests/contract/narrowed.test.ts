// One truth, narrowed: the events of a query are the same as JSON, page, Markdown and for an
// assistant, in the real town.
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { EventListResponse } from '../../src/serializers/wire/responses.ts';
import { SITE_URL } from '../fixtures/built-server.ts';
import { serveShared } from '../fixtures/shared-release.ts';

const server = await serveShared();

const MessageSchema = v.object({
  result: v.object({
    structuredContent: v.object({
      data: v.array(v.object({ url: v.string() })),
      next_cursor: v.nullable(v.string()),
    }),
  }),
});
const readText = async (path: string): Promise<string> => (await server.get(path)).text();

/** The addresses of events that a text names, sorted, each once. */
const listUrls = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))]
    .map((url) => url.replace(SITE_URL, ''))
    .sort();

/** The first `most` events, over as many answers as it takes. */
async function askTool(args: Readonly<Record<string, string>>, most: number): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const asked: Readonly<Record<string, string>> = {
      ...args,
      limit: String(most - found.length),
      ...(cursor && { cursor }),
    };
    const text = await (await server.callTool('buscar_eventos', asked)).text();
    const json = text.startsWith('{') ? text : (/^data: (\{.*)$/m.exec(text)?.[1] ?? '{}');
    const { data, next_cursor } = v.parse(MessageSchema, JSON.parse(json)).result.structuredContent;
    found.push(...data.map(({ url }) => url.replace(SITE_URL, '')));
    cursor = next_cursor;
  } while (cursor !== null && found.length < most);
  return found.sort();
}

/** A query, and the page that asks it. */
const QUERIES = [
  ['/buscar', { q: 'musica' }],
  ['/buscar', { date: 'tonight' }],
  ['/buscar', { date: 'week', free: '1', zone: 'centro,isla-mujeres' }],
  ['/en/search', { from: '2026-11-21', to: '2026-12-31', family: '1', lang: 'en' }],
  ['/en/search', { near: '21.1619,-86.8515', radius_km: '4', limit: '10', lang: 'en' }],
  ['/hoy', { free: '1' }],
  ['/en/weekend', { family: '1', free: '1', lang: 'en' }],
  ['/semana', { category: 'live-music,culture' }],
  ['/fecha/2026-12-12', { q: 'guadalupe' }],
] as const;
const DATES: Readonly<Record<string, string>> = {
  '/hoy': 'today',
  '/en/weekend': 'weekend',
  '/semana': 'week',
  '/fecha/2026-12-12': '2026-12-12',
};

test.each(QUERIES)('%s asked for %o is the same on every surface', async (path, asked) => {
  const date = DATES[path];
  const { lang: _, ...own } = { lang: '', ...asked };
  const args: Record<string, string> = {
    limit: '200',
    ...asked,
    ...(date === undefined ? {} : { date }),
  };
  const query = new URLSearchParams({ ...(date === undefined ? { limit: '200' } : {}), ...own });
  const answer: unknown = await (
    await server.get(`/api/v1/events?${new URLSearchParams(args)}`)
  ).json();
  const { data, meta } = v.parse(EventListResponse, answer);
  const toPaths = (events: readonly { readonly url: string }[]): readonly string[] =>
    events.map(({ url }) => url.replace(SITE_URL, '')).sort();
  const urls = toPaths(data);
  // Where there is nothing, what there is instead is linked too (contract 7.25).
  const { next = null, nearly = [], past = [] } = meta.nothing ?? {};
  const instead = toPaths([...(next === null ? [] : [next]), ...nearly, ...past]);
  const page = await readText(`${path}?${query}`);
  expect(listUrls(page, /<a href="(\/(?:eventos|en\/events)\/[^"/?#]+)"/g)).toEqual(
    [...new Set([...urls, ...instead])].sort(),
  );
  const markdown = await readText(`${path}.md?${query}`);
  expect(listUrls(markdown, /^### \[.*\]\(([^)]+)\)$/gm)).toEqual(urls);
  for (const url of instead) expect(markdown).toContain(`](${SITE_URL}${url}): `);
  const { limit, ...rest } = args;
  expect(await askTool(rest, Number(limit ?? 200))).toEqual(urls);
});

test('a page that is narrowed is not to be indexed, its whole is', async () => {
  const [narrowed, whole] = [await readText('/hoy?free=1'), await readText('/hoy')];
  const canonical = `<link rel="canonical" href="${SITE_URL}/hoy">`;
  for (const page of [narrowed, whole]) expect(page).toContain(canonical);
  expect([narrowed, whole].map((page) => page.includes('content="noindex"'))).toEqual([
    true,
    false,
  ]);
});
