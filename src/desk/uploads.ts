// An uploaded picture from the form to the agenda: stored while the form is worked on, needed by what
// it was sent with, forgotten when nothing needs it (contract 14.13).
import { createHash } from 'node:crypto';
import { AppError } from '../domain/app-error.ts';
import { PICTURE_DAYS } from '../domain/submission/picture.ts';
import type { Submission } from '../domain/submission/submission.ts';
import type { Inbox } from '../inbox/open.ts';
import {
  countHeld,
  deleteHeld,
  deleteOldestHeld,
  forgetUploads,
  insertUpload,
  setUploadNeeded,
  type StoredUpload,
  touchUpload,
} from '../inbox/uploads.ts';
import { derive, MAX_FORM_MS, toCounted } from './secret.ts';

const DAY_MS = 24 * 3_600_000;
/** An hour: what a clock that ran ahead has stored would stay until it is that late. */
const MAX_AHEAD_MS = 3_600_000;

/** Pictures of forms that were not sent yet: of one address, of all, and the bytes of all. */
export const HELD_LIMITS = { sender: 10, all: 300, bytes: 64 * 1024 * 1024 } as const;

/**
 * The id of what was uploaded: the same file has the same, so that sending it twice is one
 * submission, and nobody without the inbox's secret can tell it.
 */
export const toUploadId = (inbox: Inbox, uploaded: Buffer): string =>
  derive(inbox, 'upload', createHash('sha256').update(uploaded).digest('hex'))
    .toString('base64url')
    .slice(0, 32);

/** Whether a picture is there already; its time begins anew then. */
export const renewPicture = (inbox: Inbox, id: string, now_ms: number): Promise<boolean> =>
  inbox.transaction(() => touchUpload(inbox, id, now_ms));

/**
 * Stores a picture for a form that is worked on. Where a limit is reached the oldest goes: of the
 * same address, or of the address that has most.
 */
export async function holdPicture(
  inbox: Inbox,
  picture: StoredUpload,
  { sender, now_ms }: { readonly sender: string; readonly now_ms: number },
): Promise<void> {
  const counted = toCounted(inbox, 'uploader', sender);
  await inbox.transaction(async () => {
    await deleteHeld(inbox, now_ms - MAX_FORM_MS, now_ms + MAX_AHEAD_MS);
    while ((await countHeld(inbox, counted)).count >= HELD_LIMITS.sender)
      await deleteOldestHeld(inbox, counted);
    while ((await isFull(inbox, picture.bytes.length)) && (await deleteOldestHeld(inbox, null)));
    await insertUpload(inbox, picture, counted, now_ms);
  });
}

async function isFull(inbox: Inbox, more: number): Promise<boolean> {
  const { count, bytes } = await countHeld(inbox, null);
  return count >= HELD_LIMITS.all || bytes + more > HELD_LIMITS.bytes;
}

/**
 * A submission needs its picture from now on; within a transaction. Throws AppError where the picture
 * is not there any more.
 */
export async function needPicture(inbox: Inbox, { image }: Submission): Promise<void> {
  if (image !== null && 'upload' in image) await needUpload(inbox, image.upload);
}

/** The same for whatever needs one, by the id of the picture. */
export async function needUpload(inbox: Inbox, id: string): Promise<void> {
  if (!(await setUploadNeeded(inbox, id)))
    throw new AppError(
      'invalid_submission',
      'picture: is not there any more. Choose it again',
      'picture_gone',
    );
}

/**
 * Forgets what no form and no submission needs: what was rejected, withdrawn or replaced, some time
 * after that was seen here. To be called with each release.
 */
export async function forgetPictures(inbox: Inbox, now_ms: number): Promise<void> {
  await inbox.transaction(async () => {
    await forgetUploads(inbox, now_ms, PICTURE_DAYS * DAY_MS);
    await deleteHeld(inbox, now_ms - MAX_FORM_MS, now_ms + MAX_AHEAD_MS);
  });
}
