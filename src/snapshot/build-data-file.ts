// The public data as a SQLite file, made in memory: tables of its own and nothing of the snapshot's
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

function toValue(cell: DataCell): string | number | null {
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
        const fields = columns.map(
          (each, at) => `"${each.name}" ${TYPES[each.type]}${at === 0 ? ' primary key' : ''}`,
        );
        db.exec(`create table "${name}" (${fields.join(', ')})`);
        const insert = db.prepare(
          `insert into "${name}" values (${columns.map(() => '?').join(', ')})`,
        );
        for (const row of rows) insert.run(row.map(toValue));
      }
      db.exec('create index "occurrences_event" on "occurrences" ("event", "start")');
    })();
    return db.serialize();
  } finally {
    db.close();
  }
}
