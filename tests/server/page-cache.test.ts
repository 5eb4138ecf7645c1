// Page cache: returns pages with their compressed forms, ignores damaged files, prunes unused ones and stays within
// its limits.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { createRepresentation } from '../../src/http/representation.ts';
import {
  type CacheFileLimits,
  createPageCache,
  openCacheFiles,
  pageCacheKey,
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

/** Opens the files as a warm-up does, at a time of the file system. */
const open = (limits: Partial<CacheFileLimits> = {}) =>
  openCacheFiles(dir, { max_bytes: 1e9, now_ms: Date.now(), hasSpace: () => true, ...limits });
const write = (key = KEY, text = TEXT, headers = HEADERS): Promise<boolean> =>
  open().add(key, { headers, body: Buffer.from(text), now_ms: FRIDAY_NOON_MS });
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
  expect(open().list(KEY)).toBe(false);
});

const listKeys = (): string[] =>
  listFiles()
    .map((name) => name.slice(2))
    .sort();
/** Counts a block of the disk for each file. */
const countBytes = (): number => listFiles().length * 4096;
/** Adds pages of random bytes, which compress badly, with the same size each. */
async function addPages(cache: ReturnType<typeof open>, ...keys: readonly string[]) {
  const added = await Array.fromAsync(keys, (key) =>
    cache.add(key, {
      ...{ headers: { 'content-type': 'image/png' }, now_ms: FRIDAY_NOON_MS },
      body: randomBytes(1000),
    }),
  );
  return added.map(Number).join('');
}

test('prunes files that no warm-up listed for 36 hours', async () => {
  const [day_ms, now_ms] = [86_400_000, Date.now()];
  await write('a');
  await write('b');
  open({ now_ms: now_ms + day_ms }).list('a');
  open({ now_ms: now_ms + 2 * day_ms }).prune();
  expect(listKeys()).toEqual(['a']);
});

test('within its size, the files of older releases leave first, the oldest before the others', async () => {
  const now_ms = Date.now();
  await addPages(open(), 'a', 'b', 'c', 'd');
  const max_bytes = countBytes();
  for (const [age, key] of ['c', 'a', 'd', 'b'].entries())
    open({ now_ms: now_ms - 10_000 + age * 1_000 }).list(key);
  const cache = open({ max_bytes });
  // `c` is the oldest, but this release has it, too.
  expect(cache.list('c')).toBe(true);
  expect(await addPages(cache, 'e')).toBe('1');
  expect(listKeys()).toEqual(['b', 'c', 'd', 'e']);
  expect(await addPages(cache, 'f', 'g', 'h')).toBe('110');
  expect(listKeys()).toEqual(['c', 'e', 'f', 'g']);
  expect(countBytes()).toBeLessThanOrEqual(max_bytes);
});

test('a smaller limit removes the pages listed last, and none is stored with a limit of 0', async () => {
  await addPages(open(), 'a', 'b', 'c');
  const cache = open({ max_bytes: countBytes() - 1 });
  for (const key of ['c', 'a', 'b']) cache.list(key);
  cache.prune();
  expect(listKeys()).toEqual(['a', 'c']);
  const none = open({ max_bytes: 0 });
  expect([none.list('a'), await addPages(none, 'd')]).toEqual([true, '0']);
  none.prune();
  expect(listKeys()).toEqual([]);
});

test('stays out of the reserve of the disk, and gives space back', async () => {
  await addPages(open(), 'a', 'b');
  const hasSpace = (): boolean => listFiles().length < 2;
  const cache = open({ hasSpace });
  cache.list('b');
  // `a` leaves for `c`, which then has room.
  expect(await addPages(cache, 'c', 'd')).toBe('10');
  cache.prune();
  expect(listKeys()).toEqual(['b']);
});
