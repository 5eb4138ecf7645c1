// Sources table: stores the fetch state of each followed source, a calendar or page of others that is fetched regularly
// for events (its settings are a file in content). Columns are documented in tables.ts.
import type { Insertable, Selectable } from 'kysely';
import * as v from 'valibot';
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

/** Column with a JSON object of numbers; unreadable JSON counts as empty. */
const CountsColumn = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.number())),
  {},
);
/** Column with a JSON object of texts. */
const SendersColumn = v.fallback(
  v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  {},
);
/** Row of a source, with its JSON columns parsed. */
export type SourceState = ReturnType<typeof parseSourceState>;
type Row = Selectable<Tables['sources']>;

const parseSourceState = ({ brought, missing, senders, ...row }: Row) => ({
  ...row,
  /** Number of imported events by outcome. */
  brought: v.parse(CountsColumn, brought),
  /** By reference, the number of fetches that lacked an event imported before. */
  missing: v.parse(CountsColumn, missing),
  /** By sender of its alerts, the key of the source that used the sender first. */
  senders: v.parse(SendersColumn, senders),
});

/** Returns the state of a source by its key. @returns null before its first fetch. */
export async function getSourceState(inbox: Inbox, key: string): Promise<SourceState | null> {
  const sources = inbox.db.selectFrom('sources').selectAll().where('key', '=', key);
  const row = await sources.executeTakeFirst();
  return row === undefined ? null : parseSourceState(row);
}

/** All columns except the fetched bytes. */
const COLUMNS_WITHOUT_BYTES = [
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
  'senders',
  'told_ms',
] as const;

/** Lists the states of all sources, without the fetched bytes. */
export async function listSourceStates(inbox: Inbox) {
  const rows = await inbox.db
    .selectFrom('sources')
    .select(COLUMNS_WITHOUT_BYTES)
    .orderBy('key')
    .execute();
  return rows.map((row) => parseSourceState({ ...row, bytes: null, bytes_before: null }));
}

/** Inserts or replaces the state of a source, and returns it. */
export async function saveSourceState(inbox: Inbox, source: SourceState): Promise<SourceState> {
  const json = {
    brought: JSON.stringify(source.brought),
    missing: JSON.stringify(source.missing),
    senders: JSON.stringify(source.senders),
  };
  const row: Insertable<Tables['sources']> = { ...source, ...json };
  const inserted = inbox.db.insertInto('sources').values(row);
  await inserted.onConflict((conflict) => conflict.column('key').doUpdateSet(row)).execute();
  return source;
}

/** A source that was neither fetched nor due for this long is no longer followed. */
const UNFOLLOWED_AFTER_MS = 3 * 24 * 3_600_000;

/** Tells if a source is still followed, by the times of its last and next fetch. */
export const isStillFollowed = (
  { tried_ms, next_ms }: Pick<SourceState, 'tried_ms' | 'next_ms'>,
  now_ms: number,
): boolean => now_ms - Math.max(tried_ms, next_ms) < UNFOLLOWED_AFTER_MS;

/** Senders stored for a source; more are not remembered. */
const MAX_SENDERS = 100;

/**
 * Assigns the senders of the alerts that a source has now to the source that used each first
 * (contract 14.55). A source keeps its own senders, and borrowed ones only while its alerts have them.
 */
export async function assignSenders(
  inbox: Inbox,
  { key, senders: known }: Pick<SourceState, 'key' | 'senders'>,
  senders: readonly string[],
  now_ms: number,
): Promise<SourceState['senders']> {
  const others = (await listSourceStates(inbox)).filter(
    (other) => other.key !== key && isStillFollowed(other, now_ms),
  );
  const owned = Object.keys(known).filter((sender) => known[sender] === key);
  const entries = [...new Set([...owned, ...senders])].map((sender) => {
    const is_used_now = senders.includes(sender);
    const owner = others.find((other) => is_used_now && other.senders[sender] === other.key);
    return [sender, owner?.key ?? key] as const;
  });
  // Senders of other sources come first, so that no number of own ones hides them.
  const taken_first = entries.toSorted(([, a], [, b]) => Number(a === key) - Number(b === key));
  return Object.fromEntries(taken_first.slice(0, MAX_SENDERS));
}

/** Lists the senders of a source's alerts that another source used first, each with the key of that source. */
export const listTakenSenders = ({ key, senders }: Pick<SourceState, 'key' | 'senders'>) =>
  Object.entries(senders).filter(([, owner]) => owner !== key);

const SourceStatusRow = v.object({
  /** Id of the event. */
  event: v.string(),
  /** Name of the imported calendar. */
  name: v.nullable(v.string()),
  /** Other page that lists the event (`is_venues`: its venue's); null if the event vanished from its calendar. */
  record: v.nullable(
    v.pipe(v.string(), v.parseJson(), v.object({ url: v.string(), is_venues: v.boolean() })),
  ),
});

/** Lists the findings of followed sources about events: pending (it vanished) or applied (others list it too). */
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
  return inbox.parseRows('changes', SourceStatusRow, rows);
}
