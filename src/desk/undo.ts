// A decision undone by its number: its rows as they stood before it, as long as they stand as it left
// them; and why not, where they do not (contract 14.17). An undoing is a decision too: undone, it gives
// back what it took.
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { toCleanLine } from '../domain/clean-text.ts';
import type { Actor, Decision, UndoRefusal } from '../domain/decision.ts';
import { isAsLeft, putRow, type RowChange } from '../inbox/decided-rows.ts';
import {
  findLater,
  findUndoing,
  getDecision,
  listChanges,
  markUndone,
} from '../inbox/decisions.ts';
import { isNoticeReleased, isReleased } from '../inbox/ledger.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { toDeskNoticeId, toSubmittedEventId } from '../sources/inbox/merge-inbox.ts';
import { decide } from './decide.ts';
import { checkReason } from './reason.ts';

/** Whether a decision can be undone. */
export interface UndoCheck {
  /** Null where it can. */
  readonly refusal: UndoRefusal | null;
  /** The number of the decision that is in the way; null where none is. */
  readonly by: number | null;
}
const CAN_BE: UndoCheck = { refusal: null, by: null };

/** Whether a decision can be undone now; `is_building` while a release is being built. */
export function checkUndo(inbox: Inbox, decision: Decision, is_building: boolean): UndoCheck {
  const { id } = decision;
  if (decision.undone_at !== null) return { refusal: 'undone_already', by: findUndoing(inbox, id) };
  const changes = listChanges(inbox, id);
  if (changes.length === 0) return { refusal: 'nothing_to_undo', by: null };
  const later = findLater(inbox, id);
  if (later !== null) return { refusal: 'decided_since', by: later };
  const changed = changes.find((change) => !isAsLeft(inbox, change));
  if (changed !== undefined)
    return {
      refusal: changed.table === 'submissions' ? 'sender_has_answered' : 'changed_since',
      by: null,
    };
  const published = changes.filter(isFirstPublication);
  if (published.some((change) => isPublic(inbox, change)))
    return { refusal: 'public_already', by: null };
  // It has read the inbox, or is about to: what it shows must not be gone with the next one.
  if (published.length > 0 && is_building) return { refusal: 'release_under_way', by: null };
  return CAN_BE;
}

/** Undone, it would take a thing away that was not there before. */
const isFirstPublication = ({ table, row, after }: RowChange): boolean =>
  row === null && after !== null && (table === 'publications' || table === 'desk_notices');

/** Whether a release has shown the thing: nothing that was published is deleted (contract 5.5). */
function isPublic(inbox: Inbox, { table, key: [id = ''] }: RowChange): boolean {
  return table === 'desk_notices'
    ? isNoticeReleased(inbox, toDeskNoticeId(id))
    : isReleased(inbox, toSubmittedEventId(id));
}

const SENTENCES: Readonly<Record<UndoRefusal, string>> = {
  no_such_decision: 'there is no such decision',
  undone_already: 'it was undone already',
  nothing_to_undo: 'it changed nothing that could be put back',
  decided_since: 'a newer decision changed the same. Undo that one first',
  sender_has_answered: 'the sender has answered it meanwhile. Look at it again',
  changed_since: 'it does not stand as the decision left it',
  public_already:
    'a release has shown it, and nothing that was published is deleted. Cancel or withdraw the event, close the notice, or reopen the submission to mend its text',
  release_under_way: 'a release is being built, which may show it. Try again when it is there',
};

export interface UndoSettings {
  /** A release is being built. */
  readonly is_building?: boolean;
  /** For the log. */
  readonly reason?: string;
}

/**
 * Puts the rows of a decision back, logged as a decision of its own. Throws AppError, its reason the
 * refusal, where that cannot be.
 */
export function undo(
  inbox: Inbox,
  id: number,
  { editor, now_ms }: Actor,
  { is_building = false, reason = '' }: UndoSettings = {},
): Decision {
  const words = checkReason(toCleanLine(reason), 'log') || null;
  return inTransaction(inbox, (): Decision => {
    const decision = getDecision(inbox, id);
    const { refusal, by } =
      decision === null
        ? ({ refusal: 'no_such_decision', by: null } as const)
        : checkUndo(inbox, decision, is_building);
    if (decision === null || refusal !== null) throw toError(refusal ?? 'no_such_decision', by);
    const changes = listChanges(inbox, id);
    const entry = { editor, now_ms, action: 'undo', subject: decision.subject } as const;
    decide(inbox, { ...entry, reason: words, undoes: id }, changes, () => {
      for (const change of changes) putRow(inbox, change, change.row);
      markUndone(inbox, id, formatTimestamp(now_ms));
      if (decision.undoes !== null) markUndone(inbox, decision.undoes, null);
    });
    return decision;
  });
}

const toError = (refusal: UndoRefusal, by: number | null): AppError =>
  new AppError(
    refusal === 'no_such_decision' ? 'not_found' : 'invalid_parameter',
    `undo: ${SENTENCES[refusal]}${by === null ? '' : ` (number ${by})`}`,
    refusal,
  );
