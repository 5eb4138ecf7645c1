// Calendars that were brought in: what somebody chooses from, and which submissions were sent of each.
import type { ExpressionBuilder, Updateable } from 'kysely';
import * as v from 'valibot';
import { BatchDraftSchema, type BatchItem, type StoredBatch } from '../domain/batch.ts';
import type { Inbox } from './open.ts';
import { toBatchToken, toDigest } from './secret.ts';
import { getSubmission, readToken } from './changes.ts';
import type { Tables } from './tables.ts';

const JsonColumn = v.pipe(v.string(), v.parseJson());
const Draft = v.nullable(v.pipe(JsonColumn, BatchDraftSchema));
const Choices = v.pipe(JsonColumn, v.record(v.string(), v.string()));

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
    : { ...row, draft: v.parse(Draft, row.draft), choices: v.parse(Choices, row.choices) };
}

export const getBatchById = (inbox: Inbox, id: number) => getBy(inbox, 'id', id);

/** By the secret token of its address; null for every token that is nobody's. */
export const getBatchByToken = (inbox: Inbox, token: string) =>
  getBy(inbox, 'token_hash', toDigest(token));

/** By its reference, in any case. */
export const getBatch = (inbox: Inbox, reference: string) =>
  getBy(inbox, 'reference', reference.toUpperCase());

/** What was read of a calendar, and when. */
export interface NewDraft extends Pick<StoredBatch, 'name' | 'url' | 'lang' | 'at'> {
  readonly at_ms: number;
  readonly draft: object;
}

/** What somebody begins to choose from: `sender` is what their address is counted as. */
export async function insertBatch(
  inbox: Inbox,
  own: { readonly token_hash: string; readonly seed: string; readonly sender: string },
  { draft, ...row }: NewDraft,
): Promise<void> {
  const values = { ...own, ...row, draft: JSON.stringify(draft), choices: '{}' };
  await inbox.db.insertInto('batches').values(values).execute();
}

const update = async (inbox: Inbox, id: number, changed: Updateable<Tables['batches']>) =>
  void (await inbox.db.updateTable('batches').set(changed).where('id', '=', id).execute());

/** The same calendar read again. */
export const renewDraft = (inbox: Inbox, id: number, { name, url, at_ms, draft }: NewDraft) =>
  update(inbox, id, {
    name,
    at_ms,
    draft: JSON.stringify(draft),
    ...(url === null ? {} : { url }),
  });

/** Nothing is being chosen any more; one that nothing was sent of goes. */
export async function endDraft(inbox: Inbox, id: number): Promise<void> {
  await update(inbox, id, { draft: null });
  const ended = inbox.db.deleteFrom('batches').where('id', '=', id);
  await ended.where('reference', 'is', null).execute();
}

/** Something of it is sent under a reference. */
export const setSent = (
  inbox: Inbox,
  id: number,
  reference: string,
  choices: StoredBatch['choices'],
  at: string,
): Promise<void> =>
  update(inbox, id, { reference, choices: JSON.stringify(choices), at, draft: null, sender: '' });

/** Ends what is not chosen from since `from_ms`, or was begun by a clock that ran past `to_ms`. */
export async function pruneDrafts(inbox: Inbox, from_ms: number, to_ms: number): Promise<void> {
  const isOld = (is: ExpressionBuilder<Tables, 'batches'>) =>
    is.or([is('at_ms', '<=', from_ms), is('at_ms', '>', to_ms)]);
  await inbox.db.deleteFrom('batches').where('reference', 'is', null).where(isOld).execute();
  const ended = inbox.db.updateTable('batches').set({ draft: null }).where(isOld);
  await ended.where('draft', 'is not', null).execute();
}

/** How many are being chosen from for the first time, of a sender or of everybody. */
export async function countDrafts(inbox: Inbox, sender: string | null): Promise<number> {
  const { count } = await inbox.db
    .selectFrom('batches')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('reference', 'is', null)
    .$if(sender !== null, (query) => query.where('sender', '=', sender ?? ''))
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes the oldest of those: of a sender, or of the one who has most. */
export async function deleteOldestDraft(inbox: Inbox, sender: string | null): Promise<void> {
  const drafts = inbox.db.selectFrom('batches').where('reference', 'is', null);
  const most = drafts
    .select('sender')
    .groupBy('sender')
    .orderBy((is) => is.fn.countAll(), 'desc')
    .orderBy((is) => is.fn.min('at_ms'))
    .limit(1);
  const whose = sender ?? (await most.executeTakeFirst())?.sender ?? '';
  const own = drafts.select('id').where('sender', '=', whose);
  const oldest = own.orderBy('at_ms').orderBy('id').limit(1);
  await inbox.db.deleteFrom('batches').where('id', '=', oldest).execute();
}

/** A submission is of a batch, by the name that its event has in the calendar, and what that said of it. */
export async function putBatchItem(
  inbox: Inbox,
  id: number,
  item: { readonly reference: string; readonly uid: string; readonly digest: string },
): Promise<void> {
  await inbox.db
    .updateTable('changes')
    .set({ batch: id, uid: item.uid, uid_digest: item.digest })
    .where('reference', '=', item.reference)
    .execute();
}

/** Which submissions a batch has, in the order of sending. */
export async function listBatchItems(inbox: Inbox, id: number) {
  const rows = await inbox.db
    .selectFrom('changes')
    .select(['reference', 'uid', 'uid_digest'])
    .where('batch', '=', id)
    .groupBy(['reference', 'uid', 'uid_digest'])
    .orderBy((is) => is.fn.min('id'))
    .execute();
  return rows.map(({ reference, uid, uid_digest }) => ({
    reference: reference ?? '',
    uid: uid ?? '',
    digest: uid_digest ?? '',
  }));
}

/** Whether an event of that name came with any calendar. */
export async function isUidKnown(inbox: Inbox, uid: string): Promise<boolean> {
  const changes = inbox.db.selectFrom('changes').select('id').where('uid', '=', uid);
  return (await changes.limit(1).executeTakeFirst()) !== undefined;
}

/** In the order of sending, each with the token of its own address; null where that cannot be told any more. */
export async function listSent(
  inbox: Inbox,
  { id }: StoredBatch,
): Promise<readonly (BatchItem & { readonly token: string | null })[]> {
  const items = await listBatchItems(inbox, id);
  const sent = await Array.fromAsync(items, async ({ reference, uid, digest }) => {
    const stored = await getSubmission(inbox, reference);
    return stored && { uid, digest, stored, token: await readToken(inbox, reference) };
  });
  return sent.filter((one) => one !== null);
}

/** The e-mail that its sender gave last; null where none is held. */
export async function readBatchEmail(inbox: Inbox, batch: StoredBatch): Promise<string | null> {
  const newest_first = (await listSent(inbox, batch))
    .map(({ stored }) => stored)
    .reverse()
    .sort((one, other) => other.at.localeCompare(one.at));
  const held = newest_first.find(({ text }) => text.contact_email !== null);
  return held?.text.contact_email ?? null;
}

/** The token of its private address, which is stored nowhere; null of one from an older version. */
export const readBatchToken = (inbox: Inbox, { seed }: StoredBatch): string | null =>
  seed === null ? null : toBatchToken(inbox, seed);
