// What was decided on a submission or a reader's correction, taken up again: it waits as before, with
// the reason in the log; what is published stays so until the next decision (contract 14.18).
import { AppError } from '../domain/app-error.ts';
import type { Actor } from '../domain/decision.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { continueChange, getChange, getCurrent } from '../inbox/changes.ts';
import { getCorrection } from '../inbox/corrections.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission } from '../inbox/submissions.ts';
import { decide } from './decide.ts';
import { toLogReason } from './reason.ts';

/** Whether an editor may take it up again: what its sender took back is the sender's. */
export const isReopenable = ({ state }: Pick<StoredSubmission, 'state'>): boolean =>
  state === 'approved' || state === 'rejected' || state === 'changes_requested';

/**
 * Lets a decided submission or correction wait again; its reference as stored. Throws AppError where
 * there is none, where it waits already or its sender took it back, and without a reason or with one
 * that is too long.
 */
export async function reopen(
  inbox: Inbox,
  actor: Actor,
  reference: string,
  words: string,
): Promise<string> {
  const reason = toLogReason(words);
  const subject = (
    (await getSubmission(inbox, reference)) ?? (await getCorrection(inbox, reference))
  )?.reference;
  if (subject === undefined)
    throw new AppError('not_found', 'reference: there is no such thing', 'no_such_submission');
  await decide(inbox, { ...actor, action: 'reopen', subject, reason }, async () => {
    const [stored, change] = [
      await getSubmission(inbox, subject),
      await getCurrent(inbox, subject),
    ];
    const is_decided = stored === null ? change?.state !== 'waiting' : isReopenable(stored);
    if (change === null || !is_decided)
      throw new AppError(
        'invalid_parameter',
        `state: ${stored?.state === 'withdrawn' ? 'its sender took it back' : 'it waits already'}`,
        'not_decided',
      );
    // A text that is published is reopened to be changed.
    const is_change = stored?.state === 'approved' && stored.is_published;
    const asks = is_change ? 'edit' : change.asks;
    const next = await getChange(
      inbox,
      await continueChange(inbox, change, { asks, state: 'undone' }),
    );
    return next === null ? [] : [{ change: next, state: 'waiting' }];
  });
  return subject;
}
