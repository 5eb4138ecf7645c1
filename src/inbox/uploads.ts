// Uploaded pictures: stores their bytes under an unguessable id, and deletes those that are not used (contract 14.13).
//
// | upload  | meaning                                           | `sender` | `unused_ms`                |
// |---------|---------------------------------------------------|----------|----------------------------|
// | pending | its form is open, and no change refers to it yet  | set      | time of its last use       |
// | used    | a change refers to it                             | empty    | null                       |
// | unused  | no change refers to it any more: deleted later    | empty    | time since which it is so  |
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../domain/app-error.ts';
import { UPLOAD_RETENTION_DAYS } from '../domain/submission/submitted-picture.ts';
import { markErased } from './erase.ts';
import type { Inbox } from './open.ts';
import { deriveBytes, MAX_FORM_AGE_MS, rateLimitDigest } from './secrets.ts';
import type { Tables } from './tables.ts';

const DAY_MS = 24 * 3_600_000;
/** Uploads dated further in the future were stored while the clock was wrong. They would expire too late: deleted. */
const MAX_CLOCK_ERROR_MS = 3_600_000;

/** Limits of pending uploads: number per network address, total number, and total bytes. */
export const PENDING_UPLOAD_LIMITS = {
  per_sender: 10,
  total: 300,
  total_bytes: 64 * 1024 * 1024,
} as const;

/** Stored picture: WebP, without metadata. */
export type StoredUpload = Readonly<Pick<Tables['uploads'], 'id' | 'width' | 'height' | 'bytes'>>;

/** Derives the id of an upload from the secret and the file, so that a form sent twice refers to the same picture. */
export const deriveUploadId = (inbox: Inbox, uploaded: Buffer): string =>
  deriveBytes(inbox, 'upload', hash('sha256', uploaded)).toString('base64url').slice(0, 32);

/** Returns an upload, or null if no upload has this id. */
export const getUpload = async (inbox: Inbox, id: string): Promise<StoredUpload | null> =>
  (await inbox.db
    .selectFrom('uploads')
    .select(['id', 'width', 'height', 'bytes'])
    .where('id', '=', id)
    .executeTakeFirst()) ?? null;

export async function hasUpload(inbox: Inbox, id: string): Promise<boolean> {
  const uploads = inbox.db.selectFrom('uploads').select('id').where('id', '=', id);
  return (await uploads.executeTakeFirst()) !== undefined;
}

/** Tells if a picture is stored, and restarts the retention period of a pending or unused one. */
export const touchUpload = (inbox: Inbox, id: string, now_ms: number): Promise<boolean> =>
  inbox.transaction(async () => {
    const uploads = inbox.db.updateTable('uploads').set({ unused_ms: now_ms }).where('id', '=', id);
    await uploads.where('unused_ms', 'is not', null).execute();
    return hasUpload(inbox, id);
  });

/**
 * Stores the picture of an open form, and deletes pending ones over the limits.
 * @param sender The client's address as used for rate limits; only its digest is stored.
 */
export async function storePendingUpload(
  inbox: Inbox,
  { id, width, height, bytes }: StoredUpload,
  { sender, now_ms }: { readonly sender: string; readonly now_ms: number },
): Promise<void> {
  const sender_digest = rateLimitDigest(inbox, 'uploader', sender);
  const row = { id, sender: sender_digest, unused_ms: now_ms, width, height, bytes };
  await inbox.transaction(async () => {
    const insert = inbox.db.insertInto('uploads').values(row);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    await prunePendingUploads(inbox, now_ms);
  });
}

/**
 * Deletes the pending uploads of abandoned forms and those over the limits. Uploads are ranked so that the newest of
 * every sender comes before the second newest of any: above the total limits, senders with the most uploads lose
 * theirs first.
 */
async function prunePendingUploads(inbox: Inbox, now_ms: number): Promise<void> {
  const { per_sender, total, total_bytes } = PENDING_UPLOAD_LIMITS;
  await sql`delete from uploads where sender <> '' and (
    unused_ms <= ${now_ms - MAX_FORM_AGE_MS} or unused_ms > ${now_ms + MAX_CLOCK_ERROR_MS} or id not in (
      select id from (
        select id, sender_rank, row_number() over fair_order as total_rank, sum(size) over fair_order as total_size
        from (
          select id, unused_ms, length(bytes) as size,
            row_number() over (partition by sender order by unused_ms desc, id) as sender_rank
          from uploads where sender <> '') as pending
        window fair_order as (order by sender_rank, unused_ms desc, id rows unbounded preceding)) as ranked
      where sender_rank <= ${per_sender} and total_rank <= ${total} and total_size <= ${total_bytes}))`.execute(
    inbox.db,
  );
}

/** Marks a picture as used by a submission or an override. @throws AppError if it was deleted meanwhile. */
export async function markUploadUsed(inbox: Inbox, id: string): Promise<void> {
  // The sender is needed only for the limits of pending uploads.
  const update = inbox.db.updateTable('uploads').set({ unused_ms: null, sender: '' });
  const { numUpdatedRows } = await update.where('id', '=', id).executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n)
    throw new AppError(
      'invalid_submission',
      'picture: is not there any more. Choose it again',
      'picture_gone',
    );
}

/**
 * Ids of the uploads in use. The three queries select the pictures of:
 * 1. submissions, by their current change unless it was rejected (`asked`: returned to its sender with a question);
 * 2. published submissions;
 * 3. editors' overrides of an event's picture.
 */
const USED_IDS = sql<string>`(
  select text -> 'image' ->> 'upload' from changes submission
    where state in ('waiting', 'asked', 'applied') and text -> 'image' ->> 'upload' is not null and not exists (
      select 1 from changes newer where newer.reference = submission.reference and newer.id > submission.id
        and newer.state not in ('replaced', 'undone'))
  union all select record -> 'event' -> 'image' ->> 'upload' from changes
    where state = 'applied' and record -> 'event' -> 'image' ->> 'upload' is not null
  union all select substr(record -> 'image' ->> 'url', length('upload:') + 1) from changes
    where state = 'applied' and record -> 'image' ->> 'url' like 'upload:%')`;

/**
 * Updates which uploads are in use and deletes those unused for the retention period. An upload becomes unused when it is
 * replaced, its submission is rejected or withdrawn, or its override is undone. Call it every hour.
 */
export async function expireUnusedUploads(inbox: Inbox, now_ms: number): Promise<void> {
  await inbox.transaction(async () => {
    await inbox.db
      .updateTable('uploads')
      .set({ unused_ms: null, sender: '' })
      .where('unused_ms', 'is not', null)
      .where('id', 'in', USED_IDS)
      .execute();
    await inbox.db
      .updateTable('uploads')
      .set({ unused_ms: now_ms })
      .where('unused_ms', 'is', null)
      .where('id', 'not in', USED_IDS)
      .execute();
    const { numDeletedRows } = await inbox.db
      .deleteFrom('uploads')
      .where('sender', '=', '')
      .where('unused_ms', '<=', now_ms - UPLOAD_RETENTION_DAYS * DAY_MS)
      .executeTakeFirstOrThrow();
    // Their bytes are still in the file until it is compacted.
    if (numDeletedRows > 0n) await markErased(inbox);
    await prunePendingUploads(inbox, now_ms);
  });
}
