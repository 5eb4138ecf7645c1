// Opening a snapshot for reading: one handle, the memory index, the taxonomy. The file is never
// written again.
import { existsSync, readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { EventCard } from '../domain/agenda.ts';
import type { CalendarRecord } from '../domain/day/calendar.ts';
import { TAXON_FILTERS } from '../domain/filters/filters.ts';
import { type LocalText, LocalTextSchema } from '../domain/lang.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { type Taxonomy, TaxonRecordSchema } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { groupPositions, type Groups, type MemoryIndex, readIndex } from './memory-index.ts';
import { readGenerated } from './generated.ts';
import { readCalendar } from './read-calendar.ts';
import { readWordIndex, type WordIndex } from './word-index.ts';

/** Written into every snapshot; another number is not opened. */
export const SCHEMA_VERSION = '6';
/** Cards that a server keeps in memory; as many venues, organizers and notices, which cards and days share. */
const CARDS_CACHED = 500;

export interface Snapshot {
  readonly path: string;
  readonly db: Database.Database;
  readonly taxonomy: Taxonomy;
  readonly calendar: CalendarRecord;
  /** When it was built, timestamp with offset and epoch ms. */
  readonly generated_at: string;
  readonly generated_ms: number;
  /** A digest of what it says; the same sources and clock give the same. */
  readonly version: string;
  readonly event_count: number;
  readonly index: MemoryIndex;
  readonly word_index: WordIndex;
  /** Occurrence positions by event position. */
  readonly occurrences_of: Groups;
  /** For each of TAXON_FILTERS the event positions by the position of their key. */
  readonly events_of: readonly Groups[];
  /** Notes of the occurrences that have some, by position. */
  readonly notes: ReadonlyMap<number, LocalText>;
  /** Cards by event position, without `next`. */
  readonly cards: LRUCache<number, Omit<EventCard, 'next' | 'more_dates'>>;
  /** By id: many cards, and many days, have the same. */
  readonly venues: LRUCache<string, VenueRecord>;
  readonly organizers: LRUCache<string, OrganizerRecord>;
  readonly notices: LRUCache<string, NoticeRecord>;
  /** A record's JSON: of an event by position, of the others by id; null where there is none. */
  readonly recordOf: Readonly<
    Record<'event' | 'venue' | 'organizer' | 'notice', (key: string | number) => string | null>
  >;
  readonly positionOf: (id: string) => number | null;
  /** get-thing.ts: findId. */
  readonly idOf: (kind: string, id_or_slug: string) => string | 'gone' | null;
  readonly eventsOfVenue: (id: string) => ReadonlySet<number>;
  readonly eventsOfOrganizer: (id: string) => ReadonlySet<number>;
  /** Those that last changed at a moment (timestamp in Cancún) or later. */
  readonly eventsUpdatedSince: (moment: string) => ReadonlySet<number>;
}

const MetaSchema = v.object({
  schema_version: v.literal(SCHEMA_VERSION),
  generated_at: v.string(),
  generated_ms: v.pipe(v.string(), v.transform(Number), v.integer()),
  version: v.string(),
});
const NotesSchema = v.array(v.object({ position: v.number(), notes: v.string() }));
const Positions = v.array(v.number());

/**
 * A snapshot up to this size, some 3,000 events, is read into memory whole: what happens to its
 * file later is no matter then.
 */
const MEMORY_BYTES = 16 * 1024 * 1024;

function openDatabase(path: string): Database.Database {
  if (statSync(path).size <= MEMORY_BYTES)
    return new Database(readFileSync(path), { readonly: true });
  return new Database(path, { readonly: true, fileMustExist: true });
}

/** Opens the file read-only; `cards_cached`: cards kept in memory, about 4 kB each. Throws where it is no snapshot of this version. */
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
  const meta = { ...readMeta(db), ...readGenerated(path) };
  const position = db.prepare('select position from events where id = ?').pluck();
  const of_venue = db.prepare('select position from events where venue = ?').pluck();
  const of_organizer = db.prepare('select position from events where organizer = ?').pluck();
  const updated_since = db.prepare('select position from events where updated_at >= ?').pluck();
  const notes = v.parse(
    NotesSchema,
    db.prepare('select position, notes from occurrences where notes is not null').all(),
  );
  const index = readIndex(db);
  return {
    ...meta,
    path,
    db,
    index,
    taxonomy: { categories: readTaxa(db, 'category'), zones: readTaxa(db, 'zone') },
    calendar: readCalendar(db),
    event_count: index.flags.length,
    word_index: readWordIndex(db),
    occurrences_of: groupPositions(index.event, index.flags.length),
    events_of: index.codes.map((codes, at) =>
      groupPositions(codes, TAXON_FILTERS[at]?.keys.length ?? 0),
    ),
    notes: new Map(
      notes.map((row) => [row.position, v.parse(LocalTextSchema, JSON.parse(row.notes))]),
    ),
    cards: new LRUCache({ max: cards_cached }),
    venues: new LRUCache({ max: cards_cached }),
    organizers: new LRUCache({ max: cards_cached }),
    notices: new LRUCache({ max: cards_cached }),
    recordOf: {
      event: toRecordReader(db, 'select record from events where position = ?'),
      venue: toRecordReader(db, 'select record from venues where id = ?'),
      organizer: toRecordReader(db, 'select record from organizers where id = ?'),
      notice: toRecordReader(db, 'select record from notices where id = ?'),
    },
    idOf: toIdReader(db),
    positionOf: (id) => v.parse(v.nullable(v.number()), position.get(id) ?? null),
    eventsOfVenue: (id) => new Set(v.parse(Positions, of_venue.all(id))),
    eventsOfOrganizer: (id) => new Set(v.parse(Positions, of_organizer.all(id))),
    eventsUpdatedSince: (moment) => new Set(v.parse(Positions, updated_since.all(moment))),
  };
}

const readMeta = (db: Database.Database): v.InferOutput<typeof MetaSchema> =>
  v.parse(
    MetaSchema,
    Object.fromEntries(
      db
        .prepare('select key, value from meta')
        .raw()
        .all()
        .map((row) => v.parse(v.tuple([v.string(), v.string()]), row)),
    ),
  );

/** The digest of what the snapshot at a path says; null where this version does not read it. */
export function readVersion(path: string): string | null {
  if (!existsSync(path)) return null;
  const db = new Database(path, { readonly: true });
  try {
    return readMeta(db).version;
  } catch {
    return null;
  } finally {
    db.close();
  }
}

function toRecordReader(
  db: Database.Database,
  sql: string,
): (key: string | number) => string | null {
  const statement = db.prepare(sql).pluck();
  return (key) => {
    const text: unknown = statement.get(key);
    return typeof text === 'string' ? text : null;
  };
}

function toIdReader(db: Database.Database): Snapshot['idOf'] {
  const known = db.prepare('select id from slugs where kind = ? and slug = ?').pluck();
  const withdrawn = db.prepare('select 1 from withdrawn where kind = ? and slug = ?').pluck();
  return (kind, id_or_slug) => {
    const id: unknown = known.get(kind, id_or_slug);
    if (typeof id === 'string') return id;
    return withdrawn.get(kind, id_or_slug) === undefined ? null : 'gone';
  };
}

function readTaxa(db: Database.Database, kind: 'category' | 'zone') {
  return db
    .prepare('select record from taxa where kind = ? order by position')
    .pluck()
    .all(kind)
    .map((record) => v.parse(TaxonRecordSchema, JSON.parse(v.parse(v.string(), record))));
}

/** Closes the file; nothing may ask this snapshot any more. */
export function closeSnapshot(snapshot: Snapshot): void {
  snapshot.db.close();
}
