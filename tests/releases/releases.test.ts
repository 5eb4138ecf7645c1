// Releases on disk: which serves, who builds, what goes, what a release's files are.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkRelease } from '../../src/releases/check-release.ts';
import { collectFiles } from '../../src/releases/collect-files.ts';
import { toContentType, toFileAddress } from '../../src/releases/file-facts.ts';
import { type Form, isStored, pruneFiles, toStoredPath } from '../../src/releases/file-store.ts';
import {
  type Layout,
  readCurrent,
  toLayout,
  toReleasePaths,
  writeCurrent,
} from '../../src/releases/layout.ts';
import { readManifest, writeManifest } from '../../src/releases/manifest.ts';
import { KEPT_RELEASES, listReleases, pruneReleases } from '../../src/releases/prune.ts';

let layout: Layout;
beforeEach(() => {
  layout = toLayout(mkdtempSync(join(tmpdir(), 'hoy-releases-')));
  mkdirSync(layout.releases_dir);
});
afterEach(() => rmSync(layout.data_dir, { recursive: true }));

const toId = (minute: number): string => `20261120T17${String(minute).padStart(2, '0')}00Z-abcdef`;

describe('current', () => {
  test('is null before the first release and where the file says nonsense', () => {
    expect(readCurrent(layout)).toBeNull();
    writeFileSync(layout.current_file, '../../etc');
    expect(readCurrent(layout)).toBeNull();
  });

  test('is replaced whole and leaves nothing beside it', () => {
    writeCurrent(layout, toId(1));
    writeCurrent(layout, toId(2));
    expect(readCurrent(layout)).toBe(toId(2));
    expect(readdirSync(layout.data_dir).sort()).toEqual(['current', 'releases']);
  });
});

test('pruning keeps the newest and the one that serves, and touches nothing else', () => {
  const ids = Array.from({ length: KEPT_RELEASES + 3 }, (_, i) => toId(i));
  ids.forEach((id, i) => {
    mkdirSync(join(layout.releases_dir, id));
    utimesSync(join(layout.releases_dir, id), 1000 + i, 1000 + i);
  });
  mkdirSync(join(layout.releases_dir, 'node_modules'));
  writeCurrent(layout, toId(0));
  expect(pruneReleases(layout)).toEqual([toId(2), toId(1)]);
  expect(listReleases(layout)).toEqual([...ids.slice(3).reverse(), toId(0)]);
  expect(existsSync(join(layout.releases_dir, 'node_modules'))).toBe(true);
});

describe('files', () => {
  test.each([
    ['fecha/2026-11-21.html', '/fecha/2026-11-21', 'text/html; charset=utf-8'],
    ['fecha/2026-11-21.md', '/fecha/2026-11-21.md', 'text/markdown; charset=utf-8'],
    ['index.html', '/', 'text/html; charset=utf-8'],
    ['en/index.html', '/en', 'text/html; charset=utf-8'],
    ['_astro/a.css', '/_astro/a.css', 'text/css; charset=utf-8'],
    ['data.unknown', '/data.unknown', 'application/octet-stream'],
  ])('%s answers %s as %s', (file, address, type) => {
    expect([toFileAddress(file), toContentType(file)]).toEqual([address, type]);
  });

  test('are listed with their compressed forms, and what did not change keeps its date', async () => {
    const [one, two] = [1, 2].map((minute) =>
      toReleasePaths(join(layout.releases_dir, toId(minute))),
    );
    if (!one || !two) throw new Error('two releases are needed');
    const same = 'siempre igual, '.repeat(200);
    for (const [paths, text] of [
      [one, 'viernes, '],
      [two, 'sábado, '],
    ] as const) {
      mkdirSync(paths.client, { recursive: true });
      writeFileSync(join(paths.client, 'a.html'), same);
      writeFileSync(join(paths.client, 'b.html'), text.repeat(200));
      writeFileSync(join(paths.client, 'small.svg'), '<svg/>');
    }
    const order = { store_dir: layout.files_dir, earlier: null, now_ms: 1000 };
    const first = collectFiles(order, one.client);
    writeManifest(one.files, first);
    const second = collectFiles(
      { ...order, earlier: await readManifest(one.files), now_ms: 2000 },
      two.client,
    );
    expect(second.map(({ path, last_modified_ms }) => [path, last_modified_ms])).toEqual([
      ['/a', 1000],
      ['/b', 2000],
      ['/small.svg', 1000],
    ]);
    expect(second[0]?.tag).toBe(first[0]?.tag);
    expect(second[1]?.tag).not.toBe(first[1]?.tag);
    expect(second[2]?.encodings).toEqual({});
    const read = (form: Form): Buffer =>
      readFileSync(toStoredPath(layout.files_dir, second[0]?.tag ?? '', form));
    expect(
      [
        read('identity'),
        brotliDecompressSync(read('br')),
        gunzipSync(read('gzip')),
        zstdDecompressSync(read('zstd')),
      ].map(String),
    ).toEqual([same, same, same, same]);
    expect(await readManifest(one.files)).toEqual(
      new Map(first.map((entry) => [entry.path, entry])),
    );
  });

  test('what no release lists any more goes, with what a killed build has left', () => {
    const [one, two] = ['uno, ', 'dos, '].map((text, at) => {
      const paths = toReleasePaths(join(layout.releases_dir, toId(at)));
      mkdirSync(paths.client, { recursive: true });
      writeFileSync(join(paths.client, 'a.html'), text.repeat(500));
      writeFileSync(join(paths.client, 'both.html'), 'both');
      const files = collectFiles(
        { store_dir: paths.store, earlier: null, now_ms: 1 },
        paths.client,
      );
      writeManifest(paths.files, files);
      return { list: paths.files, files };
    });
    if (!one || !two) throw new Error('two releases are needed');
    pruneFiles(layout.files_dir, [one.list, two.list]);
    for (const file of [...one.files, ...two.files])
      expect([file.path, isStored(layout.files_dir, file)]).toEqual([file.path, true]);
    const [gone] = one.files;
    writeFileSync(join(layout.files_dir, gone?.tag.slice(0, 1) ?? '', '.part-1-0'), 'half');
    pruneFiles(layout.files_dir, [two.list]);
    expect(two.files.every((file) => isStored(layout.files_dir, file))).toBe(true);
    const left = readdirSync(layout.files_dir, { recursive: true }).map(String);
    expect(left.filter((name) => name.includes('.part-') || name.includes(`${gone?.tag}`))).toEqual(
      [],
    );
  });

  test('a release that lacks a page, a handler or bytes is refused with all its faults', async () => {
    const paths = toReleasePaths(join(layout.releases_dir, toId(1)));
    mkdirSync(paths.client, { recursive: true });
    writeFileSync(join(paths.client, 'a.html'), 'a'.repeat(2000));
    const files = collectFiles(
      { store_dir: paths.store, earlier: null, now_ms: 1000 },
      paths.client,
    );
    rmSync(toStoredPath(paths.store, files[0]?.tag ?? '', 'br'));
    const issues = checkRelease(paths, files, ['/a', '/_hoy/2026-11-20']);
    expect(issues).toEqual([
      expect.stringContaining('handler'),
      'site: /_hoy/2026-11-20 is missing',
      'site: /a is not as it was written',
    ]);
  });
});
