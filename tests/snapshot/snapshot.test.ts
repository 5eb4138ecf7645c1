// The snapshot as a file and as answers: deterministic, checked, true to its sources.
import Database from 'better-sqlite3';
import { copyFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { checkSnapshot } from '../../src/snapshot/check-snapshot.ts';
import { openSnapshot } from '../../src/snapshot/open-snapshot.ts';
import { FRIDAY_NOON_MS, useFixture, readFixture, readFixtureFiles } from '../fixtures/fixture.ts';

const town = readFixture();
const { path } = useFixture(town);
test('the file is the same bytes for the same sources and moment', () => {
  const again = `${path}.again`;
  const made_of = { now_ms: FRIDAY_NOON_MS, content: readFixtureFiles() };
  buildSnapshot(again, readFixture(), made_of);
  expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
});
test.each([
  [
    `delete from notices where id = (select min(id) from notices)`,
    'notices: 2 rows where 3 were written',
  ],
  [
    `update events set record = json_set(record, '$.title.en', ' ') where position = 0`,
    'events without both titles: 1',
  ],
  [`delete from occurrences where event = 0`, 'events without an occurrence: 1'],
  [`update events set venue = 've_gone' where position = 0`, 'references that lead nowhere: 1'],
])('the file passes its checks, and after %s does not', (sql, issue) => {
  expect(checkSnapshot(path, town)).toEqual([]);
  const broken = `${path}.broken`;
  copyFileSync(path, broken);
  const db = new Database(broken);
  db.pragma('foreign_keys = off');
  db.exec(sql).close();
  expect(checkSnapshot(broken, town)).toContain(issue);
});

test('the file of something else is not opened', () => {
  const other = `${path}.other`;
  new Database(other).exec('create table meta (key text, value text)').close();
  expect(() => openSnapshot(other)).toThrow('is not a snapshot that this version reads');
});
