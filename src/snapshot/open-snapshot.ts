// Opening a snapshot for reading: one handle, and in memory all that lists and filters ask: every event
// with what stands beside it, every date, every word. The file is never written again.
import { readFileSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { EventCard } from '../domain/agenda.ts';
import { type CalendarRecord, CalendarRecordSchema } from '../domain/day/day-facts.ts';
import { type DocsName, DocsRecordSchema } from '../domain/docs-pages.ts';
import { EVENT_FIELDS, type OccurrenceRecord, OccurrenceSchema } from '../domain/event/event.ts';
import { storedEntries } from '../domain/fields.ts';
import { foldText } from '../domain/text-folding.ts';
import type { ByLang, Lang, LocalText } from '../domain/lang.ts';
import { NOTICE_FIELDS, type NoticeRecord } from '../domain/notice.ts';
import { ORGANIZER_FIELDS, type OrganizerRecord } from '../domain/organizer.ts';
import { type Motif, MotifSchema } from '../domain/pictures.ts';
import { type Taxonomy, TaxonRecordSchema } from '../domain/taxon.ts';
import { VENUE_FIELDS, type VenueRecord } from '../domain/venue.ts';
import {
  isOfThisTown,
  loadSnapshotMeta,
  SCHEMA_VERSION,
  type SnapshotMeta,
} from './snapshot-meta.ts';
import type { WordIndex, WordIndexes } from './word-index.ts';

/** An event with all that stands beside it, without what depends on a query. */
export type StoredCard = Omit<EventCard, 'next' | 'more_dates'>;

export interface MemoryIndex {
  /** By event position, which is order of id. */
  readonly cards: readonly StoredCard[];
  readonly positions: ReadonlyMap<string, number>;
  /** By event position: its dates in order of time. */
  readonly dates: readonly (readonly OccurrenceRecord[])[];
  /** By language and event position: rank in the order (title of that language, id). */
  readonly rank: ByLang<readonly number[]>;
  /** In order of (start, event position). */
  readonly occurrences: readonly OccurrenceRecord[];
  readonly event_of: readonly number[];
  /** First and last day on which anything takes place, as day numbers; null where there is nothing. */
  readonly span: { readonly first: number; readonly last: number } | null;
}

export interface Snapshot extends SnapshotMeta {
  readonly path: string;
  readonly db: Database.Database;
  readonly taxonomy: Taxonomy;
  readonly motifs: ReadonlyMap<string, Motif>;
  readonly calendar: CalendarRecord;
  /** Markdown with its placeholders. */
  readonly docs: ReadonlyMap<DocsName, LocalText>;
  readonly venues: ReadonlyMap<string, VenueRecord>;
  readonly organizers: ReadonlyMap<string, OrganizerRecord>;
  /** In force or not. */
  readonly notices: ReadonlyMap<string, NoticeRecord>;
  readonly index: MemoryIndex;
  readonly word_indexes: WordIndexes;
  /**
   * The id behind an id or any slug that one of a kind ever had; 'gone' where it was withdrawn; null
   * where there never was one.
   */
  readonly findId: (kind: PageRecordKind, id_or_slug: string) => string | 'gone' | null;
}

export type PageRecordKind = 'event' | 'venue' | 'organizer';

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
export const openSnapshot = (path: string): Snapshot => finish(openInSteps(path));

/** The same in steps of a few milliseconds, between which the process answers requests. */
export async function openSnapshotInSteps(path: string): Promise<Snapshot> {
  const steps = openInSteps(path);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}

/** How long a step reads. */
const STEP_MS = 4;
type Steps<T> = Generator<undefined, T, undefined>;

function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function* openInSteps(path: string): Steps<Snapshot> {
  const db = openDatabase(path);
  try {
    return yield* readSnapshot(path, db);
  } catch (cause) {
    db.close();
    throw new Error(`${path} is not a snapshot that this version reads`, { cause });
  }
}

function* readSnapshot(path: string, db: Database.Database): Steps<Snapshot> {
  // One lock for the life of the handle instead of one a statement; it is shared, so other readers
  // open it too.
  db.pragma('locking_mode = exclusive');
  // Records are read once and then kept in a form of ours.
  db.pragma('cache_size = -2000');
  const meta = loadSnapshotMeta(db);
  if (meta.schema_version !== SCHEMA_VERSION) throw new Error('it is of another version');
  if (!isOfThisTown(meta)) throw new Error('it is of another town.yml');
  const [calendar] = loadRecords(db, CalendarRecordSchema, 'select record from calendar');
  if (calendar === undefined) throw new Error('it has no calendar');
  const readTaxa = (kind: 'category' | 'zone') => {
    const sql = 'select record from taxa where kind = ? order by position';
    return loadRecords(db, TaxonRecordSchema, sql, kind);
  };
  const things = {
    taxonomy: { categories: readTaxa('category'), zones: readTaxa('zone') },
    motifs: new Map(
      loadRecords(db, MotifSchema, 'select record from motifs order by position').map((motif) => [
        motif.key,
        motif,
      ]),
    ),
    venues: readById(db, 'venues', v.object(storedEntries(VENUE_FIELDS))),
    organizers: readById(db, 'organizers', v.object(storedEntries(ORGANIZER_FIELDS))),
  };
  return {
    ...meta,
    ...things,
    path,
    db,
    calendar,
    docs: new Map(
      loadRecords(db, DocsRecordSchema, 'select record from docs').map(({ name, text }) => [
        name,
        text,
      ]),
    ),
    notices: readById(db, 'notices', v.object(storedEntries(NOTICE_FIELDS))),
    index: yield* readIndex(db, things, meta.generated_ms),
    word_indexes: {
      event: yield* readWordIndex(db, 'event'),
      venue: yield* readWordIndex(db, 'venue'),
      organizer: yield* readWordIndex(db, 'organizer'),
      notice: yield* readWordIndex(db, 'notice'),
    },
    findId: toIdFinder(db),
  };
}

/**
 * Records that lie as JSON in the one column that a question asks for. One function wrote all rows of a
 * table, so that the first of them says whether this version reads it.
 */
export const loadRecords = <T>(
  db: Database.Database,
  schema: v.GenericSchema<unknown, T>,
  sql: string,
  ...params: readonly (string | number)[]
): readonly T[] => finish(readInSteps(db, schema, sql, ...params));

function* readInSteps<T>(
  db: Database.Database,
  schema: v.GenericSchema<unknown, T>,
  sql: string,
  ...params: readonly (string | number)[]
): Steps<readonly T[]> {
  const records: T[] = [];
  let begun_ms = performance.now();
  for (const text of db
    .prepare(sql)
    .pluck()
    .iterate(...params)) {
    records.push(JSON.parse(String(text)));
    if (records.length === 1) v.assert(schema, records[0]);
    if (performance.now() - begun_ms < STEP_MS) continue;
    yield;
    begun_ms = performance.now();
  }
  return records;
}

const readById = <T extends { readonly id: string }>(
  db: Database.Database,
  table: 'venues' | 'organizers' | 'notices',
  schema: v.GenericSchema<unknown, T>,
): ReadonlyMap<string, T> =>
  new Map(
    loadRecords(db, schema, `select record from ${table} order by id`).map((thing) => [
      thing.id,
      thing,
    ]),
  );

function* readIndex(
  db: Database.Database,
  {
    taxonomy,
    motifs,
    venues,
    organizers,
  }: Pick<Snapshot, 'taxonomy' | 'motifs' | 'venues' | 'organizers'>,
  generated_ms: number,
): Steps<MemoryIndex> {
  const schema = v.object(storedEntries(EVENT_FIELDS));
  const events = yield* readInSteps(db, schema, 'select record from events order by position');
  const positions = new Map(events.map(({ id }, position) => [id, position]));
  const sql = 'select record from occurrences order by position';
  const occurrences = yield* readInSteps(db, OccurrenceSchema, sql);
  const event_of = occurrences.map(({ event }) => positions.get(event) ?? 0);
  const dates = events.map((): OccurrenceRecord[] => []);
  yield;
  const rank = { es: rankByTitle(events, 'es'), en: rankByTitle(events, 'en') };
  yield;
  let last = 0;
  for (const [at, occurrence] of occurrences.entries()) {
    dates[event_of[at] ?? 0]?.push(occurrence);
    last = Math.max(last, occurrence.last_day);
  }
  const [first] = occurrences;
  return {
    cards: events.map((event, at) => {
      const category = taxonomy.categories.find(({ key }) => key === event.category) ?? null;
      return {
        event: asSureAsItsLast(event, dates[at] ?? [], generated_ms),
        category,
        motif: motifs.get(event.motif ?? '') ?? motifs.get(category?.motif ?? '') ?? null,
        zone: taxonomy.zones.find(({ key }) => key === event.zone) ?? null,
        venue: venues.get(event.venue ?? '') ?? null,
        organizer: organizers.get(event.organizer ?? '') ?? null,
      };
    }),
    positions,
    dates,
    rank,
    occurrences,
    event_of,
    span: first ? { first: first.first_day, last } : null,
  };
}

/** Where no date is ahead nothing but the last that there was can be confirmed. */
function asSureAsItsLast<E extends Pick<StoredCard['event'], 'certainty'>>(
  event: E,
  dates: readonly OccurrenceRecord[],
  generated_ms: number,
): E {
  const is_over = dates.every(({ end_ms }) => end_ms <= generated_ms);
  const was_sure = dates.at(-1)?.certainty === 'confirmed';
  return is_over && !was_sure ? { ...event, certainty: 'last_known' } : event;
}

function rankByTitle(
  events: readonly Pick<StoredCard['event'], 'title' | 'id'>[],
  lang: Lang,
): readonly number[] {
  // No text has the character that parts them, and none sorts before it.
  const keys = events.map(({ title, id }) => [foldText(title[lang]), title[lang], id].join('\0'));
  const ranks = new Map(keys.toSorted().map((key, rank) => [key, rank]));
  return keys.map((key) => ranks.get(key) ?? 0);
}

function* readWordIndex(db: Database.Database, kind: keyof WordIndexes): Steps<WordIndex> {
  const schema = v.tuple([v.string(), v.array(v.number())]);
  const sql = 'select record from words where kind = ? order by position';
  const rows = yield* readInSteps(db, schema, sql, kind);
  return { words: rows.map(([word]) => word), holders: rows.map(([, holders]) => holders) };
}

function toIdFinder(db: Database.Database): Snapshot['findId'] {
  const known = db.prepare('select id from slugs where kind = ? and slug = ?').pluck();
  const withdrawn = db.prepare('select 1 from withdrawn where kind = ? and slug = ?').pluck();
  return (kind, id_or_slug) => {
    const id: unknown = known.get(kind, id_or_slug);
    if (typeof id === 'string') return id;
    return withdrawn.get(kind, id_or_slug) === undefined ? null : 'gone';
  };
}

/** The drawing of a motif as SVG. */
export const loadDrawing = ({ db }: Snapshot, { key }: Motif): string =>
  v.parse(v.string(), db.prepare('select svg from motifs where key = ?').pluck().get(key));

export function closeSnapshot(snapshot: Snapshot): void {
  snapshot.db.close();
}
