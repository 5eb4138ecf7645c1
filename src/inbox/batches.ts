// Calendars that were brought in: what somebody chooses from, and which submissions were sent of each.
import { sql } from 'kysely';
import * as v from 'valibot';
import {
  BATCH_LIMITS,
  type BatchDraft,
  BatchDraftSchema,
  type StoredBatch,
} from '../domain/batch.ts';
import type { SenderChange } from '../domain/change.ts';
import { findToken, listChanges } from './changes.ts';
import type { Inbox } from './open.ts';
import { toBatchToken, toDigest } from './secret.ts';
import type { Tables } from './tables.ts';

const HOUR_MS = 3_600_000;
const JsonColumn = v.pipe(v.string(), v.parseJson());
/** One that cannot be read is chosen from no more. */
const Draft = v.fallback(v.nullable(v.pipe(JsonColumn, BatchDraftSchema)), null);
const Answers = v.fallback(v.pipe(JsonColumn, v.record(v.string(), v.string())), {});

async function getBy(
  inbox: Inbox,
  column: 'id' | 'token_hash' | 'reference',
  value: string | number,
): Promise<StoredBatch | null> {
  const row = await inbox.db
    .selectFrom('batches')
    .select(['id', 'reference', 'name', 'url', 'lang', 'at', 'draft', 'choices', 'seed'])
    .where(column, '=', value)
    .executeTakeFirst();
  return row === undefined
    ? null
    : { ...row, draft: v.parse(Draft, row.draft), choices: v.parse(Answers, row.choices) };
}

export const getBatchById = (inbox: Inbox, id: number) => getBy(inbox, 'id', id);

/** By the secret token of its address; null for every token that is nobody's. */
export const getBatchByToken = (inbox: Inbox, token: string) =>
  getBy(inbox, 'token_hash', toDigest(token));

/** By its reference, in any case. */
export const getBatch = (inbox: Inbox, reference: string) =>
  getBy(inbox, 'reference', reference.toUpperCase());

/** What of a batch is stored; `sender` is what an address is counted as. */
type Stored = Omit<StoredBatch, 'id' | 'reference' | 'choices'> &
  Pick<Tables['batches'], 'at_ms' | 'sender' | 'token_hash'>;
const toText = (draft: BatchDraft | null): string | null => draft && JSON.stringify(draft);

/** Gives its number. */
export async function insertBatch(inbox: Inbox, { draft, ...row }: Stored): Promise<number> {
  const values = { ...row, draft: toText(draft), choices: '{}' };
  const inserted = inbox.db.insertInto('batches').values(values).returning('id');
  return (await inserted.executeTakeFirstOrThrow()).id;
}

/** It is read again, chosen from no more, or sent. */
export async function updateBatch(
  inbox: Inbox,
  id: number,
  { draft, choices, ...row }: Partial<Stored & Pick<StoredBatch, 'reference' | 'choices'>>,
): Promise<void> {
  const json = {
    ...(draft !== undefined && { draft: toText(draft) }),
    ...(choices && { choices: JSON.stringify(choices) }),
  };
  const all = inbox.db.updateTable('batches').set({ ...row, ...json });
  await all.where('id', '=', id).execute();
}

/**
 * Ends what is not chosen from for a day, or was begun by a clock that ran ahead; and of what nothing was sent
 * of yet all but the newest of each sender. Where there are too many, those who have most lose theirs first.
 */
export async function pruneDrafts(inbox: Inbox, now_ms: number): Promise<void> {
  const { draft_ms, drafts, drafts_of_sender } = BATCH_LIMITS;
  const ended = inbox.db.updateTable('batches').set({ draft: null });
  await ended
    .where('draft', 'is not', null)
    .where((is) =>
      is.or([is('at_ms', '<=', now_ms - draft_ms), is('at_ms', '>', now_ms + HOUR_MS)]),
    )
    .execute();
  await sql`delete from batches where reference is null and id not in (
    select id from (
      select id, at_ms, row_number() over (partition by sender order by at_ms desc, id desc) as nth
      from batches where reference is null and draft is not null) as of_sender
    where nth <= ${drafts_of_sender} order by nth, at_ms desc limit ${drafts})`.execute(inbox.db);
}

/** Of all that was sent of it, whether it can be read or not. */
export async function listReferences(inbox: Inbox, { id }: Pick<StoredBatch, 'id'>) {
  const sent = inbox.db
    .selectFrom('changes')
    .select('reference')
    .distinct()
    .where('batch', '=', id);
  const rows = await sent.where('reference', 'is not', null).execute();
  return rows.map(({ reference }) => reference ?? '');
}

/** In the order of sending, as they stand now; `token` of its own address is null where that cannot be told any more. */
export async function listSent(inbox: Inbox, { id }: Pick<StoredBatch, 'id'>) {
  const changes = await listChanges(inbox, (query) =>
    query.where('batch', '=', id).where('state', 'not in', ['replaced', 'undone']).orderBy('id'),
  );
  const firsts = await inbox.db
    .selectFrom('changes')
    .select(['reference', 'digest', 'token_hash'])
    .where('batch', '=', id)
    .where('token_hash', 'is not', null)
    .orderBy('id')
    .execute();
  const newest = new Map(changes.map((change) => [change.reference, change]));
  return firsts.flatMap(({ reference, digest, token_hash }) => {
    const stored = newest.get(reference);
    if (reference === null || stored?.maker !== 'sender') return [];
    return [{ stored, token: findToken(inbox, { reference, digest, token_hash }) }];
  });
}

/** A submission is of a batch, by the name that its event has in the calendar, and what that said of it. */
export async function putBatchItem(
  inbox: Inbox,
  reference: string,
  item: Pick<SenderChange, 'batch' | 'uid' | 'uid_digest'>,
): Promise<void> {
  const changes = inbox.db.updateTable('changes').set(item);
  await changes.where('reference', '=', reference).execute();
}

/** Those of the names that came with any calendar. */
export async function listKnownUids(inbox: Inbox, uids: readonly string[]) {
  const changes = inbox.db.selectFrom('changes').select('uid').distinct();
  const known = await changes.where('uid', 'in', [...uids, '']).execute();
  return new Set(known.map(({ uid }) => uid));
}

/** The e-mail that its sender gave last; null where none is held. */
export async function readBatchEmail(inbox: Inbox, batch: StoredBatch): Promise<string | null> {
  const sent = (await listSent(inbox, batch)).map(({ stored }) => stored);
  const held = sent
    .filter(({ text }) => text.contact_email !== null)
    .sort((one, other) => one.at.localeCompare(other.at));
  return held.at(-1)?.text.contact_email ?? null;
}

/** The token of its private address, which is stored nowhere; null of one from an older version. */
export const readBatchToken = (inbox: Inbox, { seed }: StoredBatch): string | null =>
  seed === null ? null : toBatchToken(inbox, seed);
