// What the sender of a submission may still do with it (contract 14.2, 14.3).
import type { StoredSubmission } from './submission.ts';

/** To send another text, to take back what waits, to ask that what is published be called off or put off. */
export const SENDER_ACTS = ['correct', 'withdraw', 'cancel', 'postpone'] as const;
export type SenderAct = (typeof SENDER_ACTS)[number];

/** Ticked among the days of an event, it stands for every one. */
export const ALL_DAYS = 'all';

/** How the agenda shows the event of a submission: not yet, no longer, or as it stands there. */
export type ShownAs = 'none' | 'gone' | 'published' | 'cancelled' | 'postponed' | 'past';

/** Of what is called off, put off or over already, there is no sense in asking for that. */
const CANNOT_BE: Readonly<Record<'cancel' | 'postpone', readonly ShownAs[]>> = {
  cancel: ['cancelled', 'gone', 'past'],
  postpone: ['postponed', 'cancelled', 'gone', 'past'],
};

/** Those that are possible as it stands, in the order in which they are offered. */
export function listSenderActs(
  { state, is_published }: Pick<StoredSubmission, 'state' | 'is_published'>,
  shown: ShownAs,
): readonly SenderAct[] {
  const waits = state === 'pending' || state === 'changes_requested';
  return SENDER_ACTS.filter((act) => {
    if (act === 'correct') return true;
    if (act === 'withdraw') return waits;
    return is_published && !CANNOT_BE[act].includes(shown);
  });
}
