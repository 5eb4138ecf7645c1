// What was decided on a submission or a reader's correction, taken up again: it waits as before, with
// the reason in the log; what is published stays so until the next decision (contract 14.18).
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { getCorrection, setCorrectionState } from '../inbox/corrections.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission, setReopened } from '../inbox/submissions.ts';
import { decide } from './decide.ts';
import { toLogReason } from './reason.ts';

/** Whether an editor may take it up again: what its sender took back is the sender's. */
export const isReopenable = ({ state }: Pick<StoredSubmission, 'state'>): boolean =>
  state === 'approved' || state === 'rejected' || state === 'changes_requested';

/** What it is reopened for: a text that is published, to be changed. */
const toAsk = ({ state, asks, is_published }: StoredSubmission): StoredSubmission['asks'] =>
  state === 'approved' ? (is_published ? 'change' : 'publish') : asks;

/**
 * Lets a decided submission or correction wait again; its reference as stored. Throws AppError where
 * there is none, where it waits already or its sender took it back, and without a reason or with one
 * that is too long.
 */
export function reopen(inbox: Inbox, actor: Actor, reference: string, words: string): string {
  const reason = toLogReason(words);
  const subject = (getSubmission(inbox, reference) ?? getCorrection(inbox, reference))?.reference;
  if (subject === undefined)
    throw new AppError('not_found', 'reference: there is no such thing', 'no_such_submission');
  const key = [subject];
  const rows = [{ table: 'submissions', key } as const, { table: 'corrections', key } as const];
  decide(inbox, { ...actor, action: 'reopen', subject, reason }, rows, () => {
    const stored = getSubmission(inbox, subject);
    if (stored !== null && isReopenable(stored)) setReopened(inbox, subject, toAsk(stored));
    else if (stored === null && getCorrection(inbox, subject)?.state !== 'pending')
      setCorrectionState(inbox, subject, 'pending', null);
    else
      throw new AppError(
        'invalid_parameter',
        `state: ${stored?.state === 'withdrawn' ? 'its sender took it back' : 'it waits already'}`,
        'not_decided',
      );
  });
  return subject;
}
