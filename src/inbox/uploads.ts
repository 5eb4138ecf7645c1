// Uploaded pictures: the bytes under an id that nobody guesses. Stored while a form is worked on, needed by what it was
// sent with, forgotten when nothing needs it (contract 14.13). One with a sender belongs to a form.
import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '../domain/app-error.ts';
import { UPLOAD_RETENTION_DAYS } from '../domain/submission/submitted-picture.ts';
import { markErased } from './erase.ts';
import type { Inbox } from './open.ts';
import { deriveBytes, MAX_FORM_AGE_MS, rateLimitDigest } from './secrets.ts';
import type { Tables } from './tables.ts';

const DAY_MS = 24 * 3_600_000;
/** An hour: what a clock that ran ahead has stored would stay until it is that late. */
const MAX_AHEAD_MS = 3_600_000;

/** Pictures of forms that were not sent yet: of one address, of all, and the bytes of all. */
export const PENDING_UPLOAD_LIMITS = { sender: 10, all: 300, bytes: 64 * 1024 * 1024 } as const;

/** A picture as it is stored: WebP, without metadata. */
export type StoredUpload = Readonly<Pick<Tables['uploads'], 'id' | 'width' | 'height' | 'bytes'>>;

/** The same file has the same id, so that sending it twice is one submission; nobody tells it without the secret. */
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

/** Whether a picture is there already; where nothing needs it, its time begins anew. */
export const touchUpload = (inbox: Inbox, id: string, now_ms: number): Promise<boolean> =>
  inbox.transaction(async () => {
    const renewed = inbox.db.updateTable('uploads').set({ unused_ms: now_ms }).where('id', '=', id);
    await renewed.where('unused_ms', 'is not', null).execute();
    return hasUpload(inbox, id);
  });

/** Stores one for a form; within the limits. */
export async function storePendingUpload(
  inbox: Inbox,
  { id, width, height, bytes }: StoredUpload,
  { sender, now_ms }: { readonly sender: string; readonly now_ms: number },
): Promise<void> {
  const counted = rateLimitDigest(inbox, 'uploader', sender);
  const row = { id, sender: counted, unused_ms: now_ms, width, height, bytes };
  await inbox.transaction(async () => {
    const held = inbox.db.insertInto('uploads').values(row);
    await held.onConflict((conflict) => conflict.doNothing()).execute();
    await pruneHeld(inbox, now_ms);
  });
}

/**
 * Deletes the pictures of forms that are not worked on any more, and all but the newest of each address. Where
 * there are too many, those who have most lose theirs first.
 */
async function pruneHeld(inbox: Inbox, now_ms: number): Promise<void> {
  await sql`delete from uploads where sender <> '' and (
    unused_ms <= ${now_ms - MAX_FORM_AGE_MS} or unused_ms > ${now_ms + MAX_AHEAD_MS} or id not in (
      select id from (
        select id, nth, row_number() over fair as place, sum(size) over fair as taken from (
          select id, unused_ms, length(bytes) as size, row_number() over (partition by sender order by unused_ms desc, id) as nth
          from uploads where sender <> '') as own
        window fair as (order by nth, unused_ms desc, id rows unbounded preceding)) as held
      where nth <= ${PENDING_UPLOAD_LIMITS.sender} and place <= ${PENDING_UPLOAD_LIMITS.all} and taken <= ${PENDING_UPLOAD_LIMITS.bytes}))`.execute(
    inbox.db,
  );
}

/** What is sent in, or edited, needs a picture from now on. Throws AppError where that is not there any more. */
export async function markUploadUsed(inbox: Inbox, id: string): Promise<void> {
  // Who sent it is of use only while pictures of forms are counted.
  const needed = inbox.db.updateTable('uploads').set({ unused_ms: null, sender: '' });
  const { numUpdatedRows } = await needed.where('id', '=', id).executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n)
    throw new AppError(
      'invalid_submission',
      'picture: is not there any more. Choose it again',
      'picture_gone',
    );
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
 * or withdrawn and is not in the agenda, or the edit of it was taken back. Some time after that it is deleted. To be
 * called with each release.
 */
export async function expireUnusedUploads(inbox: Inbox, now_ms: number): Promise<void> {
  await inbox.transaction(async () => {
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
      .where('unused_ms', '<=', now_ms - UPLOAD_RETENTION_DAYS * DAY_MS)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) await markErased(inbox);
    await pruneHeld(inbox, now_ms);
  });
}
