// Data file: builds the SQLite file that researchers download from /datos, in memory, with tables
// of its own: their names and columns are public and do not depend on the snapshot (contract 17.1).
// The same rows give the same bytes.
import Database from 'better-sqlite3';
import type { DataCell, DataTable, DataType } from '../domain/dataset.ts';

/** SQLite type of each column type of a public table. */
const SQLITE_TYPES: Readonly<Record<DataType, string>> = {
  text: 'text',
  integer: 'integer',
  real: 'real',
  boolean: 'integer',
  list: 'text',
};

/** Encodes a cell for SQLite: a boolean as 0 or 1, a list as JSON. */
function encodeCell(cell: DataCell): string | number | null {
  if (typeof cell === 'boolean') return Number(cell);
  return cell === null || typeof cell === 'string' || typeof cell === 'number'
    ? cell
    : JSON.stringify(cell);
}

/** Returns the bytes of the file; the first column of each table is its primary key. */
export function buildDataFile(tables: readonly DataTable[]): Buffer {
  const db = new Database(':memory:');
  try {
    db.transaction(() => {
      for (const { name, columns, rows } of tables) {
        const definitions = columns.map(
          (column, index) =>
            `"${column.name}" ${SQLITE_TYPES[column.type]}${index === 0 ? ' primary key' : ''}`,
        );
        db.exec(`create table "${name}" (${definitions.join(', ')})`);
        const insert = db.prepare(
          `insert into "${name}" values (${columns.map(() => '?').join(', ')})`,
        );
        for (const row of rows) insert.run(row.map(encodeCell));
      }
      db.exec('create index "occurrences_event" on "occurrences" ("event", "start")');
    })();
    return db.serialize();
  } finally {
    db.close();
  }
}
