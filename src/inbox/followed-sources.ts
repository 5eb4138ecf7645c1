// The table of sources: how the reading of each that is followed stands.
import type { Insertable, Selectable } from 'kysely';
import * as v from 'valibot';
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

const Counts = v.fallback(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number())), {});
export type SourceState = ReturnType<typeof toSource>;
type Row = Selectable<Tables['sources']>;

const toSource = ({ brought, missing, ...row }: Row) => ({
  ...row,
  /** How many events came how. */
  brought: v.parse(Counts, brought),
  /** How often what was sent was not in it, by reference. */
  missing: v.parse(Counts, missing),
});

export async function getSourceState(inbox: Inbox, key: string): Promise<SourceState | null> {
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
export async function listSourceStates(inbox: Inbox) {
  const rows = await inbox.db.selectFrom('sources').select(COLUMNS).orderBy('key').execute();
  return rows.map((row) => toSource({ ...row, bytes: null, bytes_before: null }));
}

export async function saveSourceState(inbox: Inbox, source: SourceState): Promise<SourceState> {
  const json = { brought: JSON.stringify(source.brought), missing: JSON.stringify(source.missing) };
  const row: Insertable<Tables['sources']> = { ...source, ...json };
  const inserted = inbox.db.insertInto('sources').values(row);
  await inserted.onConflict((conflict) => conflict.column('key').doUpdateSet(row)).execute();
  return source;
}

const SaidRow = v.object({
  event: v.string(),
  /** Of the calendar that it has vanished from. */
  name: v.nullable(v.string()),
  /** Where else it stands; null of what has vanished. */
  record: v.nullable(
    v.pipe(v.string(), v.parseJson(), v.object({ url: v.string(), is_venues: v.boolean() })),
  ),
});

/** What sources say of events beside their texts, while nobody has decided otherwise. */
export async function listStatusesFromSources(inbox: Inbox) {
  const rows = await inbox.db
    .selectFrom('changes')
    .leftJoin('batches', 'batches.id', 'changes.batch')
    .select(['changes.id', 'changes.thing as event', 'changes.record', 'batches.name'])
    .where('changes.asks', '=', 'check')
    .where('changes.door', '=', 'source')
    .where(({ eb, or, and }) =>
      or([
        eb('changes.state', '=', 'waiting'),
        and([eb('changes.state', '=', 'applied'), eb('changes.record', 'is not', null)]),
      ]),
    )
    .orderBy('changes.id')
    .execute();
  return inbox.parseRows('changes', SaidRow, rows);
}
