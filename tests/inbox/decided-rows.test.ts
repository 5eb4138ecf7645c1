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
import { listEdits } from '../../src/inbox/edits.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { makeOldInbox, openFixtureInbox } from '../fixtures/inbox.ts';

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

test('what an older version patched or merged is an edit of the whole; its decisions stay in the log', () => {
  const path = join(opened.folder, 'old.db');
  const old = makeOldInbox(path, 17);
  const put = old.prepare('insert into sources (id, kind, file, record) values (?, ?, ?, ?)');
  const fair = {
    id: 'ev_a',
    status: 'published',
    tags: ['familia'],
    verified: false,
    price: 'free',
  };
  put.run('ev_a', 'event', 'events/a.yml', JSON.stringify(fair));
  put.run('ve_old', 'venue', 'venues/old.yml', JSON.stringify({ name: 'Uno', capacity: 300 }));
  const patch = old.prepare("insert into patches values ('event', 'ev_a', ?, ?)");
  patch.run('tags', JSON.stringify({ value: ['puestos'], source: ['antes'] }));
  patch.run('price', JSON.stringify({ source: 'free' }));
  patch.run('title', JSON.stringify({ value: { es: 'Una "fería"', en: '1' } }));
  old.exec("insert into merges (old, kind, kept) values ('ve_old', 'venue', 've_kept')");
  const log = old.prepare(
    "insert into decisions (at, editor, action, subject, before) values ('x', 'ana', ?, 'ev_a', ?)",
  );
  const row = { old: 've_old', kind: 'venue', kept: 've_kept' };
  const patched = { table: 'patches', key: ['ev_a', 'tags'], row: null, after: null };
  const off = { table: 'overrides', key: ['ev_a', ''], row: null, after: null };
  log.run('merge', JSON.stringify([{ table: 'merges', key: ['ve_old'], row: null, after: row }]));
  log.run('edit', JSON.stringify([patched, off]));
  old.close();
  const inbox = openInbox(path);
  const kept = { tags: ['familia'], verified: false, price: 'free' };
  const title = { es: 'Una "fería"', en: '1' };
  expect(listEdits(inbox)).toEqual([
    {
      kind: 'event',
      thing: 'ev_a',
      record: { tags: ['puestos'], verified: false, title },
      source: { ...kept, tags: ['antes'] },
    },
    {
      kind: 'venue',
      thing: 've_old',
      record: { name: 'Uno', capacity: 300, same_as: 've_kept' },
      source: { name: 'Uno', capacity: 300 },
    },
  ]);
  expect([1, 2].map((id) => listChanges(inbox, id))).toEqual([[], [off]]);
  expect(() => undo(inbox, 1, { editor: 'ana', now_ms: FRIDAY_NOON_MS })).toThrow(
    'nothing that could be put back',
  );
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
