// The memory index: occurrences and events as arrays, so that a query scans numbers and builds
// no objects; and positions grouped by what they belong to.
import { CERTAINTIES } from '../domain/knowledge/certainty.ts';
import type { Database } from 'better-sqlite3';
import type { EventRecord, OccurrenceRecord } from '../domain/event/event.ts';
import { FLAG_FILTERS, TAXON_FILTERS } from '../domain/filters/filters.ts';
import { fold } from '../domain/folding.ts';
import { type ByLang, byLang, type Lang, LANGS } from '../domain/lang.ts';
import type { VenueRecord } from '../domain/venue.ts';
import {
  readAsciiTexts,
  readBytes,
  readDoubles,
  readIntegers,
  type Texts,
  toTextBytes,
  writeArrays,
} from './arrays.ts';

export const KIND = { all_day: 1, end_known: 2, time_known: 4 } as const;
/** Above the bits of KIND stands the position of the certainty. */
export const CERTAINTY_SHIFT = 3;
export const STATUSES = ['scheduled', 'cancelled', 'postponed'] as const;
export const SCHEDULED = 0;

/**
 * Occurrence arrays are in order of (start, event position); event arrays are by event position.
 */
export interface MemoryIndex {
  readonly start_ms: Float64Array;
  readonly end_ms: Float64Array;
  readonly first_day: Int32Array;
  readonly last_day: Int32Array;
  /**
   * The largest last_day, and the largest end_ms, of this and all before it: where a range begins
   * to matter.
   */
  readonly last_day_so_far: Int32Array;
  readonly end_ms_so_far: Float64Array;
  /** Event position. */
  readonly event: Int32Array;
  /** 0 scheduled, 1 cancelled, 2 postponed. */
  readonly status: Uint8Array;
  /** Bits: 1 all day, 2 end known. */
  readonly kind: Uint8Array;
  readonly sequence: Int32Array;
  /** By occurrence position. */
  readonly id: Texts;
  readonly start: Texts;
  readonly end: Texts;
  readonly updated_at: Texts;
  /** For each of TAXON_FILTERS the position of the event's key in its `keys`; 255 for none. */
  readonly codes: readonly Uint8Array[];
  /** A bit for each of FLAG_FILTERS, the first the lowest. */
  readonly flags: Uint8Array;
  /** Degrees; NaN without coordinates. */
  readonly lat: Float64Array;
  readonly lng: Float64Array;
  /** By language: rank in the order (title of that language, id). */
  readonly rank: ByLang<Int32Array>;
}

/** The index as it is built and written: its texts all there. */
export type WrittenIndex = Omit<MemoryIndex, 'id' | 'start' | 'end' | 'updated_at'> &
  Readonly<Record<'id' | 'start' | 'end' | 'updated_at', readonly string[]>>;

const toCode = (keys: readonly string[], key: string | null): number =>
  key === null ? 255 : keys.indexOf(key) & 255;

/** A bit for each flag filter that is meant. */
export const toFlags = (isMeant: (filter: (typeof FLAG_FILTERS)[number]) => boolean): number =>
  FLAG_FILTERS.reduce((bits, filter, at) => (isMeant(filter) ? bits | (1 << at) : bits), 0);

/** Titles compared without case and accents, then by themselves, then by id. */
export function rankByTitle(
  events: readonly Pick<EventRecord, 'id' | 'title'>[],
  lang: Lang,
): Int32Array {
  const keyed = events.map((e, position) => ({
    folded: fold(e.title[lang]),
    title: e.title[lang],
    id: e.id,
    position,
  }));
  keyed.sort(
    (a, b) => compare(a.folded, b.folded) || compare(a.title, b.title) || compare(a.id, b.id),
  );
  const ranks = new Int32Array(events.length);
  keyed.forEach((entry, rank) => {
    ranks[entry.position] = rank;
  });
  return ranks;
}
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Builds the index. `occurrences` in order of (start, event position); `positions`: event id →
 * position.
 */
export function buildIndex(
  events: readonly EventRecord[],
  occurrences: readonly OccurrenceRecord[],
  venues: ReadonlyMap<string, VenueRecord>,
  positions: ReadonlyMap<string, number>,
): WrittenIndex {
  const venueOf = (e: EventRecord): VenueRecord | undefined =>
    e.venue === null ? undefined : venues.get(e.venue);
  let [last_day, end_ms] = [-Infinity, -Infinity];
  return {
    start_ms: Float64Array.from(occurrences, (o) => o.start_ms),
    end_ms: Float64Array.from(occurrences, (o) => o.end_ms),
    first_day: Int32Array.from(occurrences, (o) => o.first_day),
    last_day: Int32Array.from(occurrences, (o) => o.last_day),
    last_day_so_far: Int32Array.from(occurrences, (o) => {
      last_day = Math.max(last_day, o.last_day);
      return last_day;
    }),
    end_ms_so_far: Float64Array.from(occurrences, (o) => {
      end_ms = Math.max(end_ms, o.end_ms);
      return end_ms;
    }),
    event: Int32Array.from(occurrences, (o) => positions.get(o.event) ?? -1),
    status: Uint8Array.from(occurrences, (o) => STATUSES.indexOf(o.status)),
    kind: Uint8Array.from(
      occurrences,
      (o) =>
        (o.all_day ? KIND.all_day : 0) |
        (o.end_known ? KIND.end_known : 0) |
        (o.time_known ? KIND.time_known : 0) |
        (CERTAINTIES.indexOf(o.certainty) << CERTAINTY_SHIFT),
    ),
    sequence: Int32Array.from(occurrences, (o) => o.sequence),
    id: occurrences.map((o) => o.id),
    start: occurrences.map((o) => o.start),
    end: occurrences.map((o) => o.end),
    updated_at: occurrences.map((o) => o.updated_at),
    codes: TAXON_FILTERS.map(({ keys, keyOf }) =>
      Uint8Array.from(events, (e) => toCode(keys, keyOf(e))),
    ),
    flags: Uint8Array.from(events, (e) => toFlags(({ has }) => has(e))),
    lat: Float64Array.from(events, (e) => venueOf(e)?.lat ?? Number.NaN),
    lng: Float64Array.from(events, (e) => venueOf(e)?.lng ?? Number.NaN),
    rank: byLang((lang) => rankByTitle(events, lang)),
  };
}

/** Writes the index into the snapshot. */
export function writeIndex(db: Database, index: WrittenIndex): void {
  const { id, start, end, updated_at, codes, rank, ...arrays } = index;
  writeArrays(db, {
    ...arrays,
    ...Object.fromEntries(LANGS.map((lang) => [`rank_${lang}`, rank[lang]])),
    ...Object.fromEntries(
      TAXON_FILTERS.map(({ name }, at) => [name, codes[at] ?? new Uint8Array()] as const),
    ),
    id: toTextBytes(id),
    start: toTextBytes(start),
    end: toTextBytes(end),
    updated_at: toTextBytes(updated_at),
  });
}

/** Reads the index back; a few milliseconds for 60,000 occurrences. */
export function readIndex(db: Database): MemoryIndex {
  const [doubles, integers, bytes, texts] = [
    readDoubles(db),
    readIntegers(db),
    readBytes(db),
    readAsciiTexts(db),
  ];
  return {
    start_ms: doubles('start_ms'),
    end_ms: doubles('end_ms'),
    end_ms_so_far: doubles('end_ms_so_far'),
    first_day: integers('first_day'),
    last_day: integers('last_day'),
    last_day_so_far: integers('last_day_so_far'),
    event: integers('event'),
    status: bytes('status'),
    kind: bytes('kind'),
    sequence: integers('sequence'),
    id: texts('id'),
    start: texts('start'),
    end: texts('end'),
    updated_at: texts('updated_at'),
    codes: TAXON_FILTERS.map(({ name }) => bytes(name)),
    flags: bytes('flags'),
    lat: doubles('lat'),
    lng: doubles('lng'),
    rank: byLang((lang) => integers(`rank_${lang}`)),
  };
}

/**
 * The members of group g lie in `members` from `offsets[g]` to before `offsets[g + 1]`, in rising
 * order.
 */
export interface Groups {
  readonly members: Int32Array;
  readonly offsets: Int32Array;
}

/** Groups the positions of an array by its value; values from `count` on belong to no group. */
export function groupPositions(group_of: Int32Array | Uint8Array, count: number): Groups {
  const offsets = new Int32Array(count + 1);
  for (const group of group_of)
    if (group < count) offsets[group + 1] = (offsets[group + 1] ?? 0) + 1;
  for (let group = 0; group < count; group += 1)
    offsets[group + 1] = (offsets[group + 1] ?? 0) + (offsets[group] ?? 0);
  const free = offsets.slice();
  const members = new Int32Array(offsets[count] ?? 0);
  group_of.forEach((group, position) => {
    if (group >= count) return;
    members[free[group] ?? 0] = position;
    free[group] = (free[group] ?? 0) + 1;
  });
  return { members, offsets };
}
