// What somebody proposes: a submission, another text of it, a request to cancel or postpone, a reader's correction;
// and how its sender takes it back. Form, status page and tools call the same. Counted, stored once, on disk before
// it is acknowledged (contract 14.2, 14.4, 14.6, 14.11).
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
/** Characters of a sender's words with a request. */
const MAX_MESSAGE = 600;
/** How many days are offered, or may be named at once. */
const MAX_DAYS = 60;

/** What a sender is told. */
export interface SubmissionReceipt {
  readonly reference: string;
  readonly state: SubmissionState;
  /**
   * For the secret status address. Null where the same submission is approved or anything of it is
   * in the agenda, whatever waits beside that: its text is public then, and whoever repeats it need
   * not be who sent it.
   */
  readonly token: string | null;
  /** The same submission was here before. */
  readonly is_repeat: boolean;
}

/** Who is counted (the client's address, stored for a day as a keyed digest), and when. */
type SenderIdentity = Pick<IncomingSubmission, 'sender' | 'now_ms'>;

export interface NewSubmission extends SenderIdentity {
  readonly submission: Submission;
  /** Where it came in: the form on the web, or a tool used by somebody's agent. */
  readonly channel: Exclude<SubmissionChange['door'], 'source'>;
}

/** On disk when this returns. The same content again gives the same receipt and is not counted. */
export function submitEvent(inbox: Inbox, arrival: NewSubmission): Promise<SubmissionReceipt> {
  const { submission, channel, now_ms } = arrival;
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
    const row = await takeIn(inbox, arrival, digest);
    const { reference } = row;
    await needPicture(inbox, submission);
    const token = await insertSubmission(inbox, submission, { ...row, door: channel });
    await enqueueReceipt(inbox, reference, now_ms);
    return { reference, state: 'pending', token, is_repeat: false };
  });
}

/** Counts what comes from outside, under a reference of its own. Within a transaction; throws AppError rate_limited. */
async function takeIn(inbox: Inbox, entry: Omit<IncomingSubmission, 'reference'>, digest: string) {
  const reference = await allocateReference(inbox, digest);
  const is_doubtful = await checkSubmissionLimits(inbox, { ...entry, reference });
  return { reference, digest, is_doubtful, at: formatTimestamp(entry.now_ms) };
}

/** By which the same text is known again. */
export const digestSubmission = (submission: Submission): string =>
  sha256Hex(JSON.stringify(submission));

/** The reference of a text that is taken in, within a transaction. */
export async function allocateReference(inbox: Inbox, digest: string): Promise<string> {
  for (let attempt = 0; attempt < MAX_REFERENCE_ATTEMPTS; attempt++) {
    const reference = deriveReference(inbox, digest, attempt);
    if (!(await isReferenceTaken(inbox, reference))) return reference;
  }
  throw new Error('no reference is free');
}

/** Within a transaction; gives the token of its status address. */
export async function insertSubmission(
  inbox: Inbox,
  text: Submission,
  row: Pick<NewChange, 'at' | 'door' | 'is_doubtful'> & {
    readonly reference: string;
    readonly digest: string;
  },
): Promise<string> {
  const token = deriveStatusToken(inbox, row.reference);
  const asked = { kind: 'event', asks: 'publish', title: text.title, text } as const;
  const token_hash = sha256Hex(token);
  await insertChange(inbox, { ...row, ...asked, maker: 'sender', token_hash });
  return token;
}

/** What is sent in needs its picture from now on. Throws AppError where that is not there any more. */
async function needPicture(inbox: Inbox, { image }: Submission): Promise<void> {
  if (image !== null && 'upload' in image) await markUploadUsed(inbox, image.upload);
}

/** Whose submission and when: counted by its token alone. */
interface OwnedSubmission {
  readonly reference: string;
  readonly now_ms: number;
}

/** A new text, to be reviewed like the first; what is published stays until then. */
export const amendSubmission = (
  inbox: Inbox,
  { reference, now_ms, submission }: OwnedSubmission & { readonly submission: Submission },
): Promise<void> =>
  inbox.transaction(async () => {
    const stored = await readStored(inbox, reference);
    const is_as_before = JSON.stringify(submission) === JSON.stringify(stored.text);
    if (stored.state === 'waiting' && is_as_before) return;
    await consumeTokenAllowance(inbox, reference, now_ms);
    await needPicture(inbox, submission);
    await requestTextChange(inbox, stored, submission, formatTimestamp(now_ms));
    await enqueueReceipt(inbox, reference, now_ms, stored.text.contact_email);
  });

/** Within a transaction: another text of a submission. */
export function requestTextChange(
  inbox: Inbox,
  stored: SubmissionChange,
  text: Submission,
  at: string,
): Promise<void> {
  // What a reviewer wrote beside the text, the other language above all, stays; edits of the text go with it.
  const additions = selectReviewerFields(stored.draft);
  return supersedeChange(inbox, stored, {
    at,
    asks: stored.is_published ? 'edit' : 'publish',
    title: text.title,
    text,
    draft: Object.keys(additions).length === 0 ? null : additions,
  });
}

/** Its sender asks something else under the same reference, in the place of what waits. */
export async function supersedeChange(
  inbox: Inbox,
  before: SubmissionChange,
  changed: Partial<NewChange> & Pick<NewChange, 'at' | 'asks'>,
): Promise<void> {
  const revision = before.revision + 1;
  await insertFollowUpChange(inbox, before, { message: null, dates: null, revision, ...changed });
  if (before.state === 'waiting') await endWaiting(inbox, before, 'replaced');
}

/** What it asks is not asked any more: its words to the desk go. */
async function endWaiting(
  inbox: Inbox,
  { id, message }: SubmissionChange,
  state: 'replaced' | 'taken_back',
): Promise<void> {
  await updateChange(inbox, id, { state, message: null });
  if (message !== null) await markErased(inbox);
}

/** Takes back what waits; what is published stays published. Throws AppError where nothing waits. */
export const withdrawSubmission = (inbox: Inbox, reference: string): Promise<void> =>
  inbox.transaction(async () => {
    const stored = await readStored(inbox, reference);
    if (!canWithdraw(stored))
      throw refusal('not_pending', 'state: nothing waits that could be withdrawn');
    await endWaiting(inbox, stored, 'taken_back');
  });

export const canWithdraw = (stored: SubmissionChange): boolean =>
  listSenderActions(stored, 'none').includes('withdraw');

/** What a sender asks for beside a text: for the whole of it, or for days on which it takes place. */
interface StatusRequest extends OwnedSubmission, Pick<SubmissionChange, 'dates'> {
  readonly asks: 'cancel' | 'postpone';
  readonly message: string;
}

/** Asks a person to cancel or postpone what is published. Throws AppError where nothing is, or rate_limited. */
export const requestStatusChange = (
  inbox: Inbox,
  { reference, now_ms, asks, message, dates }: StatusRequest,
) =>
  inbox.transaction(async () => {
    const stored = await readStored(inbox, reference);
    if (!stored.is_published) throw refusal('not_published');
    const request = { asks, message: message.slice(0, MAX_MESSAGE), dates };
    const { state, ...before } = stored;
    const is_as_before = isDeepStrictEqual({ ...before, ...request }, before);
    if (state === 'waiting' && is_as_before) return;
    await consumeTokenAllowance(inbox, reference, now_ms);
    await supersedeChange(inbox, stored, { ...request, at: formatTimestamp(now_ms) });
    await enqueueEmail(inbox, 'urgent', reference, now_ms);
  });

async function readStored(inbox: Inbox, reference: string): Promise<SubmissionChange> {
  const stored = await getSubmission(inbox, reference);
  if (stored === null) throw refusal('no_such_submission');
  return stored;
}

/** What a sender asks for; a text of their own is a correction. */
export interface SenderRequest extends OwnedSubmission {
  readonly act: Exclude<SenderAction, 'correct'>;
  /** What happened; of no use to a withdrawal. */
  readonly message: string;
  /** The days that are meant, YYYY-MM-DD; null where the whole event is. Of no use to a withdrawal either. */
  readonly dates: readonly string[] | null;
}

/** Does what a sender asks for; a request says something, and names days on which the event takes place. */
export async function applySenderRequest(
  inbox: Inbox,
  snapshot: Snapshot,
  { reference, now_ms, act: asks, ...wish }: SenderRequest,
): Promise<void> {
  if (asks === 'withdraw') return withdrawSubmission(inbox, reference);
  const message = cleanText(wish.message);
  if (message === '') throw refusal('no_message');
  const stored = await getSubmission(inbox, reference);
  const ahead =
    stored === null ? [] : listUpcomingDates(findPublishedEvent(stored, snapshot, now_ms), now_ms);
  const dates = wish.dates && checkDates(wish.dates, ahead);
  await requestStatusChange(inbox, { reference, now_ms, asks, message, dates });
}

/** In order, each once. Throws AppError where there are none, or one is not among those ahead. */
function checkDates(dates: readonly string[], ahead: readonly string[]): readonly string[] {
  if (dates.length === 0) throw refusal('no_dates');
  const unknown = dates.find((date) => !ahead.includes(date));
  if (unknown !== undefined)
    throw refusal(
      'no_such_day',
      `dates: it does not take place on '${unknown.slice(0, 10)}'. Its dates are ${ahead.join(', ') || 'all over or called off'}`,
    );
  return ahead.filter((date) => dates.includes(date));
}

/** How the release shows the event of a submission, with all of it where it does. */
export interface PublishedEvent {
  readonly as: PublicationStatus;
  readonly detail: EventDetail | null;
}

/** Before a release has what is approved, and of all else, it shows nothing. */
export function findPublishedEvent(
  { reference, is_published }: SubmissionChange,
  snapshot: Snapshot,
  now_ms: number,
): PublishedEvent {
  const found = is_published ? getEvent(snapshot, eventIdOfSubmission(reference), now_ms) : null;
  if (found === null) return { as: 'none', detail: null };
  if (found === 'gone') return { as: 'gone', detail: null };
  const { status } = found.event;
  if (status !== 'published') return { as: status, detail: found };
  return { as: found.is_past ? 'past' : 'published', detail: found };
}

/** The days ahead of what the release shows that are not called off, YYYY-MM-DD; the first sixty. */
export function listUpcomingDates({ detail }: PublishedEvent, now_ms: number): readonly string[] {
  const on = (detail?.occurrences ?? []).filter(
    ({ end_ms, status }) => end_ms > now_ms && status !== 'cancelled',
  );
  return [...new Set(on.map(({ start }) => start.slice(0, 10)))].slice(0, MAX_DAYS);
}

/** All that a sender does with an inbox, for whoever must not hold one. */
export const createSenderApi = (inbox: Inbox, snapshot: Snapshot) => ({
  submit: (arrival: NewSubmission) => submitEvent(inbox, arrival),
  find: (token: string) => getSubmissionByToken(inbox, token),
  correct: (change: OwnedSubmission & { readonly submission: Submission }) =>
    amendSubmission(inbox, change),
  act: (wish: SenderRequest) => applySenderRequest(inbox, snapshot, wish),
});
export type SenderApi = Readonly<ReturnType<typeof createSenderApi>>;

export interface NewCorrection extends SenderIdentity {
  readonly correction: Correction;
  readonly about: CorrectionTarget;
  readonly lang: Lang;
}

/** What a reader says has changed. The same words, while they wait, give the same receipt and are not counted. */
export function submitCorrection(
  inbox: Inbox,
  { correction, about, lang, sender, now_ms }: NewCorrection,
): Promise<Pick<SubmissionReceipt, 'reference' | 'is_repeat'>> {
  const { kind, id, title } = about;
  const digest = sha256Hex(JSON.stringify({ kind, id, ...correction }));
  return inbox.transaction(async () => {
    const waiting = await findPendingCorrection(inbox, digest);
    if (waiting !== null) return { reference: waiting, is_repeat: true };
    const row = await takeIn(inbox, { sender, channel: 'report', now_ms }, digest);
    const by = { maker: 'reader', door: 'report' } as const;
    const asked = { asks: 'check', kind, thing: id, title, text: { ...correction, lang } } as const;
    await insertChange(inbox, { ...row, ...by, ...asked });
    return { reference: row.reference, is_repeat: false };
  });
}
