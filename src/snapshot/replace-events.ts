// Events of a snapshot written over themselves where what they say changed and their dates stay: the rows and
// arrays that build.ts would write, at the cost of a copy. Of a copy alone: what serves is never written again.
import type { Database } from 'better-sqlite3';
import * as v from 'valibot';
import type { EventRecord, OccurrenceRecord } from '../domain/event/event.ts';
import type { DueFact } from '../domain/knowledge/due.ts';
import { byLang, LocalTextSchema } from '../domain/lang.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { writeBases } from './amend.ts';
import { amendWords, listTexts } from './amend-arrays.ts';
import { buildIndex, rankByTitle, readIndex, writeIndex } from './memory-index.ts';
import { findWords } from './word-index.ts';
import { writeEvents, writeOccurrences } from './write-rows.ts';

/** What is written over an event. */
export interface Replacement {
  readonly record: EventRecord;
  /** The dates that it has, in their order. */
  readonly occurrences: readonly OccurrenceRecord[];
  readonly basis: string;
  /** None where there was nothing due of it before. */
  readonly due: readonly DueFact[];
  /** All that the search finds it by. */
  readonly search_text: string;
}

const positionsOf = (db: Database, table: 'events' | 'occurrences', ids: readonly string[]) => {
  const find = db.prepare(`select position from ${table} where id = ?`).pluck();
  return ids.map((id) => v.parse(v.number(), find.get(id)));
};

/** Writes events over themselves. `venues`: theirs, by id. Throws where one of them, or of their dates, is not there. */
export function replaceEvents(
  db: Database,
  replacements: readonly Replacement[],
  venues: ReadonlyMap<string, VenueRecord>,
): void {
  const events = replacements.map(({ record }) => record);
  const occurrences = replacements.flatMap((one) => one.occurrences);
  const at = positionsOf(
    db,
    'events',
    events.map(({ id }) => id),
  );
  const dates_at = positionsOf(
    db,
    'occurrences',
    occurrences.map(({ id }) => id),
  );
  const positions = new Map(events.map(({ id }, one) => [id, at[one] ?? -1]));
  writeEvents(
    db,
    events.map((event, one) => [at[one] ?? -1, event] as const),
    venues,
  );
  writeOccurrences(
    db,
    occurrences.map((occurrence, one) => [dates_at[one] ?? -1, occurrence] as const),
    positions,
  );
  writeBases(db, new Map(replacements.map(({ record, basis }) => [record.id, basis])));
  replaceDue(db, replacements);
  const part = buildIndex(events, occurrences, venues, positions);
  replaceInIndex(db, part, at, dates_at);
  const texts = replacements.map(({ search_text }, one) => [at[one] ?? -1, search_text] as const);
  amendWords(db, new Set(at), null, findWords(texts));
}

const DueRow = v.object({ id: v.string(), day: v.string(), record: v.string() });

/** Of which things anything is due. */
export const listDueIds = (db: Database): ReadonlySet<string> =>
  new Set(
    v.parse(
      v.array(v.string()),
      db.prepare("select distinct record ->> '$.id' from due").pluck().all(),
    ),
  );

/** What is due of an event stands where that stood before. */
function replaceDue(db: Database, replacements: readonly Replacement[]): void {
  const own = new Map(replacements.map(({ record, due }) => [record.id, due]));
  const rows = v.parse(
    v.array(DueRow),
    db.prepare("select record ->> '$.id' as id, day, record from due order by position").all(),
  );
  const told = new Set<string>();
  const facts = rows.flatMap(({ id, ...row }) => {
    const due = own.get(id);
    if (due === undefined) return [row];
    if (told.has(id)) return [];
    told.add(id);
    return due.map((fact) => ({ day: fact.day, record: JSON.stringify(fact) }));
  });
  db.exec('delete from due');
  const insert = db.prepare('insert into due values (?, ?, ?)');
  for (const [position, { day, record }] of facts.entries()) insert.run(position, day, record);
}

/** Writes an index of some events and dates into that of all, at their positions there. */
function replaceInIndex(
  db: Database,
  part: ReturnType<typeof buildIndex>,
  at: readonly number[],
  dates_at: readonly number[],
): void {
  const index = readIndex(db);
  const count = index.event.length;
  const updated_at = listTexts(index.updated_at, count);
  dates_at.forEach((position, one) => {
    for (const name of ['status', 'kind', 'sequence'] as const)
      index[name][position] = part[name][one] ?? 0;
    updated_at[position] = part.updated_at[one] ?? '';
  });
  at.forEach((position, one) => {
    for (const name of ['flags', 'lat', 'lng'] as const)
      index[name][position] = part[name][one] ?? 0;
    index.codes.forEach((codes, filter) => {
      codes[position] = part.codes[filter]?.[one] ?? 0;
    });
  });
  const titles = readTitles(db);
  writeIndex(db, {
    ...index,
    id: listTexts(index.id, count),
    start: listTexts(index.start, count),
    end: listTexts(index.end, count),
    updated_at,
    rank: byLang((lang) => rankByTitle(titles, lang)),
  });
}

const TitleRow = v.object({
  id: v.string(),
  title: v.pipe(
    v.string(),
    v.transform((text): unknown => JSON.parse(text)),
    LocalTextSchema,
  ),
});

/** The titles of all events, by position. */
const readTitles = (db: Database) =>
  v.parse(
    v.array(TitleRow),
    db.prepare("select id, record -> '$.title' as title from events order by position").all(),
  );
