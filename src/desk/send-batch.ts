// What a sender does with a calendar that was read: sends the events that were chosen, all at once and
// counted once, and takes back what waits (contract 14.35).
import { AppError } from '../domain/app-error.ts';
import type { BatchRow, StoredBatch } from '../domain/batch/batch.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { listSenderActs } from '../domain/submission/sender-acts.ts';
import type { StoredSubmission, Submission } from '../domain/submission/submission.ts';
import { endDraft, getBatchById, putBatchItem, setSent } from '../inbox/batches.ts';
import type { Inbox } from '../inbox/open.ts';
import {
  askNext,
  getSubmission,
  getSubmissionByDigest,
  insertSubmission,
} from '../inbox/submissions.ts';
import { admit, countChange } from './allowances.ts';
import { listSent, readBatchEmail } from './batch-sent.ts';
import { toEventDigest } from './batches.ts';
import { toDigest, toToken } from './secret.ts';
import { queueReceipt, queueUrgent } from './mail.ts';
import { findFreeReference, keepAdditions, withdraw } from './submit.ts';

/** An event that was chosen, as a submission. */
export interface ChosenRow {
  readonly row: BatchRow;
  /** Null of one that was called off in its calendar. */
  readonly submission: Submission | null;
}

export interface BatchSending {
  readonly batch: StoredBatch;
  readonly chosen: readonly ChosenRow[];
  /** What stood in the controls, kept for the next time. */
  readonly choices: Readonly<Record<string, string>>;
  /** Said to the desk where an event was called off in its calendar. */
  readonly cancelled_message: string;
  readonly sender: string;
  readonly now_ms: number;
}

/**
 * Takes in what was chosen, all or nothing; gives the reference of the batch. New events are
 * submissions; what changed is a correction of its own; what was called off is asked to be. It is on
 * disk when this returns. Throws AppError rate_limited, or where nothing is chosen.
 */
export function sendBatch(inbox: Inbox, sending: BatchSending): Promise<string> {
  const { chosen, choices, sender, now_ms } = sending;
  if (chosen.length === 0)
    throw new AppError('invalid_parameter', 'pick: choose at least one event', 'nothing_chosen');
  return inbox.transaction(async () => {
    const batch = await getBatchById(inbox, sending.batch.id);
    if (batch === null)
      throw new AppError('not_found', 'calendar: it is not kept any more', 'no_such_submission');
    // Pressed twice: the first has sent it.
    if (batch.draft === null && batch.reference !== null) return batch.reference;
    const at = formatTimestamp(now_ms);
    const reference =
      batch.reference ?? (await findFreeReference(inbox, toDigest(`batch ${batch.id} ${at}`)));
    let is_doubtful = false;
    if (batch.reference === null)
      is_doubtful = await admit(inbox, { sender, channel: 'form', reference, now_ms });
    else await countChange(inbox, reference, now_ms);
    const email = await readBatchEmail(inbox, batch);
    for (const one of chosen) await takeIn(inbox, { ...sending, batch }, one, { at, is_doubtful });
    await setSent(inbox, batch.id, reference, choices, at);
    await queueReceipt(inbox, reference, now_ms, email);
    return reference;
  });
}

interface Intake {
  readonly at: string;
  readonly is_doubtful: boolean;
}

async function takeIn(
  inbox: Inbox,
  sending: BatchSending,
  { row, submission }: ChosenRow,
  intake: Intake,
): Promise<void> {
  const { batch } = sending;
  const before = row.reference === null ? null : await getSubmission(inbox, row.reference);
  const item = { uid: row.event.uid, digest: toEventDigest(row.event) };
  if (before !== null && row.event.is_cancelled) {
    await callOff(inbox, before, sending, intake.at);
    await putBatchItem(inbox, batch.id, { reference: before.reference, ...item });
    return;
  }
  if (submission === null) return;
  const reference =
    before === null
      ? await insertNew(inbox, submission, intake)
      : await insertChanged(inbox, before, submission, intake.at);
  // The same text came another way before: it stays its sender's.
  if (reference !== null) await putBatchItem(inbox, batch.id, { reference, ...item });
}

async function insertNew(
  inbox: Inbox,
  submission: Submission,
  intake: Intake,
): Promise<string | null> {
  const digest = toDigest(JSON.stringify(submission));
  if ((await getSubmissionByDigest(inbox, digest)) !== null) return null;
  const reference = await findFreeReference(inbox, digest);
  const token_hash = toDigest(toToken(inbox, reference));
  await insertSubmission(inbox, {
    reference,
    digest,
    token_hash,
    door: 'form',
    submission,
    ...intake,
  });
  return reference;
}

async function insertChanged(
  inbox: Inbox,
  before: StoredSubmission,
  submission: Submission,
  at: string,
): Promise<string> {
  // What a calendar does not say stays as it is.
  const { image, contact_email } = before.submission;
  await askNext(inbox, before.reference, {
    at,
    asks: before.is_published ? 'edit' : 'publish',
    title: submission.title,
    text: { ...submission, image, contact_email: submission.contact_email ?? contact_email },
    draft: keepAdditions(before),
  });
  return before.reference;
}

async function callOff(
  inbox: Inbox,
  before: StoredSubmission,
  { cancelled_message, now_ms }: BatchSending,
  at: string,
): Promise<void> {
  const { reference } = before;
  if (before.is_published) {
    await askNext(inbox, reference, { at, asks: 'cancel', message: cancelled_message });
    await queueUrgent(inbox, reference, now_ms);
  } else if (listSenderActs(before, 'none').includes('withdraw')) await withdraw(inbox, reference);
}

/** Chooses nothing: what was read is forgotten. */
export const dropDraft = (inbox: Inbox, { id }: StoredBatch): Promise<void> =>
  inbox.transaction(() => endDraft(inbox, id));

/** Takes back everything of a batch that waits; what is published stays so. Gives how much it was. */
export function withdrawBatch(inbox: Inbox, batch: StoredBatch): Promise<number> {
  return inbox.transaction(async () => {
    const waiting = (await listSent(inbox, batch)).filter(({ stored }) =>
      listSenderActs(stored, 'none').includes('withdraw'),
    );
    for (const { stored } of waiting) await withdraw(inbox, stored.reference);
    return waiting.length;
  });
}
