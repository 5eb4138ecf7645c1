// A person's decision on a submission: approve, grant, ask for changes, reject; and the text that it
// is made on, with the edits made before it.
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import { isSentOnline } from '../domain/event/online.ts';
import type { LocalText } from '../domain/lang.ts';
import {
  type Additions,
  pickAdditions,
  type PublicationIssue,
} from '../domain/submission/additions.ts';
import { type FormValues, pickFormValues } from '../domain/submission/controls.ts';
import { toFormValues, toSubmissionInput } from '../domain/submission/form.ts';
import {
  type KnownPlaces,
  readSubmission,
  type SubmissionIssue,
} from '../domain/submission/read-submission.ts';
import type { StoredSubmission, Submission } from '../domain/submission/submission.ts';
import type { Inbox } from '../inbox/open.ts';
import { isWithdrawn } from '../inbox/applied.ts';
import { type Change, getCurrent } from '../inbox/changes.ts';
import { getSubmission, setDraft } from '../inbox/submissions.ts';
import { toSubmittedEventId } from '../sources/inbox/merge-inbox.ts';
import { decide } from './decide.ts';
import { toNote } from './override.ts';
import { toSenderReason } from './reason.ts';
import type { Known } from './known.ts';
import { toPublication } from './to-publication.ts';

/** Who decides on what, when. `revision` is the text that was looked at. */
export interface Review extends Actor {
  readonly reference: string;
  readonly revision: number;
}

/** What stands in the controls of the review page, by name. */
export type Edits = Readonly<Record<string, string>>;

export interface ReviewedText {
  readonly values: FormValues;
  readonly additions: Additions;
  /** Null where there are issues. */
  readonly submission: Submission | null;
  readonly issues: readonly SubmissionIssue[];
}

/** `edits`, or null for those that were saved; what nobody edited is what was sent. */
function toControls(
  { draft, submission }: StoredSubmission,
  edits: Edits | null,
): Pick<ReviewedText, 'values' | 'additions'> {
  const edited = pickFormValues(edits ?? draft);
  // After a correction only the additions are left of a draft.
  const is_as_sent = edits === null && Object.keys(edited).length === 0;
  return {
    values: is_as_sent ? toFormValues(submission) : edited,
    additions: pickAdditions(edits ?? draft),
  };
}

/** The text that a reviewer looks at, understood like any submission. */
export function readReviewedText(
  stored: StoredSubmission,
  edits: Edits | null,
  places: KnownPlaces,
  now_ms: number,
): ReviewedText {
  const { values, additions } = toControls(stored, edits);
  const { input, issues } = toSubmissionInput(values);
  const reading = readSubmission(input, places, now_ms, true);
  const all = [...issues, ...reading.issues];
  return { values, additions, submission: all.length > 0 ? null : reading.submission, issues: all };
}

/** What is worth saving of a sent review form. */
export const toDraft = (fields: Edits): Record<string, string> => ({
  ...pickFormValues(fields),
  ...pickAdditions(fields),
});

/** What stands on the review page with `changed` over it: for whoever sees no page. */
export function changeEdits(stored: StoredSubmission, changed: Edits): Edits {
  const { values, additions } = toControls(stored, null);
  return toDraft({ ...values, ...additions, ...changed });
}

/**
 * The submission that waits. Throws AppError where it does not, or where its text has changed since
 * it was looked at.
 */
async function readPending(
  inbox: Inbox,
  { reference, revision }: Review,
): Promise<StoredSubmission> {
  const stored = await getSubmission(inbox, reference);
  if (stored === null)
    throw new AppError('not_found', 'reference: there is no such submission', 'no_such_submission');
  if (stored.state !== 'pending')
    throw new AppError('invalid_parameter', `state: it is ${stored.state} already`, 'not_pending');
  if (stored.revision !== revision)
    throw new AppError(
      'invalid_parameter',
      'revision: the sender has changed it meanwhile. Look at it again',
      'text_changed',
    );
  return stored;
}

/** The change that waits. Throws AppError as above. */
async function takeWaiting(inbox: Inbox, review: Review): Promise<Change> {
  const stored = await readPending(inbox, review);
  const change = await getCurrent(inbox, stored.reference);
  if (change === null) throw new Error(`${stored.reference} is not there`);
  return change;
}

/** Saves a reviewer's edits. Throws AppError where they are not of the text that waits. */
export async function saveDraft(inbox: Inbox, review: Review, draft: Edits): Promise<void> {
  await inbox.transaction(async () => {
    await readPending(inbox, review);
    await setDraft(inbox, review.reference, draft);
  });
}

/** A text with what an editor added to it, and what keeps that from being published. */
export interface Prepared {
  readonly text: ReviewedText;
  /** Null where there are issues, of the text or of these. */
  readonly publication: object | null;
  readonly issues: readonly PublicationIssue[];
}

/** What an approval of a text with a reviewer's edits would let into the agenda. */
export function prepare(
  known: Known,
  stored: StoredSubmission,
  edits: Edits,
  now_ms: number,
): Prepared {
  const text = readReviewedText(stored, edits, known, now_ms);
  const { submission } = text;
  if (submission === null) return { text, publication: null, issues: [] };
  const made = toPublication(submission, text.additions, { ...stored, now_ms }, known);
  const { venue, venue_name, zone } = submission;
  // A place that nobody knows yet stands in no zone, on no map and in no filter without it.
  const is_nowhere =
    venue === null && venue_name !== null && zone === null && !isSentOnline(submission);
  const issues = [...(is_nowhere ? [NO_ZONE] : []), ...made.issues];
  if (issues.length > 0 || made.publication === null) return { text, publication: null, issues };
  // What is private stands in no publication.
  const { contact_email: _, ...form } = text.values;
  return { text, publication: { ...made.publication, form }, issues };
}

const NO_ZONE: PublicationIssue = { field: 'zone', rule: 'missing', message: 'missing' };

/** What came of an approval: done, or the text with everything that keeps it from being done. */
export interface ApprovalResult extends Omit<Prepared, 'publication'> {
  readonly is_approved: boolean;
}

/**
 * Approves the text with a reviewer's edits, where it makes a publication that passes the schemas of
 * content/. Throws AppError where it does not wait, or has changed since it was looked at.
 */
export async function approve(
  inbox: Inbox,
  known: Known,
  review: Review,
  edits: Edits,
): Promise<ApprovalResult> {
  const stored = await readPending(inbox, review);
  const { publication, ...rest } = prepare(known, stored, edits, review.now_ms);
  if (publication !== null) await approveText(inbox, review, publication);
  return { is_approved: publication !== null, ...rest };
}

/** Lets a publication into the agenda; it has passed its schema. */
export async function approveText(
  inbox: Inbox,
  review: Review,
  publication: object,
): Promise<void> {
  const { reference, editor, now_ms } = review;
  const decision = { editor, now_ms, action: 'approve', subject: reference, reason: null } as const;
  await decide(inbox, decision, async () => [
    { change: await takeWaiting(inbox, review), state: 'applied', record: publication },
  ]);
}

/**
 * Grants a request to cancel or postpone: the event, or each day that it names, gets the status, with `note` as what
 * readers are told. Throws AppError where it asks for nothing of the kind, or the event was withdrawn for legal reasons.
 */
export async function grant(
  inbox: Inbox,
  review: Review,
  note: Partial<LocalText> = {},
): Promise<void> {
  const { reference, editor, now_ms } = review;
  const event = toSubmittedEventId(reference);
  const decision = { editor, now_ms, action: 'grant', subject: reference, reason: null } as const;
  await decide(inbox, decision, async () => {
    const change = await takeWaiting(inbox, review);
    if (change.asks !== 'cancel' && change.asks !== 'postpone')
      throw new AppError('invalid_parameter', 'asks: it asks for no cancellation', 'not_asked_for');
    if (await isWithdrawn(inbox, event))
      throw new AppError(
        'invalid_parameter',
        'event: it was withdrawn for legal reasons and stays so',
        'event_withdrawn',
      );
    const status = change.asks === 'cancel' ? 'cancelled' : 'postponed';
    return [{ change, state: 'applied', thing: event, record: { status, ...toNote(note) } }];
  });
}

/**
 * Sends it back to its sender, with a reason: to be changed, or permanently. Throws AppError without
 * one, or with one that is too long.
 */
export async function refuse(
  inbox: Inbox,
  review: Review,
  action: 'ask' | 'reject',
  words: string,
): Promise<void> {
  const { reference, editor, now_ms } = review;
  const reason = toSenderReason(words);
  await decide(inbox, { editor, now_ms, action, subject: reference, reason }, async () => [
    { change: await takeWaiting(inbox, review), state: action === 'ask' ? 'asked' : 'refused' },
  ]);
}
