// What a snapshot says of itself, and the files that it can be made from again.
import Database from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
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
  test('has the digest of its files, in any order, and another where one is otherwise', () => {
    const digestOf = (content: ContentFiles) =>
      readMeta(build('digest.db', { content }))?.content_digest;
    const digest = digestOf(FILES);
    expect(digestOf(new Map([...FILES].reverse()))).toBe(digest);
    const other = { digest: 'c', text: '', value: null };
    expect(digestOf(new Map([...FILES, ['events/feria.yml', other]]))).not.toBe(digest);
  });
  test('has the same version at another moment, and another where anything is said otherwise', () => {
    const versionOf = (dataset: Dataset, now_ms = FRIDAY_NOON_MS) =>
      readMeta(build('version.db', { now_ms }, dataset))?.version;
    const version = versionOf(town);
    expect(versionOf(town, FRIDAY_NOON_MS + 3_600_000)).toBe(version);
    const events = town.events.map((event) => ({ ...event, tags: ['otra'] }));
    expect(versionOf({ ...town, events })).not.toBe(version);
  });
});

test('what a snapshot of another version does not say is 0 or empty', () => {
  const sql = `update meta set value = '6' where key = 'schema_version';
    update meta set value = 'soon' where key = 'generated_ms';
    delete from meta where key in ('decision', 'made_by', 'rolled_back', 'content_digest')`;
  expect(readMeta(change(build('old.db'), sql))).toMatchObject({
    ...{ schema_version: 6, generated_ms: 0, decision: 0, made_by: '' },
    ...{ rolled_back: '', content_digest: '' },
  });
});

test('what is no snapshot says nothing', () => {
  const text = join(folder, 'text.db');
  writeFileSync(text, 'no database');
  const empty = change(join(folder, 'empty.db'), 'create table other (key text)');
  const paths = [text, empty, join(folder, 'missing.db')];
  expect(paths.map(readMeta)).toEqual([null, null, null]);
  expect(paths.flatMap(readContentRows)).toEqual([]);
});
