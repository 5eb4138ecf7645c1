// Decisions: applies an editor's decision to changes (stored proposals to alter the agenda) and
// logs its editor, time and reason, with the status of each change before and after, so that it can
// be undone. Also applies editors' own changes and reopens decided ones (contract 14.17). Columns
// of a change (domain/change.ts): `thing` is the id of its record, `asks` the requested action,
// `maker` the role of its author, `door` the channel it came through, `decided` the id of the
// decision.
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
  /** For the sender, or only for the log; see requireReason. */
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
 * @param missing Refusal for an empty reason: `no_words` if the sender reads it, `no_reason` if
 * only the log has it.
 */
export function requireReason(
  text: string,
  missing: 'no_reason' | 'no_words' = 'no_reason',
): string {
  const reason = normalizeReason(text);
  if (reason === null) throw refusal(missing);
  return reason;
}

/** The new state of one change and, if it is applied, its record. */
export interface ChangeTransition extends Pick<ChangeStatus, 'state'> {
  readonly change: Change;
  /** Content that the agenda will show; replaces the stored `record` of the change. */
  readonly record?: object | undefined;
  /** Id of the record, if the change was stored before the record had one. */
  readonly thing?: string | undefined;
}

/**
 * Applies the transitions that `chooseTransitions` returns and logs the decision, in one
 * transaction. The promise resolves after the commit. An applied change supersedes the earlier ones
 * that listSupersededChanges finds: their state becomes `replaced`.
 */
export async function recordDecision(
  inbox: Inbox,
  decision: NewDecision,
  chooseTransitions: () => Promise<readonly ChangeTransition[]>,
): Promise<void> {
  const { reason = null } = decision;
  await inbox.transaction(async () => {
    const transitions = await chooseTransitions();
    const undoes = null;
    await logDecision(inbox, decision, undoes, async (decision_id) => {
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

/** Runs `work` and logs a decision that concerns no change, so that it cannot be undone. */
export const recordDecisionWithoutChanges = (
  inbox: Inbox,
  decision: NewDecision,
  work: () => Promise<void>,
) =>
  recordDecision(inbox, decision, async () => {
    await work();
    return [];
  });

/**
 * Returns the status of a change before and after a decision that sets the fields of `new_status`.
 */
function createOutcome(change: Change, new_status: Partial<ChangeStatus>): ChangeOutcome {
  const { id, state, decided, reason } = change;
  const before = { state, decided, reason };
  return { id, before, after: { ...before, ...new_status } };
}

interface EditorChange extends Pick<NewChange, 'kind' | 'asks' | 'dates' | 'source'> {
  /** Default: `desk`. */
  readonly door?: Change['door'];
  readonly thing: string;
  /**
   * The editor's version of the record; null supersedes earlier versions: the source is shown
   * again.
   */
  readonly record: object | null;
}

/**
 * Stores an editor's own change and applies it at once. It is stored as `undone`, and the decision
 * applies it: so undoing the decision returns it to `undone`, in which it has no effect.
 */
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

/**
 * Logs a decision and stores its outcomes, within a transaction.
 * @param undoes Id of the decision that this one undoes, or null.
 */
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
  // `weight`: the urgency of a release.
  const weight = await computeReleaseUrgency(inbox, outcomes);
  await updateDecision(inbox, id, { outcomes: JSON.stringify(outcomes), weight });
  await enqueueDecisionNotice(inbox, { action, subject }, now_ms);
}

/**
 * Computes if a decision needs a release.
 * @returns `none` if the agenda stays the same; `urgent`, for an immediate release, if an event's
 * status or a notice changes; `agenda`, for the next release, if other content changes.
 */
async function computeReleaseUrgency(
  inbox: Inbox,
  outcomes: readonly ChangeOutcome[],
): Promise<'none' | 'agenda' | 'urgent'> {
  const ids_applied_or_unapplied = new Set(
    outcomes
      .filter(({ before, after }) => (before.state === 'applied') !== (after.state === 'applied'))
      .map(({ id }) => id),
  );
  const changes = await listDecidedChanges(inbox, outcomes);
  const visible_changes = changes.filter((change) =>
    change.record === null ? isReportedMissing(change) : ids_applied_or_unapplied.has(change.id),
  );
  if (visible_changes.length === 0) return 'none';
  const is_urgent = visible_changes.some(
    ({ asks, kind }) => isStatusAction(asks) || kind === 'notice',
  );
  return is_urgent ? 'urgent' : 'agenda';
}

/** Checks if a source reports that it no longer lists an event, which its page states at once. */
const isReportedMissing = ({ asks, door }: Change): boolean =>
  asks === 'check' && door === 'source';

/** Lists the changes of a decision, in their current state. */
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
  /** Id of the decision that prevents the undo; null if no decision does. */
  readonly blocking_decision_id: number | null;
}
/**
 * Reasons why a decision cannot be undone:
 * - `undone_already`; `nothing_to_undo`: it changed the state of no change.
 * - `decided_since`: a later decision concerns the same changes or records.
 * - `sender_has_answered`: the sender has sent a newer version, or withdrawn.
 * - `changed_since`: a change is not in the state any more that the decision gave it.
 * - `public_already`: a release has shown the record, which must not disappear; it can be withdrawn
 *   instead.
 * - `release_under_way`: the release that is being built may show it.
 */
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
  const createCheck = (
    refusal: UndoRefusal | null,
    blocking_decision_id: number | null = null,
  ) => ({
    refusal,
    blocking_decision_id,
  });
  if (undone_at !== null) return createCheck('undone_already', await findUndoDecision(inbox, id));
  if (outcomes.length === 0) return createCheck('nothing_to_undo');

  const changes = await listDecidedChanges(inbox, outcomes);
  const related_changes = await listOtherRelatedChanges(inbox, changes, outcomes);
  const later_decision_ids = [...changes, ...related_changes]
    .map(({ decided }) => decided ?? 0)
    .filter((decision_id) => decision_id > id);
  if (later_decision_ids.length > 0)
    return createCheck('decided_since', Math.max(...later_decision_ids));

  const newest_change_id = Math.max(...outcomes.map((outcome) => outcome.id));
  const has_newer_version = related_changes.some(
    (change) => change.reference !== null && change.id > newest_change_id,
  );
  const is_withdrawn = changes.some(({ state }) => state === 'taken_back');
  if (has_newer_version || is_withdrawn) return createCheck('sender_has_answered');

  const current_states = new Map(changes.map((change) => [change.id, change.state]));
  if (outcomes.some(({ id: change_id, after }) => current_states.get(change_id) !== after.state))
    return createCheck('changed_since');

  // If the decision superseded an applied version, undoing it shows that version again: no record
  // disappears.
  const has_earlier_version = outcomes.some(({ before }) => before.state === 'applied');
  const first_publications = has_earlier_version ? [] : changes.filter(isFirstPublication);
  const are_public = await Array.fromAsync(first_publications, (change) =>
    wasShownByRelease(inbox, change),
  );
  if (are_public.includes(true)) return createCheck('public_already');
  return createCheck(first_publications.length > 0 && is_building ? 'release_under_way' : null);
}

/**
 * Lists the changes with the same reference or target as the changes of a decision, except these.
 */
async function listOtherRelatedChanges(
  inbox: Inbox,
  changes: readonly Change[],
  outcomes: readonly ChangeOutcome[],
): Promise<readonly Change[]> {
  const decided_ids = new Set(outcomes.map(({ id }) => id));
  const related = await Array.fromAsync(changes, (change) => listRelatedChanges(inbox, change));
  return related.flat().filter(({ id, state }) => !decided_ids.has(id) && state !== 'undone');
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

/**
 * Undoes a decision, as a new decision that can itself be undone.
 * @throws AppError if there is no such decision, or with the reason that checkUndo returns.
 */
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

/**
 * Checks if an editor may reopen a change: only its sender can reopen a withdrawn or superseded
 * one.
 */
export const canReopen = (change: Change): boolean =>
  change.state !== 'waiting' && getSubmissionState(change) !== 'withdrawn';

/**
 * Returns a decided change to the review queue; a published version stays up until the next
 * decision.
 */
export async function reopenChange(inbox: Inbox, actor: Actor, reference: string, reason: string) {
  const decision = { ...actor, action: 'reopen', reason: requireReason(reason) } as const;
  await recordDecision(inbox, { ...decision, subject: reference.toUpperCase() }, async () => {
    const change = await getCurrentChange(inbox, reference);
    if (change === null) throw refusal('no_such_submission');
    if (!canReopen(change)) throw refusal('not_decided');
    // A published submission is reopened as an edit.
    const is_edit = change.is_published && getSubmissionState(change) === 'approved';
    const asks = is_edit ? 'edit' : change.asks;
    // Stored as `undone` until the decision sets `waiting`, so that the decision can be undone.
    const reopened = await insertFollowUpChange(inbox, change, { asks, state: 'undone' });
    return [{ change: reopened, state: 'waiting' }];
  });
}
