// What a snapshot says of itself, and the files that it can be made from again.
import Database from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { type ContentFiles, readContentRows, readMeta } from '../../src/snapshot/meta.ts';
import { FRIDAY_NOON_MS, readFixture } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
const town = readFixture();
const FILES: ContentFiles = new Map([
  ['venues/malecon.yml', { digest: 'b', text: 'name: Malecón\n', value: { name: 'Malecón' } }],
  ['events/feria.yml', { digest: 'a', text: '', value: null }],
]);

type MadeOf = Parameters<typeof buildSnapshot>[2];
function build(name: string, made_of: Partial<MadeOf> = {}, dataset = town): string {
  const path = join(folder, name);
  buildSnapshot(path, dataset, { now_ms: FRIDAY_NOON_MS + 999, ...made_of });
  return path;
}

function change(path: string, sql: string): string {
  new Database(path).exec(sql).close();
  return path;
}

describe('a snapshot', () => {
  test('says when and from what it was made, up to which decision, and by which code', () => {
    const path = build('whole.db', {
      decision: 42,
      made_by: 'code',
      rolled_back: '2026-11-20T12:00:00-05:00',
      content: FILES,
    });
    expect(readMeta(path)).toEqual({
      schema_version: 11,
      generated_at: '2026-11-20T12:00:00-05:00',
      generated_ms: FRIDAY_NOON_MS,
      version: expect.stringMatching(/^[\w-]{16}$/),
      decision: 42,
      made_by: 'code',
      rolled_back: '2026-11-20T12:00:00-05:00',
      content_digest: expect.stringMatching(/^[\w-]{22}$/),
    });
  });
  test('of no decision, no known code and no files says so', () => {
    const path = build('bare.db');
    expect(readMeta(path)).toMatchObject({ decision: 0, made_by: '', rolled_back: '' });
    expect(readContentRows(path)).toEqual([]);
  });
  test('gives its source files back, with what they came to', () => {
    expect(readContentRows(build('files.db', { content: FILES }))).toEqual([
      {
        ...{ file: 'venues/malecon.yml', digest: 'b', text: 'name: Malecón\n' },
        value: '{"name":"Malecón"}',
      },
      { file: 'events/feria.yml', digest: 'a', text: '', value: 'null' },
    ]);
  });
  test('has the digest of its files, in any order, and another where one is otherwise', () => {
    const digestOf = (name: string, content: ContentFiles) =>
      readMeta(build(name, { content }))?.content_digest;
    const digest = digestOf('1.db', FILES);
    expect(digestOf('2.db', new Map([...FILES].reverse()))).toBe(digest);
    const changed = new Map([
      ...FILES,
      ['events/feria.yml', { digest: 'c', text: '', value: null }],
    ]);
    expect(digestOf('3.db', changed)).not.toBe(digest);
  });
});

describe('of another version', () => {
  test('what it does not say is 0 or empty', () => {
    const sql = `update meta set value = '6' where key = 'schema_version';
      update meta set value = 'soon' where key = 'generated_ms';
      delete from meta where key in ('decision', 'made_by', 'rolled_back', 'content_digest')`;
    expect(readMeta(change(build('old.db'), sql))).toEqual({
      schema_version: 6,
      generated_at: '2026-11-20T12:00:00-05:00',
      generated_ms: 0,
      version: expect.stringMatching(/^[\w-]{16}$/),
      decision: 0,
      made_by: '',
      rolled_back: '',
      content_digest: '',
    });
  });
  test('what is none says nothing', () => {
    const text = join(folder, 'text.db');
    writeFileSync(text, 'no database');
    const empty = change(join(folder, 'empty.db'), 'create table other (key text)');
    const paths = [text, empty, join(folder, 'missing.db')];
    expect(paths.map(readMeta)).toEqual([null, null, null]);
    expect(paths.flatMap(readContentRows)).toEqual([]);
  });
});

describe('the version', () => {
  const versionOf = (name: string, dataset = town, now_ms = FRIDAY_NOON_MS) =>
    readMeta(build(name, { now_ms }, dataset))?.version;
  test('is the same at another moment', () => {
    expect(versionOf('later.db', town, FRIDAY_NOON_MS + 3_600_000)).toBe(versionOf('noon.db'));
  });
  test('is another one where anything is said otherwise', () => {
    const [event, ...events] = town.events;
    if (!event) throw new Error('the town has no events');
    const other = { ...town, events: [{ ...event, tags: ['otra'] }, ...events] };
    expect(versionOf('other.db', other)).not.toBe(versionOf('noon.db'));
  });
});
