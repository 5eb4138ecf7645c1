// Data file: builds the public data as a SQLite file in memory, with its own tables, independent of the snapshot
// (contract 17.1). The same rows give the same bytes.
import Database from 'better-sqlite3';
import type { DataCell, DataTable, DataType } from '../domain/dataset.ts';

const TYPES: Readonly<Record<DataType, string>> = {
  text: 'text',
  integer: 'integer',
  real: 'real',
  boolean: 'integer',
  list: 'text',
};

function encodeCell(cell: DataCell): string | number | null {
  if (typeof cell === 'boolean') return Number(cell);
  return cell === null || typeof cell === 'string' || typeof cell === 'number'
    ? cell
    : JSON.stringify(cell);
}

export function buildDataFile(tables: readonly DataTable[]): Buffer {
  const db = new Database(':memory:');
  try {
    db.transaction(() => {
      for (const { name, columns, rows } of tables) {
        const definitions = columns.map(
          (column, at) => `"${column.name}" ${TYPES[column.type]}${at === 0 ? ' primary key' : ''}`,
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
