// Building a snapshot: one file, one transaction, the same bytes for the same dataset and moment.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { Dataset } from '../domain/dataset.ts';
import { createSearchDocuments } from '../domain/search-documents.ts';
import { lastReportedAt } from '../domain/record-history.ts';
import { type SnapshotInputs, writeSnapshotMeta } from './snapshot-meta.ts';
import { createWordIndex, type WordIndexes } from './word-index.ts';

/** Records are of some KB: on larger pages they are written and read in a quarter of the calls. */
const PAGE_BYTES = 16 * 1024;
const SCHEMA = new URL('./schema.sql', import.meta.url);

/** Writes the dataset to `path` (replacing a file there) and syncs it to disk. */
export function buildSnapshot(path: string, dataset: Dataset, made_of: SnapshotInputs): void {
  rmSync(path, { force: true });
  const db = new Database(path);
  try {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('journal_mode = off');
    db.pragma('synchronous = off');
    db.pragma('locking_mode = exclusive');
    // What refers to nothing is found by the check of the whole (check.ts).
    db.pragma('foreign_keys = off');
    db.exec(readFileSync(SCHEMA, 'utf8'));
    db.transaction(() => {
      const digest = createHash('sha256');
      writeThings({ db, digest }, dataset);
      writeSnapshotMeta(db, digest.digest('base64url').slice(0, 16), made_of);
    })();
  } finally {
    db.close();
  }
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** A snapshot that is being written, with the digest of all that it says so far. */
interface Written {
  readonly db: Database.Database;
  readonly digest: Hash;
}

/**
 * Writes a row of each of some things, as far as the table has columns: its fields, its position among
 * them, all of it as JSON, and what else is said of it.
 */
function insertAll<T extends object>(
  { db, digest }: Written,
  table: string,
  things: Iterable<T>,
  toMore: (thing: T) => object = () => ({}),
): void {
  const sql = 'select name from pragma_table_info(?)';
  const columns = v.parse(v.array(v.string()), db.prepare(sql).pluck().all(table));
  const values = columns.map((column) => `@${column}`).join(', ');
  const insert = db.prepare(`insert into ${table} values (${values})`);
  let position = 0;
  digest.update(table);
  for (const thing of things) {
    const record = JSON.stringify(thing);
    digest.update(record);
    insert.run({ ...thing, position, record, ...toMore(thing) });
    position += 1;
  }
}

function writeThings(to: Written, dataset: Dataset): void {
  const { taxonomy, events, occurrences } = dataset;
  insertAll(to, 'taxa', taxonomy.categories, () => ({ kind: 'category' }));
  insertAll(to, 'taxa', taxonomy.zones, () => ({ kind: 'zone' }));
  const drawings = new Map(dataset.motifs.map(({ key, svg }) => [key, svg]));
  const motifs = dataset.motifs.map(({ svg: _, ...motif }) => motif);
  insertAll(to, 'motifs', motifs, ({ key }) => ({ svg: drawings.get(key) }));
  insertAll(to, 'calendar', [dataset.calendar]);
  insertAll(to, 'docs', dataset.docs);
  insertAll(to, 'due', dataset.due);
  const histories = [...dataset.ledger.histories.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  insertAll(to, 'histories', histories, (history) => ({ told_at: lastReportedAt(history) }));
  insertAll(to, 'venues', dataset.venues);
  insertAll(to, 'organizers', dataset.organizers);
  insertAll(to, 'notices', dataset.notices);
  insertAll(to, 'slugs', dataset.slugs);
  insertAll(to, 'withdrawn', dataset.withdrawn);
  const left_out = dataset.left_out.map((line) => ({ line }));
  insertAll(to, 'left_out', left_out);
  insertAll(to, 'events', events, ({ id }) => ({ made_of: dataset.made_of.get(id) ?? '' }));
  const positions = new Map(events.map(({ id }, position) => [id, position]));
  insertAll(to, 'occurrences', occurrences, ({ event }) => ({ event: positions.get(event) }));
  const texts = createSearchDocuments(dataset);
  writeWords(to, 'event', events, texts.event);
  writeWords(to, 'venue', dataset.venues, texts.venue);
  writeWords(to, 'organizer', dataset.organizers, texts.organizer);
  writeWords(to, 'notice', dataset.notices, texts.notice);
}

/** What the search finds of things, by their positions in order of id. */
function writeWords<T extends { readonly id: string }>(
  to: Written,
  kind: keyof WordIndexes,
  things: readonly T[],
  toText: (thing: T) => string,
): void {
  const in_order = things.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const { words, holders } = createWordIndex(in_order.map(toText));
  insertAll(
    to,
    'words',
    words.map((word, at) => [word, holders[at]]),
    () => ({ kind }),
  );
}
