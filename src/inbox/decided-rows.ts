// The rows that a decision may change: which tables, how a row is found, read, compared and put back.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

/** How decisions change a table. */
export interface DecidedTable {
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** Columns that change without a decision: neither compared nor put back. */
  readonly aside?: readonly string[];
}

/** The tables that a decision may change: a line for each, and nothing else to be done for one more. */
export const DECIDED_TABLES = {
  submissions: { key: ['reference'], aside: ['draft'] },
  publications: { key: ['reference'] },
  overrides: { key: ['event', 'date'] },
  desk_notices: { key: ['id'] },
  corrections: { key: ['reference'] },
  edits: { key: ['thing'] },
} as const satisfies Readonly<Record<string, DecidedTable>>;
export type DecidedTableName = keyof typeof DECIDED_TABLES;

const isDecided = (name: string): name is DecidedTableName => Object.hasOwn(DECIDED_TABLES, name);
/** All of them. */
export const DECIDED_TABLE_NAMES = Object.keys(DECIDED_TABLES).filter(isDecided);

export interface RowName {
  readonly table: DecidedTableName;
  readonly key: readonly string[];
}

const ColumnsSchema = v.record(v.string(), v.union([v.string(), v.number(), v.null()]));
/** The columns of a row, whatever its table. */
export type Columns = v.InferOutput<typeof ColumnsSchema>;

export const RowChangeSchema = v.object({
  table: v.picklist(DECIDED_TABLE_NAMES),
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

const toTable = (table: DecidedTableName): DecidedTable => DECIDED_TABLES[table];
const toWhere = (table: DecidedTableName): string =>
  toTable(table)
    .key.map((column) => `${column} = ?`)
    .join(' and ');

/** A row as it stands; null where there is none. */
export function readRow(inbox: Inbox, { table, key }: RowName): Columns | null {
  const row: unknown = inbox.prepare(`select * from ${table} where ${toWhere(table)}`).get(...key);
  return row === undefined ? null : v.parse(ColumnsSchema, row);
}

/**
 * Whether a row stands as a decision left it. Columns that came with a newer version, and those that
 * change without a decision, do not count.
 */
export function isAsLeft(inbox: Inbox, { table, key, after }: RowChange): boolean {
  const row = readRow(inbox, { table, key });
  if (row === null || after === null) return row === after;
  // Nobody knows how an older version left it.
  if (after === undefined) return false;
  const { aside = [] } = toTable(table);
  return Object.entries(after).every(
    ([column, value]) => aside.includes(column) || row[column] === value,
  );
}

/** The columns that a table has now. */
const listColumns = (inbox: Inbox, table: DecidedTableName): readonly string[] =>
  v.parse(
    v.array(v.string()),
    inbox.prepare('select name from pragma_table_info(?)').pluck().all(table),
  );

/** Puts a row back as it stood; null deletes it. What came with a newer version stays as it is. */
export function putRow(inbox: Inbox, { table, key }: RowName, row: Columns | null): void {
  if (row === null) {
    inbox.prepare(`delete from ${table} where ${toWhere(table)}`).run(...key);
    return;
  }
  const is_there = readRow(inbox, { table, key }) !== null;
  const { aside = [] } = toTable(table);
  const columns = listColumns(inbox, table).filter(
    (column) => Object.hasOwn(row, column) && !(is_there && aside.includes(column)),
  );
  const values = columns.map((column) => row[column] ?? null);
  if (is_there)
    inbox
      .prepare(
        `update ${table} set ${columns.map((column) => `${column} = ?`).join(', ')} where ${toWhere(table)}`,
      )
      .run(...values, ...key);
  else
    inbox
      .prepare(
        `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      )
      .run(...values);
}
