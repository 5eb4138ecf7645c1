// The public data as it is served: whole by its checksums, compressed, conditional, linked
// (contract 17).
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SITE_URL } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { serveShared } from '../fixtures/shared-release.ts';

const server = await serveShared({ content_dir: FIXTURE_DIR });

const readSums = async (): Promise<readonly (readonly [string, string])[]> =>
  (await (await server.get('/data/SHA256SUMS')).text())
    .trimEnd()
    .split('\n')
    .map((line) => [line.slice(66), line.slice(0, 64)]);

describe('every file', () => {
  test('is served as its checksum says, typed, to any page, and not again', async () => {
    const types = {
      sqlite: 'application/vnd.sqlite3',
      csv: 'text/csv; charset=utf-8',
      jsonl: 'application/jsonl; charset=utf-8',
    } as const;
    const sums = await readSums();
    expect(sums).toHaveLength(11);
    for (const [name, sum] of sums) {
      const response = await server.get(`/data/${name}`);
      expect([name, response.status]).toEqual([name, 200]);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum);
      const form = Object.entries(types).find(([ending]) => name.endsWith(`.${ending}`));
      expect(response.headers.get('content-type')).toBe(form?.[1]);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      const etag = response.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"/);
      const again = await server.get(`/data/${name}`, { 'if-none-match': etag });
      expect(again.status).toBe(304);
      expect(response.headers.has('ratelimit-limit')).toBe(false);
    }
  });

  test('that is none is 404', async () => {
    for (const name of ['inbox.sqlite', 'events.geojson'])
      expect((await server.get(`/data/${name}`)).status).toBe(404);
    expect((await server.get('/data/')).status).not.toBe(200);
  });
});

describe.each([
  ['es', '/datos', '/hoy'],
  ['en', '/en/data', '/en/today'],
] as const)('the page in %s', (_lang, path, other) => {
  test('and its Markdown name every file with its checksum', async () => {
    const html = await (await server.get(path, { accept: 'text/html' })).text();
    const markdown = await (await server.get(`${path}.md`)).text();
    for (const [name, sum] of await readSums()) {
      expect(html).toContain(`href="/data/${name}"`);
      expect(markdown).toContain(`](${SITE_URL}/data/${name})`);
      for (const text of [html, markdown]) expect(text).toContain(sum);
    }
  });

  test('is led to from the foot of pages, llms.txt, the sitemap and the docs', async () => {
    expect(await (await server.get(other, { accept: 'text/html' })).text()).toContain(
      `href="${path}"`,
    );
    expect(await (await server.get('/llms.txt')).text()).toContain(`${SITE_URL}${path}.md`);
    expect(await (await server.get('/sitemap.xml')).text()).toContain(`${SITE_URL}${path}<`);
    const docs = path === '/datos' ? '/docs.md' : '/en/docs.md';
    expect(await (await server.get(docs)).text()).toContain(`${SITE_URL}${path}`);
  });
});
