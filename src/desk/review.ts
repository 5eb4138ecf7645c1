// A person's decision on a submission: approve, ask for changes, reject; and the edits made before
// it.
import { AppError } from '../domain/app-error.ts';
import type { StoredSubmission } from '../domain/submission/state.ts';
import { decide } from '../inbox/decisions.ts';
import { getSubmission } from '../inbox/submissions.ts';
import type { Inbox } from '../inbox/open.ts';
import { isWithdrawn } from '../inbox/published.ts';

/** Who decides on what, when. `revision` is the text that was looked at. */
export interface Review {
  readonly reference: string;
  readonly revision: number;
  readonly editor: string;
  readonly now_ms: number;
}

/**
 * The submission that waits. Throws AppError where it does not, or where its text has changed since
 * it was looked at.
 */
function readPending(inbox: Inbox, { reference, revision }: Review): StoredSubmission {
  const stored = getSubmission(inbox, reference);
  if (stored === null) throw new AppError('not_found', 'reference: there is no such submission');
  if (stored.state !== 'pending')
    throw new AppError('invalid_parameter', `state: it is ${stored.state} already`);
  if (stored.revision !== revision)
    throw new AppError(
      'invalid_parameter',
      'revision: the sender has changed it meanwhile. Look at it again',
    );
  return stored;
}

const settle = (inbox: Inbox, reference: string, state: string, reason: string | null): void => {
  inbox
    .prepare('update submissions set state = ?, reason = ? where reference = ?')
    .run(state, reason, reference);
};

/**
 * Lets the text into the agenda; `publication` is what sources read, checked before by their
 * schema.
 */
export function approveText(inbox: Inbox, review: Review, publication: object): void {
  const { reference, editor, now_ms } = review;
  decide(
    inbox,
    { editor, action: 'approve', subject: reference, reason: null, now_ms },
    toRows(reference),
    () => {
      readPending(inbox, review);
      settle(inbox, reference, 'approved', null);
      inbox
        .prepare(
          'insert into publications values (?, ?) on conflict do update set record = excluded.record',
        )
        .run(reference, JSON.stringify(publication));
    },
  );
}

/** Grants a request to cancel or postpone: the event with the id `event` gets the status. */
export function approveRequest(
  inbox: Inbox,
  review: Review,
  event: string,
  status: 'cancelled' | 'postponed',
): void {
  const { reference, editor, now_ms } = review;
  decide(
    inbox,
    { editor, action: 'approve', subject: reference, reason: null, now_ms },
    [...toRows(reference), { table: 'overrides', key: [event, ''] }],
    () => {
      readPending(inbox, review);
      settle(inbox, reference, 'approved', null);
      if (isWithdrawn(inbox, event))
        throw new AppError(
          'invalid_parameter',
          'event: it was withdrawn for legal reasons and stays so',
        );
      inbox
        .prepare(
          "insert into overrides values (?, '', ?) on conflict do update set record = excluded.record",
        )
        .run(event, JSON.stringify({ status }));
    },
  );
}

/**
 * Sends it back to its sender, with a reason: to be changed, or for good. Throws AppError without
 * one.
 */
export function refuseSubmission(
  inbox: Inbox,
  review: Review,
  action: 'ask' | 'reject',
  reason: string,
): void {
  const { reference, editor, now_ms } = review;
  if (reason.trim() === '')
    throw new AppError('invalid_parameter', 'reason: say why; the sender reads it');
  decide(inbox, { editor, action, subject: reference, reason, now_ms }, toRows(reference), () => {
    readPending(inbox, review);
    settle(inbox, reference, action === 'ask' ? 'changes_requested' : 'rejected', reason);
  });
}

/**
 * Keeps a reviewer's edits for later. Throws AppError where they are not of the text that waits:
 * they would hide the newer one.
 */
export function saveDraft(
  inbox: Inbox,
  review: Review,
  draft: Readonly<Record<string, string>>,
): void {
  inbox
    .transaction(() => {
      readPending(inbox, review);
      inbox
        .prepare('update submissions set draft = ? where reference = ?')
        .run(JSON.stringify(draft), review.reference);
    })
    .immediate();
}

const toRows = (reference: string) =>
  [
    { table: 'submissions', key: [reference] },
    { table: 'publications', key: [reference] },
  ] as const;
