// The memory index: every date, and what filters ask of every event, read once when a snapshot is opened.
import type { Database } from 'better-sqlite3';
import * as v from 'valibot';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { EVENT_FIELDS } from '../domain/event/fields.ts';
import { toStoredEntries } from '../domain/fields.ts';
import { fold } from '../domain/folding.ts';
import { CERTAINTIES } from '../domain/knowledge/certainty.ts';
import { type ByLang, byLang, type Lang, LocalTextSchema } from '../domain/lang.ts';
import type { VenueRecord } from '../domain/venue.ts';

export const EventRecordSchema = v.object(toStoredEntries(EVENT_FIELDS));
const IndexedSchema = v.pick(EventRecordSchema, [
  ...(['id', 'slug', 'title', 'category', 'zone', 'tags', 'price'] as const),
  ...(['venue', 'organizer', 'updated_at'] as const),
]);

/** What is asked of an event. */
export interface IndexedEvent extends v.InferOutput<typeof IndexedSchema> {
  /** Degrees; NaN without coordinates. */
  readonly lat: number;
  readonly lng: number;
}

export interface MemoryIndex {
  /** By event position, which is order of id. */
  readonly events: readonly IndexedEvent[];
  readonly positions: ReadonlyMap<string, number>;
  /** By event position: its dates in order of time. */
  readonly dates: readonly (readonly OccurrenceRecord[])[];
  /** By language and event position: rank in the order (title of that language, id). */
  readonly rank: ByLang<readonly number[]>;
  /** In order of (start, event position). */
  readonly occurrences: readonly OccurrenceRecord[];
  /** The position of the event of each. */
  readonly event_of: readonly number[];
  /** First and last day on which anything takes place, as day numbers; null where there is nothing. */
  readonly span: { readonly first: number; readonly last: number } | null;
}

const flag = v.pipe(
  v.number(),
  v.transform((bit) => bit === 1),
);
const OccurrenceRow = v.object({
  id: v.string(),
  event: v.number(),
  start: v.string(),
  end: v.string(),
  start_ms: v.number(),
  end_ms: v.number(),
  first_day: v.number(),
  last_day: v.number(),
  all_day: flag,
  time_known: flag,
  end_known: flag,
  certainty: v.picklist(CERTAINTIES),
  status: v.picklist(['scheduled', 'cancelled', 'postponed']),
  notes: v.nullable(v.pipe(v.string(), v.parseJson(), LocalTextSchema)),
  updated_at: v.string(),
  sequence: v.number(),
});

/** `venues`: by id, for the points of events. */
export function readIndex(db: Database, venues: ReadonlyMap<string, VenueRecord>): MemoryIndex {
  const records = db.prepare('select record from events order by position').pluck().iterate();
  const events = Array.from(records, (record): IndexedEvent => {
    const event = v.parse(IndexedSchema, JSON.parse(v.parse(v.string(), record)));
    const { lat, lng } = venues.get(event.venue ?? '') ?? {};
    return { ...event, lat: lat ?? Number.NaN, lng: lng ?? Number.NaN };
  });
  const dates = events.map((): OccurrenceRecord[] => []);
  const event_of: number[] = [];
  const occurrences: OccurrenceRecord[] = [];
  let last = 0;
  for (const row of db.prepare('select * from occurrences order by position').iterate()) {
    const parsed = v.parse(OccurrenceRow, row);
    const occurrence = { ...parsed, event: events[parsed.event]?.id ?? '' };
    occurrences.push(occurrence);
    event_of.push(parsed.event);
    dates[parsed.event]?.push(occurrence);
    last = Math.max(last, occurrence.last_day);
  }
  const [first] = occurrences;
  return {
    events,
    positions: new Map(events.map(({ id }, position) => [id, position])),
    dates,
    rank: byLang((lang) => rankByTitle(events, lang)),
    occurrences,
    event_of,
    span: first ? { first: first.first_day, last } : null,
  };
}

/** Titles compared without case and accents, then by themselves, then by id. */
function rankByTitle(events: readonly IndexedEvent[], lang: Lang): readonly number[] {
  const keyed = events.map(({ title, id }, position) => ({
    keys: [fold(title[lang]), title[lang], id],
    position,
  }));
  keyed.sort((a, b) => compare(a.keys, b.keys));
  const ranks = events.map(() => 0);
  keyed.forEach(({ position }, rank) => {
    ranks[position] = rank;
  });
  return ranks;
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((key, one) => key !== b[one]);
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}
