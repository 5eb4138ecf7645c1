// Approving: the text must make a publication that passes the schemas of content/ before it is let
// in.
import { toCancunDay } from '../domain/cancun-time.ts';
import type { Decision } from '../domain/decision.ts';
import type { Submission } from '../domain/submission/submission.ts';
import type { StoredSubmission } from '../domain/submission/state.ts';
import { AppError } from '../domain/app-error.ts';
import { type RowBefore, undoDecision } from '../inbox/decisions.ts';
import { getSubmission } from '../inbox/submissions.ts';
import { isReleased } from '../inbox/published.ts';
import type { Inbox } from '../inbox/open.ts';
import { approveRequest, approveText, type Review } from './review.ts';
import { toSubmittedEventId } from '../sources/inbox/merge-inbox.ts';
import type { Additions, PublicationIssue } from '../sources/inbox/publication.ts';
import { type Approval, toPublication } from './to-publication.ts';

/**
 * Approves the text as edited. Gives the faults that keep it from being approved; none means that
 * it is.
 */
export function approveSubmission(
  inbox: Inbox,
  review: Review,
  stored: StoredSubmission,
  submission: Submission,
  additions: Additions,
  organizers: Approval['organizers'],
): readonly PublicationIssue[] {
  const approval = {
    reference: stored.reference,
    channel: stored.channel,
    today: toCancunDay(review.now_ms).toString(),
    organizers,
  };
  const { publication, issues } = toPublication(submission, additions, approval);
  if (publication !== null) approveText(inbox, review, publication);
  return issues;
}

/**
 * Grants a request of the sender to cancel or postpone. Throws AppError where it asks for nothing
 * of the kind.
 */
export function grantRequest(inbox: Inbox, review: Review, stored: StoredSubmission): void {
  if (stored.asks !== 'cancel' && stored.asks !== 'postpone')
    throw new AppError('invalid_parameter', 'asks: it asks for no cancellation');
  approveRequest(
    inbox,
    review,
    toSubmittedEventId(stored.reference),
    stored.asks === 'cancel' ? 'cancelled' : 'postponed',
  );
}

/**
 * Undoes the newest decision; what made an event public for the first time stays once a release has
 * shown it.
 */
export function undoLast(inbox: Inbox, id: number, editor: string, now_ms: number): Decision {
  const mayUndo = (decision: Decision, before: readonly RowBefore[]): boolean => {
    const is_first = before.some(({ table, row }) => table === 'publications' && row === null);
    if (decision.action !== 'approve' || !is_first) return true;
    return (
      getSubmission(inbox, decision.subject) === null ||
      !isReleased(inbox, toSubmittedEventId(decision.subject))
    );
  };
  return undoDecision(inbox, id, editor, now_ms, mayUndo);
}
