// The digests of content by what the file system says of its files: what lies untouched is not opened, and whatever
// was touched is.
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSourceStore, type StampedDigests } from '../../src/inbox/source-store.ts';
import { digestContent } from '../../src/releases/take-sources.ts';
import { lookAtContent } from '../../src/sources/content-digest.ts';
import { toBytesDigest } from '../../src/sources/kept-sources.ts';

const FILE = 'events/feria.yml';
/** When it says that it was written, in seconds. */
const WRITTEN_S = 1_700_000_000;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-digests-'));
  mkdirSync(join(folder, 'events'));
  writeFileSync(join(folder, FILE), 'title: Feria');
  utimesSync(join(folder, FILE), WRITTEN_S, WRITTEN_S);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A minute after all was written. */
const look = (known: StampedDigests = new Map()) =>
  lookAtContent(folder, known, Date.now() + 60_000);
const digestOf = (text: string): string => toBytesDigest(Buffer.from(text));
/** What is known, with other digests than the files have: where one is told, the file was not opened. */
const withMarks = (stamped: StampedDigests): StampedDigests =>
  new Map([...stamped].map(([file, { stamp }]) => [file, { stamp, digest: 'known' }]));

test('a file that lies untouched is not opened', () => {
  const { digests, stamped } = look();
  expect(digests.get(FILE)).toBe(digestOf('title: Feria'));
  expect(look(withMarks(stamped)).digests.get(FILE)).toBe('known');
});

test.each([
  ['written', () => writeFileSync(join(folder, FILE), 'title: Otra feria')],
  [
    'written with as many bytes, and dated back',
    () => {
      writeFileSync(join(folder, FILE), 'title: Farsa');
      utimesSync(join(folder, FILE), WRITTEN_S, WRITTEN_S);
    },
  ],
])('one that was %s is', (_how, write) => {
  const { stamped } = look();
  const before_ms = statSync(join(folder, FILE)).ctimeMs;
  // Within one tick of the file system's clock it could not be told: such files are never stamped.
  do write();
  while (statSync(join(folder, FILE)).ctimeMs === before_ms);
  expect(look(withMarks(stamped)).digests.get(FILE)).not.toBe('known');
});

test('one that was written a moment ago, or is ahead of the clock, is opened again the next time', () => {
  expect(lookAtContent(folder, new Map(), Date.now()).stamped.size).toBe(0);
  expect(lookAtContent(folder, new Map(), Date.now() - 60_000).stamped.size).toBe(0);
  expect(look().stamped.size).toBe(1);
});

test('what is no file is told of, what is hidden is not, and what is gone is forgotten', () => {
  mkdirSync(join(folder, 'venues', 'nested'), { recursive: true });
  writeFileSync(join(folder, 'events', '.draft.yml'), 'x');
  const { digests, stamped } = look(new Map([['events/gone.yml', { stamp: '1', digest: 'x' }]]));
  expect([...digests.keys()].sort()).toEqual([FILE, 'venues/nested']);
  expect(digests.get('venues/nested')).toBe('');
  expect([...stamped.keys()]).toEqual([FILE]);
});

test('releases know them from one to the next, of this folder alone', () => {
  const data_dir = join(folder, 'data');
  mkdirSync(data_dir);
  const config = readConfig({ DATA_DIR: data_dir, CONTENT_DIR: folder });
  const inStore = <T>(
    content_dir: string,
    work: (store: ReturnType<typeof openSourceStore>) => T,
  ) => {
    const store = openSourceStore(data_dir, content_dir, 'code');
    try {
      return work(store);
    } finally {
      store.close();
    }
  };
  inStore(config.content_dir, (store) => store.keepStamped(withMarks(look().stamped)));
  expect(digestContent(config).get(FILE)).toBe('known');
  inStore(join(folder, 'other'), (store) => expect(store.listStamped().size).toBe(0));
  expect(digestContent(config).get(FILE)).toBe(digestOf('title: Feria'));
});
