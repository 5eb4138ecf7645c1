// The scan: where the occurrences of a filter lie and which of them it keeps, over the memory index alone.
import { toDayNumber } from '../domain/cancun-time.ts';
import { distanceKm } from '../domain/distance.ts';
import type { EventFilter, Near } from '../domain/event-filter.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../domain/taxon.ts';
import { FLAG, type MemoryIndex } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { markMatches } from './word-index.ts';

/** Degrees of latitude in a kilometre, a little generous: what lies further north or south need not be measured. */
const DEGREES_A_KM = 1 / 110;

/** Numbers to look at instead of functions to call, so that a pass over every occurrence stays a plain loop. */
export interface Scan {
  /** The first position that can reach into the range, and the one after the last that begins in it. */
  readonly from: number;
  readonly until: number;
  /** An occurrence is kept where its reach is at least `least` … */
  readonly reach: Float64Array | Int32Array;
  readonly least: number;
  /** … and its event's mark is 1; null where the filter asks nothing of events. */
  readonly marks: Uint8Array | null;
}

/** The first position whose value is at least `least`, in an array that never falls. */
function firstReaching(array: Float64Array | Int32Array, least: number): number {
  let [low, high] = [0, array.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((array[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The scan of a filter: a range of days, or what has not ended by now. */
export function toScan(snapshot: Snapshot, filter: EventFilter): Scan {
  const { index } = snapshot;
  const marks = markEvents(snapshot, filter);
  if (filter.range === null) {
    // Ends are whole minutes, so "after now" is "at least a millisecond after".
    const least = filter.now_ms + 1;
    return { from: firstReaching(index.end_ms_so_far, least), until: index.start_ms.length, reach: index.end_ms, least, marks };
  }
  const [first, last] = [toDayNumber(filter.range.from), toDayNumber(filter.range.to)];
  return { from: firstReaching(index.last_day_so_far, first), until: firstReaching(index.first_day, last + 1), reach: index.last_day, least: first, marks };
}

/** 1 for each event that the filter lets pass, by position; null where it asks nothing of events. */
function markEvents(snapshot: Snapshot, filter: EventFilter): Uint8Array | null {
  const { index } = snapshot;
  const wanted_flags = (filter.free ? FLAG.free : 0) | (filter.family ? FLAG.family : 0);
  const marks: Uint8Array[] = [];
  if (filter.words) marks.push(markMatches(snapshot.word_index, filter.words, snapshot.event_count));
  if (wanted_flags !== 0) marks.push(index.flags.map((flags) => ((flags & wanted_flags) === wanted_flags ? 1 : 0)));
  if (filter.categories) marks.push(markKeys(index.category, CATEGORY_KEYS, filter.categories));
  if (filter.zones) marks.push(markKeys(index.zone, ZONE_KEYS, filter.zones));
  if (filter.venue !== null) marks.push(markPositions(snapshot.event_count, snapshot.eventsOfVenue(filter.venue)));
  if (filter.organizer !== null) marks.push(markPositions(snapshot.event_count, snapshot.eventsOfOrganizer(filter.organizer)));
  if (filter.near) marks.push(markNear(index, filter.near));
  const [first, ...others] = marks;
  if (!first) return null;
  for (const other of others) for (let e = 0; e < first.length; e += 1) first[e] = (first[e] ?? 0) & (other[e] ?? 0);
  return first;
}

function markKeys(codes: Uint8Array, keys: readonly string[], wanted: readonly string[]): Uint8Array {
  const bits = new Uint8Array(256);
  for (const key of wanted) bits[keys.indexOf(key) & 255] = 1;
  return codes.map((code) => bits[code] ?? 0);
}

function markPositions(count: number, positions: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(count);
  for (const position of positions) marks[position] = 1;
  return marks;
}

/** NaN (no coordinates) is never within. */
function markNear(index: MemoryIndex, near: Near): Uint8Array {
  const marks = new Uint8Array(index.lat.length);
  const height = near.radius_km * DEGREES_A_KM;
  for (let e = 0; e < marks.length; e += 1) {
    const lat = index.lat[e] ?? Number.NaN;
    if (Math.abs(lat - near.lat) <= height && distanceKm(near.lat, near.lng, lat, index.lng[e] ?? Number.NaN) <= near.radius_km) marks[e] = 1;
  }
  return marks;
}
