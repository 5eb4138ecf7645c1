// Snapshot builder: writes a dataset (all records of a release) to one SQLite file in one
// transaction; schema.sql describes its tables. The same dataset and instant give the same bytes.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { Dataset } from '../domain/dataset.ts';
import { createSearchDocuments } from '../domain/search-documents.ts';
import { lastReportedAt } from '../domain/record-history.ts';
import { type SnapshotInputs, writeSnapshotMeta } from './snapshot-meta.ts';
import { createWordIndex, type WordIndexes } from './word-index.ts';

/** Records have a few KB: pages of the default size, 4 KB, need four times as many calls. */
const PAGE_BYTES = 16 * 1024;
const SCHEMA = new URL('./schema.sql', import.meta.url);

/** Writes the dataset to `path`, replacing any file there, and syncs it to disk. */
export function buildSnapshot(path: string, dataset: Dataset, inputs: SnapshotInputs): void {
  rmSync(path, { force: true });
  const db = new Database(path);
  try {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.pragma('journal_mode = off');
    db.pragma('synchronous = off');
    db.pragma('locking_mode = exclusive');
    // check-snapshot.ts finds dangling references, all at once.
    db.pragma('foreign_keys = off');
    db.exec(readFileSync(SCHEMA, 'utf8'));
    db.transaction(() => {
      const digest = createHash('sha256');
      writeDataset({ db, digest }, dataset);
      writeSnapshotMeta(db, digest.digest('base64url').slice(0, 16), inputs);
    })();
  } finally {
    db.close();
  }
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** The snapshot in progress, with the digest of its content so far. */
interface SnapshotWriter {
  readonly db: Database.Database;
  readonly digest: Hash;
}

/**
 * Inserts a row for each record. Each column has one of four values: the record's field of the same
 * name; `position`, the index of the record from 0; `record`, the whole record as JSON; or a field
 * of `getExtraColumns`.
 */
function insertAll<T extends object>(
  { db, digest }: SnapshotWriter,
  table: string,
  records: Iterable<T>,
  getExtraColumns: (record: T) => object = () => ({}),
): void {
  const columns_sql = 'select name from pragma_table_info(?)';
  const columns = v.parse(v.array(v.string()), db.prepare(columns_sql).pluck().all(table));
  const placeholders = columns.map((column) => `@${column}`).join(', ');
  const insert = db.prepare(`insert into ${table} values (${placeholders})`);
  let position = 0;
  digest.update(table);
  for (const record of records) {
    const json = JSON.stringify(record);
    digest.update(json);
    insert.run({ ...record, position, record: json, ...getExtraColumns(record) });
    position += 1;
  }
}

/** Writes the tables in a fixed order: the digest of the snapshot depends on it. */
function writeDataset(writer: SnapshotWriter, dataset: Dataset): void {
  const { taxonomy, events, occurrences } = dataset;
  insertAll(writer, 'taxa', taxonomy.categories, () => ({ kind: 'category' }));
  insertAll(writer, 'taxa', taxonomy.zones, () => ({ kind: 'zone' }));
  const drawings = new Map(dataset.motifs.map(({ key, svg }) => [key, svg]));
  const motifs = dataset.motifs.map(({ svg: _, ...motif }) => motif);
  insertAll(writer, 'motifs', motifs, ({ key }) => ({ svg: drawings.get(key) }));
  insertAll(writer, 'calendar', [dataset.calendar]);
  insertAll(writer, 'docs', dataset.docs);
  insertAll(writer, 'due', dataset.due);
  const histories = [...dataset.ledger.histories.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  // `told_at`: time of the last change that visitors can notice.
  insertAll(writer, 'histories', histories, (history) => ({ told_at: lastReportedAt(history) }));
  insertAll(writer, 'venues', dataset.venues);
  insertAll(writer, 'organizers', dataset.organizers);
  insertAll(writer, 'notices', dataset.notices);
  insertAll(writer, 'slugs', dataset.slugs);
  insertAll(writer, 'withdrawn', dataset.withdrawn);
  const omitted_lines = dataset.omitted.map((line) => ({ line }));
  insertAll(writer, 'left_out', omitted_lines);
  // `made_of`: digest of the event's inputs, by which the next build recognizes an unchanged event.
  insertAll(writer, 'events', events, ({ id }) => ({
    made_of: dataset.input_digests.get(id) ?? '',
  }));
  // The `event` of an occurrence is the position of its event, not the id.
  const positions = new Map(events.map(({ id }, position) => [id, position]));
  insertAll(writer, 'occurrences', occurrences, ({ event }) => ({ event: positions.get(event) }));
  const search_documents = createSearchDocuments(dataset);
  writeWords(writer, 'event', events, search_documents.event);
  writeWords(writer, 'venue', dataset.venues, search_documents.venue);
  writeWords(writer, 'organizer', dataset.organizers, search_documents.organizer);
  writeWords(writer, 'notice', dataset.notices, search_documents.notice);
}

/**
 * Writes the word index of one kind of records. Its positions are indexes in the list sorted by id.
 */
function writeWords<T extends { readonly id: string }>(
  writer: SnapshotWriter,
  kind: keyof WordIndexes,
  records: readonly T[],
  getSearchText: (record: T) => string,
): void {
  const records_by_id = records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const { words, postings } = createWordIndex(records_by_id.map(getSearchText));
  insertAll(
    writer,
    'words',
    words.map((word, index) => [word, postings[index]]),
    () => ({ kind }),
  );
}
