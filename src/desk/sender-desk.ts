// What a sender does beside the form: sends in, and with the secret token reads how it stands, corrects
// it, takes it back, asks that what is published be called off. Status page and tools call the same.
import { AppError } from '../domain/app-error.ts';
import type { EventDetail } from '../domain/agenda.ts';
import { toCleanText } from '../domain/clean-text.ts';
import type { SenderAct, ShownAs } from '../domain/submission/sender-acts.ts';
import type { StoredSubmission, Submission } from '../domain/submission/submission.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission } from '../inbox/submissions.ts';
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
  /** The days that are meant, YYYY-MM-DD; null where the whole event is. Of no use to a withdrawal either. */
  readonly dates: readonly string[] | null;
}

/**
 * Does what a sender asks for. Throws AppError where it is not possible as it stands, where a request
 * says nothing or names a day on which the event does not take place, or rate_limited.
 */
export async function actForSender(
  inbox: Inbox,
  snapshot: Snapshot,
  wish: SenderWish,
): Promise<void> {
  const { reference, now_ms, act } = wish;
  if (act === 'withdraw') {
    await withdraw(inbox, reference);
    return;
  }
  const message = toCleanText(wish.message);
  if (message === '')
    throw new AppError('invalid_parameter', 'message: say what happened', 'no_message');
  const stored = await getSubmission(inbox, reference);
  const ahead = stored === null ? [] : listAhead(findShown(stored, snapshot, now_ms), now_ms);
  const dates = wish.dates && checkDates(wish.dates, ahead);
  await requestChange(inbox, { reference, now_ms, asks: act, message, dates });
}

/** In order, each once. Throws AppError where there are none, or one is not among those ahead. */
function checkDates(dates: readonly string[], ahead: readonly string[]): readonly string[] {
  if (dates.length === 0) throw new AppError('invalid_parameter', 'dates: say which', 'no_dates');
  const unknown = dates.find((date) => !ahead.includes(date));
  if (unknown !== undefined)
    throw new AppError(
      'invalid_parameter',
      `dates: it does not take place on '${unknown.slice(0, 10)}'. Its dates are ${ahead.join(', ') || 'all over or called off'}`,
      'no_such_day',
    );
  return ahead.filter((date) => dates.includes(date));
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

/** How many days are offered, or may be named at once. */
const MAX_DAYS = 60;

/** The days ahead of what the release shows that are not called off, YYYY-MM-DD; the first sixty. */
export function listAhead({ detail }: Shown, now_ms: number): readonly string[] {
  const on = (detail?.occurrences ?? []).filter(
    ({ end_ms, status }) => end_ms > now_ms && status !== 'cancelled',
  );
  return [...new Set(on.map(({ start }) => start.slice(0, 10)))].slice(0, MAX_DAYS);
}

/** All of it with an inbox, for whoever must not hold one. */
export interface SenderDesk {
  readonly submit: (arrival: Arrival) => Promise<Receipt>;
  /** Null for every token that is nobody's. */
  readonly find: (token: string) => Promise<StoredSubmission | null>;
  readonly correct: (
    change: Pick<SenderWish, 'reference' | 'now_ms'> & {
      readonly submission: Submission;
    },
  ) => Promise<void>;
  readonly act: (wish: SenderWish) => Promise<void>;
}

export const openSenderDesk = (inbox: Inbox, snapshot: Snapshot): SenderDesk => ({
  submit: (arrival) => submit(inbox, arrival),
  find: (token) => getSubmissionByToken(inbox, token),
  correct: (change) => correct(inbox, change),
  act: (wish) => actForSender(inbox, snapshot, wish),
});
