// Page cache: returns pages with their compressed forms, ignores damaged files and prunes unused ones.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { createRepresentation } from '../../src/http/representation.ts';
import {
  createPageCache,
  pruneCachedPages,
  pageCacheKey,
  touchCachedPage,
  writeCachedPage,
} from '../../src/server/page-cache.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { createTestFolder } from '../fixtures/folder.ts';

const KEY = pageCacheKey('code', '/hoy', '');
const TEXT = `<!doctype html>${'<p>Feria diaria, de 10 a 14 h</p>'.repeat(100)}`;
const HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public' };
let dir: string;
beforeEach(() => {
  dir = createTestFolder();
});

const write = (key = KEY, text = TEXT, headers = HEADERS): Promise<void> =>
  writeCachedPage(dir, key, headers, Buffer.from(text), FRIDAY_NOON_MS);
const getCached = async () => {
  const page = await createPageCache(dir)(
    () => KEY,
    async () => createRepresentation({ status: 404, headers: {}, body: '' }),
  );
  return page.status === 404 ? null : page;
};
const listFiles = (): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));

test('a cache file contains the page with its compressed forms, tag and date', async () => {
  await write();
  const page = await getCached();
  const { tag } = createRepresentation({ status: 200, headers: HEADERS, body: TEXT });
  expect(page).toMatchObject({ headers: HEADERS, tag, last_modified_ms: FRIDAY_NOON_MS });
  for (const [coding, decode] of [
    ['identity', (bytes: Buffer) => bytes],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)
    expect(decode((await page?.read(coding)) ?? Buffer.of()).toString()).toBe(TEXT);
  // Forms that are not smaller are not stored.
  await write(KEY, 'x');
  expect((await getCached())?.codings).toEqual([]);
});

test.each([
  ['missing', () => null],
  ['cut by a byte', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['cut in its head', (bytes: Buffer) => bytes.subarray(0, 40)],
  ['wrong in one bit', (bytes: Buffer) => bytes.with(bytes.length - 9, (bytes.at(-9) ?? 0) ^ 1)],
] as const)('ignores a file that is %s', async (_, damage) => {
  await write();
  const [name = ''] = listFiles();
  const damaged = damage(readFileSync(join(dir, name)));
  if (damaged === null) rmSync(join(dir, name));
  else writeFileSync(join(dir, name), damaged);
  expect(await getCached()).toBeNull();
  expect(touchCachedPage(dir, KEY, 0)).toBe(false);
});

test('prunes files that were not touched since the given time', async () => {
  const other = pageCacheKey('code', '/avisos', '');
  await write();
  await write(other);
  touchCachedPage(dir, KEY, 2_000_000);
  touchCachedPage(dir, other, 1_000_000);
  pruneCachedPages(dir, 1_500_000);
  expect(listFiles().map((name) => name.slice(2))).toEqual([KEY]);
});
