// Snapshot file: deterministic, and rejected if it is invalid.
import Database from 'better-sqlite3';
import { copyFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { checkSnapshot } from '../../src/snapshot/check-snapshot.ts';
import { openSnapshot } from '../../src/snapshot/open-snapshot.ts';
import { FRIDAY_NOON_MS, useFixture, loadFixture, loadFixtureFiles } from '../fixtures/fixture.ts';

const town = loadFixture();
const { path } = useFixture(town);
test('the file has the same bytes for the same sources and build time', () => {
  const again = `${path}.again`;
  const inputs = { now_ms: FRIDAY_NOON_MS, content: loadFixtureFiles() };
  buildSnapshot(again, loadFixture(), inputs);
  expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
});
test.each([
  [`delete from notices where id = (select min(id) from notices)`, 'notices: 2 rows, expected 3'],
  [
    `update events set record = json_set(record, '$.title.en', ' ') where position = 0`,
    'events without both titles: 1',
  ],
  [`update events set venue = 've_gone' where position = 0`, 'dangling references: 1'],
])('checkSnapshot accepts the file, and rejects it after %s', (sql, issue) => {
  expect(checkSnapshot(path, town)).toEqual([]);
  const broken = `${path}.broken`;
  copyFileSync(path, broken);
  const db = new Database(broken);
  db.pragma('foreign_keys = off');
  db.exec(sql).close();
  expect(checkSnapshot(broken, town)).toContain(issue);
});

test('openSnapshot rejects another SQLite file', () => {
  const other = `${path}.other`;
  new Database(other).exec('create table meta (key text, value text)').close();
  expect(() => openSnapshot(other)).toThrow('is not a snapshot of this version');
});
