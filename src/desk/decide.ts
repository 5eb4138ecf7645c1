// A decision: changes rows of the inbox, says who and when, and stores the rows as they stood before
// and after, so that it can be undone.
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Actor, DecisionAction } from '../domain/decision.ts';
import { readRow, type RowName } from '../inbox/decided-rows.ts';
import { insertDecision } from '../inbox/decisions.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import { queueDecided } from './mail.ts';

/** What somebody decides, on what, why. */
export interface NewDecision extends Actor {
  readonly action: DecisionAction;
  /** The reference of a submission, or the id of an event or notice. */
  readonly subject: string;
  readonly reason: string | null;
  /** The number of the decision that it undoes. */
  readonly undoes?: number;
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
    const { now_ms, undoes = null, ...rest } = decision;
    const id = insertDecision(
      inbox,
      { ...rest, undoes, at: formatTimestamp(now_ms) },
      before.map((row) => ({ ...row, after: readRow(inbox, row) })),
    );
    queueDecided(inbox, { ...decision, id });
  });
}
