// The scan: which occurrences a filter keeps, in order of time, over the memory index alone.
import { toDayNumber } from '../domain/cancun-time.ts';
import { distanceKm } from '../domain/distance.ts';
import type { EventFilter } from '../domain/event-filter.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../domain/taxon.ts';
import { FLAG, type MemoryIndex } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { markMatches } from './word-index.ts';

/** A test of event positions. */
type EventTest = (position: number) => boolean;

function toBits(keys: readonly string[], wanted: readonly string[]): Uint8Array {
  const bits = new Uint8Array(256);
  for (const key of wanted) bits[keys.indexOf(key) & 255] = 1;
  return bits;
}

/** The tests that a filter makes of an event, cheapest first. */
function toEventTests(snapshot: Snapshot, filter: EventFilter): EventTest[] {
  const { index, event_count } = snapshot;
  const tests: EventTest[] = [];
  const wanted_flags = (filter.free ? FLAG.free : 0) | (filter.family ? FLAG.family : 0);
  if (wanted_flags !== 0) tests.push((e) => ((index.flags[e] ?? 0) & wanted_flags) === wanted_flags);
  if (filter.categories) { const bits = toBits(CATEGORY_KEYS, filter.categories); tests.push((e) => bits[index.category[e] ?? 255] === 1); }
  if (filter.zones) { const bits = toBits(ZONE_KEYS, filter.zones); tests.push((e) => bits[index.zone[e] ?? 255] === 1); }
  if (filter.venue !== null) { const events = snapshot.eventsOfVenue(filter.venue); tests.push((e) => events.has(e)); }
  if (filter.organizer !== null) { const events = snapshot.eventsOfOrganizer(filter.organizer); tests.push((e) => events.has(e)); }
  if (filter.words) { const marks = markMatches(snapshot.word_index, filter.words, event_count); tests.push((e) => marks[e] === 1); }
  if (filter.near) {
    const { lat, lng, radius_km } = filter.near;
    // NaN (no coordinates) is never within.
    tests.push((e) => distanceKm(lat, lng, index.lat[e] ?? Number.NaN, index.lng[e] ?? Number.NaN) <= radius_km);
  }
  return tests;
}

/** The first position whose value reaches `least`, in an array that never falls. */
function firstReaching(array: Float64Array | Int32Array, least: number): number {
  let [low, high] = [0, array.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((array[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the scan runs: from the first occurrence that can reach into the range to the last that begins in it. */
function toBounds(index: MemoryIndex, filter: EventFilter): { from: number; until: number; keeps: (o: number) => boolean } {
  if (filter.range === null) {
    // Ends are whole minutes, so "after now" is "at least a millisecond after".
    return { from: firstReaching(index.end_ms_so_far, filter.now_ms + 1), until: index.start_ms.length, keeps: (o) => (index.end_ms[o] ?? 0) > filter.now_ms };
  }
  const [first, last] = [toDayNumber(filter.range.from), toDayNumber(filter.range.to)];
  return { from: firstReaching(index.last_day_so_far, first), until: firstReaching(index.first_day, last + 1), keeps: (o) => (index.last_day[o] ?? 0) >= first };
}

/** Calls `visit` for each occurrence that the filter keeps, in order of (start, event position), until it returns false. */
export function scan(snapshot: Snapshot, filter: EventFilter, visit: (occurrence: number, event: number) => boolean): void {
  const { index } = snapshot;
  const tests = toEventTests(snapshot, filter);
  const verdicts = new Uint8Array(tests.length > 0 ? snapshot.event_count : 0);
  const passes = (event: number): boolean => {
    const known = verdicts[event];
    if (known) return known === 1;
    const verdict = tests.every((test) => test(event));
    verdicts[event] = verdict ? 1 : 2;
    return verdict;
  };
  const { from, until, keeps } = toBounds(index, filter);
  for (let o = from; o < until; o += 1) {
    const event = index.event[o] ?? 0;
    if (keeps(o) && (tests.length === 0 || passes(event)) && !visit(o, event)) return;
  }
}
