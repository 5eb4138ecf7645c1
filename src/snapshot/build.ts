// Building a snapshot: one file, one transaction, the same bytes for the same dataset and moment.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Dataset } from '../domain/dataset.ts';
import { createSearchText } from '../domain/filters/q.ts';
import { writeBases, writeOverrides } from './amend.ts';
import { writeArrays } from './arrays.ts';
import { buildIndex, writeIndex } from './memory-index.ts';
import { toHistoryRows, writeHistories } from './list-changes.ts';
import { writeDue } from './list-due.ts';
import { writeCalendar } from './read-calendar.ts';
import { toGenerated } from './generated.ts';
import { SCHEMA_VERSION } from './open.ts';
import { buildWordArrays } from './word-index.ts';
import { writeEvents, writeOccurrences } from './write-rows.ts';

const SCHEMA = new URL('./schema.sql', import.meta.url);

/** How many of each thing a snapshot holds. */
export interface SnapshotCounts {
  readonly events: number;
  readonly occurrences: number;
  readonly venues: number;
  readonly organizers: number;
  readonly notices: number;
}

/** A list or a map one by one, anything else whole: a town is too long for one text. */
const toPieces = (part: unknown): Iterable<unknown> =>
  Array.isArray(part) || part instanceof Map ? part : [part];

/** The digest of all that a snapshot of a dataset says, but for when it was built. */
export function digestDataset({ ledger: { histories }, ...content }: Dataset): string {
  const told = toHistoryRows(histories).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256');
  for (const [name, part] of Object.entries({ ...content, told })) {
    hash.update(name);
    for (const piece of toPieces(part)) hash.update(JSON.stringify(piece)).update('\n');
  }
  return hash.digest('base64url').slice(0, 16);
}

/**
 * Writes the dataset to `path` (replacing a file there) and syncs it to disk. `now_ms` becomes
 * generated_at, to the second.
 */
export function buildSnapshot(
  path: string,
  dataset: Dataset,
  now_ms: number,
  version = digestDataset(dataset),
): SnapshotCounts {
  rmSync(path, { force: true });
  const db = new Database(path);
  try {
    db.pragma('journal_mode = off');
    db.pragma('synchronous = off');
    db.pragma('locking_mode = exclusive');
    db.pragma('foreign_keys = on');
    db.exec(readFileSync(SCHEMA, 'utf8'));
    db.transaction(() => {
      writeDataset(db, dataset);
      writeMeta(db, version, now_ms);
    })();
    db.exec('analyze');
  } finally {
    db.close();
  }
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
  return countDataset(dataset);
}

/** How many of each thing a dataset holds. */
export const countDataset = (dataset: Dataset): SnapshotCounts => ({
  events: dataset.events.length,
  occurrences: dataset.occurrences.length,
  venues: dataset.venues.length,
  organizers: dataset.organizers.length,
  notices: dataset.notices.length,
});

function writeDataset(db: Database.Database, dataset: Dataset): void {
  writeCalendar(db, dataset.calendar);
  writeDue(db, dataset.due);
  writeHistories(db, dataset.ledger.histories);
  writePlaces(db, dataset);
  const positions = new Map(dataset.events.map((event, position) => [event.id, position]));
  const venues = new Map(dataset.venues.map((venue) => [venue.id, venue]));
  writeEvents(db, dataset.events.entries(), venues);
  writeOccurrences(db, dataset.occurrences.entries(), positions);
  writeIndex(db, buildIndex(dataset.events, dataset.occurrences, venues, positions));
  const { words, offsets, postings } = buildWordArrays(
    dataset.events.map(createSearchText(dataset)),
  );
  writeArrays(db, { words, word_offsets: offsets, word_postings: postings });
  writeBases(db, dataset.bases);
  writeOverrides(db, dataset.overrides);
}

function writePlaces(db: Database.Database, dataset: Dataset): void {
  const taxon = db.prepare('insert into taxa values (?, ?, ?, ?)');
  for (const [i, t] of dataset.taxonomy.categories.entries())
    taxon.run('category', i, t.key, JSON.stringify(t));
  for (const [i, t] of dataset.taxonomy.zones.entries())
    taxon.run('zone', i, t.key, JSON.stringify(t));
  const venue = db.prepare('insert into venues values (?, ?, ?, ?, ?, ?)');
  for (const v of dataset.venues) venue.run(v.id, v.name, v.zone, v.lat, v.lng, JSON.stringify(v));
  const organizer = db.prepare('insert into organizers values (?, ?, ?)');
  for (const o of dataset.organizers) organizer.run(o.id, o.name, JSON.stringify(o));
  const notice = db.prepare('insert into notices values (?, ?, ?, ?, ?, ?, ?)');
  for (const n of dataset.notices)
    notice.run(n.id, n.type, n.severity, n.zone, n.start_ms, n.end_ms, JSON.stringify(n));
  const slug = db.prepare('insert into slugs values (?, ?, ?)');
  for (const s of dataset.slugs) slug.run(s.kind, s.slug, s.id);
  const withdrawn = db.prepare('insert into withdrawn values (?, ?)');
  for (const s of dataset.withdrawn) withdrawn.run(s.kind, s.slug);
}

function writeMeta(db: Database.Database, version: string, now_ms: number): void {
  const insert = db.prepare('insert into meta values (?, ?)');
  for (const [key, value] of Object.entries(toMeta(version, now_ms))) insert.run(key, value);
}

/** What a snapshot says of itself: made at `now_ms`, to the second. */
export function toMeta(version: string, now_ms: number): Readonly<Record<string, string>> {
  const { generated_at, generated_ms } = toGenerated(now_ms);
  return {
    schema_version: SCHEMA_VERSION,
    generated_at,
    generated_ms: String(generated_ms),
    version,
  };
}
