// Opening a snapshot for reading: one handle, the indexes in memory, the taxonomy. The file is never
// written again.
import { readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { EventCard } from '../domain/agenda.ts';
import { type CalendarRecord, CalendarRecordSchema } from '../domain/day/calendar.ts';
import type { EventRecord } from '../domain/event/event.ts';
import { toStoredEntries } from '../domain/fields.ts';
import { NOTICE_FIELDS, type NoticeRecord } from '../domain/notice.ts';
import { ORGANIZER_FIELDS, type OrganizerRecord } from '../domain/organizer.ts';
import { type Taxonomy, TaxonRecordSchema } from '../domain/taxon.ts';
import { VENUE_FIELDS, type VenueRecord } from '../domain/venue.ts';
import { EventRecordSchema, type MemoryIndex, readIndex } from './memory-index.ts';
import { readMetaOf, SCHEMA_VERSION, type SnapshotMeta } from './meta.ts';
import { readWordIndex, type WordIndex } from './word-index.ts';

/** Cards that a server keeps in memory, about 4 kB each. */
const CARDS_CACHED = 500;

const VenueRecordSchema = v.object(toStoredEntries(VENUE_FIELDS));
const OrganizerRecordSchema = v.object(toStoredEntries(ORGANIZER_FIELDS));
export const NoticeRecordSchema = v.object(toStoredEntries(NOTICE_FIELDS));

export interface Snapshot extends SnapshotMeta {
  readonly path: string;
  readonly db: Database.Database;
  readonly taxonomy: Taxonomy;
  readonly calendar: CalendarRecord;
  /** By id, in order of it. */
  readonly venues: ReadonlyMap<string, VenueRecord>;
  readonly organizers: ReadonlyMap<string, OrganizerRecord>;
  /** In force or not. */
  readonly notices: ReadonlyMap<string, NoticeRecord>;
  readonly index: MemoryIndex;
  readonly word_index: WordIndex;
  /** Cards by event position, without `next`. */
  readonly cards: LRUCache<number, Omit<EventCard, 'next' | 'more_dates'>>;
  /** Throws where there is none at that position. */
  readonly readEvent: (position: number) => EventRecord;
  /** get-thing.ts: findId. */
  readonly idOf: (kind: string, id_or_slug: string) => string | 'gone' | null;
}

/**
 * A snapshot up to this size, some 2,000 events, is read into memory whole: what happens to its
 * file later is no matter then.
 */
const MEMORY_BYTES = 16 * 1024 * 1024;

function openDatabase(path: string): Database.Database {
  if (statSync(path).size <= MEMORY_BYTES)
    return new Database(readFileSync(path), { readonly: true });
  return new Database(path, { readonly: true, fileMustExist: true });
}

/** Opens the file read-only. Throws where it is no snapshot of this version. */
export function openSnapshot(path: string, cards_cached = CARDS_CACHED): Snapshot {
  const db = openDatabase(path);
  try {
    return readSnapshot(path, db, cards_cached);
  } catch (cause) {
    db.close();
    throw new Error(`${path} is not a snapshot that this version reads`, { cause });
  }
}

function readSnapshot(path: string, db: Database.Database, cards_cached: number): Snapshot {
  // One lock for the life of the handle instead of one a statement; it is shared, so other readers
  // open it too.
  db.pragma('locking_mode = exclusive');
  // Records are read once and then cached in a form of ours.
  db.pragma('cache_size = -2000');
  const meta = readMetaOf(db);
  if (meta.schema_version !== SCHEMA_VERSION) throw new Error('it is of another version');
  const [calendar] = readRecords(db, CalendarRecordSchema, 'select record from calendar');
  if (calendar === undefined) throw new Error('it has no calendar');
  const readTaxa = (kind: 'category' | 'zone') => {
    const sql = 'select record from taxa where kind = ? order by position';
    return readRecords(db, TaxonRecordSchema, sql, kind);
  };
  const venues = readById(db, 'venues', VenueRecordSchema);
  const event = db.prepare('select record from events where position = ?').pluck();
  return {
    ...meta,
    path,
    db,
    venues,
    calendar,
    organizers: readById(db, 'organizers', OrganizerRecordSchema),
    notices: readById(db, 'notices', NoticeRecordSchema),
    taxonomy: { categories: readTaxa('category'), zones: readTaxa('zone') },
    index: readIndex(db, venues),
    word_index: readWordIndex(db),
    cards: new LRUCache({ max: cards_cached }),
    readEvent: (position) =>
      v.parse(EventRecordSchema, JSON.parse(v.parse(v.string(), event.get(position)))),
    idOf: toIdReader(db),
  };
}

/** Records that lie as JSON in the one column that a question asks for. */
export const readRecords = <T>(
  db: Database.Database,
  schema: v.GenericSchema<unknown, T>,
  sql: string,
  ...params: readonly (string | number)[]
): T[] =>
  db
    .prepare(sql)
    .pluck()
    .all(params)
    .map((text) => v.parse(schema, JSON.parse(v.parse(v.string(), text))));

const readById = <T extends { readonly id: string }>(
  db: Database.Database,
  table: 'venues' | 'organizers' | 'notices',
  schema: v.GenericSchema<unknown, T>,
): ReadonlyMap<string, T> =>
  new Map(
    readRecords(db, schema, `select record from ${table} order by id`).map((thing) => [
      thing.id,
      thing,
    ]),
  );

function toIdReader(db: Database.Database): Snapshot['idOf'] {
  const known = db.prepare('select id from slugs where kind = ? and slug = ?').pluck();
  const withdrawn = db.prepare('select 1 from withdrawn where kind = ? and slug = ?').pluck();
  return (kind, id_or_slug) => {
    const id: unknown = known.get(kind, id_or_slug);
    if (typeof id === 'string') return id;
    return withdrawn.get(kind, id_or_slug) === undefined ? null : 'gone';
  };
}

/** Closes the file; nothing may ask this snapshot any more. */
export function closeSnapshot(snapshot: Snapshot): void {
  snapshot.db.close();
}
