// Building a snapshot: one file, one transaction, the same bytes for the same town and moment.
import { closeSync, fsyncSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { EventRecord } from '../domain/event/event.ts';
import { isFamily } from '../domain/event/event.ts';
import type { Town } from '../domain/dataset.ts';
import { writeArrays } from './arrays.ts';
import { buildIndex, writeIndex } from './memory-index.ts';
import { SCHEMA_VERSION } from './open.ts';
import { buildWordArrays, toSearchText } from './word-index.ts';

const SCHEMA = new URL('./schema.sql', import.meta.url);

/** How many of each thing a snapshot holds. */
export interface SnapshotCounts {
  readonly events: number;
  readonly occurrences: number;
  readonly venues: number;
  readonly organizers: number;
  readonly notices: number;
}

/**
 * Writes the town to `path` (replacing a file there) and syncs it to disk. `now_ms` becomes
 * generated_at, to the second.
 */
export function buildSnapshot(path: string, town: Town, now_ms: number): SnapshotCounts {
  rmSync(path, { force: true });
  const db = new Database(path);
  try {
    db.pragma('journal_mode = off');
    db.pragma('synchronous = off');
    db.pragma('locking_mode = exclusive');
    db.pragma('foreign_keys = on');
    db.exec(readFileSync(SCHEMA, 'utf8'));
    db.transaction(() => writeTown(db, town, now_ms))();
    db.exec('analyze');
  } finally {
    db.close();
  }
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
  return countTown(town);
}

const countTown = (town: Town): SnapshotCounts => ({
  events: town.events.length,
  occurrences: town.occurrences.length,
  venues: town.venues.length,
  organizers: town.organizers.length,
  notices: town.notices.length,
});

function writeTown(db: Database.Database, town: Town, now_ms: number): void {
  writePlaces(db, town);
  writeEvents(db, town);
  const positions = new Map(town.events.map((event, position) => [event.id, position]));
  writeOccurrences(db, town, positions);
  const venues = new Map(town.venues.map((venue) => [venue.id, venue]));
  writeIndex(db, buildIndex(town.events, town.occurrences, venues, positions));
  const { words, offsets, postings } = buildWordArrays(
    town.events.map((event) => toSearchText(event, venueName(event, venues))),
  );
  writeArrays(db, { words, word_offsets: offsets, word_postings: postings });
  writeMeta(db, town, now_ms);
}

const venueName = (
  event: EventRecord,
  venues: ReadonlyMap<string, { name: string }>,
): string | null => (event.venue === null ? null : (venues.get(event.venue)?.name ?? null));

function writePlaces(db: Database.Database, town: Town): void {
  const taxon = db.prepare('insert into taxa values (?, ?, ?, ?)');
  for (const [i, t] of town.taxonomy.categories.entries())
    taxon.run('category', i, t.key, JSON.stringify(t));
  for (const [i, t] of town.taxonomy.zones.entries())
    taxon.run('zone', i, t.key, JSON.stringify(t));
  const venue = db.prepare('insert into venues values (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const v of town.venues)
    venue.run(v.id, v.slug.es, v.slug.en, v.name, v.zone, v.lat, v.lng, JSON.stringify(v));
  const organizer = db.prepare('insert into organizers values (?, ?, ?, ?, ?)');
  for (const o of town.organizers)
    organizer.run(o.id, o.slug.es, o.slug.en, o.name, JSON.stringify(o));
  const notice = db.prepare('insert into notices values (?, ?, ?, ?, ?, ?, ?)');
  for (const n of town.notices)
    notice.run(n.id, n.type, n.severity, n.zone, n.start_ms, n.end_ms, JSON.stringify(n));
  const slug = db.prepare('insert into slugs values (?, ?, ?)');
  for (const s of town.slugs) slug.run(s.kind, s.slug, s.id);
  const withdrawn = db.prepare('insert into withdrawn values (?, ?)');
  for (const s of town.withdrawn) withdrawn.run(s.kind, s.slug);
}

function writeEvents(db: Database.Database, town: Town): void {
  const venues = new Map(town.venues.map((venue) => [venue.id, venue]));
  const insert = db.prepare(
    'insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  town.events.forEach((e, position) => {
    const venue = e.venue === null ? undefined : venues.get(e.venue);
    insert.run(
      position,
      e.id,
      e.slug.es,
      e.slug.en,
      e.title.es,
      e.title.en,
      e.status,
      e.category,
      e.zone,
      e.venue,
      e.organizer,
      Number(e.price.is_free),
      Number(isFamily(e)),
      venue?.lat ?? null,
      venue?.lng ?? null,
      e.updated_at,
      JSON.stringify(e),
    );
  });
}

function writeOccurrences(
  db: Database.Database,
  town: Town,
  positions: ReadonlyMap<string, number>,
): void {
  const insert = db.prepare(
    'insert into occurrences values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  town.occurrences.forEach((o, position) => {
    insert.run(
      position,
      o.id,
      positions.get(o.event),
      o.start,
      o.end,
      o.start_ms,
      o.end_ms,
      o.first_day,
      o.last_day,
      Number(o.all_day),
      Number(o.end_known),
      o.status,
      o.notes && JSON.stringify(o.notes),
      o.updated_at,
      o.sequence,
    );
  });
}

function writeMeta(db: Database.Database, town: Town, now_ms: number): void {
  const { ledger: _, ...said } = town;
  const version = createHash('sha256')
    .update(JSON.stringify(said))
    .digest('base64url')
    .slice(0, 16);
  const second_ms = Math.floor(now_ms / 1000) * 1000;
  const meta = {
    schema_version: SCHEMA_VERSION,
    generated_at: formatTimestamp(second_ms),
    generated_ms: String(second_ms),
    version,
  };
  const insert = db.prepare('insert into meta values (?, ?)');
  for (const [key, value] of Object.entries(meta)) insert.run(key, value);
}
