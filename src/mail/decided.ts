// Whether what a message tells of a decision is still so, and what it says of it.
import type { MailKind } from '../domain/mail.ts';
import type { StoredSubmission, SubmissionState } from '../domain/submission/submission.ts';
import type { Key } from '../i18n/translate.ts';
import { isDecidedSince } from '../inbox/decisions.ts';
import type { Inbox } from '../inbox/open.ts';
import type { QueuedMail } from '../inbox/outbox.ts';
import { getTold } from '../inbox/submissions.ts';

/** How a submission stands of which a decision is told. */
const STATES: Readonly<Partial<Record<MailKind, SubmissionState>>> = {
  question: 'changes_requested',
  approved: 'approved',
  rejected: 'rejected',
};
/** How one may stand once a decision was undone; what its sender took back, the sender knows. */
const CHANGED_STATES = ['pending', 'approved', 'rejected', 'changes_requested'] as const;

/** Whether a message tells a decision, or that one was undone. */
export const isOfDecision = ({ kind }: QueuedMail): boolean =>
  kind === 'changed' || STATES[kind] !== undefined;

/** Whether a submission stands as a message of a decision tells. */
export const isDecisionSo = (mail: QueuedMail, stored: StoredSubmission, inbox: Inbox): boolean =>
  mail.kind === 'changed'
    ? isToldOtherwise(mail, stored, inbox)
    : stored.state === STATES[mail.kind];

/**
 * Whether an undone decision was told of a submission that stands otherwise now, and neither its sender
 * nor a newer decision has said more.
 */
function isToldOtherwise({ detail }: QueuedMail, stored: StoredSubmission, inbox: Inbox): boolean {
  const { reference, revision, state } = stored;
  const told = getTold(inbox, reference);
  return (
    told !== null &&
    told.revision === revision &&
    told.state !== state &&
    CHANGED_STATES.some((known) => known === state) &&
    !isDecidedSince(inbox, reference, Number(detail))
  );
}

/** How one of which a decision was undone stands. */
export const toChangedState = ({ state }: StoredSubmission): (typeof CHANGED_STATES)[number] =>
  CHANGED_STATES.find((known) => known === state) ?? 'pending';

/** Of a decision that sends something back, why. */
export const toReasonWords = (
  mail: QueuedMail,
  { reason, state }: StoredSubmission,
): { readonly by: Key; readonly text: string } | null =>
  reason !== null && isOfDecision(mail) && state !== 'approved'
    ? { by: 'status.reason', text: reason }
    : null;
