// Uploaded pictures: stores their bytes under an unguessable id. An upload is pending while its form is open (its `sender`
// is set), used while a change refers to it, and deleted some time after its last use (contract 14.13).
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../domain/app-error.ts';
import { UPLOAD_RETENTION_DAYS } from '../domain/submission/submitted-picture.ts';
import { markErased } from './erase.ts';
import type { Inbox } from './open.ts';
import { deriveBytes, MAX_FORM_AGE_MS, rateLimitDigest } from './secrets.ts';
import type { Tables } from './tables.ts';

const DAY_MS = 24 * 3_600_000;
/** Uploads that a fast clock dated further in the future are deleted; they would stay for too long. */
const MAX_CLOCK_ERROR_MS = 3_600_000;

/** Limits of pending uploads: number per network address, number in all, and bytes in all. */
export const PENDING_UPLOAD_LIMITS = { sender: 10, all: 300, bytes: 64 * 1024 * 1024 } as const;

/** Stored picture: WebP, without metadata. */
export type StoredUpload = Readonly<Pick<Tables['uploads'], 'id' | 'width' | 'height' | 'bytes'>>;

/** Derives the id from the secret and the file, so that the same file twice gives the same submission. */
export const deriveUploadId = (inbox: Inbox, uploaded: Buffer): string =>
  deriveBytes(inbox, 'upload', hash('sha256', uploaded)).toString('base64url').slice(0, 32);

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

/** Tells if a picture is stored, and restarts the retention period of an unused one. */
export const touchUpload = (inbox: Inbox, id: string, now_ms: number): Promise<boolean> =>
  inbox.transaction(async () => {
    const uploads = inbox.db.updateTable('uploads').set({ unused_ms: now_ms }).where('id', '=', id);
    await uploads.where('unused_ms', 'is not', null).execute();
    return hasUpload(inbox, id);
  });

/** Stores the picture of an open form, and deletes pending ones over the limits. */
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
 * Deletes pending uploads of abandoned forms, and all but the newest of each sender. Above the total limits, senders with
 * the most uploads lose theirs first.
 */
async function prunePendingUploads(inbox: Inbox, now_ms: number): Promise<void> {
  await sql`delete from uploads where sender <> '' and (
    unused_ms <= ${now_ms - MAX_FORM_AGE_MS} or unused_ms > ${now_ms + MAX_CLOCK_ERROR_MS} or id not in (
      select id from (
        select id, nth, row_number() over fair as place, sum(size) over fair as taken from (
          select id, unused_ms, length(bytes) as size, row_number() over (partition by sender order by unused_ms desc, id) as nth
          from uploads where sender <> '') as of_sender
        window fair as (order by nth, unused_ms desc, id rows unbounded preceding)) as ranked
      where nth <= ${PENDING_UPLOAD_LIMITS.sender} and place <= ${PENDING_UPLOAD_LIMITS.all} and taken <= ${PENDING_UPLOAD_LIMITS.bytes}))`.execute(
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

/** Ids in use: by the current change of a reference unless it was rejected, and by applied records. */
const USED_IDS = sql<string>`(
  select text -> 'image' ->> 'upload' from changes candidate
    where state in ('waiting', 'asked', 'applied') and text -> 'image' ->> 'upload' is not null and not exists (
      select 1 from changes newer where newer.reference = candidate.reference and newer.id > candidate.id
        and newer.state not in ('replaced', 'undone'))
  union all select record -> 'event' -> 'image' ->> 'upload' from changes
    where state = 'applied' and record -> 'event' -> 'image' ->> 'upload' is not null
  union all select substr(record -> 'image' ->> 'url', length('upload:') + 1) from changes
    where state = 'applied' and record -> 'image' ->> 'url' like 'upload:%')`;

/**
 * Updates which uploads are in use and deletes those unused for the retention period. An upload becomes unused when it is
 * replaced, its submission is rejected or withdrawn, or its override is undone. Call it with each release.
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
    if (numDeletedRows > 0n) await markErased(inbox);
    await prunePendingUploads(inbox, now_ms);
  });
}
