// Migrations with PostgreSQL: a database of version 33 gets the schema of a new one, and an older one is refused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openInbox } from '../../src/inbox/open.ts';
import { createTestDatabase } from '../fixtures/postgres.ts';

const VERSION_33 = readFileSync(
  join(import.meta.dirname, '../inbox/released/33.postgres.sql'),
  'utf8',
);

/** Columns with their types, defaults, collations, storage and statistics; indexes; constraints. */
const SCHEMA_QUERIES = [
  `select attrelid::regclass::text as table, attname, format_type(atttypid, atttypmod) as type, attnotnull, attidentity,
    attcollation::regcollation::text as collation, attstorage, attstattarget, pg_get_expr(adbin, adrelid) as default
    from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r') and attnum > 0
    order by 1, 2`,
  "select indexdef from pg_indexes where schemaname = 'public' order by 1",
  `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as constraint from pg_constraint
    where connamespace = 'public'::regnamespace order by 1, 2`,
];

/** Creates a database with the given SQL. `query` runs statements in it. */
async function createDatabaseWith(sql: string) {
  const { url, drop } = await createTestDatabase(inject('postgres_url') ?? '');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await drop();
  });
  await client.query(sql);
  return { url, query: async (statement: string) => (await client.query(statement)).rows };
}

test('a database of version 33 gets the schema of a new one', async () => {
  const [old, created] = [await createDatabaseWith(VERSION_33), await createDatabaseWith('')];
  for (const { url } of [old, created]) await (await openInbox(url)).close();
  for (const statement of [...SCHEMA_QUERIES, 'select * from inbox_version']) {
    const rows = await created.query(statement);
    expect(rows.length).toBeGreaterThan(0);
    expect(await old.query(statement)).toEqual(rows);
  }
});

test('the alerts of a database of version 33 are identified within their source', async () => {
  const { url, query } = await createDatabaseWith(VERSION_33);
  const feed = 'https://smn.example/a.xml';
  await query(`insert into sources (key, url, tried_ms, next_ms, failures, brought, missing)
    values ('smn', '${feed}', 0, 0, 0, '{}', '{}');
    insert into changes (at, maker, door, kind, thing, asks, title, record, uid, uid_digest)
    values ('', 'editor', 'source', 'notice', 'x', 'publish', '', '{"sources":[{"url":"${feed}"}]}', 'a', 'b')`);
  await (await openInbox(url)).close();
  expect(await query('select uid, uid_digest from changes where uid is not null')).toEqual([
    { uid: 'smn:a', uid_digest: 'smn:b' },
  ]);
});

test('an older database is refused unchanged, and the error names the commit to start once', async () => {
  const { url, query } = await createDatabaseWith(VERSION_33);
  await query('update inbox_version set version = 32; drop table readers');
  await expect(openInbox(url)).rejects.toThrow(
    /^The inbox has version 32; .*git checkout [0-9a-f]{12}/,
  );
  expect(await query('select * from inbox_version')).toEqual([{ version: 32, oldest_reader: 27 }]);
  expect(await query("select to_regclass('readers') as readers")).toEqual([{ readers: null }]);
});
