// What a sender does beside the form: sends in, and with the secret token reads how it stands, corrects
// it, takes it back, asks that what is published be called off. Status page and tools call the same.
import { AppError } from '../domain/app-error.ts';
import type { EventDetail } from '../domain/agenda.ts';
import { toCleanText } from '../domain/clean-text.ts';
import type { SenderAct, ShownAs } from '../domain/submission/sender-acts.ts';
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

/** How the release shows the event of a submission, with all of it where it does. */
export interface Shown {
  readonly as: ShownAs;
  readonly detail: EventDetail | null;
}

/** Of what is approved; before a release has it, and of all else, it shows nothing. */
export function findShown(
  { reference, is_published }: StoredSubmission,
  snapshot: Snapshot,
  now_ms: number,
): Shown {
  const found = is_published ? getEvent(snapshot, toEventId(reference), now_ms) : null;
  if (found === null) return { as: 'none', detail: null };
  if (found === 'gone') return { as: 'gone', detail: null };
  const { status } = found.event;
  if (status !== 'published') return { as: status, detail: found };
  return { as: found.is_past ? 'past' : 'published', detail: found };
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
