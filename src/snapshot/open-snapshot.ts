// Snapshot reader: opens a snapshot with one read-only handle, and loads all events, dates and
// words that lists and filters need into memory. Events and occurrences are then arrays; a position
// is an index into one of them.
import { readFileSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { RangelessCard } from '../domain/agenda.ts';
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

/** An event with its related records, without the fields that depend on a query. */
export type StoredCard = RangelessCard;

/** All events and occurrences, as parallel arrays. */
export interface MemoryIndex {
  /** Events by position, in order of id. */
  readonly cards: readonly StoredCard[];
  /** Event positions by event id. */
  readonly positions: ReadonlyMap<string, number>;
  /** Occurrences of each event, by event position, in order of time. */
  readonly dates: readonly (readonly OccurrenceRecord[])[];
  /** Rank of each event in the order of titles, then ids, by language and event position. */
  readonly rank: ByLang<readonly number[]>;
  /** All occurrences, in order of start, then event position. */
  readonly occurrences: readonly OccurrenceRecord[];
  /** Event position of each occurrence. */
  readonly event_positions: readonly number[];
  /** First and last day with an event, as numbers of days since 1970-01-01; null without events. */
  readonly span: { readonly first: number; readonly last: number } | null;
}

/** An open snapshot. The maps of records are by id. */
export interface Snapshot extends SnapshotMeta {
  readonly path: string;
  readonly db: Database.Database;
  readonly taxonomy: Taxonomy;
  /** Drawings of events and categories without a picture, by key. */
  readonly motifs: ReadonlyMap<string, Motif>;
  /** Holidays, seasons, festivities and links of the town. */
  readonly calendar: CalendarRecord;
  /** Documentation pages as Markdown with placeholders. */
  readonly docs: ReadonlyMap<DocsName, LocalText>;
  readonly venues: ReadonlyMap<string, VenueRecord>;
  readonly organizers: ReadonlyMap<string, OrganizerRecord>;
  /** Past, current and future notices. */
  readonly notices: ReadonlyMap<string, NoticeRecord>;
  readonly index: MemoryIndex;
  readonly word_indexes: WordIndexes;
  /**
   * Resolves an id, or any current or former slug.
   * @returns 'gone' if the record was withdrawn, null if it never existed.
   */
  readonly findId: (kind: PageRecordKind, id_or_slug: string) => string | 'gone' | null;
}

/** Kinds of records with a page, and so a slug, of their own. */
export type PageRecordKind = 'event' | 'venue' | 'organizer';

/**
 * A snapshot up to this size, about 2,000 events, is read into memory as a whole, so that the file
 * may change or disappear later.
 */
const MEMORY_BYTES = 16 * 1024 * 1024;

function openDatabase(path: string): Database.Database {
  if (statSync(path).size <= MEMORY_BYTES)
    return new Database(readFileSync(path), { readonly: true });
  return new Database(path, { readonly: true, fileMustExist: true });
}

/** Opens the file read-only, in one go. @throws if it is not a snapshot of this version. */
export const openSnapshot = (path: string): Snapshot => runAllSteps(openInSteps(path));

/** Opens the file in steps of a few milliseconds, between which the process serves requests. */
export async function openSnapshotInSteps(path: string): Promise<Snapshot> {
  const steps = openInSteps(path);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await setImmediate();
  }
}

/** Minimum duration of a step. */
const STEP_MS = 4;
/** A computation in steps: yields between them, and returns its result after the last one. */
type Steps<T> = Generator<undefined, T, undefined>;

function runAllSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Opens the file, and closes it again if it is not a snapshot of this version. */
function* openInSteps(path: string): Steps<Snapshot> {
  const db = openDatabase(path);
  try {
    return yield* loadSnapshot(path, db);
  } catch (cause) {
    db.close();
    throw new Error(`${path} is not a snapshot of this version`, { cause });
  }
}

function* loadSnapshot(path: string, db: Database.Database): Steps<Snapshot> {
  // One lock for the lifetime of the handle instead of one per statement. It is a shared lock, so
  // other processes can open the file too.
  db.pragma('locking_mode = exclusive');
  // A small cache: records are read once and then stay in the index.
  db.pragma('cache_size = -2000');
  const meta = loadSnapshotMeta(db);
  if (meta.schema_version !== SCHEMA_VERSION) throw new Error('it has another schema version');
  if (!isOfThisTown(meta)) throw new Error('it was built with another town.yml');
  const [calendar] = loadRecords(db, CalendarRecordSchema, 'select record from calendar');
  if (calendar === undefined) throw new Error('it has no calendar');
  const loadTaxa = (kind: 'category' | 'zone') => {
    const sql = 'select record from taxa where kind = ? order by position';
    return loadRecords(db, TaxonRecordSchema, sql, kind);
  };
  const records = {
    taxonomy: { categories: loadTaxa('category'), zones: loadTaxa('zone') },
    motifs: new Map(
      loadRecords(db, MotifSchema, 'select record from motifs order by position').map((motif) => [
        motif.key,
        motif,
      ]),
    ),
    venues: loadById(db, 'venues', v.object(storedEntries(VENUE_FIELDS))),
    organizers: loadById(db, 'organizers', v.object(storedEntries(ORGANIZER_FIELDS))),
  };
  return {
    ...meta,
    ...records,
    path,
    db,
    calendar,
    docs: new Map(
      loadRecords(db, DocsRecordSchema, 'select record from docs').map(({ name, text }) => [
        name,
        text,
      ]),
    ),
    notices: loadById(db, 'notices', v.object(storedEntries(NOTICE_FIELDS))),
    index: yield* loadIndex(db, records, meta.generated_ms),
    word_indexes: {
      event: yield* loadWordIndex(db, 'event'),
      venue: yield* loadWordIndex(db, 'venue'),
      organizer: yield* loadWordIndex(db, 'organizer'),
      notice: yield* loadWordIndex(db, 'notice'),
    },
    findId: createIdLookup(db),
  };
}

/**
 * Loads records from the one selected column, which has JSON. Validates only the first one: the
 * same function wrote all rows of a table.
 */
export const loadRecords = <T>(
  db: Database.Database,
  schema: v.GenericSchema<unknown, T>,
  sql: string,
  ...params: readonly (string | number)[]
): readonly T[] => runAllSteps(loadInSteps(db, schema, sql, ...params));

function* loadInSteps<T>(
  db: Database.Database,
  schema: v.GenericSchema<unknown, T>,
  sql: string,
  ...params: readonly (string | number)[]
): Steps<readonly T[]> {
  const records: T[] = [];
  let step_start_ms = performance.now();
  for (const json of db
    .prepare(sql)
    .pluck()
    .iterate(...params)) {
    records.push(JSON.parse(String(json)));
    if (records.length === 1) v.assert(schema, records[0]);
    if (performance.now() - step_start_ms < STEP_MS) continue;
    yield;
    step_start_ms = performance.now();
  }
  return records;
}

const loadById = <T extends { readonly id: string }>(
  db: Database.Database,
  table: 'venues' | 'organizers' | 'notices',
  schema: v.GenericSchema<unknown, T>,
): ReadonlyMap<string, T> =>
  new Map(
    loadRecords(db, schema, `select record from ${table} order by id`).map((record) => [
      record.id,
      record,
    ]),
  );

/** Loads all events and occurrences, and joins each event with its related records. */
function* loadIndex(
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
  const events = yield* loadInSteps(db, schema, 'select record from events order by position');
  const positions = new Map(events.map(({ id }, position) => [id, position]));
  const sql = 'select record from occurrences order by position';
  const occurrences = yield* loadInSteps(db, OccurrenceSchema, sql);
  const event_positions = occurrences.map(({ event }) => positions.get(event) ?? 0);
  const dates = events.map((): OccurrenceRecord[] => []);
  yield;
  const rank = { es: rankByTitle(events, 'es'), en: rankByTitle(events, 'en') };
  yield;
  let last_day = 0;
  for (const [position, occurrence] of occurrences.entries()) {
    dates[event_positions[position] ?? 0]?.push(occurrence);
    last_day = Math.max(last_day, occurrence.last_day);
  }
  const [first_occurrence] = occurrences;
  return {
    cards: events.map((event, position) => {
      const category = taxonomy.categories.find(({ key }) => key === event.category) ?? null;
      return {
        event: downgradePastCertainty(event, dates[position] ?? [], generated_ms),
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
    event_positions,
    span: first_occurrence ? { first: first_occurrence.first_day, last: last_day } : null,
  };
}

/**
 * Sets the certainty of an event that had ended, or had no date, when the snapshot was built to
 * `last_known` (the latest information, possibly outdated), unless its last date was confirmed.
 */
function downgradePastCertainty<E extends Pick<StoredCard['event'], 'certainty'>>(
  event: E,
  dates: readonly OccurrenceRecord[],
  generated_ms: number,
): E {
  const is_over = dates.every(({ end_ms }) => end_ms <= generated_ms);
  const was_confirmed = dates.at(-1)?.certainty === 'confirmed';
  // Its sources do not support its next date yet.
  if (dates.length === 0 && event.certainty === 'usual') return event;
  return is_over && !was_confirmed ? { ...event, certainty: 'last_known' } : event;
}

/** Returns the rank of each event in the order of folded titles, then exact titles, then ids. */
function rankByTitle(
  events: readonly Pick<StoredCard['event'], 'title' | 'id'>[],
  lang: Lang,
): readonly number[] {
  // No text contains NUL, and no character sorts before it.
  const keys = events.map(({ title, id }) => [foldText(title[lang]), title[lang], id].join('\0'));
  const ranks = new Map(keys.toSorted().map((key, rank) => [key, rank]));
  return keys.map((key) => ranks.get(key) ?? 0);
}

/** Loads the word index of one kind of records. */
function* loadWordIndex(db: Database.Database, kind: keyof WordIndexes): Steps<WordIndex> {
  const schema = v.tuple([v.string(), v.array(v.number())]);
  const sql = 'select record from words where kind = ? order by position';
  const rows = yield* loadInSteps(db, schema, sql, kind);
  return { words: rows.map(([word]) => word), postings: rows.map(([, postings]) => postings) };
}

/** Creates the lookup of `findId`. The table of slugs contains ids too. */
function createIdLookup(db: Database.Database): Snapshot['findId'] {
  const by_slug = db.prepare('select id from slugs where kind = ? and slug = ?').pluck();
  const withdrawn = db.prepare('select 1 from withdrawn where kind = ? and slug = ?').pluck();
  return (kind, id_or_slug) => {
    const id: unknown = by_slug.get(kind, id_or_slug);
    if (typeof id === 'string') return id;
    return withdrawn.get(kind, id_or_slug) === undefined ? null : 'gone';
  };
}

/** Loads the SVG drawing of a motif. */
export const loadDrawing = ({ db }: Snapshot, { key }: Motif): string =>
  v.parse(v.string(), db.prepare('select svg from motifs where key = ?').pluck().get(key));

export function closeSnapshot(snapshot: Snapshot): void {
  snapshot.db.close();
}
