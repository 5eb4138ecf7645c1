// What the sender of a submission may still do with it (contract 14.2, 14.3).
import type { StoredSubmission } from './submission.ts';

/** To send another text, to take back what waits, to ask that what is published be called off or put off. */
export const SENDER_ACTS = ['correct', 'withdraw', 'cancel', 'postpone'] as const;
export type SenderAct = (typeof SENDER_ACTS)[number];

/** Those that are possible as it stands, in the order in which they are offered. */
export function listSenderActs({
  state,
  is_published,
}: Pick<StoredSubmission, 'state' | 'is_published'>): readonly SenderAct[] {
  const waits = state === 'pending' || state === 'changes_requested';
  return SENDER_ACTS.filter((act) => {
    if (act === 'correct') return true;
    return act === 'withdraw' ? waits : is_published;
  });
}
