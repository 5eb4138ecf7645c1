// The table of decisions: who decided what, when and why, with the rows that each changed as they
// stood before and after it.
import * as v from 'valibot';
import { type Decision, DECISIONS } from '../domain/decision.ts';
import type { Inbox } from './open.ts';

/** The tables that a decision may change, with their keys. */
const KEYS = {
  submissions: ['reference'],
  publications: ['reference'],
  overrides: ['event', 'date'],
  desk_notices: ['id'],
  corrections: ['reference'],
} as const;
export interface RowName {
  readonly table: keyof typeof KEYS;
  readonly key: readonly string[];
}

const ColumnsSchema = v.record(v.string(), v.union([v.string(), v.number(), v.null()]));
/** The columns of a row, whatever its table. */
export type Columns = v.InferOutput<typeof ColumnsSchema>;

const RowChangeSchema = v.object({
  table: v.picklist(['submissions', 'publications', 'overrides', 'desk_notices', 'corrections']),
  key: v.array(v.string()),
  row: v.nullable(ColumnsSchema),
  /** As the decision left it; not in what an older version wrote. */
  after: v.optional(v.nullable(ColumnsSchema)),
});
/** A row before (`row`) and after a decision; null where there was none. */
export interface RowChange extends RowName {
  readonly row: Columns | null;
  readonly after?: Columns | null | undefined;
}

const DecisionRow = v.object({
  id: v.number(),
  at: v.string(),
  editor: v.string(),
  action: v.picklist(DECISIONS),
  subject: v.string(),
  reason: v.nullable(v.string()),
  undone_at: v.nullable(v.string()),
});
const SELECT = 'select id, at, editor, action, subject, reason, undone_at from decisions';

/** The newest decisions first. */
export function listDecisions(inbox: Inbox, limit: number): readonly Decision[] {
  return v.parse(
    v.array(DecisionRow),
    inbox.prepare(`${SELECT} order by id desc limit ?`).all(limit),
  );
}

/** What was decided on one submission, correction, event or notice, the newest first. */
export function listDecisionsOn(inbox: Inbox, subject: string, limit: number): readonly Decision[] {
  return v.parse(
    v.array(DecisionRow),
    inbox.prepare(`${SELECT} where subject = ? order by id desc limit ?`).all(subject, limit),
  );
}

/** Logs a decision with the rows that it changed. */
export function insertDecision(
  inbox: Inbox,
  { at, editor, action, subject, reason }: Omit<Decision, 'id' | 'undone_at'>,
  changes: readonly RowChange[],
): void {
  inbox
    .prepare(
      'insert into decisions (at, editor, action, subject, reason, before) values (?, ?, ?, ?, ?, ?)',
    )
    .run(at, editor, action, subject, reason, JSON.stringify(changes));
}

/** The rows that a decision changed. Throws where there is no such decision. */
export function listChanges(inbox: Inbox, id: number): readonly RowChange[] {
  const stored: unknown = inbox
    .prepare('select before from decisions where id = ?')
    .pluck()
    .get(id);
  return v.parse(v.array(RowChangeSchema), JSON.parse(v.parse(v.string(), stored)));
}

const ChangesRows = v.array(
  v.object({
    id: v.number(),
    before: v.pipe(
      v.string(),
      v.transform((json): unknown => JSON.parse(json)),
      v.array(RowChangeSchema),
    ),
  }),
);

/** The decisions that hold rows of one submission or correction, with all that they hold. */
export const listChangesWith = (
  inbox: Inbox,
  reference: string,
): readonly { readonly id: number; readonly changes: readonly RowChange[] }[] =>
  v
    .parse(
      ChangesRows,
      inbox.prepare('select id, before from decisions where instr(before, ?) > 0').all(reference),
    )
    .map(({ id, before }) => ({ id, changes: before }));

/** What a decision holds, written anew. */
export function setChanges(inbox: Inbox, id: number, changes: readonly RowChange[]): void {
  inbox.prepare('update decisions set before = ? where id = ?').run(JSON.stringify(changes), id);
}

export function markUndone(inbox: Inbox, id: number, at: string): void {
  inbox.prepare('update decisions set undone_at = ? where id = ?').run(at, id);
}

const toWhere = (table: RowName['table']): string =>
  KEYS[table].map((column) => `${column} = ?`).join(' and ');

/** A row as it stands; null where there is none. */
export function readRow(inbox: Inbox, { table, key }: RowName): Columns | null {
  const row: unknown = inbox.prepare(`select * from ${table} where ${toWhere(table)}`).get(...key);
  return row === undefined ? null : v.parse(ColumnsSchema, row);
}

/** Puts a row back as it stood; null deletes it. */
export function putRow(inbox: Inbox, { table, key }: RowName, row: Columns | null): void {
  inbox.prepare(`delete from ${table} where ${toWhere(table)}`).run(...key);
  if (row === null) return;
  const columns = Object.keys(row).filter((column) => /^[a-z_]+$/.test(column));
  inbox
    .prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    .run(...columns.map((column) => row[column] ?? null));
}
