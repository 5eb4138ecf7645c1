// Decisions: applies an editor's decision to changes and logs who decided, when and why, with the status of
// each change before and after, so that the decision can be undone. Also applies editors' own changes and
// reopens decided ones (contract 14.17).
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

/** A decision that is not logged yet. */
export interface NewDecision extends Actor {
  readonly action: DecisionAction;
  /** The reference of a submission, import or correction, or the id of a record. */
  readonly subject: string;
  readonly reason?: string | null;
}

/**
 * Cleans a reason for storage.
 * @returns null if it is empty.
 * @throws AppError if it is too long: a truncated reason could change its meaning.
 */
export function normalizeReason(text: string): string | null {
  const reason = cleanText(text);
  if (reason.length > MAX_REASON_LENGTH)
    throw refusal(
      'reason_too_long',
      `reason: too long. The limit is ${MAX_REASON_LENGTH} characters`,
    );
  return reason || null;
}

/**
 * Cleans a required reason.
 * @param missing Refusal for an empty reason: `no_words` if the sender reads it, `no_reason` if only the log
 * has it.
 */
export function requireReason(
  text: string,
  missing: 'no_reason' | 'no_words' = 'no_reason',
): string {
  const reason = normalizeReason(text);
  if (reason === null) throw refusal(missing);
  return reason;
}

/** The new state of one change and, if it is applied, the record that the agenda shows. */
export interface ChangeTransition extends Pick<ChangeStatus, 'state'> {
  readonly change: Change;
  /** Replaces the stored record. */
  readonly record?: object | undefined;
  /** Id of the agenda record, for changes stored before it existed. */
  readonly thing?: string | undefined;
}

/**
 * Applies the transitions that `chooseTransitions` returns and logs the decision, in one transaction; on disk
 * when it resolves. An applied change supersedes the earlier ones that listSupersededChanges finds.
 */
export async function recordDecision(
  inbox: Inbox,
  decision: NewDecision,
  chooseTransitions: () => Promise<readonly ChangeTransition[]>,
): Promise<void> {
  const { reason = null } = decision;
  await inbox.transaction(async () => {
    const transitions = await chooseTransitions();
    await logDecision(inbox, decision, null, async (decision_id) => {
      const outcomes = await Array.fromAsync(transitions, async (transition) => {
        const { change, state, record } = transition;
        const thing = transition.thing ?? change.thing;
        if (record !== undefined)
          await updateChange(inbox, change.id, { record: JSON.stringify(record), thing });

        const updated = { ...change, record: record ?? change.record, thing };
        const changes_agenda = state === 'applied' && updated.record !== null;
        const superseded = changes_agenda ? await listSupersededChanges(inbox, updated) : [];
        // A reopened change has no reason yet.
        const status = { state, decided: decision_id, reason: state === 'waiting' ? null : reason };
        return [
          createOutcome(change, status),
          ...superseded.map((other) => createOutcome(other, { state: 'replaced' })),
        ];
      });
      return outcomes.flat();
    });
  });
}

/** Runs `work` and logs the decision; without outcomes, it cannot be undone. */
export const recordDecisionWithoutChanges = (
  inbox: Inbox,
  decision: NewDecision,
  work: () => Promise<void>,
) =>
  recordDecision(inbox, decision, async () => {
    await work();
    return [];
  });

function createOutcome(change: Change, new_status: Partial<ChangeStatus>): ChangeOutcome {
  const { id, state, decided, reason } = change;
  const before = { state, decided, reason };
  return { id, before, after: { ...before, ...new_status } };
}

/** An editor's version of a record; a null record reverts it to its source. */
interface EditorChange extends Pick<NewChange, 'kind' | 'asks' | 'dates' | 'source'> {
  readonly door?: Change['door'];
  readonly thing: string;
  readonly record: object | null;
}

/** Applies an editor's own change at once. */
export function applyEditorChange(
  inbox: Inbox,
  decision: Omit<NewDecision, 'subject'>,
  { record, ...editor_change }: EditorChange,
): Promise<void> {
  const { thing, asks } = editor_change;
  return recordDecision(inbox, { ...decision, subject: thing }, async () => {
    if (record !== null) {
      const at = formatTimestamp(decision.now_ms);
      const change = await insertChange(inbox, {
        door: 'desk',
        ...editor_change,
        maker: 'editor',
        title: '',
        state: 'undone',
        at,
        record,
      });
      return [{ change, state: 'applied' }];
    }
    const applied = await listChanges(inbox, (query) =>
      query
        .where('thing', '=', thing)
        .where('asks', '=', asks)
        .where('maker', '=', 'editor')
        .where('state', '=', 'applied'),
    );
    return applied.map((change) => ({ change, state: 'replaced' as const }));
  });
}

/** Logs a decision and stores its outcomes, within a transaction. */
async function logDecision(
  inbox: Inbox,
  { editor, action, subject, now_ms, reason = null }: NewDecision,
  undoes: number | null,
  createOutcomes: (decision_id: number) => Promise<readonly ChangeOutcome[]>,
): Promise<void> {
  const at = formatTimestamp(now_ms);
  const id = await insertDecision(inbox, { at, editor, action, subject, reason, undoes });
  const outcomes = await createOutcomes(id);
  for (const { id: change_id, after } of outcomes)
    await updateChange(inbox, change_id, { ...after });
  const weight = await computeWeight(inbox, outcomes);
  await updateDecision(inbox, id, { outcomes: JSON.stringify(outcomes), weight });
  await enqueueDecisionNotice(inbox, { action, subject }, now_ms);
}

/** Returns `agenda` if the decision changes the agenda, `urgent` if it changes a status or a notice. */
async function computeWeight(
  inbox: Inbox,
  outcomes: readonly ChangeOutcome[],
): Promise<'none' | 'agenda' | 'urgent'> {
  const changed_ids = new Set(
    outcomes
      .filter(({ before, after }) => (before.state === 'applied') !== (after.state === 'applied'))
      .map(({ id }) => id),
  );
  // The agenda also shows a pending check of an event that disappeared from its source.
  const visible = (await listDecidedChanges(inbox, outcomes)).filter(
    ({ id, asks, door, record }) =>
      record === null ? asks === 'check' && door === 'source' : changed_ids.has(id),
  );
  if (visible.length === 0) return 'none';
  const is_urgent = visible.some(({ asks, kind }) => isStatusAction(asks) || kind === 'notice');
  return is_urgent ? 'urgent' : 'agenda';
}

const listDecidedChanges = (
  inbox: Inbox,
  outcomes: readonly ChangeOutcome[],
): Promise<readonly Change[]> => {
  const ids = outcomes.map(({ id }) => id);
  return listChanges(inbox, (query) => query.where('id', 'in', ids));
};

export interface UndoCheck {
  /** Null if the decision can be undone. */
  readonly refusal: UndoRefusal | null;
  /** Number of the decision that prevents the undo, if any. */
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

/**
 * Checks if a decision can be undone.
 * @param is_building A release is being built.
 */
export async function checkUndo(
  inbox: Inbox,
  { id, undone_at, outcomes }: Decision,
  is_building: boolean,
): Promise<UndoCheck> {
  const createCheck = (refusal: UndoRefusal | null, by: number | null = null) => ({ refusal, by });
  if (undone_at !== null) return createCheck('undone_already', await findUndoDecision(inbox, id));
  if (outcomes.length === 0) return createCheck('nothing_to_undo');
  const decided_ids = new Set(outcomes.map((outcome) => outcome.id));
  const changes = await listDecidedChanges(inbox, outcomes);
  const others = (await Array.fromAsync(changes, (change) => listRelatedChanges(inbox, change)))
    .flat()
    .filter((other) => !decided_ids.has(other.id) && other.state !== 'undone');
  const later = [...changes, ...others]
    .map(({ decided }) => decided ?? 0)
    .filter((decision_id) => decision_id > id);
  if (later.length > 0) return createCheck('decided_since', Math.max(...later));
  const newest_id = Math.max(...decided_ids);
  const is_answered =
    others.some((other) => other.reference !== null && other.id > newest_id) ||
    changes.some(({ state }) => state === 'taken_back');
  if (is_answered) return createCheck('sender_has_answered');
  const current_states = new Map(changes.map((change) => [change.id, change.state]));
  if (outcomes.some(({ id: change, after }) => current_states.get(change) !== after.state))
    return createCheck('changed_since');
  const has_earlier_version = outcomes.some(({ before }) => before.state === 'applied');
  const first_publications = has_earlier_version ? [] : changes.filter(isFirstPublication);
  const are_public = await Array.fromAsync(first_publications, (change) =>
    wasShownByRelease(inbox, change),
  );
  if (are_public.includes(true)) return createCheck('public_already');
  // That build may already contain the record, which the next release must not lose.
  return createCheck(first_publications.length > 0 && is_building ? 'release_under_way' : null);
}

/** Checks if a change put a new record into the agenda: undoing it would remove the record. */
const isFirstPublication = ({ state, asks, kind, maker, record }: Change): boolean =>
  state === 'applied' &&
  record !== null &&
  asks === 'publish' &&
  (kind === 'notice' || maker === 'sender');

/** Checks if a release has shown the record: published records are never deleted (contract 5.5). */
const wasShownByRelease = (inbox: Inbox, { kind, thing, reference }: Change): Promise<boolean> =>
  kind === 'notice'
    ? wasNoticeReleased(inbox, deskNoticeId(thing ?? ''))
    : wasReleased(inbox, submittedEventId(reference ?? ''));

/** Undoes a decision, as a new decision that can itself be undone. */
export const undoDecision = (
  inbox: Inbox,
  id: number,
  actor: Actor,
  is_building = false,
): Promise<Decision> =>
  inbox.transaction(async (): Promise<Decision> => {
    const decision = await getDecision(inbox, id);
    if (decision === null) throw refusal('no_such_decision');
    const { refusal: undo_refusal } = await checkUndo(inbox, decision, is_building);
    if (undo_refusal !== null) throw refusal(undo_refusal);
    const { subject, undoes } = decision;
    await logDecision(inbox, { ...actor, action: 'undo', subject }, id, async () =>
      decision.outcomes.map(({ id: change_id, before, after }) => ({
        id: change_id,
        before: after,
        after: before,
      })),
    );
    await updateDecision(inbox, id, { undone_at: formatTimestamp(actor.now_ms) });
    if (undoes !== null) await updateDecision(inbox, undoes, { undone_at: null });
    return decision;
  });

/** Checks if an editor may reopen a change: only its sender can revive a withdrawn one. */
export const canReopen = (change: Change): boolean =>
  change.state !== 'waiting' && getSubmissionState(change) !== 'withdrawn';

/** Returns a decided change to the review queue; a published version stays up until the next decision. */
export async function reopenChange(inbox: Inbox, actor: Actor, reference: string, reason: string) {
  const decision = { ...actor, action: 'reopen', reason: requireReason(reason) } as const;
  await recordDecision(inbox, { ...decision, subject: reference.toUpperCase() }, async () => {
    const change = await getCurrentChange(inbox, reference);
    if (change === null) throw refusal('no_such_submission');
    if (!canReopen(change)) throw refusal('not_decided');
    // A published submission is reopened as an edit.
    const is_edit = change.is_published && getSubmissionState(change) === 'approved';
    const asks = is_edit ? 'edit' : change.asks;
    const next = await insertFollowUpChange(inbox, change, { asks, state: 'undone' });
    return [{ change: next, state: 'waiting' }];
  });
}
