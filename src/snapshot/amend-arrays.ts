// The arrays of a snapshot after a status decision: the dates that are otherwise now, the events that
// are gone. They are what build.ts would write, at the cost of a copy.
import type { Database } from 'better-sqlite3';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import { byLang } from '../domain/lang.ts';
import { type Texts, toTextBytes, writeArrays } from './arrays.ts';
import {
  type MemoryIndex,
  readIndex,
  STATUSES,
  writeIndex,
  type WrittenIndex,
} from './memory-index.ts';
import { readWordIndex } from './word-index.ts';

/** What the index holds of a date that a decision changes. */
export type PatchedDate = Pick<OccurrenceRecord, 'status' | 'sequence' | 'updated_at'>;

/** Writes the index with some dates otherwise, by their positions. */
export function patchIndex(db: Database, dates: ReadonlyMap<number, PatchedDate>): void {
  if (dates.size === 0) return;
  const { status, sequence, updated_at } = readIndex(db);
  const updated = listTexts(updated_at, status.length);
  for (const [position, date] of dates) {
    status[position] = STATUSES.indexOf(date.status);
    sequence[position] = date.sequence;
    updated[position] = date.updated_at;
  }
  writeArrays(db, { status, sequence, updated_at: toTextBytes(updated) });
}

/** All of them, by position. */
export const listTexts = (texts: Texts, count: number): string[] =>
  Array.from({ length: count }, (_, position) => texts.at(position));

/** Writes index and words without some events and their dates, by positions. */
export function dropFromArrays(
  db: Database,
  events: ReadonlySet<number>,
  dates: ReadonlySet<number>,
): void {
  if (events.size === 0) return;
  const index = readIndex(db);
  const moved = toMoved(index.flags.length, events);
  writeIndex(db, dropFromIndex(index, events, dates, moved));
  amendWords(db, events, moved);
}

/** The new position of each old one that stays. */
function toMoved(count: number, gone: ReadonlySet<number>): Int32Array {
  const moved = new Int32Array(count);
  for (let from = 0, to = 0; from < count; from += 1) {
    moved[from] = to;
    if (!gone.has(from)) to += 1;
  }
  return moved;
}

function dropFromIndex(
  index: MemoryIndex,
  events: ReadonlySet<number>,
  dates: ReadonlySet<number>,
  moved: Int32Array,
): WrittenIndex {
  const isDate = (_: unknown, position: number): boolean => !dates.has(position);
  const isEvent = (_: unknown, position: number): boolean => !events.has(position);
  const toTexts = (texts: Texts): string[] =>
    listTexts(texts, index.event.length).filter((_, position) => !dates.has(position));
  const [last_day, end_ms] = [index.last_day.filter(isDate), index.end_ms.filter(isDate)];
  return {
    start_ms: index.start_ms.filter(isDate),
    end_ms,
    first_day: index.first_day.filter(isDate),
    last_day,
    last_day_so_far: last_day.map(createLargest()),
    end_ms_so_far: end_ms.map(createLargest()),
    event: index.event.filter(isDate).map((position) => moved[position] ?? -1),
    status: index.status.filter(isDate),
    kind: index.kind.filter(isDate),
    sequence: index.sequence.filter(isDate),
    id: toTexts(index.id),
    start: toTexts(index.start),
    end: toTexts(index.end),
    updated_at: toTexts(index.updated_at),
    codes: index.codes.map((codes) => codes.filter(isEvent)),
    flags: index.flags.filter(isEvent),
    lat: index.lat.filter(isEvent),
    lng: index.lng.filter(isEvent),
    rank: byLang((lang) => closeRanks(index.rank[lang], events)),
  };
}

/** Gives the largest of this value and all before it. */
function createLargest(): (value: number) => number {
  let largest = -Infinity;
  return (value) => {
    largest = Math.max(largest, value);
    return largest;
  };
}

/** Ranks without gaps, of those that stay. */
function closeRanks(rank: Int32Array, gone: ReadonlySet<number>): Int32Array {
  const moved = toMoved(rank.length, new Set([...gone].map((position) => rank[position] ?? -1)));
  return rank.filter((_, position) => !gone.has(position)).map((at) => moved[at] ?? -1);
}

/**
 * Writes the words of all events but `gone`, which are `moved` then, and words that are added to some. A word that
 * no event has any more goes.
 */
export function amendWords(
  db: Database,
  gone: ReadonlySet<number>,
  moved: Int32Array | null,
  added: ReadonlyMap<string, readonly number[]> = new Map(),
): void {
  const { words, offsets, postings } = readWordIndex(db);
  const left: { readonly word: string; readonly events: Int32Array }[] = [];
  const known = new Set(words);
  words.forEach((word, at) => {
    const stay = postings.subarray(offsets[at], offsets[at + 1]).filter((one) => !gone.has(one));
    const at_now = moved === null ? stay : stay.map((one) => moved[one] ?? -1);
    const more = added.get(word);
    const events = more === undefined ? at_now : Int32Array.of(...at_now, ...more).sort();
    if (events.length > 0) left.push({ word, events });
  });
  for (const [word, events] of added)
    if (!known.has(word)) left.push({ word, events: Int32Array.from(events) });
  left.sort((a, b) => (a.word < b.word ? -1 : 1));
  const ends = new Int32Array(left.length + 1);
  left.forEach(({ events }, at) => {
    ends[at + 1] = (ends[at] ?? 0) + events.length;
  });
  const all = new Int32Array(ends[left.length] ?? 0);
  left.forEach(({ events }, at) => {
    all.set(events, ends[at] ?? 0);
  });
  writeArrays(db, {
    words: toTextBytes(left.map(({ word }) => word)),
    word_offsets: ends,
    word_postings: all,
  });
}
