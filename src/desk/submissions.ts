// Submissions: stores submissions, amendments, requests to cancel or postpone, and corrections, and
// lets senders withdraw them. Shared by the form, the status page and the MCP tools. Each is
// rate-limited, stored once, and on disk before it is acknowledged (contract 14.2, 14.4, 14.6,
// 14.11).
import { isDeepStrictEqual } from 'node:util';
import type { EventDetail } from '../domain/agenda.ts';
import { refusal } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/local-time.ts';
import {
  listSenderActions,
  type SenderAction,
  type SubmissionChange,
  type PublicationStatus,
  type SubmissionState,
  getSubmissionState,
} from '../domain/change.ts';
import { cleanText } from '../domain/clean-text.ts';
import type { CorrectionTarget, Correction } from '../domain/correction.ts';
import type { Lang } from '../domain/lang.ts';
import { selectReviewerFields } from '../domain/submission/reviewer-fields.ts';
import type { Submission } from '../domain/submission/submission.ts';
import {
  insertFollowUpChange,
  insertChange,
  type NewChange,
  updateChange,
  findPendingCorrection,
  getSubmission,
  getSubmissionByDigest,
  getSubmissionByToken,
  isReferenceTaken,
  getStatusToken,
} from '../inbox/changes.ts';
import { markErased } from '../inbox/erase.ts';
import { enqueueEmail, enqueueReceipt } from '../inbox/outbox.ts';
import type { Inbox } from '../inbox/open.ts';
import { sha256Hex, deriveReference, deriveStatusToken } from '../inbox/secrets.ts';
import { markUploadUsed } from '../inbox/uploads.ts';
import {
  checkSubmissionLimits,
  consumeTokenAllowance,
  type IncomingSubmission,
} from './submission-limits.ts';
import { eventIdOfSubmission } from './reference-data.ts';
import { getEvent } from '../snapshot/get-record.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';

const MAX_REFERENCE_ATTEMPTS = 20;
/** Maximum characters of a sender's message. */
const MAX_MESSAGE_LENGTH = 600;
/** Maximum number of upcoming days that a sender can select for a request. */
const MAX_DAYS = 60;

/** Answer to the sender of a submission. */
export interface SubmissionReceipt {
  readonly reference: string;
  readonly state: SubmissionState;
  /**
   * Token of the secret status address. Null if the same submission is already approved or
   * published: its text is public then, so a repeat may come from another person.
   */
  readonly token: string | null;
  /** True if the same submission was already stored. */
  readonly is_repeat: boolean;
}

/** The client's address (stored for a day as a keyed digest) and the time, for the rate limits. */
type SenderIdentity = Pick<IncomingSubmission, 'sender' | 'now_ms'>;

export interface NewSubmission extends SenderIdentity {
  readonly submission: Submission;
  /** Stored as `door` of the change. */
  readonly channel: Exclude<SubmissionChange['door'], 'source'>;
}

/**
 * Stores a submission; the promise resolves after the commit. The same content again gets the same
 * receipt and is not counted.
 */
export function submitEvent(inbox: Inbox, entry: NewSubmission): Promise<SubmissionReceipt> {
  const { submission, channel, now_ms } = entry;
  const digest = digestSubmission(submission);
  return inbox.transaction(async (): Promise<SubmissionReceipt> => {
    const stored = await getSubmissionByDigest(inbox, digest);
    if (stored !== null) {
      const { reference, is_published } = stored;
      const state = getSubmissionState(stored);
      const is_public = state === 'approved' || is_published;
      const token = is_public ? null : await getStatusToken(inbox, reference);
      return { reference, state, token, is_repeat: true };
    }
    const row = await countSubmission(inbox, entry, digest);
    const { reference } = row;
    await markImageUsed(inbox, submission);
    const token = await insertSubmission(inbox, submission, { ...row, door: channel });
    await enqueueReceipt(inbox, reference, now_ms);
    return { reference, state: 'pending', token, is_repeat: false };
  });
}

/**
 * Allocates a reference and counts a submission, within a transaction.
 * @throws AppError rate_limited above the hard limits.
 */
async function countSubmission(
  inbox: Inbox,
  entry: Omit<IncomingSubmission, 'reference'>,
  digest: string,
) {
  const reference = await allocateReference(inbox, digest);
  const is_doubtful = await checkSubmissionLimits(inbox, { ...entry, reference });
  return { reference, digest, is_doubtful, at: formatTimestamp(entry.now_ms) };
}

/** Returns the digest that identifies a repeated submission. */
export const digestSubmission = (submission: Submission): string =>
  sha256Hex(JSON.stringify(submission));

/** Returns an unused reference, within a transaction. */
export async function allocateReference(inbox: Inbox, digest: string): Promise<string> {
  for (let attempt = 0; attempt < MAX_REFERENCE_ATTEMPTS; attempt++) {
    const reference = deriveReference(inbox, digest, attempt);
    if (!(await isReferenceTaken(inbox, reference))) return reference;
  }
  throw new Error('no reference is free');
}

/**
 * Inserts a submission, within a transaction. Columns (domain/change.ts): `asks` is the requested
 * action, `maker` the role of the author, `door` the channel.
 * @returns The token of its status address.
 */
export async function insertSubmission(
  inbox: Inbox,
  text: Submission,
  row: Pick<NewChange, 'at' | 'door' | 'is_doubtful'> & {
    readonly reference: string;
    readonly digest: string;
  },
): Promise<string> {
  const token = deriveStatusToken(inbox, row.reference);
  await insertChange(inbox, {
    ...row,
    kind: 'event',
    asks: 'publish',
    title: text.title,
    text,
    maker: 'sender',
    token_hash: sha256Hex(token),
  });
  return token;
}

/**
 * Marks the uploaded picture of a submission as used.
 * @throws AppError if the upload no longer exists.
 */
async function markImageUsed(inbox: Inbox, { image }: Submission): Promise<void> {
  if (image !== null && 'upload' in image) await markUploadUsed(inbox, image.upload);
}

/** A submission that its sender changes, counted by its token alone. */
interface OwnedSubmission {
  readonly reference: string;
  readonly now_ms: number;
}

/** Stores a new version of a submission for review; a published version stays up until then. */
export const amendSubmission = (
  inbox: Inbox,
  { reference, now_ms, submission }: OwnedSubmission & { readonly submission: Submission },
): Promise<void> =>
  inbox.transaction(async () => {
    const stored = await getSubmissionOrThrow(inbox, reference);
    const is_unchanged = JSON.stringify(submission) === JSON.stringify(stored.text);
    if (stored.state === 'waiting' && is_unchanged) return;
    await consumeTokenAllowance(inbox, reference, now_ms);
    await markImageUsed(inbox, submission);
    await requestTextChange(inbox, stored, submission, formatTimestamp(now_ms));
    await enqueueReceipt(inbox, reference, now_ms, stored.text.contact_email);
  });

/** Requests a new text of a submission, within a transaction. */
export function requestTextChange(
  inbox: Inbox,
  stored: SubmissionChange,
  text: Submission,
  at: string,
): Promise<void> {
  // Keep the reviewer's additions, such as the other language, but not their edits of the old text.
  const additions = selectReviewerFields(stored.draft);
  return supersedeChange(inbox, stored, {
    at,
    asks: stored.is_published ? 'edit' : 'publish',
    title: text.title,
    text,
    draft: Object.keys(additions).length === 0 ? null : additions,
  });
}

/**
 * Stores a sender's next change under the same reference, which supersedes a pending one. Fields
 * not in `changed` stay, except for the message and the affected days.
 */
export async function supersedeChange(
  inbox: Inbox,
  before: SubmissionChange,
  changed: Partial<NewChange> & Pick<NewChange, 'at' | 'asks'>,
): Promise<void> {
  const revision = before.revision + 1;
  await insertFollowUpChange(inbox, before, { message: null, dates: null, revision, ...changed });
  if (before.state === 'waiting') await endPending(inbox, before, 'replaced');
}

/** Ends a pending change and erases its message to the desk. */
async function endPending(
  inbox: Inbox,
  { id, message }: SubmissionChange,
  state: 'replaced' | 'taken_back',
): Promise<void> {
  await updateChange(inbox, id, { state, message: null });
  if (message !== null) await markErased(inbox);
}

/**
 * Withdraws a pending change; a published version stays up.
 * @throws AppError if nothing is pending.
 */
export const withdrawSubmission = (inbox: Inbox, reference: string): Promise<void> =>
  inbox.transaction(async () => {
    const stored = await getSubmissionOrThrow(inbox, reference);
    if (!canWithdraw(stored))
      throw refusal('not_pending', 'state: there is no pending submission to withdraw');
    await endPending(inbox, stored, 'taken_back');
  });

/** Returns true if a change of the submission is pending, so that its sender can withdraw it. */
export const canWithdraw = (stored: SubmissionChange): boolean =>
  listSenderActions(stored, 'none').includes('withdraw');

/** A request to cancel or postpone the whole event or some of its days. */
interface StatusRequest extends OwnedSubmission, Pick<SubmissionChange, 'dates'> {
  readonly asks: 'cancel' | 'postpone';
  /** For the editor. */
  readonly message: string;
}

/**
 * Asks an editor to cancel or postpone a published event.
 * @throws AppError if it is not published, or rate_limited.
 */
export const requestStatusChange = (
  inbox: Inbox,
  { reference, now_ms, asks, message, dates }: StatusRequest,
) =>
  inbox.transaction(async () => {
    const stored = await getSubmissionOrThrow(inbox, reference);
    if (!stored.is_published) throw refusal('not_published');
    const request = { asks, message: message.slice(0, MAX_MESSAGE_LENGTH), dates };
    const is_repeat = isDeepStrictEqual({ ...stored, ...request }, stored);
    if (stored.state === 'waiting' && is_repeat) return;
    await consumeTokenAllowance(inbox, reference, now_ms);
    await supersedeChange(inbox, stored, { ...request, at: formatTimestamp(now_ms) });
    await enqueueEmail(inbox, 'urgent', reference, now_ms);
  });

async function getSubmissionOrThrow(inbox: Inbox, reference: string): Promise<SubmissionChange> {
  const stored = await getSubmission(inbox, reference);
  if (stored === null) throw refusal('no_such_submission');
  return stored;
}

/** A sender's request; an amendment has its own function. */
export interface SenderRequest extends OwnedSubmission {
  /** Requested action. */
  readonly act: Exclude<SenderAction, 'correct'>;
  /** Explanation for the editor; ignored for a withdrawal. */
  readonly message: string;
  /** Affected days, YYYY-MM-DD; null for the whole event. Ignored for a withdrawal. */
  readonly dates: readonly string[] | null;
}

/**
 * Applies a sender's request.
 * @throws AppError if a request to cancel or postpone has no message, or names a day without an
 * occurrence.
 */
export async function applySenderRequest(
  inbox: Inbox,
  snapshot: Snapshot,
  { reference, now_ms, act: asks, ...request }: SenderRequest,
): Promise<void> {
  if (asks === 'withdraw') return withdrawSubmission(inbox, reference);
  const message = cleanText(request.message);
  if (message === '') throw refusal('no_message');
  const stored = await getSubmission(inbox, reference);
  const upcoming_dates =
    stored === null ? [] : listUpcomingDates(findPublishedEvent(stored, snapshot, now_ms), now_ms);
  const dates = request.dates && normalizeDates(request.dates, upcoming_dates);
  await requestStatusChange(inbox, { reference, now_ms, asks, message, dates });
}

/**
 * Sorts and deduplicates the dates of a request.
 * @throws AppError if there are none, or one is not an upcoming date.
 */
function normalizeDates(
  dates: readonly string[],
  upcoming_dates: readonly string[],
): readonly string[] {
  if (dates.length === 0) throw refusal('no_dates');
  const unknown = dates.find((date) => !upcoming_dates.includes(date));
  if (unknown !== undefined)
    throw refusal(
      'no_such_day',
      `dates: the event has no date on '${unknown.slice(0, 10)}'. Its upcoming dates: ${upcoming_dates.join(', ') || 'none'}`,
    );
  return upcoming_dates.filter((date) => dates.includes(date));
}

/** The event of a submission as the live release shows it. */
export interface PublishedEvent {
  /** Status in which the release shows it. */
  readonly as: PublicationStatus;
  /** Null if the release does not contain it. */
  readonly detail: EventDetail | null;
}

/**
 * Finds the event of a submission in the live release; status `none` until a release contains it.
 */
export function findPublishedEvent(
  { reference, is_published }: SubmissionChange,
  snapshot: Snapshot,
  now_ms: number,
): PublishedEvent {
  const detail = is_published ? getEvent(snapshot, eventIdOfSubmission(reference), now_ms) : null;
  if (detail === null) return { as: 'none', detail: null };
  if (detail === 'gone') return { as: 'gone', detail: null };
  const { status } = detail.event;
  if (status !== 'published') return { as: status, detail };
  return { as: detail.is_past ? 'past' : 'published', detail };
}

/** Lists the first 60 upcoming days of an event that are not cancelled, YYYY-MM-DD. */
export function listUpcomingDates({ detail }: PublishedEvent, now_ms: number): readonly string[] {
  const upcoming = (detail?.occurrences ?? []).filter(
    ({ end_ms, status }) => end_ms > now_ms && status !== 'cancelled',
  );
  return [...new Set(upcoming.map(({ start }) => start.slice(0, 10)))].slice(0, MAX_DAYS);
}

/** Creates the operations that senders may perform, for code without access to the inbox. */
export const createSenderApi = (inbox: Inbox, snapshot: Snapshot) => ({
  submit: (entry: NewSubmission) => submitEvent(inbox, entry),
  find: (token: string) => getSubmissionByToken(inbox, token),
  correct: (change: OwnedSubmission & { readonly submission: Submission }) =>
    amendSubmission(inbox, change),
  act: (request: SenderRequest) => applySenderRequest(inbox, snapshot, request),
});
export type SenderApi = Readonly<ReturnType<typeof createSenderApi>>;

export interface NewCorrection extends SenderIdentity {
  readonly correction: Correction;
  /** The record to correct. */
  readonly about: CorrectionTarget;
  /** Language of the page on which it was submitted. */
  readonly lang: Lang;
}

/**
 * Stores a visitor's correction. A repeat of a pending one gets the same receipt and is not
 * counted.
 */
export function submitCorrection(
  inbox: Inbox,
  { correction, about, lang, sender, now_ms }: NewCorrection,
): Promise<Pick<SubmissionReceipt, 'reference' | 'is_repeat'>> {
  const { kind, id, title } = about;
  const digest = sha256Hex(JSON.stringify({ kind, id, ...correction }));
  return inbox.transaction(async () => {
    const pending_reference = await findPendingCorrection(inbox, digest);
    if (pending_reference !== null) return { reference: pending_reference, is_repeat: true };
    const row = await countSubmission(inbox, { sender, channel: 'report', now_ms }, digest);
    await insertChange(inbox, {
      ...row,
      maker: 'reader',
      door: 'report',
      asks: 'check',
      kind,
      thing: id,
      title,
      text: { ...correction, lang },
    });
    return { reference: row.reference, is_repeat: false };
  });
}
