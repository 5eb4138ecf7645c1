// The rows that decisions change: every table as it is listed, rows of older versions, and decisions
// that an older version logged.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  DECIDED_TABLE_NAMES,
  DECIDED_TABLES,
  type DecidedTable,
  isAsLeft,
  putRow,
  readRow,
} from '../../src/inbox/decided-rows.ts';
import { undo } from '../../src/desk/undo.ts';
import { findLater, listChanges } from '../../src/inbox/decisions.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { listPatches } from '../../src/inbox/patches.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { makeOldInbox, openFixtureInbox, undoNewest } from '../fixtures/inbox.ts';

let opened: ReturnType<typeof openFixtureInbox>;
beforeEach(() => {
  opened = openFixtureInbox();
});
afterEach(() => opened.close());

test.each(DECIDED_TABLE_NAMES)('%s is there, with the key that is listed', (table) => {
  const columns = opened.inbox
    .prepare('select name, pk from pragma_table_info(?) order by pk')
    .raw()
    .all(table);
  const keys = columns.filter((row) => Array.isArray(row) && row[1] !== 0);
  expect(keys).toEqual(DECIDED_TABLES[table].key.map((name, at) => [name, at + 1]));
  const { aside = [] }: DecidedTable = DECIDED_TABLES[table];
  for (const name of aside) expect(columns).toContainEqual([name, 0]);
});

test.each(DECIDED_TABLE_NAMES)('a row of %s is taken away and put back as it was', (table) => {
  const key = DECIDED_TABLES[table].key.map((_, at) => `k${at}`);
  const names = opened.inbox
    .prepare(
      'select name from pragma_table_info(?) where "notnull" = 1 and dflt_value is null and pk = 0',
    )
    .pluck()
    .all(table);
  const row = Object.fromEntries([
    ...names.map((name) => [String(name), 'x']),
    ...DECIDED_TABLES[table].key.map((name, at) => [name, key[at] ?? '']),
  ]);
  putRow(opened.inbox, { table, key }, row);
  const whole = readRow(opened.inbox, { table, key });
  expect(whole).toMatchObject(row);
  putRow(opened.inbox, { table, key }, null);
  expect(readRow(opened.inbox, { table, key })).toBeNull();
  putRow(opened.inbox, { table, key }, whole);
  expect(isAsLeft(opened.inbox, { table, key, row: null, after: whole })).toBe(true);
});

test('a column that came with a newer version is neither compared nor lost', () => {
  const name = { table: 'overrides', key: ['ev_a', ''] } as const;
  opened.inbox.prepare("insert into overrides values ('ev_a', '', 'new')").run();
  const after = readRow(opened.inbox, name);
  opened.inbox.exec('alter table overrides add column since text');
  opened.inbox.prepare("update overrides set since = 'today'").run();
  expect(isAsLeft(opened.inbox, { ...name, row: null, after })).toBe(true);
  putRow(opened.inbox, name, { event: 'ev_a', date: '', record: 'old', gone: 'x' });
  expect(readRow(opened.inbox, name)).toEqual({
    event: 'ev_a',
    date: '',
    record: 'old',
    since: 'today',
  });
});

test('what an older version merged is an edit, and its decisions are undone as such', () => {
  const path = join(opened.folder, 'old.db');
  const old = makeOldInbox(path, 17);
  const put = old.prepare("insert into merges (old, kind, kept) values (?, 'venue', 've_kept')");
  for (const id of ['ve_before', 've_old']) put.run(id);
  const log = old.prepare(
    "insert into decisions (at, editor, action, subject, before) values ('x', 'ana', ?, 've_kept', ?)",
  );
  const find = old.prepare('insert into decision_rows values (?, ?, ?)');
  const row = { old: 've_old', kind: 'venue', kept: 've_kept' };
  const other = { table: 'patches', key: ['ev_a', 'tags'], row: null, after: null };
  for (const [action, changes] of [
    ['merge', [{ table: 'merges', key: ['ve_old'], row: null, after: row }]],
    ['split', [other, { table: 'merges', key: ['ve_old'], row, after: null }]],
    ['undo', [{ table: 'merges', key: ['ve_old'], row: null, after: row }]],
    ['edit', [other]],
  ] as const) {
    const { lastInsertRowid } = log.run(action, JSON.stringify(changes));
    for (const { table, key } of changes) find.run(table, JSON.stringify(key), lastInsertRowid);
  }
  old.close();
  const inbox = openInbox(path);
  const same = { kind: 'venue', field: 'same_as', value: 've_kept', source: undefined };
  expect(listPatches(inbox)).toEqual([
    { ...same, thing: 've_before' },
    { ...same, thing: 've_old' },
  ]);
  expect(findLater(inbox, 1)).toBe(2);
  expect(listChanges(inbox, 2)[0]).toEqual(other);
  expect(listChanges(inbox, 4)).toEqual([other]);
  const ANA = { editor: 'ana', now_ms: FRIDAY_NOON_MS };
  undo(inbox, 3, ANA);
  expect(listPatches(inbox, 've_old')).toEqual([]);
  undoNewest(inbox, ANA);
  expect(listPatches(inbox, 've_old')).toEqual([{ ...same, thing: 've_old' }]);
  inbox.close();
});

test('what an older version decided is found by its rows', () => {
  const path = join(opened.folder, 'old.db');
  const old = makeOldInbox(path, 7);
  const insert = old.prepare(
    "insert into decisions (at, editor, action, subject, before) values ('x', 'ana', 'cancel', 'ev_a', ?)",
  );
  const change = { table: 'overrides', key: ['ev_a', ''], row: null, after: null };
  for (const key of [
    ['ev_a', ''],
    ['ev_b', ''],
    ['ev_a', ''],
  ])
    insert.run(JSON.stringify([{ ...change, key }]));
  old.close();
  const inbox = openInbox(path);
  expect([1, 2, 3].map((id) => findLater(inbox, id))).toEqual([3, null, null]);
  inbox.close();
});
