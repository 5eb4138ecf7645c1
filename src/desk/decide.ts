// A decision: changes are settled, and it is logged who did it, when, why, and how each stood before and after,
// so that it can be undone (contract 14.17).
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { isStatusAsk, type Outcome } from '../domain/change.ts';
import type { Actor, Decision, DecisionAction, UndoRefusal } from '../domain/decision.ts';
import { toCleanLine } from '../domain/clean-text.ts';
import {
  type Change,
  getChange,
  insertChange,
  listChanges,
  listReplaced,
  listRelated,
  type NewChange,
  setRecord,
  setStanding,
  type Settlement,
} from '../inbox/changes.ts';
import {
  findUndoing,
  getDecision,
  insertDecision,
  listOutcomes,
  markUndone,
  setOutcomes,
  type Weight,
} from '../inbox/decisions.ts';
import { isNoticeReleased, isReleased } from '../inbox/ledger.ts';
import { inTurn } from '../inbox/in-turn.ts';
import type { Inbox } from '../inbox/open.ts';
import { toDeskNoticeId, toSubmittedEventId } from '../sources/inbox/merge-inbox.ts';
import { queueDecided } from './mail.ts';
import { checkReason } from './reason.ts';

/** What somebody decides, on what, why. */
export interface NewDecision extends Actor {
  readonly action: DecisionAction;
  /** The reference of what was sent in, or the id of a thing. */
  readonly subject: string;
  readonly reason: string | null;
}

/**
 * Settles the changes that `choose` names, which may do other work too, and logs it; on disk when this returns.
 * What is applied stands in the place of what was applied of the same matter.
 */
export async function decide(
  inbox: Inbox,
  decision: NewDecision,
  choose: () => Promise<readonly Settlement[]>,
): Promise<void> {
  await inbox.transaction(async () => {
    const settled = await choose();
    const { reason } = decision;
    await log(inbox, decision, null, async (decided) => {
      const outcomes = await inTurn(settled, async (settlement) => {
        const { change, state } = settlement;
        await setRecord(inbox, settlement);
        const now = (await getChange(inbox, change.id)) ?? change;
        const replaced =
          state === 'applied' && now.record !== null ? await listReplaced(inbox, now) : [];
        return [
          {
            id: change.id,
            before: toStanding(change),
            after: { state, decided, reason: state === 'waiting' ? null : reason },
          },
          ...replaced.map((other): Outcome => {
            const before = toStanding(other);
            return { id: other.id, before, after: { ...before, state: 'replaced' } };
          }),
        ];
      });
      return outcomes.flat();
    });
  });
}

/** What an editor does of her own. */
interface OwnChange extends Pick<NewChange, 'kind' | 'asks' | 'dates' | 'source'> {
  readonly thing: string;
  readonly record: object;
}

/** Within a decision: an editor's own change, to be applied. */
export async function insertOwn(
  inbox: Inbox,
  own: OwnChange,
  now_ms: number,
): Promise<readonly Settlement[]> {
  const by = { maker: 'editor', door: 'desk', title: '', state: 'undone' } as const;
  const id = await insertChange(inbox, { ...own, ...by, at: formatTimestamp(now_ms) });
  const change = await getChange(inbox, id);
  return change === null ? [] : [{ change, state: 'applied' }];
}

/** Within a decision: nothing more is said of a thing by editors. */
export const endOwn = async (
  inbox: Inbox,
  { thing, asks }: Pick<OwnChange, 'thing' | 'asks'>,
): Promise<readonly Settlement[]> =>
  (
    await listChanges(inbox, (query) =>
      query
        .where('thing', '=', thing)
        .where('asks', '=', asks)
        .where('maker', '=', 'editor')
        .where('state', '=', 'applied'),
    )
  ).map((change) => ({ change, state: 'replaced' }));

const toStanding = ({ state, decided, reason }: Change): Outcome['before'] => ({
  state,
  decided,
  reason,
});

/** Within a transaction: logs what comes of a decision, and carries it out. */
async function log(
  inbox: Inbox,
  { now_ms, ...decision }: NewDecision,
  undoes: number | null,
  toOutcomes: (number: number) => Promise<readonly Outcome[]>,
): Promise<void> {
  const id = await insertDecision(inbox, { ...decision, undoes, at: formatTimestamp(now_ms) });
  const outcomes = await toOutcomes(id);
  for (const { id: change, after } of outcomes) await setStanding(inbox, change, after);
  await setOutcomes(inbox, id, outcomes, await weigh(inbox, outcomes));
  await queueDecided(inbox, { ...decision, id }, now_ms);
}

/** What it means for the agenda. */
async function weigh(inbox: Inbox, outcomes: readonly Outcome[]): Promise<Weight> {
  const moved = outcomes.filter(
    ({ before, after }) => (before.state === 'applied') !== (after.state === 'applied'),
  );
  const told = (await listOf(inbox, moved)).filter(({ record }) => record !== null);
  if (told.length === 0) return 'none';
  return told.some(({ asks, kind }) => isStatusAsk(asks) || kind === 'notice')
    ? 'urgent'
    : 'agenda';
}

/** The changes that a decision settled. */
const listOf = async (inbox: Inbox, outcomes: readonly Outcome[]): Promise<readonly Change[]> =>
  (await inTurn(outcomes, ({ id }) => getChange(inbox, id))).filter((change) => change !== null);

/** Whether a decision can be undone. */
export interface UndoCheck {
  /** Null where it can. */
  readonly refusal: UndoRefusal | null;
  /** The number of the decision that is in the way; null where none is. */
  readonly by: number | null;
}

/** Whether a decision can be undone now; `is_building` while a release is being built. */
export async function checkUndo(
  inbox: Inbox,
  decision: Decision,
  is_building: boolean,
): Promise<UndoCheck> {
  const { id } = decision;
  if (decision.undone_at !== null)
    return { refusal: 'undone_already', by: await findUndoing(inbox, id) };
  const outcomes = await listOutcomes(inbox, id);
  if (outcomes.length === 0) return { refusal: 'nothing_to_undo', by: null };
  const own = new Set(outcomes.map((outcome) => outcome.id));
  const changes = await listOf(inbox, outcomes);
  const others = (await inTurn(changes, (change) => listRelated(inbox, change)))
    .flat()
    .filter((other) => !own.has(other.id) && other.state !== 'undone');
  const later = [...changes, ...others]
    .map(({ decided }) => decided ?? 0)
    .filter((number) => number > id);
  if (later.length > 0) return { refusal: 'decided_since', by: Math.max(...later) };
  const newest = Math.max(...own);
  const is_answered =
    others.some((other) => other.reference !== null && other.id > newest) ||
    changes.some(({ state }) => state === 'taken_back');
  if (is_answered) return { refusal: 'sender_has_answered', by: null };
  const states = new Map(changes.map((change) => [change.id, change.state]));
  if (outcomes.some(({ id: change, after }) => states.get(change) !== after.state))
    return { refusal: 'changed_since', by: null };
  const published = listFirstPublications(outcomes, changes);
  if ((await inTurn(published, (change) => isPublic(inbox, change))).includes(true))
    return { refusal: 'public_already', by: null };
  // It has read the inbox, or is about to: what it shows must not be gone with the next one.
  if (published.length > 0 && is_building) return { refusal: 'release_under_way', by: null };
  return { refusal: null, by: null };
}

/** Those by which a thing is there that was not there before: undone, they would take it away. */
function listFirstPublications(
  outcomes: readonly Outcome[],
  changes: readonly Change[],
): readonly Change[] {
  const applied = new Set(
    outcomes.filter(({ after }) => after.state === 'applied').map(({ id }) => id),
  );
  const is_in_place = outcomes.some(({ before }) => before.state === 'applied');
  return is_in_place
    ? []
    : changes.filter(
        ({ id, asks, kind, maker, record }) =>
          applied.has(id) &&
          record !== null &&
          asks === 'publish' &&
          (kind === 'notice' || maker === 'sender'),
      );
}

/** Whether a release has shown the thing: nothing that was published is deleted (contract 5.5). */
const isPublic = async (inbox: Inbox, { kind, thing, reference }: Change): Promise<boolean> =>
  kind === 'notice'
    ? await isNoticeReleased(inbox, toDeskNoticeId(thing ?? ''))
    : await isReleased(inbox, toSubmittedEventId(reference ?? ''));

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
 * Undoes a decision by its number, as a decision of its own: undone, that one gives back what it took. Throws
 * AppError, its reason the refusal, where that cannot be.
 */
export function undo(
  inbox: Inbox,
  id: number,
  { editor, now_ms }: Actor,
  { is_building = false, reason = '' }: UndoSettings = {},
): Promise<Decision> {
  const words = checkReason(toCleanLine(reason), 'log') || null;
  return inbox.transaction(async (): Promise<Decision> => {
    const decision = await getDecision(inbox, id);
    const { refusal, by } =
      decision === null
        ? ({ refusal: 'no_such_decision', by: null } as const)
        : await checkUndo(inbox, decision, is_building);
    if (decision === null || refusal !== null) throw toError(refusal ?? 'no_such_decision', by);
    const { subject, undoes } = decision;
    await log(inbox, { editor, now_ms, action: 'undo', subject, reason: words }, id, async () =>
      (await listOutcomes(inbox, id)).map(({ before, after, ...change }) => ({
        ...change,
        before: after,
        after: before,
      })),
    );
    await markUndone(inbox, id, formatTimestamp(now_ms));
    if (undoes !== null) await markUndone(inbox, undoes, null);
    return decision;
  });
}

const toError = (refusal: UndoRefusal, by: number | null): AppError =>
  new AppError(
    refusal === 'no_such_decision' ? 'not_found' : 'invalid_parameter',
    `undo: ${SENTENCES[refusal]}${by === null ? '' : ` (number ${by})`}`,
    refusal,
  );
