// The table of sources: how the reading of each that is followed stands.
import type { Insertable, Selectable } from 'kysely';
import * as v from 'valibot';
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

const Counts = v.fallback(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number())), {});
export type StoredSource = ReturnType<typeof toSource>;
type Row = Selectable<Tables['sources']>;

const toSource = ({ brought, missing, ...row }: Row) => ({
  ...row,
  /** How many events came how. */
  brought: v.parse(Counts, brought),
  /** How often what was sent was not in it, by reference. */
  missing: v.parse(Counts, missing),
});

export async function getSource(inbox: Inbox, key: string): Promise<StoredSource | null> {
  const all = inbox.db.selectFrom('sources').selectAll().where('key', '=', key);
  const row = await all.executeTakeFirst();
  return row === undefined ? null : toSource(row);
}

const COLUMNS = [
  'key',
  'url',
  'batch',
  'etag',
  'last_modified',
  'tried_ms',
  'read_ms',
  'next_ms',
  'failing_ms',
  'failures',
  'problem',
  'brought',
  'missing',
  'told_ms',
] as const;

/** Without their bytes. */
export async function listSources(inbox: Inbox) {
  const rows = await inbox.db.selectFrom('sources').select(COLUMNS).orderBy('key').execute();
  return rows.map((row) => toSource({ ...row, bytes: null, bytes_before: null }));
}

export async function putSource(inbox: Inbox, source: StoredSource): Promise<StoredSource> {
  const json = { brought: JSON.stringify(source.brought), missing: JSON.stringify(source.missing) };
  const row: Insertable<Tables['sources']> = { ...source, ...json };
  const inserted = inbox.db.insertInto('sources').values(row);
  await inserted.onConflict((conflict) => conflict.column('key').doUpdateSet(row)).execute();
  return source;
}
