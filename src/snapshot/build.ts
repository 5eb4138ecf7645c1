// Building a snapshot: one file, one transaction, the same bytes for the same dataset and moment.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { Dataset } from '../domain/dataset.ts';
import { createSearchText } from '../domain/filters/q.ts';
import { toWords } from '../domain/folding.ts';
import { toToldAt } from '../domain/history.ts';
import { type MadeOf, writeMeta } from './meta.ts';
import { createWordIndex } from './word-index.ts';

const SCHEMA = new URL('./schema.sql', import.meta.url);

/** Writes the dataset to `path` (replacing a file there) and syncs it to disk. */
export function buildSnapshot(path: string, dataset: Dataset, made_of: MadeOf): void {
  rmSync(path, { force: true });
  const db = new Database(path);
  try {
    db.pragma('journal_mode = off');
    db.pragma('synchronous = off');
    db.pragma('locking_mode = exclusive');
    db.pragma('foreign_keys = on');
    db.exec(readFileSync(SCHEMA, 'utf8'));
    db.transaction(() => {
      writeThings(db, dataset);
      writeMeta(db, digestDataset(dataset), made_of);
    })();
  } finally {
    db.close();
  }
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/**
 * Writes a row of each of some things, as far as the table has columns: its fields, its position among
 * them, all of it as JSON, and what else is said of it.
 */
function insertAll<T extends object>(
  db: Database.Database,
  table: string,
  things: Iterable<T>,
  toMore: (thing: T) => object = () => ({}),
): void {
  const sql = 'select name from pragma_table_info(?)';
  const columns = v.parse(v.array(v.string()), db.prepare(sql).pluck().all(table));
  const values = columns.map((column) => `@${column}`).join(', ');
  const insert = db.prepare(`insert into ${table} values (${values})`);
  let position = 0;
  for (const thing of things) {
    insert.run({ ...thing, position, record: JSON.stringify(thing), ...toMore(thing) });
    position += 1;
  }
}

function writeThings(db: Database.Database, dataset: Dataset): void {
  const { taxonomy, events, occurrences } = dataset;
  insertAll(db, 'taxa', taxonomy.categories, () => ({ kind: 'category' }));
  insertAll(db, 'taxa', taxonomy.zones, () => ({ kind: 'zone' }));
  insertAll(db, 'calendar', [dataset.calendar]);
  insertAll(db, 'due', dataset.due);
  insertAll(db, 'histories', dataset.ledger.histories.values(), (history) => ({
    told_at: toToldAt(history),
  }));
  insertAll(db, 'venues', dataset.venues);
  insertAll(db, 'organizers', dataset.organizers);
  insertAll(db, 'notices', dataset.notices);
  insertAll(db, 'slugs', dataset.slugs);
  insertAll(db, 'withdrawn', dataset.withdrawn);
  insertAll(db, 'events', events);
  const positions = new Map(events.map(({ id }, position) => [id, position]));
  insertAll(db, 'occurrences', occurrences, ({ event }) => ({ event: positions.get(event) }));
  const toSearchText = createSearchText(dataset);
  const { words, holders } = createWordIndex(events.map((event) => toWords(toSearchText(event))));
  insertAll(
    db,
    'words',
    words.map((word, at) => [word, holders[at]]),
  );
}

/** A list or a map one by one, anything else whole: a town is too long for one text. */
const toPieces = (part: unknown): Iterable<unknown> =>
  Array.isArray(part) || part instanceof Map ? part : [part];

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** An object without its empty fields, the others in the order of their names. */
const toCanonical = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, field]) => !isEmpty(field))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    : value;

/** The digest of all that a snapshot of a dataset says, but for when it was built. */
export function digestDataset(dataset: Dataset): string {
  const { ledger, ...content } = dataset;
  const told = [...ledger.histories.values()].map(({ digest: _, ...row }) => row);
  told.sort((a, b) => (a.id < b.id ? -1 : 1));
  const digest = createHash('sha256');
  for (const [name, part] of Object.entries({ ...content, told }).sort()) {
    digest.update(name);
    for (const piece of toPieces(part))
      digest.update(JSON.stringify(piece, toCanonical)).update('\n');
  }
  return digest.digest('base64url').slice(0, 16);
}
