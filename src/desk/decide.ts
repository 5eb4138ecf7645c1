// A decision: changes are settled, and it is logged who did it, when, why, and how each stood before and after,
// so that it can be undone (contract 14.17); and what was decided, taken up again (14.17).
import { refusal } from '../domain/app-error.ts';
import {
  type Change,
  toSubmissionState,
  isStatusAsk,
  type Outcome,
  type Standing,
  type Actor,
  type Decision,
  type DecisionAction,
} from '../domain/change.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import {
  continueChange,
  getCurrent,
  insertChange,
  listChanges,
  listReplaced,
  listRelated,
  type NewChange,
  updateChange,
} from '../inbox/changes.ts';
import { findUndoing, getDecision, insertDecision, updateDecision } from '../inbox/decisions.ts';
import { isNoticeReleased, isReleased } from '../inbox/ledger.ts';
import { queueDecided } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { needReason } from './refusal.ts';
import { toDeskNoticeId, toSubmittedEventId } from '../sources/inbox/merge-inbox.ts';

/** What somebody decides, on what, why. */
export interface NewDecision extends Actor {
  readonly action: DecisionAction;
  /** The reference of what was sent in, or the id of a thing. */
  readonly subject: string;
  readonly reason?: string | null;
}

/** How a change is to stand, and what the agenda is told by it from then on. */
export interface Settlement extends Pick<Standing, 'state'> {
  readonly change: Change;
  readonly record?: object;
  /** Known only now. */
  readonly thing?: string;
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
    await log(inbox, decision, null, async (decided) => {
      const outcomes = await Array.fromAsync(settled, async ({ change, state, record, thing }) => {
        const said = { ...change, record: record ?? change.record, thing: thing ?? change.thing };
        if (record !== undefined)
          await updateChange(inbox, change.id, {
            record: JSON.stringify(record),
            thing: said.thing,
          });
        const is_told = state === 'applied' && said.record !== null;
        const replaced = is_told ? await listReplaced(inbox, said) : [];
        const reason = state === 'waiting' ? null : (decision.reason ?? null);
        const own: Outcome = {
          id: change.id,
          before: toStanding(change),
          after: { state, decided, reason },
        };
        const others = replaced.map((other): Outcome => {
          const before = toStanding(other);
          return { id: other.id, before, after: { ...before, state: 'replaced' } };
        });
        return [own, ...others];
      });
      return outcomes.flat();
    });
  });
}

/** Decides something that settles no change, and so cannot be undone. */
export const decideOnly = (inbox: Inbox, decision: NewDecision, work: () => Promise<void>) =>
  decide(inbox, decision, async () => {
    await work();
    return [];
  });

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
  const change = await insertChange(inbox, { ...own, ...by, at: formatTimestamp(now_ms) });
  return [{ change, state: 'applied' }];
}

/** Within a decision: nothing more is said of a thing by editors. */
export async function endOwn(
  inbox: Inbox,
  { thing, asks }: Pick<OwnChange, 'thing' | 'asks'>,
): Promise<readonly Settlement[]> {
  const own = await listChanges(inbox, (query) =>
    query
      .where('thing', '=', thing)
      .where('asks', '=', asks)
      .where('maker', '=', 'editor')
      .where('state', '=', 'applied'),
  );
  return own.map((change) => ({ change, state: 'replaced' }));
}

const toStanding = ({ state, decided, reason }: Change): Standing => ({ state, decided, reason });

/** Within a transaction: logs what comes of a decision, and carries it out. */
async function log(
  inbox: Inbox,
  { now_ms, reason = null, ...decision }: NewDecision,
  undoes: number | null,
  toOutcomes: (number: number) => Promise<readonly Outcome[]>,
): Promise<void> {
  const logged = { ...decision, reason, undoes, at: formatTimestamp(now_ms) };
  const id = await insertDecision(inbox, logged);
  const outcomes = await toOutcomes(id);
  for (const { id: change, after } of outcomes) await updateChange(inbox, change, { ...after });
  const weight = await weigh(inbox, outcomes);
  await updateDecision(inbox, id, { outcomes: JSON.stringify(outcomes), weight });
  await queueDecided(inbox, decision, now_ms);
}

/** What it means for the agenda. */
async function weigh(
  inbox: Inbox,
  outcomes: readonly Outcome[],
): Promise<'none' | 'agenda' | 'urgent'> {
  const moved = outcomes.filter(
    ({ before, after }) => (before.state === 'applied') !== (after.state === 'applied'),
  );
  const told = (await listSettled(inbox, moved)).filter(({ record }) => record !== null);
  if (told.length === 0) return 'none';
  const is_urgent = told.some(({ asks, kind }) => isStatusAsk(asks) || kind === 'notice');
  return is_urgent ? 'urgent' : 'agenda';
}

/** The changes that a decision settled. */
const listSettled = (inbox: Inbox, outcomes: readonly Outcome[]): Promise<readonly Change[]> => {
  const ids = outcomes.map(({ id }) => id);
  return listChanges(inbox, (query) => query.where('id', 'in', ids));
};

type UndoRefusal =
  | 'undone_already'
  | 'nothing_to_undo'
  | 'decided_since'
  | 'sender_has_answered'
  | 'changed_since'
  | 'public_already'
  | 'release_under_way';

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
  const { outcomes } = decision;
  if (outcomes.length === 0) return { refusal: 'nothing_to_undo', by: null };
  const own = new Set(outcomes.map((outcome) => outcome.id));
  const changes = await listSettled(inbox, outcomes);
  const others = (await Array.fromAsync(changes, (change) => listRelated(inbox, change)))
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
  if ((await Array.fromAsync(published, (change) => isPublic(inbox, change))).includes(true))
    return { refusal: 'public_already', by: null };
  // It has read the inbox, or is about to: what it shows must not be gone with the next one.
  if (published.length > 0 && is_building) return { refusal: 'release_under_way', by: null };
  return { refusal: null, by: null };
}

/** Those by which a thing is there that was not there before: undone, they would take it away. */
function listFirstPublications(outcomes: readonly Outcome[], changes: readonly Change[]) {
  if (outcomes.some(({ before }) => before.state === 'applied')) return [];
  return changes.filter(
    ({ state, asks, kind, maker, record }) =>
      state === 'applied' &&
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

/** Undoes a decision as a decision of its own: undone, that one gives back what it took. */
export function undo(
  inbox: Inbox,
  id: number,
  actor: Actor,
  is_building = false,
): Promise<Decision> {
  return inbox.transaction(async (): Promise<Decision> => {
    const decision = await getDecision(inbox, id);
    if (decision === null) throw refusal('no_such_decision');
    const { refusal: refused } = await checkUndo(inbox, decision, is_building);
    if (refused !== null) throw refusal(refused);
    const { subject, undoes } = decision;
    await log(inbox, { ...actor, action: 'undo', subject }, id, async () =>
      decision.outcomes.map(({ before, after, ...change }) => ({
        ...change,
        before: after,
        after: before,
      })),
    );
    await updateDecision(inbox, id, { undone_at: formatTimestamp(actor.now_ms) });
    if (undoes !== null) await updateDecision(inbox, undoes, { undone_at: null });
    return decision;
  });
}

/** Whether an editor may take it up again: what its sender took back is the sender's. */
export const isReopenable = (change: Change): boolean =>
  change.state !== 'waiting' && toSubmissionState(change) !== 'withdrawn';

/** Lets what was decided wait again; what is published stays so until the next decision. Gives its reference. */
export async function reopen(
  inbox: Inbox,
  actor: Actor,
  reference: string,
  words: string,
): Promise<string> {
  const reason = needReason(words);
  const subject = (await getCurrent(inbox, reference))?.reference ?? null;
  if (subject === null) throw refusal('no_such_submission');
  await decide(inbox, { ...actor, action: 'reopen', subject, reason }, async () => {
    const change = await getCurrent(inbox, subject);
    if (change === null || !isReopenable(change)) throw refusal('not_decided');
    // A text that is published is reopened to be changed.
    const is_change = change.is_published && toSubmissionState(change) === 'approved';
    const asks = is_change ? 'edit' : change.asks;
    const next = await continueChange(inbox, change, { asks, state: 'undone' });
    return [{ change: next, state: 'waiting' }];
  });
  return subject;
}
