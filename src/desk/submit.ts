// What a sender does: submits, corrects, withdraws, asks that what is published be cancelled or
// postponed. Counted, stored once, on disk before it is acknowledged (contract 14.2, 14.4, 14.6).
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { pickAdditions } from '../domain/submission/additions.ts';
import { listSenderActs } from '../domain/submission/sender-acts.ts';
import type { StoredSubmission, Submission } from '../domain/submission/submission.ts';
import type { Inbox } from '../inbox/open.ts';
import { getCurrent } from '../inbox/changes.ts';
import {
  askNext,
  endWaiting,
  getSubmission,
  getSubmissionByDigest,
  getSubmissionByTokenHash,
  insertSubmission,
  isReferenceTaken,
} from '../inbox/submissions.ts';
import { admit, countChange } from './allowances.ts';
import { queueReceipt, queueUrgent } from './mail.ts';
import { readToken, toDigest, toReference, toToken } from './secret.ts';
import { needPicture } from './uploads.ts';

const MAX_REFERENCE_ATTEMPTS = 20;
/** Characters of a sender's words with a request. */
const MAX_MESSAGE = 600;

/** What a sender is told. */
export interface Receipt {
  readonly reference: string;
  readonly state: StoredSubmission['state'];
  /**
   * For the secret status address. Null where the same submission is approved or anything of it is
   * in the agenda, whatever waits beside that: its text is public then, and whoever repeats it need
   * not be who sent it.
   */
  readonly token: string | null;
  /** The same submission was here before. */
  readonly is_repeat: boolean;
}

export interface Arrival {
  readonly submission: Submission;
  /** Where it came in: the form on the web, or a tool used by somebody's agent. */
  readonly channel: StoredSubmission['channel'];
  /** Who is counted: the client's address. Stored for a day, and only as a keyed digest. */
  readonly sender: string;
  readonly now_ms: number;
}

/** Whose submission and when: counted by its token alone. */
interface Change {
  readonly reference: string;
  readonly now_ms: number;
}

/**
 * Takes in a submission, pending; the same content again gives the same receipt and is not counted.
 * It is on disk when this returns. Throws AppError rate_limited, or where its picture is gone.
 */
export function submit(
  inbox: Inbox,
  { submission, channel, sender, now_ms }: Arrival,
): Promise<Receipt> {
  const digest = toDigest(JSON.stringify(submission));
  return inbox.transaction(async (): Promise<Receipt> => {
    const stored = await getSubmissionByDigest(inbox, digest);
    if (stored !== null) {
      const { reference, state, is_published } = stored;
      const is_public = state === 'approved' || is_published;
      const token = is_public ? null : await readToken(inbox, reference);
      return { reference, state, token, is_repeat: true };
    }
    const reference = await findFreeReference(inbox, digest);
    const is_doubtful = await admit(inbox, { sender, channel, reference, now_ms });
    const token = toToken(inbox, reference);
    await needPicture(inbox, submission);
    await insertSubmission(inbox, {
      reference,
      digest,
      token_hash: toDigest(token),
      at: formatTimestamp(now_ms),
      door: channel,
      submission,
      is_doubtful,
    });
    await queueReceipt(inbox, reference, now_ms);
    return { reference, state: 'pending', token, is_repeat: false };
  });
}

/** By the secret token of its status address. */
export const getSubmissionByToken = (
  inbox: Inbox,
  token: string,
): Promise<StoredSubmission | null> => getSubmissionByTokenHash(inbox, toDigest(token));

/**
 * A new text, to be reviewed like the first; what is published stays until then. Throws AppError
 * rate_limited, or where its picture is gone.
 */
export async function correct(
  inbox: Inbox,
  { reference, now_ms, submission }: Change & { readonly submission: Submission },
): Promise<void> {
  await inbox.transaction(async () => {
    const stored = await read(inbox, reference);
    const is_as_before = JSON.stringify(submission) === JSON.stringify(stored.submission);
    if (is_as_before && stored.state === 'pending') return;
    await countChange(inbox, reference, now_ms);
    await needPicture(inbox, submission);
    await askNext(inbox, reference, {
      at: formatTimestamp(now_ms),
      asks: stored.is_published ? 'edit' : 'publish',
      title: submission.title,
      text: submission,
      draft: keepAdditions(stored),
    });
    await queueReceipt(inbox, reference, now_ms, stored.submission.contact_email);
  });
}

/**
 * What a reviewer wrote beside the text, the other language above all, stays; edits of the text
 * itself go with that text.
 */
export function keepAdditions({
  draft,
}: Pick<StoredSubmission, 'draft'>): Record<string, string> | null {
  const additions = pickAdditions(draft);
  return Object.keys(additions).length === 0 ? null : additions;
}

/** Takes back what waits; what is published stays published. Throws AppError where nothing waits. */
export async function withdraw(inbox: Inbox, reference: string): Promise<void> {
  await inbox.transaction(async () => {
    const stored = await read(inbox, reference);
    if (!listSenderActs(stored, 'none').includes('withdraw'))
      throw new AppError(
        'invalid_parameter',
        'state: nothing waits that could be withdrawn',
        'not_pending',
      );
    const current = await getCurrent(inbox, reference);
    if (current !== null) await endWaiting(inbox, current, 'taken_back');
  });
}

/** What a sender asks for beside a text: for the whole of it, or for days on which it takes place. */
export interface Request extends Pick<StoredSubmission, 'dates'> {
  readonly asks: 'cancel' | 'postpone';
  readonly message: string;
}

/**
 * Asks a person to cancel or postpone what is published. Throws AppError where nothing is, or
 * rate_limited.
 */
export async function requestChange(
  inbox: Inbox,
  { reference, now_ms, asks, message, dates }: Change & Request,
): Promise<void> {
  await inbox.transaction(async () => {
    const stored = await read(inbox, reference);
    if (!stored.is_published)
      throw new AppError(
        'invalid_parameter',
        'state: it is not published, so there is nothing to change',
        'not_published',
      );
    const request = { asks, message: message.slice(0, MAX_MESSAGE), dates };
    const { state, asks: asked, message: said, dates: named } = stored;
    const before = JSON.stringify({ asks: asked, message: said, dates: named });
    if (state === 'pending' && before === JSON.stringify(request)) return;
    await countChange(inbox, reference, now_ms);
    await askNext(inbox, reference, { ...request, at: formatTimestamp(now_ms) });
    await queueUrgent(inbox, reference, now_ms);
  });
}

async function read(inbox: Inbox, reference: string): Promise<StoredSubmission> {
  const stored = await getSubmission(inbox, reference);
  if (stored === null)
    throw new AppError('not_found', 'reference: there is no such submission', 'no_such_submission');
  return stored;
}

/** The reference of a text that is taken in, within a transaction. */
export async function findFreeReference(inbox: Inbox, digest: string): Promise<string> {
  for (let attempt = 0; attempt < MAX_REFERENCE_ATTEMPTS; attempt++) {
    const reference = toReference(inbox, digest, attempt);
    if (!(await isReferenceTaken(inbox, reference))) return reference;
  }
  throw new Error('no reference is free');
}
