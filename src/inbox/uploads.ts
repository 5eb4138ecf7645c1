// The table of uploaded pictures: the bytes under an id that nobody guesses, and since when nothing needs them.
// One with a sender belongs to a form that somebody works on.
import { sql } from 'kysely';
import { noteErased } from './compact.ts';
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

/** A picture as it is stored: WebP, without metadata. */
export type StoredUpload = Readonly<Pick<Tables['uploads'], 'id' | 'width' | 'height' | 'bytes'>>;

/** The picture under an id; null where there is none, or none any more. */
export const getUpload = async (inbox: Inbox, id: string): Promise<StoredUpload | null> =>
  (await inbox.db
    .selectFrom('uploads')
    .select(['id', 'width', 'height', 'bytes'])
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;

/** Whether a picture is there. */
export const hasUpload = async (inbox: Inbox, id: string): Promise<boolean> =>
  (await inbox.db.selectFrom('uploads').select('id').where('id', '=', id).executeTakeFirst()) !==
  undefined;

/** Stores a picture of a sender; one that is there stays as it is. */
export async function insertUpload(
  inbox: Inbox,
  { id, width, height, bytes }: StoredUpload,
  sender: string,
  now_ms: number,
): Promise<void> {
  await inbox.db
    .insertInto('uploads')
    .values({ id, sender, unused_ms: now_ms, width, height, bytes })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The time of a picture that nothing needs begins anew; whether there is one, needed or not. */
export async function touchUpload(inbox: Inbox, id: string, now_ms: number): Promise<boolean> {
  await inbox.db
    .updateTable('uploads')
    .set({ unused_ms: now_ms })
    .where('id', '=', id)
    .where('unused_ms', 'is not', null)
    .execute();
  return hasUpload(inbox, id);
}

/** Something needs a picture: who sent it is of use only while pictures of forms are counted. Whether it is there. */
export async function setUploadNeeded(inbox: Inbox, id: string): Promise<boolean> {
  const { numUpdatedRows } = await inbox.db
    .updateTable('uploads')
    .set({ unused_ms: null, sender: '' })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Deletes the pictures of forms that are not after `from_ms`, or are after `to_ms`. */
export async function deleteHeld(inbox: Inbox, from_ms: number, to_ms: number): Promise<void> {
  await inbox.db
    .deleteFrom('uploads')
    .where('sender', '<>', '')
    .where((is) => is.or([is('unused_ms', '<=', from_ms), is('unused_ms', '>', to_ms)]))
    .execute();
}

/** How many pictures of forms there are, of a sender or of everybody, and their bytes. */
export const countHeld = (inbox: Inbox, sender: string | null) =>
  inbox.db
    .selectFrom('uploads')
    .select((is) => [
      is.fn.countAll<number>().as('count'),
      sql<number>`cast(coalesce(sum(length(bytes)), 0) as bigint)`.as('bytes'),
    ])
    .where('sender', '<>', '')
    .$if(sender !== null, (query) => query.where('sender', '=', sender ?? ''))
    .executeTakeFirstOrThrow();

/** Deletes the oldest of those: of a sender, or of the one who has most. Whether there was one. */
export async function deleteOldestHeld(inbox: Inbox, sender: string | null): Promise<boolean> {
  const held = inbox.db.selectFrom('uploads').where('sender', '<>', '');
  const most = await held
    .select('sender')
    .groupBy('sender')
    .orderBy((is) => is.fn.countAll(), 'desc')
    .orderBy((is) => is.fn.min('unused_ms'))
    .limit(1)
    .executeTakeFirst();
  const oldest = held
    .select('id')
    .where('sender', '=', sender ?? most?.sender ?? '')
    .orderBy('unused_ms')
    .orderBy('id')
    .limit(1);
  const { numDeletedRows } = await inbox.db
    .deleteFrom('uploads')
    .where('id', '=', oldest)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** The ids that something needs: what stands for a reference and was not turned down, and what the agenda is told. */
const NEEDED = sql<string>`(
  select text -> 'image' ->> 'upload' from changes one
    where state in ('waiting', 'asked', 'applied') and text -> 'image' ->> 'upload' is not null and not exists (
      select 1 from changes newer where newer.reference = one.reference and newer.id > one.id
        and newer.state not in ('replaced', 'undone'))
  union all select record -> 'event' -> 'image' ->> 'upload' from changes
    where state = 'applied' and record -> 'event' -> 'image' ->> 'upload' is not null
  union all select substr(record -> 'image' ->> 'url', length('upload:') + 1) from changes
    where state = 'applied' and record -> 'image' ->> 'url' like 'upload:%')`;

/**
 * Notes since when nothing needs a picture that was sent in: it was replaced, or what it came with was rejected
 * or withdrawn and is not in the agenda, or the edit of it was taken back. Deletes it after `days_ms`.
 */
export async function forgetUploads(inbox: Inbox, now_ms: number, days_ms: number): Promise<void> {
  await inbox.db
    .updateTable('uploads')
    .set({ unused_ms: null, sender: '' })
    .where('unused_ms', 'is not', null)
    .where('id', 'in', NEEDED)
    .execute();
  await inbox.db
    .updateTable('uploads')
    .set({ unused_ms: now_ms })
    .where('unused_ms', 'is', null)
    .where('id', 'not in', NEEDED)
    .execute();
  const { numDeletedRows } = await inbox.db
    .deleteFrom('uploads')
    .where('sender', '=', '')
    .where('unused_ms', '<=', now_ms - days_ms)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await noteErased(inbox);
}
