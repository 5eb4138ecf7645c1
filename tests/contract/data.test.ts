// Public data files over HTTP: checksums, media types, conditional requests and CORS (contract 17).
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const server = await serveSharedRelease({ content_dir: FIXTURE_DIR });
const read = async (path: string): Promise<string> =>
  (await server.get(path, { accept: path.includes('.') ? '*/*' : 'text/html' })).text();
const sums = (await read('/data/SHA256SUMS'))
  .trimEnd()
  .split('\n')
  .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]);

const TYPES: Readonly<Record<string, string>> = {
  sqlite: 'application/vnd.sqlite3',
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

test('every file matches its checksum, has its media type and CORS, and answers 304 to its ETag', async () => {
  expect(sums).toHaveLength(11);
  for (const [name, sum] of sums) {
    const response = await server.get(`/data/${name}`);
    const { status, headers } = response;
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([name, status]).toEqual([name, 200]);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sum);
    expect(headers.get('content-type')).toBe(TYPES[name.split('.').at(-1) ?? '']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.has('ratelimit-limit')).toBe(false);
    const again = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await server.get(`/data/${name}`, again)).status).toBe(304);
  }
  for (const name of ['inbox.sqlite', 'events.geojson'])
    expect((await server.get(`/data/${name}`)).status).toBe(404);
});
