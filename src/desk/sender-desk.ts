// What a sender does beside the form: sends in, and with the secret token reads how it stands, corrects
// it, takes it back, asks that what is published be called off. Status page and tools call the same.
import { AppError } from '../domain/app-error.ts';
import type { EventRecord } from '../domain/event/event.ts';
import { toCleanText } from '../domain/clean-text.ts';
import type { SenderAct } from '../domain/submission/sender-acts.ts';
import type { StoredSubmission, Submission } from '../domain/submission/submission.ts';
import type { Inbox } from '../inbox/open.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { toEventId } from './known.ts';
import {
  type Arrival,
  correct,
  getSubmissionByToken,
  type Receipt,
  requestChange,
  submit,
  withdraw,
} from './submit.ts';

/** What a sender asks for; a text of their own is a correction. */
export interface SenderWish {
  readonly reference: string;
  readonly now_ms: number;
  readonly act: Exclude<SenderAct, 'correct'>;
  /** What happened; of no use to a withdrawal. */
  readonly message: string;
}

/**
 * Does what a sender asks for. Throws AppError where it is not possible as it stands, where a request
 * says nothing, or rate_limited.
 */
export function actForSender(inbox: Inbox, wish: SenderWish): void {
  const { reference, now_ms, act } = wish;
  if (act === 'withdraw') {
    withdraw(inbox, reference);
    return;
  }
  const message = toCleanText(wish.message);
  if (message === '')
    throw new AppError('invalid_parameter', 'message: say what happened', 'no_message');
  requestChange(inbox, { reference, now_ms, asks: act, message });
}

/** The event of a submission that the release shows; null before, and once it is withdrawn. */
export function findListed(
  { reference, is_published }: StoredSubmission,
  snapshot: Snapshot,
  now_ms: number,
): EventRecord | null {
  const found = is_published ? getEvent(snapshot, toEventId(reference), now_ms) : null;
  return found === null || found === 'gone' ? null : found.event;
}

/** All of it with an inbox, for whoever must not hold one. */
export interface SenderDesk {
  readonly submit: (arrival: Arrival) => Receipt;
  /** Null for every token that is nobody's. */
  readonly find: (token: string) => StoredSubmission | null;
  readonly correct: (
    change: Pick<SenderWish, 'reference' | 'now_ms'> & {
      readonly submission: Submission;
    },
  ) => void;
  readonly act: (wish: SenderWish) => void;
}

export const openSenderDesk = (inbox: Inbox): SenderDesk => ({
  submit: (arrival) => submit(inbox, arrival),
  find: (token) => getSubmissionByToken(inbox, token),
  correct: (change) => correct(inbox, change),
  act: (wish) => actForSender(inbox, wish),
});
