// Building a snapshot: one file, one transaction, the same bytes for the same dataset and moment.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { Dataset } from '../domain/dataset.ts';
import { createSearchText } from '../domain/filters/q.ts';
import { toWords } from '../domain/folding.ts';
import { type History, toToldAt } from '../domain/history.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { type MadeOf, writeMeta } from './meta.ts';

const SCHEMA = new URL('./schema.sql', import.meta.url);

/** How many of each thing a snapshot holds. */
export type SnapshotCounts = Readonly<
  Record<'events' | 'occurrences' | 'venues' | 'organizers' | 'notices', number>
>;

/**
 * Writes the dataset to `path` (replacing a file there) and syncs it to disk. Gives how many of each
 * thing it holds.
 */
export function buildSnapshot(path: string, dataset: Dataset, made_of: MadeOf): SnapshotCounts {
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
      writeEvents(db, dataset);
      writeOccurrences(db, dataset);
      writeMeta(db, digestDataset(dataset), made_of);
    })();
    db.exec('analyze');
  } finally {
    db.close();
  }
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
  return {
    events: dataset.events.length,
    occurrences: dataset.occurrences.length,
    venues: dataset.venues.length,
    organizers: dataset.organizers.length,
    notices: dataset.notices.length,
  };
}

/** Writes a row of each of some things: the fields of an object by the names of columns. */
function insertAll<T>(
  db: Database.Database,
  table: string,
  things: Iterable<T>,
  toRow: (thing: T, position: number) => object,
): void {
  const sql = 'select name from pragma_table_info(?)';
  const columns = v.parse(v.array(v.string()), db.prepare(sql).pluck().all(table));
  const values = columns.map((column) => `@${column}`).join(', ');
  const insert = db.prepare(`insert into ${table} values (${values})`);
  let position = 0;
  for (const thing of things) insert.run(toRow(thing, position++));
}

/** A thing's fields and all of it as JSON. */
const withRecord = <T extends object>(thing: T) => ({ ...thing, record: JSON.stringify(thing) });

function writeThings(db: Database.Database, dataset: Dataset): void {
  const { categories, zones } = dataset.taxonomy;
  const toTaxon = (kind: string) => (taxon: TaxonRecord, position: number) => ({
    ...withRecord(taxon),
    kind,
    position,
  });
  insertAll(db, 'taxa', categories, toTaxon('category'));
  insertAll(db, 'taxa', zones, toTaxon('zone'));
  insertAll(db, 'calendar', [withRecord(dataset.calendar)], (row, position) => ({
    ...row,
    position,
  }));
  insertAll(db, 'due', dataset.due, (fact, position) => ({ ...withRecord(fact), position }));
  insertAll(db, 'histories', dataset.ledger.histories.values(), toHistoryRow);
  insertAll(db, 'venues', dataset.venues, withRecord);
  insertAll(db, 'organizers', dataset.organizers, withRecord);
  insertAll(db, 'notices', dataset.notices, withRecord);
  insertAll(db, 'slugs', dataset.slugs, (slug) => slug);
  insertAll(db, 'withdrawn', dataset.withdrawn, (slug) => slug);
}

const toHistoryRow = (history: History) => ({
  ...history,
  is_gone: Number(history.is_gone),
  told_at: toToldAt(history),
});

function writeEvents(db: Database.Database, dataset: Dataset): void {
  const toSearchText = createSearchText(dataset);
  insertAll(db, 'events', dataset.events, (event, position) => ({
    ...withRecord(event),
    position,
    words: [...new Set(toWords(toSearchText(event)))].join(' '),
  }));
}

function writeOccurrences(db: Database.Database, { events, occurrences }: Dataset): void {
  const positions = new Map(events.map((event, position) => [event.id, position]));
  insertAll(db, 'occurrences', occurrences, (one, position) => ({
    ...one,
    position,
    event: positions.get(one.event),
    all_day: Number(one.all_day),
    time_known: Number(one.time_known),
    end_known: Number(one.end_known),
    notes: one.notes && JSON.stringify(one.notes),
  }));
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
