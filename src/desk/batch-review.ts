// A person's decision on a batch: the events that are chosen are approved or refused together, as one
// decision that is undone as one; an event that cannot be published keeps no other (contract 14.36).
import { AppError } from '../domain/app-error.ts';
import type { StoredBatch } from '../domain/batch/batch.ts';
import type { Actor } from '../domain/decision.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { inTurn } from '../inbox/in-turn.ts';
import type { Inbox } from '../inbox/open.ts';
import { getCurrent, type Settlement } from '../inbox/changes.ts';
import { setDraft } from '../inbox/submissions.ts';
import { listSent } from './batch-sent.ts';
import { decide } from './decide.ts';
import { toSenderReason } from './reason.ts';
import type { Known } from './known.ts';
import { changeEdits, type Edits, prepare, type Prepared } from './review.ts';

/** One event of a batch as it was looked at, with what an editor adds. */
export interface ChosenItem {
  readonly reference: string;
  readonly revision: number;
  readonly edits: Edits;
}

export interface BatchApproval {
  readonly approved: readonly string[];
  /** What was not, by reference, with why. */
  readonly left: ReadonlyMap<string, Prepared>;
}

/** What waits of a batch to be published, in the order in which it was sent. */
export const listWaiting = async (
  inbox: Inbox,
  batch: StoredBatch,
): Promise<readonly StoredSubmission[]> =>
  (await listSent(inbox, batch)).map(({ stored }) => stored).filter(isWaiting);

const isWaiting = ({ state, asks }: StoredSubmission): boolean =>
  state === 'pending' && asks === 'publish';

/** Those that still wait as they were looked at. Throws AppError where one does not. */
async function readChosen(inbox: Inbox, batch: StoredBatch, chosen: readonly ChosenItem[]) {
  const waiting = new Map(
    (await listWaiting(inbox, batch)).map((stored) => [stored.reference, stored]),
  );
  if (chosen.length === 0)
    throw new AppError('invalid_parameter', 'pick: choose at least one event', 'nothing_chosen');
  return chosen.map((item) => {
    const stored = waiting.get(item.reference);
    if (stored === undefined)
      throw new AppError('invalid_parameter', 'state: one does not wait any more', 'not_pending');
    if (stored.revision !== item.revision)
      throw new AppError(
        'invalid_parameter',
        'revision: the sender has changed one meanwhile. Look at it again',
        'text_changed',
      );
    return { ...item, stored };
  });
}

/**
 * Approves the chosen ones that make a publication, and says of the others why they do not. Throws
 * AppError where nothing is chosen, or one has changed since it was looked at.
 */
export function approveBatch(
  inbox: Inbox,
  known: Known,
  { editor, now_ms }: Actor,
  batch: StoredBatch,
  chosen: readonly ChosenItem[],
): Promise<BatchApproval> {
  return inbox.transaction(async () => {
    const items = (await readChosen(inbox, batch, chosen)).map(({ stored, reference, edits }) => {
      const draft = changeEdits(stored, edits);
      return { reference, draft, ...prepare(known, stored, draft, now_ms) };
    });
    const ready = items.flatMap(({ reference, draft, publication }) =>
      publication === null ? [] : [{ reference, draft, publication }],
    );
    const left = items.filter(({ publication }) => publication === null);
    const approved = ready.map(({ reference }) => reference);
    const subject = batch.reference ?? '';
    if (ready.length > 0)
      await decide(
        inbox,
        { editor, now_ms, action: 'approve', subject, reason: null },
        async () => {
          const settled = await inTurn(ready, async ({ reference, draft, publication }) => {
            await setDraft(inbox, reference, draft);
            return settle(inbox, reference, 'applied', publication);
          });
          return settled.flat();
        },
      );
    return { approved, left: new Map(left.map((item) => [item.reference, item])) };
  });
}

/** Sends the chosen ones back with one reason, to be changed or for good. Throws AppError as above. */
export async function refuseBatch(
  inbox: Inbox,
  { editor, now_ms }: Actor,
  batch: StoredBatch,
  chosen: readonly ChosenItem[],
  action: 'ask' | 'reject',
  words: string,
): Promise<void> {
  const reason = toSenderReason(words);
  await inbox.transaction(async () => {
    const references = (await readChosen(inbox, batch, chosen)).map(({ reference }) => reference);
    const subject = batch.reference ?? '';
    await decide(inbox, { editor, now_ms, action, subject, reason }, async () => {
      const state = action === 'ask' ? 'asked' : 'refused';
      return (await inTurn(references, (one) => settle(inbox, one, state))).flat();
    });
  });
}

async function settle(
  inbox: Inbox,
  reference: string,
  state: Settlement['state'],
  record?: object,
): Promise<readonly Settlement[]> {
  const change = await getCurrent(inbox, reference);
  return change === null ? [] : [{ change, state, ...(record === undefined ? {} : { record }) }];
}
