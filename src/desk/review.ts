// A person's decision on a submission: approve, grant, ask for changes, reject; and the text that it
// is made on, with the edits made before it.
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
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
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { isWithdrawn, putOverride } from '../inbox/overrides.ts';
import { putPublication } from '../inbox/publications.ts';
import { getSubmission, setDecided, setDraft } from '../inbox/submissions.ts';
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
function readPending(inbox: Inbox, { reference, revision }: Review): StoredSubmission {
  const stored = getSubmission(inbox, reference);
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

/** Saves a reviewer's edits. Throws AppError where they are not of the text that waits. */
export function saveDraft(inbox: Inbox, review: Review, draft: Edits): void {
  inTransaction(inbox, () => {
    readPending(inbox, review);
    setDraft(inbox, review.reference, draft);
  });
}

/** What came of an approval: done, or the text with everything that keeps it from being done. */
export interface ApprovalResult {
  readonly is_approved: boolean;
  readonly text: ReviewedText;
  readonly issues: readonly PublicationIssue[];
}

/**
 * Approves the text with a reviewer's edits, where it makes a publication that passes the schemas of
 * content/. Throws AppError where it does not wait, or has changed since it was looked at.
 */
export function approve(inbox: Inbox, known: Known, review: Review, edits: Edits): ApprovalResult {
  const stored = readPending(inbox, review);
  const text = readReviewedText(stored, edits, known, review.now_ms);
  if (text.submission === null) return { is_approved: false, text, issues: [] };
  const { publication, issues } = toPublication(
    text.submission,
    text.additions,
    { ...stored, now_ms: review.now_ms },
    known,
  );
  if (publication !== null) {
    approveText(inbox, review, withForm(publication, text));
  }
  return { is_approved: publication !== null, text, issues };
}

/** A publication with what stood in the controls, but for what is private. */
export function withForm<P extends object>(publication: P, { values }: ReviewedText) {
  const { contact_email: _, ...form } = values;
  return { ...publication, form };
}

/** The rows that an approval may change. */
export const toRows = (reference: string) =>
  [
    { table: 'submissions', key: [reference] },
    { table: 'publications', key: [reference] },
  ] as const;

/** Lets a publication into the agenda; it has passed its schema. */
export function approveText(inbox: Inbox, review: Review, publication: object): void {
  const { reference, editor, now_ms } = review;
  const decision = { editor, now_ms, action: 'approve', subject: reference, reason: null } as const;
  decide(inbox, decision, toRows(reference), () => {
    readPending(inbox, review);
    setDecided(inbox, reference, 'approved', null);
    putPublication(inbox, reference, publication);
  });
}

/**
 * Grants a request to cancel or postpone: the event gets the status, with `note` as what readers are told.
 * Throws AppError where it asks for nothing of the kind, or the event was withdrawn for legal reasons.
 */
export function grant(inbox: Inbox, review: Review, note: Partial<LocalText> = {}): void {
  const { reference, editor, now_ms } = review;
  const event = toSubmittedEventId(reference);
  const decision = { editor, now_ms, action: 'approve', subject: reference, reason: null } as const;
  const rows = [...toRows(reference), { table: 'overrides', key: [event, ''] } as const];
  decide(inbox, decision, rows, () => {
    const { asks } = readPending(inbox, review);
    if (asks !== 'cancel' && asks !== 'postpone')
      throw new AppError('invalid_parameter', 'asks: it asks for no cancellation', 'not_asked_for');
    setDecided(inbox, reference, 'approved', null);
    if (isWithdrawn(inbox, event))
      throw new AppError(
        'invalid_parameter',
        'event: it was withdrawn for legal reasons and stays so',
        'event_withdrawn',
      );
    const status = asks === 'cancel' ? 'cancelled' : 'postponed';
    putOverride(inbox, event, '', { status, ...toNote(note) });
  });
}

/**
 * Sends it back to its sender, with a reason: to be changed, or permanently. Throws AppError without
 * one, or with one that is too long.
 */
export function refuse(
  inbox: Inbox,
  review: Review,
  action: 'ask' | 'reject',
  words: string,
): void {
  const { reference, editor, now_ms } = review;
  const reason = toSenderReason(words);
  const rows = [{ table: 'submissions', key: [reference] }] as const;
  decide(inbox, { editor, now_ms, action, subject: reference, reason }, rows, () => {
    readPending(inbox, review);
    setDecided(inbox, reference, action === 'ask' ? 'changes_requested' : 'rejected', reason);
  });
}
