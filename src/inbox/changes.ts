// The table of changes: what anybody asks of the agenda, and how it stands. Rows are added; of what is there
// only its standing changes, and private words go (contract 14.26).
import * as v from 'valibot';
import {
  CHANGE_ASKS,
  CHANGE_DOORS,
  CHANGE_MAKERS,
  CHANGE_STATES,
  isStatusAsk,
  type Standing,
} from '../domain/change.ts';
import { HISTORY_KINDS } from '../domain/history.ts';
import type { Inbox } from './open.ts';

const json = <S extends v.GenericSchema>(schema: S) =>
  v.nullable(v.pipe(v.string(), v.parseJson(), schema));
/** A column that is 1 or 0. */
export const flag = v.pipe(
  v.number(),
  v.transform((one) => one === 1),
);

export const ChangeRow = v.object({
  id: v.number(),
  /** When it was asked for: timestamp. */
  at: v.string(),
  maker: v.picklist(CHANGE_MAKERS),
  door: v.picklist(CHANGE_DOORS),
  kind: v.picklist(HISTORY_KINDS),
  /** The id of what it is about; null where that is known by the reference alone. */
  thing: v.nullable(v.string()),
  /** `HC-7K3M9Q`: the same for all that is asked under one token; null of an editor's own. */
  reference: v.nullable(v.string()),
  /** From 1; one more with each thing that its sender asks. */
  revision: v.number(),
  asks: v.picklist(CHANGE_ASKS),
  title: v.string(),
  /** The days that are meant, YYYY-MM-DD; null is all of it. */
  dates: json(v.array(v.string())),
  /** The sender's words to the desk. */
  message: v.nullable(v.string()),
  /** As whoever asks wrote it. */
  text: json(v.unknown()),
  /** An editor's work on the text, by control. */
  draft: json(v.record(v.string(), v.string())),
  /** What the agenda is told by it; null until it was applied once. */
  record: json(v.unknown()),
  /** Of an edit, what the source said then. */
  source: json(v.unknown()),
  state: v.picklist(CHANGE_STATES),
  /** The number of the decision by which it stands so. */
  decided: v.nullable(v.number()),
  reason: v.nullable(v.string()),
  is_doubtful: flag,
  /** What is private of it was erased. */
  is_forgotten: flag,
  /** The calendar that it came with, by what name, saying what. */
  batch: v.nullable(v.number()),
  uid: v.nullable(v.string()),
  uid_digest: v.nullable(v.string()),
});
export type Change = Readonly<v.InferOutput<typeof ChangeRow>>;

const COLUMNS = Object.keys(ChangeRow.entries);
const SELECT = `select ${COLUMNS.join(', ')} from changes`;

/** Those that a condition is true of, in the order of its end. */
export const listChanges = (
  inbox: Inbox,
  where: string,
  ...values: readonly (string | number)[]
): readonly Change[] =>
  v.parse(v.array(ChangeRow), inbox.prepare(`${SELECT} where ${where}`).all(...values));

export const getChange = (inbox: Inbox, id: number): Change | null =>
  listChanges(inbox, 'id = ?', id)[0] ?? null;

/** The one that stands for a reference, in any case: the newest that is neither replaced nor undone. */
export const getCurrent = (inbox: Inbox, reference: string): Change | null =>
  listChanges(
    inbox,
    "reference = ? and state not in ('replaced', 'undone') order by id desc limit 1",
    reference.toUpperCase(),
  )[0] ?? null;

export type NewChange = Pick<Change, 'at' | 'maker' | 'door' | 'kind' | 'asks' | 'title'> &
  Partial<Omit<Change, 'id' | 'dates'>> & {
    readonly dates?: readonly string[] | null;
    /** Of its first text, and of the token of its address. */
    readonly digest?: string;
    readonly token_hash?: string;
  };

const toColumn = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
};

/** Gives its id. */
export function insertChange(inbox: Inbox, change: NewChange): number {
  const columns = Object.entries(change).filter(([, value]) => value !== undefined);
  const { lastInsertRowid } = inbox
    .prepare(
      `insert into changes (${columns.map(([name]) => name).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    .run(...columns.map(([, value]) => toColumn(value)));
  return Number(lastInsertRowid);
}

/** The same asked otherwise: what is not said anew stays as it was. It waits. Gives its id. */
export function continueChange(
  inbox: Inbox,
  { id: _, ...before }: Change,
  changed: Partial<NewChange>,
): number {
  const open = { state: 'waiting', decided: null, reason: null, record: null } as const;
  return insertChange(inbox, { ...before, ...open, ...changed });
}

/** How a change is to stand, and what the agenda is told by it from then on. */
export interface Settlement extends Pick<Standing, 'state'> {
  readonly change: Change;
  readonly record?: object;
  /** Known only now. */
  readonly thing?: string;
}

export function setStanding(inbox: Inbox, id: number, { state, decided, reason }: Standing): void {
  inbox
    .prepare('update changes set state = ?, decided = ?, reason = ? where id = ?')
    .run(state, decided, reason, id);
}

/** What the agenda is told by a change. */
export function setRecord(inbox: Inbox, { change, record, thing }: Settlement): void {
  if (record === undefined) return;
  inbox
    .prepare('update changes set record = ?, thing = coalesce(?, thing) where id = ?')
    .run(JSON.stringify(record), thing ?? null, change.id);
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

const listOthers = (inbox: Inbox, { id, reference, thing }: Change): readonly Change[] =>
  listChanges(
    inbox,
    '(reference = ? or thing = ?) and id <> ? order by id',
    reference ?? '',
    thing ?? '',
    id,
  );

/** The others under the same reference, and those about the same. */
export const listRelated = (inbox: Inbox, change: Change): readonly Change[] =>
  listOthers(inbox, change).filter(
    (other) => isSame(change.reference, other.reference) || isInPlace(change, other),
  );

/** The applied ones in whose place a change stands once it is applied. */
export const listReplaced = (inbox: Inbox, change: Change): readonly Change[] =>
  listOthers(inbox, change).filter(
    (other) => other.state === 'applied' && other.record !== null && isInPlace(change, other),
  );
