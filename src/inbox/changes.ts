// The table of changes: what anybody asks of the agenda, and how it stands. Rows are added; of what is there
// only its standing changes, and private words go (contract 14.26).
import type { SelectQueryBuilder, Updateable } from 'kysely';
import * as v from 'valibot';
import { isStatusAsk } from '../domain/change.ts';
import type { Inbox } from './open.ts';
import { ChangeRow, type Tables } from './tables.ts';

export type Change = Readonly<v.InferOutput<typeof ChangeRow>>;

const COLUMNS = Object.keys(ChangeRow.entries) as (keyof typeof ChangeRow.entries)[];

/** A question for changes, to be narrowed and put in order. */
export type ChangeQuery = SelectQueryBuilder<Tables, 'changes', v.InferInput<typeof ChangeRow>>;

/** Those that a question finds. */
export const listChanges = async (
  inbox: Inbox,
  ask: (query: ChangeQuery) => ChangeQuery,
): Promise<readonly Change[]> =>
  v.parse(v.array(ChangeRow), await ask(inbox.db.selectFrom('changes').select(COLUMNS)).execute());

/** The one that stands for a reference, in any case: the newest that is neither replaced nor undone. */
export async function getCurrent(inbox: Inbox, reference: string): Promise<Change | null> {
  const [found] = await listChanges(inbox, (query) =>
    query
      .where('reference', '=', reference.toUpperCase())
      .where('state', 'not in', ['replaced', 'undone'])
      .orderBy('id', 'desc')
      .limit(1),
  );
  return found ?? null;
}

export type NewChange = Pick<Change, 'at' | 'maker' | 'door' | 'kind' | 'asks' | 'title'> &
  Partial<Omit<Change, 'id' | 'dates'>> & {
    readonly dates?: readonly string[] | null;
    /** Of its first text, and of the token of its address. */
    readonly digest?: string;
    readonly token_hash?: string;
  };

const toJson = (value: unknown): string | null | undefined =>
  value === null || value === undefined ? value : JSON.stringify(value);

export async function insertChange(inbox: Inbox, change: NewChange): Promise<Change> {
  const inserted = await inbox.db
    .insertInto('changes')
    .values({
      ...change,
      dates: toJson(change.dates),
      text: toJson(change.text),
      draft: toJson(change.draft),
      record: toJson(change.record),
      source: toJson(change.source),
      is_doubtful: Number(change.is_doubtful ?? false),
      is_forgotten: Number(change.is_forgotten ?? false),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return v.parse(ChangeRow, inserted);
}

export async function updateChange(
  inbox: Inbox,
  id: number,
  changed: Updateable<Tables['changes']>,
): Promise<void> {
  await inbox.db.updateTable('changes').set(changed).where('id', '=', id).execute();
}

/** The same asked otherwise: what is not said anew stays as it was. It waits. */
export function continueChange(
  inbox: Inbox,
  { id: _, ...before }: Change,
  changed: Partial<NewChange>,
): Promise<Change> {
  const open = { state: 'waiting', decided: null, reason: null, record: null } as const;
  return insertChange(inbox, { ...before, ...open, ...changed });
}

/** Whether it says what a thing is: a status says when it is off. */
export const isSaid = ({ asks }: Change): boolean => asks === 'publish' || asks === 'edit';
const isSame = (one: string | null, other: string | null): boolean => one !== null && one === other;

/** Whether one stands in the place of the other: both say what a thing is, or its status on the same days. */
const isInPlace = (one: Change, other: Change): boolean =>
  isSaid(one)
    ? isSaid(other) && (isSame(one.reference, other.reference) || isSame(one.thing, other.thing))
    : isStatusAsk(one.asks) &&
      isStatusAsk(other.asks) &&
      isSame(one.thing, other.thing) &&
      String(one.dates) === String(other.dates);

/** The others under the same reference, and those about the same. */
export async function listRelated(inbox: Inbox, change: Change): Promise<readonly Change[]> {
  const { id, reference, thing } = change;
  const others = await listChanges(inbox, (query) =>
    query
      .where((is) => is.or([is('reference', '=', reference ?? ''), is('thing', '=', thing ?? '')]))
      .where('id', '<>', id)
      .orderBy('id'),
  );
  return others.filter((other) => isSame(reference, other.reference) || isInPlace(change, other));
}

/** The applied ones in whose place a change stands once it is applied. */
export const listReplaced = async (inbox: Inbox, change: Change): Promise<readonly Change[]> =>
  (await listRelated(inbox, change)).filter(
    (other) => other.state === 'applied' && other.record !== null && isInPlace(change, other),
  );
