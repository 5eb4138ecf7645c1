// The tables of calendars that were brought in: what somebody chooses from, and which submissions
// were sent of each.
import type { ExpressionBuilder, Updateable } from 'kysely';
import * as v from 'valibot';
import { BatchDraftSchema, type StoredBatch } from '../domain/batch/batch.ts';
import type { Inbox } from './open.ts';
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

export const getBatchById = (inbox: Inbox, id: number): Promise<StoredBatch | null> =>
  getBy(inbox, 'id', id);

/** By the hash of the token in its address; null where there is none. */
export const getBatchByTokenHash = (inbox: Inbox, hash: string): Promise<StoredBatch | null> =>
  getBy(inbox, 'token_hash', hash);

/** By its reference, in any case. */
export const getBatch = (inbox: Inbox, reference: string): Promise<StoredBatch | null> =>
  getBy(inbox, 'reference', reference.toUpperCase());

interface NewDraft {
  readonly name: string;
  readonly url: string | null;
  readonly lang: StoredBatch['lang'];
  readonly at: string;
  readonly at_ms: number;
  readonly draft: object;
}

/**
 * What somebody begins to choose from: `sender` is what their address is counted as, `seed` what the
 * token is made of.
 */
export async function insertBatch(
  inbox: Inbox,
  own: { readonly token_hash: string; readonly seed: string; readonly sender: string },
  { draft, ...row }: NewDraft,
): Promise<void> {
  await inbox.db
    .insertInto('batches')
    .values({ ...own, ...row, draft: JSON.stringify(draft), choices: '{}' })
    .execute();
}

const update = async (
  inbox: Inbox,
  id: number,
  changed: Updateable<Tables['batches']>,
): Promise<void> =>
  void (await inbox.db.updateTable('batches').set(changed).where('id', '=', id).execute());

/** The same calendar read again. */
export const setDraft = (
  inbox: Inbox,
  id: number,
  { name, url, at_ms, draft }: NewDraft,
): Promise<void> =>
  update(inbox, id, {
    name,
    ...(url === null ? {} : { url }),
    at_ms,
    draft: JSON.stringify(draft),
  });

/** Nothing is being chosen any more; one that nothing was sent of goes. */
export async function endDraft(inbox: Inbox, id: number): Promise<void> {
  await update(inbox, id, { draft: null });
  await inbox.db
    .deleteFrom('batches')
    .where('id', '=', id)
    .where('reference', 'is', null)
    .execute();
}

/** Something of it is sent under a reference. */
export const setSent = (
  inbox: Inbox,
  id: number,
  reference: string,
  choices: Readonly<Record<string, string>>,
  at: string,
): Promise<void> =>
  update(inbox, id, { reference, choices: JSON.stringify(choices), at, draft: null, sender: '' });

/** Ends what is not chosen from since `from_ms`, or was begun by a clock that ran past `to_ms`. */
export async function pruneDrafts(inbox: Inbox, from_ms: number, to_ms: number): Promise<void> {
  const isOld = (is: ExpressionBuilder<Tables, 'batches'>) =>
    is.or([is('at_ms', '<=', from_ms), is('at_ms', '>', to_ms)]);
  await inbox.db.deleteFrom('batches').where('reference', 'is', null).where(isOld).execute();
  await inbox.db
    .updateTable('batches')
    .set({ draft: null })
    .where('draft', 'is not', null)
    .where(isOld)
    .execute();
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
  const most = await drafts
    .select('sender')
    .groupBy('sender')
    .orderBy((is) => is.fn.countAll(), 'desc')
    .orderBy((is) => is.fn.min('at_ms'))
    .limit(1)
    .executeTakeFirst();
  await inbox.db
    .deleteFrom('batches')
    .where(
      'id',
      '=',
      drafts
        .select('id')
        .where('sender', '=', sender ?? most?.sender ?? '')
        .orderBy('at_ms')
        .orderBy('id')
        .limit(1),
    )
    .execute();
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
export const isUidKnown = async (inbox: Inbox, uid: string): Promise<boolean> =>
  (await inbox.db
    .selectFrom('changes')
    .select('id')
    .where('uid', '=', uid)
    .limit(1)
    .executeTakeFirst()) !== undefined;
