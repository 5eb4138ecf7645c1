// A decision: changes rows of the inbox, says who and when, and stores the rows as they stood, so
// that the last one can be undone.
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { type Actor, type Decision, type DecisionAction, MAX_REASON } from '../domain/decision.ts';
import {
  insertDecision,
  listChanges,
  listDecisions,
  markUndone,
  putRow,
  readRow,
  type RowChange,
  type RowName,
} from '../inbox/decisions.ts';
import { isReleased } from '../inbox/ledger.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { getSubmission } from '../inbox/submissions.ts';
import { toSubmittedEventId } from '../sources/inbox/merge-inbox.ts';

/** What somebody decides, on what, why. */
export interface NewDecision extends Actor {
  readonly action: DecisionAction;
  /** The reference of a submission, or the id of an event or notice. */
  readonly subject: string;
  readonly reason: string | null;
}

/**
 * Carries out `change`, which may touch the rows named and no others, and logs it; on disk when
 * this returns.
 */
export function decide(
  inbox: Inbox,
  decision: NewDecision,
  rows: readonly RowName[],
  change: () => void,
): void {
  inTransaction(inbox, () => {
    const before = rows.map((name) => ({ ...name, row: readRow(inbox, name) }));
    change();
    log(
      inbox,
      decision,
      before.map((row) => ({ ...row, after: readRow(inbox, row) })),
    );
  });
}

function log(inbox: Inbox, decision: NewDecision, changes: readonly RowChange[]): void {
  insertDecision(inbox, { ...decision, at: formatTimestamp(decision.now_ms) }, changes);
}

/**
 * A reason as it is stored; empty where none was given. Throws AppError where it is longer than who
 * reads it (`sender`, `log`) is shown: what is cut says something else.
 */
export function checkReason(text: string, reader: keyof typeof MAX_REASON): string {
  const max = MAX_REASON[reader];
  if (text.length > max)
    throw new AppError(
      'invalid_parameter',
      `reason: at most ${max} characters, it has ${text.length}`,
      'reason_too_long',
    );
  return text;
}

/** The decision that can still be undone: the newest, where it is no undoing and was not undone. */
export function getUndoable(inbox: Inbox): Decision | null {
  const [last] = listDecisions(inbox, 1);
  return last && last.action !== 'undo' && last.undone_at === null ? last : null;
}

/**
 * Puts the rows of the newest decision back. Throws AppError where `id` is not the newest any more,
 * where the sender has answered it (a correction or a withdrawal must not be lost), or where it made
 * an event public for the first time and a release has shown it.
 */
export function undo(inbox: Inbox, id: number, { editor, now_ms }: Actor): Decision {
  return inTransaction(inbox, (): Decision => {
    const last = getUndoable(inbox);
    if (last?.id !== id)
      throw new AppError(
        'invalid_parameter',
        'undo: only the newest decision can be undone',
        'not_newest',
      );
    const changes = listChanges(inbox, id);
    if (changes.some((change) => hasChangedSince(inbox, change)))
      throw new AppError(
        'invalid_parameter',
        'undo: the sender has answered it meanwhile. Look at it again',
        'sender_has_answered',
      );
    if (isPublicAlready(inbox, last, changes))
      throw new AppError(
        'invalid_parameter',
        'undo: it is in the agenda already. Cancel or withdraw the event',
        'public_already',
      );
    for (const change of changes) putRow(inbox, change, change.row);
    markUndone(inbox, id, formatTimestamp(now_ms));
    log(inbox, { editor, now_ms, action: 'undo', subject: last.subject, reason: null }, []);
    return last;
  });
}

function hasChangedSince(inbox: Inbox, change: RowChange): boolean {
  return (
    change.after !== undefined &&
    JSON.stringify(readRow(inbox, change)) !== JSON.stringify(change.after)
  );
}

function isPublicAlready(
  inbox: Inbox,
  { action, subject }: Decision,
  changes: readonly RowChange[],
): boolean {
  const is_first = changes.some(({ table, row }) => table === 'publications' && row === null);
  return (
    action === 'approve' &&
    is_first &&
    getSubmission(inbox, subject) !== null &&
    isReleased(inbox, toSubmittedEventId(subject))
  );
}
