// Kept pages: found with their compressed forms, never where the file is damaged, and gone when nobody uses them.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { toRepresentation } from '../../src/http/representation.ts';
import {
  createPageStore,
  prunePages,
  toPageKey,
  touchPage,
  writePage,
} from '../../src/server/page-store.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { makeTestFolder } from '../fixtures/folder.ts';

const KEY = toPageKey('code', '/hoy', '');
const TEXT = `<!doctype html>${'<p>Feria diaria, de 10 a 14 h</p>'.repeat(100)}`;
const HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'public' };
let dir: string;
beforeEach(() => {
  dir = makeTestFolder();
});

const write = (key = KEY, text = TEXT, headers = HEADERS): Promise<void> =>
  writePage(dir, key, headers, Buffer.from(text), FRIDAY_NOON_MS);
/** What is kept; null of nothing. */
const find = async (key = KEY, store = createPageStore(dir)) => {
  const none = { ...toRepresentation({ status: 404, headers: {}, body: '' }) };
  const page = await store(
    () => key,
    async () => none,
  );
  return page === none ? null : page;
};
const listFiles = (): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('/'));

describe('a file', () => {
  test('is the page, with its compressed forms, its tag and its date', async () => {
    await write();
    const page = await find();
    expect(page).toMatchObject({
      status: 200,
      headers: HEADERS,
      tag: toRepresentation({ status: 200, headers: HEADERS, body: TEXT }).tag,
      last_modified_ms: FRIDAY_NOON_MS,
      size: Buffer.byteLength(TEXT),
    });
    expect([...(page?.codings ?? [])].sort()).toEqual(['br', 'gzip', 'zstd']);
    for (const [coding, decode] of [
      ['identity', (bytes: Buffer) => bytes],
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['zstd', zstdDecompressSync],
    ] as const)
      expect(decode((await page?.read(coding)) ?? Buffer.of()).toString()).toBe(TEXT);
  });

  test('of what gains nothing has no other form', async () => {
    await write(KEY, 'x');
    expect((await find())?.codings).toEqual([]);
    expect(String(await (await find())?.read('identity'))).toBe('x');
  });

  test.each([
    ['missing', () => null],
    ['empty', () => Buffer.of()],
    ['cut by a byte', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['cut in its head', (bytes: Buffer) => bytes.subarray(0, 40)],
    ['one byte too long', (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(0)])],
    ['wrong in one bit', (bytes: Buffer) => bytes.with(bytes.length - 9, (bytes.at(-9) ?? 0) ^ 1)],
  ] as const)('that is %s is no page', async (_, damage) => {
    await write();
    const [name = ''] = listFiles();
    const damaged = damage(readFileSync(join(dir, name)));
    if (damaged === null) rmSync(join(dir, name));
    else writeFileSync(join(dir, name), damaged);
    expect(await find()).toBeNull();
    expect(touchPage(dir, KEY, 0)).toBe(false);
  });

  test('that was not touched since is pruned', async () => {
    const other = toPageKey('code', '/avisos', '');
    await write();
    await write(other);
    expect([
      touchPage(dir, KEY, 2_000_000),
      touchPage(dir, other, 1_000_000),
      touchPage(dir, toPageKey('none'), 0),
    ]).toEqual([true, true, false]);
    prunePages(dir, 1_500_000);
    expect(listFiles().map((name) => name.slice(2))).toEqual([KEY]);
  });
});

describe('a page that is made', () => {
  const page = toRepresentation({ status: 200, headers: HEADERS, body: TEXT });

  test('is made once for all who wait, and kept', async () => {
    const store = createPageStore(dir);
    let made = 0;
    const make = async () => {
      made += 1;
      return page;
    };
    const all = await Promise.all([1, 2, 3].map(() => store(() => KEY, make)));
    expect([made, new Set(all).size, await find(KEY, store)]).toEqual([1, 1, page]);
    expect(listFiles()).toEqual([]);
  });

  test('is made again after it failed, and not kept where it is missing', async () => {
    const store = createPageStore(dir);
    const fail = () => Promise.reject(new Error('out of paper'));
    await expect(store(() => KEY, fail)).rejects.toThrow('out of paper');
    const missing = { ...page, status: 404 };
    expect(
      await store(
        () => KEY,
        async () => missing,
      ),
    ).toBe(missing);
    expect(await find(KEY, store)).toBeNull();
  });
});
