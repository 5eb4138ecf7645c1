// A decision: changes are settled, and it is logged who did it, when, why, and how each stood before and after, so
// that it can be undone; what editors do of their own is applied at once; what was decided is taken up again
// (contract 14.17).
import { type RefusalReason, refusal } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/local-time.ts';
import {
  type Actor,
  type Change,
  type Decision,
  type DecisionAction,
  isStatusAction,
  MAX_REASON_LENGTH,
  type ChangeOutcome,
  type ChangeStatus,
  getSubmissionState,
} from '../domain/change.ts';
import { cleanText } from '../domain/clean-text.ts';
import {
  insertFollowUpChange,
  getCurrentChange,
  insertChange,
  listChanges,
  listRelatedChanges,
  listSupersededChanges,
  type NewChange,
  updateChange,
} from '../inbox/changes.ts';
import {
  findUndoDecision,
  getDecision,
  insertDecision,
  updateDecision,
} from '../inbox/decisions.ts';
import { wasNoticeReleased, wasReleased } from '../inbox/ledger.ts';
import { enqueueDecisionNotice } from '../inbox/outbox.ts';
import type { Inbox } from '../inbox/open.ts';
import { deskNoticeId, submittedEventId } from '../sources/inbox/merge-inbox.ts';

/** What somebody decides, on what, why. */
export interface NewDecision extends Actor {
  readonly action: DecisionAction;
  /** The reference of what was sent in, or the id of a thing. */
  readonly subject: string;
  readonly reason?: string | null;
}

/** Why, as it is stored; null for none. One that is too long is refused: what is cut says something else. */
export function normalizeReason(words: string): string | null {
  const text = cleanText(words);
  if (text.length > MAX_REASON_LENGTH)
    throw refusal('reason_too_long', `reason: at most ${MAX_REASON_LENGTH} characters`);
  return text || null;
}

/** One that must be there: for its sender, who reads it (`no_words`), or for the log. */
export function requireReason(
  words: string,
  missing: 'no_reason' | 'no_words' = 'no_reason',
): string {
  const reason = normalizeReason(words);
  if (reason === null) throw refusal(missing);
  return reason;
}

/** How a change is to stand, and what the agenda is told by it from then on. */
export interface ChangeTransition extends Pick<ChangeStatus, 'state'> {
  readonly change: Change;
  readonly record?: object | undefined;
  /** Known only now. */
  readonly thing?: string | undefined;
}

/**
 * Settles the changes that `choose` gives, and logs it; on disk when this returns. What is applied stands in the
 * place of what was applied of the same matter.
 */
export async function recordDecision(
  inbox: Inbox,
  decision: NewDecision,
  choose: () => Promise<readonly ChangeTransition[]>,
): Promise<void> {
  const { reason = null } = decision;
  await inbox.transaction(async () => {
    const settled = await choose();
    await log(inbox, decision, null, async (decided) => {
      const outcomes = await Array.fromAsync(settled, async ({ change, state, record, thing }) => {
        const said = { ...change, record: record ?? change.record, thing: thing ?? change.thing };
        if (record !== undefined)
          await updateChange(inbox, change.id, {
            record: JSON.stringify(record),
            thing: said.thing,
          });
        const is_told = state === 'applied' && said.record !== null;
        const replaced = is_told ? await listSupersededChanges(inbox, said) : [];
        const after = { state, decided, reason: state === 'waiting' ? null : reason };
        return [
          toOutcome(change, after),
          ...replaced.map((other) => toOutcome(other, { state: 'replaced' })),
        ];
      });
      return outcomes.flat();
    });
  });
}

/** Decides something that settles no change, and so cannot be undone. */
export const recordDecisionWithoutChanges = (
  inbox: Inbox,
  decision: NewDecision,
  work: () => Promise<void>,
) =>
  recordDecision(inbox, decision, async () => {
    await work();
    return [];
  });

function toOutcome(change: Change, changed: Partial<ChangeStatus>): ChangeOutcome {
  const { id, state, decided, reason } = change;
  const before = { state, decided, reason };
  return { id, before, after: { ...before, ...changed } };
}

/** What an editor says of a thing; null ends what editors say of it. */
interface EditorChange extends Pick<NewChange, 'kind' | 'asks' | 'dates' | 'source'> {
  readonly door?: Change['door'];
  readonly thing: string;
  readonly record: object | null;
}

/** An editor's own change, applied at once. */
export function applyEditorChange(
  inbox: Inbox,
  decision: Omit<NewDecision, 'subject'>,
  { record, ...own }: EditorChange,
): Promise<void> {
  const { thing, asks } = own;
  return recordDecision(inbox, { ...decision, subject: thing }, async () => {
    if (record !== null) {
      const at = formatTimestamp(decision.now_ms);
      const by = { maker: 'editor', title: '', state: 'undone', at } as const;
      const change = await insertChange(inbox, { door: 'desk', ...own, ...by, record });
      return [{ change, state: 'applied' }];
    }
    const said = await listChanges(inbox, (query) =>
      query
        .where('thing', '=', thing)
        .where('asks', '=', asks)
        .where('maker', '=', 'editor')
        .where('state', '=', 'applied'),
    );
    return said.map((change) => ({ change, state: 'replaced' as const }));
  });
}

/** Within a transaction: logs what comes of a decision, and carries it out. */
async function log(
  inbox: Inbox,
  { editor, action, subject, now_ms, reason = null }: NewDecision,
  undoes: number | null,
  toOutcomes: (number: number) => Promise<readonly ChangeOutcome[]>,
): Promise<void> {
  const at = formatTimestamp(now_ms);
  const id = await insertDecision(inbox, { at, editor, action, subject, reason, undoes });
  const outcomes = await toOutcomes(id);
  for (const { id: change, after } of outcomes) await updateChange(inbox, change, { ...after });
  const weight = await weigh(inbox, outcomes);
  await updateDecision(inbox, id, { outcomes: JSON.stringify(outcomes), weight });
  await enqueueDecisionNotice(inbox, { action, subject }, now_ms);
}

/** What it means for the agenda. */
async function weigh(
  inbox: Inbox,
  outcomes: readonly ChangeOutcome[],
): Promise<'none' | 'agenda' | 'urgent'> {
  const moved = new Set(
    outcomes
      .filter(({ before, after }) => (before.state === 'applied') !== (after.state === 'applied'))
      .map(({ id }) => id),
  );
  // Until it is decided, readers are told that something has vanished from its calendar.
  const told = (await listSettled(inbox, outcomes)).filter(({ id, asks, door, record }) =>
    record === null ? asks === 'check' && door === 'source' : moved.has(id),
  );
  if (told.length === 0) return 'none';
  const is_urgent = told.some(({ asks, kind }) => isStatusAction(asks) || kind === 'notice');
  return is_urgent ? 'urgent' : 'agenda';
}

/** The changes that a decision settled. */
const listSettled = (
  inbox: Inbox,
  outcomes: readonly ChangeOutcome[],
): Promise<readonly Change[]> => {
  const ids = outcomes.map(({ id }) => id);
  return listChanges(inbox, (query) => query.where('id', 'in', ids));
};

/** Whether a decision can be undone: why not, and the number of the decision that is in the way. */
export interface UndoCheck {
  readonly refusal: UndoRefusal | null;
  readonly by: number | null;
}
type UndoRefusal = Extract<
  RefusalReason,
  | 'undone_already'
  | 'nothing_to_undo'
  | 'decided_since'
  | 'sender_has_answered'
  | 'changed_since'
  | 'public_already'
  | 'release_under_way'
>;

/** `is_building`: a release is being built. */
export async function checkUndo(
  inbox: Inbox,
  { id, undone_at, outcomes }: Decision,
  is_building: boolean,
): Promise<UndoCheck> {
  const refuse = (refusal: UndoRefusal | null, by: number | null = null) => ({ refusal, by });
  if (undone_at !== null) return refuse('undone_already', await findUndoDecision(inbox, id));
  if (outcomes.length === 0) return refuse('nothing_to_undo');
  const own = new Set(outcomes.map((outcome) => outcome.id));
  const changes = await listSettled(inbox, outcomes);
  const others = (await Array.fromAsync(changes, (change) => listRelatedChanges(inbox, change)))
    .flat()
    .filter((other) => !own.has(other.id) && other.state !== 'undone');
  const later = [...changes, ...others]
    .map(({ decided }) => decided ?? 0)
    .filter((number) => number > id);
  if (later.length > 0) return refuse('decided_since', Math.max(...later));
  const newest = Math.max(...own);
  const is_answered =
    others.some((other) => other.reference !== null && other.id > newest) ||
    changes.some(({ state }) => state === 'taken_back');
  if (is_answered) return refuse('sender_has_answered');
  const states = new Map(changes.map((change) => [change.id, change.state]));
  if (outcomes.some(({ id: change, after }) => states.get(change) !== after.state))
    return refuse('changed_since');
  const is_replacing = outcomes.some(({ before }) => before.state === 'applied');
  const first = is_replacing ? [] : changes.filter(isFirstPublication);
  if ((await Array.fromAsync(first, (change) => isPublic(inbox, change))).includes(true))
    return refuse('public_already');
  // It has read the inbox, or is about to: what it shows must not be gone with the next one.
  return refuse(first.length > 0 && is_building ? 'release_under_way' : null);
}

/** Whether a thing is there by it that was not there before: undone, it would take that away. */
const isFirstPublication = ({ state, asks, kind, maker, record }: Change): boolean =>
  state === 'applied' &&
  record !== null &&
  asks === 'publish' &&
  (kind === 'notice' || maker === 'sender');

/** Whether a release has shown the thing: nothing that was published is deleted (contract 5.5). */
const isPublic = (inbox: Inbox, { kind, thing, reference }: Change): Promise<boolean> =>
  kind === 'notice'
    ? wasNoticeReleased(inbox, deskNoticeId(thing ?? ''))
    : wasReleased(inbox, submittedEventId(reference ?? ''));

/** Undoes a decision as a decision of its own: undone, that one gives back what it took. */
export const undoDecision = (
  inbox: Inbox,
  id: number,
  actor: Actor,
  is_building = false,
): Promise<Decision> =>
  inbox.transaction(async (): Promise<Decision> => {
    const decision = await getDecision(inbox, id);
    if (decision === null) throw refusal('no_such_decision');
    const { refusal: refused } = await checkUndo(inbox, decision, is_building);
    if (refused !== null) throw refusal(refused);
    const { subject, undoes } = decision;
    await log(inbox, { ...actor, action: 'undo', subject }, id, async () =>
      decision.outcomes.map(({ id: change, before, after }) => ({
        id: change,
        before: after,
        after: before,
      })),
    );
    await updateDecision(inbox, id, { undone_at: formatTimestamp(actor.now_ms) });
    if (undoes !== null) await updateDecision(inbox, undoes, { undone_at: null });
    return decision;
  });

/** Whether an editor may take it up again: what its sender took back is the sender's. */
export const canReopen = (change: Change): boolean =>
  change.state !== 'waiting' && getSubmissionState(change) !== 'withdrawn';

/** Lets what was decided wait again; what is published stays so until the next decision. */
export async function reopenChange(inbox: Inbox, actor: Actor, reference: string, words: string) {
  const decision = { ...actor, action: 'reopen', reason: requireReason(words) } as const;
  await recordDecision(inbox, { ...decision, subject: reference.toUpperCase() }, async () => {
    const change = await getCurrentChange(inbox, reference);
    if (change === null) throw refusal('no_such_submission');
    if (!canReopen(change)) throw refusal('not_decided');
    // A text that is published is reopened to be changed.
    const is_change = change.is_published && getSubmissionState(change) === 'approved';
    const asks = is_change ? 'edit' : change.asks;
    const next = await insertFollowUpChange(inbox, change, { asks, state: 'undone' });
    return [{ change: next, state: 'waiting' }];
  });
}
