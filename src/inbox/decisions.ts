// Decisions: each changes rows of the inbox, says who and when, and keeps the rows as they stood,
// so that the last can be undone.
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { type Decision, type DecisionAction, DECISIONS } from '../domain/decision.ts';
import type { Inbox } from './open.ts';

export interface DecisionInput {
  readonly editor: string;
  readonly action: DecisionAction;
  /** The reference of a submission, or the id of an event or notice. */
  readonly subject: string;
  readonly reason: string | null;
  readonly now_ms: number;
}

/** The tables that a decision may change, with their keys. */
const KEYS = {
  submissions: ['reference'],
  publications: ['reference'],
  overrides: ['event', 'date'],
  desk_notices: ['id'],
} as const;
export interface RowName {
  readonly table: keyof typeof KEYS;
  readonly key: readonly string[];
}

/** A row as it stood before a decision; null where there was none. */
export interface RowBefore {
  readonly table: RowName['table'];
  readonly row: Readonly<Record<string, string | number | null>> | null;
}

const Row = v.record(v.string(), v.union([v.string(), v.number(), v.null()]));
const Before = v.array(
  v.object({
    table: v.picklist(['submissions', 'publications', 'overrides', 'desk_notices']),
    key: v.array(v.string()),
    row: v.nullable(Row),
    /** As the decision left it; not in what an older version wrote. */
    after: v.optional(v.nullable(Row)),
  }),
);
const DecisionRow = v.object({
  id: v.number(),
  at: v.string(),
  editor: v.string(),
  action: v.picklist(DECISIONS),
  subject: v.string(),
  reason: v.nullable(v.string()),
  undone_at: v.nullable(v.string()),
});
const COLUMNS = 'select id, at, editor, action, subject, reason, undone_at from decisions';

const toWhere = (table: RowName['table']): string =>
  KEYS[table].map((column) => `${column} = ?`).join(' and ');

/**
 * Carries out `change`, which may touch the rows named and no others, and logs it; on disk when
 * this returns.
 */
export function decide(
  inbox: Inbox,
  ruling: DecisionInput,
  rows: readonly RowName[],
  change: () => void,
): void {
  inbox
    .transaction(() => {
      const before = rows.map(({ table, key }) => ({
        table,
        key,
        row: readRow(inbox, table, key),
      }));
      change();
      log(
        inbox,
        ruling,
        JSON.stringify(
          before.map((row) => ({ ...row, after: readRow(inbox, row.table, row.key) })),
        ),
      );
    })
    .immediate();
}

const readRow = (inbox: Inbox, table: RowName['table'], key: readonly string[]): unknown =>
  inbox.prepare(`select * from ${table} where ${toWhere(table)}`).get(...key) ?? null;

function log(
  inbox: Inbox,
  { editor, action, subject, reason, now_ms }: DecisionInput,
  before: string,
): void {
  inbox
    .prepare(
      'insert into decisions (at, editor, action, subject, reason, before) values (?, ?, ?, ?, ?, ?)',
    )
    .run(formatTimestamp(now_ms), editor, action, subject, reason, before);
}

/** The newest decisions first. */
export function listDecisions(inbox: Inbox, limit: number): readonly Decision[] {
  return v.parse(
    v.array(DecisionRow),
    inbox.prepare(`${COLUMNS} order by id desc limit ?`).all(limit),
  );
}

/** What was decided on one submission, event or notice, the newest first. */
export function listDecisionsOn(inbox: Inbox, subject: string, limit: number): readonly Decision[] {
  return v.parse(
    v.array(DecisionRow),
    inbox.prepare(`${COLUMNS} where subject = ? order by id desc limit ?`).all(subject, limit),
  );
}

/** The decision that can still be undone: the newest, where it is no undoing and was not undone. */
export function getUndoable(inbox: Inbox): Decision | null {
  const [last] = listDecisions(inbox, 1);
  return last && last.action !== 'undo' && last.undone_at === null ? last : null;
}

/**
 * Puts the rows of the newest decision back. Throws AppError where `id` is not the newest any more,
 * where the sender has answered it (a correction or a withdrawal must not be lost), or where
 * `mayUndo` says that what it did is in the agenda already.
 */
export function undoDecision(
  inbox: Inbox,
  id: number,
  editor: string,
  now_ms: number,
  mayUndo: (decision: Decision, before: readonly RowBefore[]) => boolean,
): Decision {
  return inbox
    .transaction((): Decision => {
      const last = getUndoable(inbox);
      if (last?.id !== id)
        throw new AppError('invalid_parameter', 'undo: only the newest decision can be undone');
      const stored = v.parse(
        v.string(),
        inbox.prepare('select before from decisions where id = ?').pluck().get(id),
      );
      const before = v.parse(Before, JSON.parse(stored));
      const has_changed_since = before.some(
        ({ table, key, after }) =>
          after !== undefined &&
          JSON.stringify(readRow(inbox, table, key)) !== JSON.stringify(after),
      );
      if (has_changed_since)
        throw new AppError(
          'invalid_parameter',
          'undo: the sender has answered it meanwhile. Look at it again',
        );
      if (!mayUndo(last, before))
        throw new AppError(
          'invalid_parameter',
          'undo: it is in the agenda already. Cancel or withdraw the event',
        );
      for (const { table, key, row } of before) putBack(inbox, table, key, row);
      inbox
        .prepare('update decisions set undone_at = ? where id = ?')
        .run(formatTimestamp(now_ms), id);
      log(inbox, { editor, action: 'undo', subject: last.subject, reason: null, now_ms }, '[]');
      return last;
    })
    .immediate();
}

function putBack(
  inbox: Inbox,
  table: RowName['table'],
  key: readonly string[],
  row: v.InferOutput<typeof Row> | null,
): void {
  inbox.prepare(`delete from ${table} where ${toWhere(table)}`).run(...key);
  if (row === null) return;
  const columns = Object.keys(row).filter((column) => /^[a-z_]+$/.test(column));
  inbox
    .prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    .run(...columns.map((column) => row[column] ?? null));
}
