// The scan: which events a filter lets pass, where their occurrences lie and which of them are in,
// by what the memory index has of each (contract 7).
import { toDayNumber } from '../domain/cancun-time.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import { TAXON_FILTERS } from '../domain/filters/filters.ts';
import { toPlaceTest } from '../domain/filters/near.ts';
import type { Spelling } from '../domain/search-words.ts';
import type { HourSpan } from '../domain/hour-words.ts';
import { type Groups, KIND, type MemoryIndex, SCHEDULED, toFlags } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { matchWords, type WordIndex, type WordMatches } from './word-index.ts';

/**
 * Numbers to compare instead of functions to call, so that a pass over every occurrence stays a
 * plain loop.
 */
export interface Scan {
  /**
   * The first position that can reach into the range, and the one after the last that begins in it.
   */
  readonly from: number;
  readonly until: number;
  /** An occurrence matches where its reach is at least `least` … */
  readonly reach: Float64Array | Int32Array;
  readonly least: number;
  /** … which every one from this position on does, for it begins in the range … */
  readonly sure: number;
  /** … and its event is one of these positions; null where the filter does not look at events. */
  readonly passing: readonly number[] | null;
}

/** The first position whose value is at least `least`, in an array that never falls. */
export function firstReaching(array: Float64Array | Int32Array, least: number): number {
  let [low, high] = [0, array.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((array[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The scan of a filter: hours, a range of days, or what has not ended by now. */
export function toScan(snapshot: Snapshot, filter: EventFilter): Scan {
  const { index } = snapshot;
  const passing = listPassing(snapshot, filter);
  if (filter.hours !== null) return toHourScan(snapshot, filter.hours, passing);
  if (filter.range === null) {
    // Ends are whole minutes, so "after now" is "at least a millisecond after".
    const least = filter.now_ms + 1;
    return {
      from: firstReaching(index.end_ms_so_far, least),
      until: index.start_ms.length,
      reach: index.end_ms,
      least,
      sure: firstReaching(index.start_ms, least),
      passing,
    };
  }
  const [first, last] = [toDayNumber(filter.range.from), toDayNumber(filter.range.to)];
  return {
    from: firstReaching(index.last_day_so_far, first),
    until: firstReaching(index.first_day, last + 1),
    reach: index.last_day,
    least: first,
    sure: firstReaching(index.first_day, first),
    passing,
  };
}

/** What touches a span of hours; every end is looked at, for few begin within it. */
function toHourScan(
  { index }: Snapshot,
  { from_ms, until_ms, is_going_on }: HourSpan,
  passing: Scan['passing'],
): Scan {
  const until = firstReaching(index.start_ms, until_ms);
  return {
    from: firstReaching(index.end_ms_so_far, from_ms + 1),
    until,
    reach: is_going_on ? findSureEnds(index) : index.end_ms,
    least: from_ms + 1,
    sure: until,
    passing,
  };
}

/** The ends of what takes place, 0 where nobody knows the hour or it was called off; made on first use. */
const SURE_ENDS = new WeakMap<MemoryIndex, Float64Array>();

function findSureEnds(index: MemoryIndex): Float64Array {
  const isSure = (o: number): boolean =>
    index.status[o] === SCHEDULED && ((index.kind[o] ?? 0) & KIND.time_known) !== 0;
  const known = SURE_ENDS.get(index) ?? index.end_ms.map((end_ms, o) => (isSure(o) ? end_ms : 0));
  SURE_ENDS.set(index, known);
  return known;
}

/** What the words of a request found: a filter and those made of it share one list of them. */
const MATCHES = new WeakMap<WordIndex, WeakMap<readonly string[], WordMatches>>();

function findMatches({ word_index, event_count }: Snapshot, words: readonly string[]): WordMatches {
  const of_index = MATCHES.get(word_index) ?? new WeakMap<readonly string[], WordMatches>();
  MATCHES.set(word_index, of_index);
  const matches = of_index.get(words) ?? matchWords(word_index, words, event_count);
  of_index.set(words, matches);
  return matches;
}

/** How `q` was read where nothing has its words as they stand; empty otherwise (contract 7.15). */
export const findSpellings = (snapshot: Snapshot, { words }: EventFilter): readonly Spelling[] =>
  words === null ? [] : findMatches(snapshot, words).spellings;

/** 1 for each event that passes, by position; null where all do. */
export function toPassingMarks({ passing }: Scan, event_count: number): Uint8Array | null {
  if (passing === null) return null;
  const marks = new Uint8Array(event_count);
  for (const event of passing) marks[event] = 1;
  return marks;
}

type Test = (event: number) => boolean;

/** The wanted keys of a taxon filter, as positions among its keys, and what the index has of it. */
interface WantedCodes {
  readonly codes: readonly number[];
  readonly groups: Groups;
  readonly code_of: Uint8Array;
}

/**
 * The positions of the events that pass, in no order; null where the filter asks nothing of events.
 */
function listPassing(snapshot: Snapshot, filter: EventFilter): readonly number[] | null {
  // The first of the taxon filters that are on says which events to go through; otherwise all of
  // them.
  const [place, ...others] = listWantedCodes(snapshot, filter);
  const tests = [...others.map(toCodeTest), ...toTests(snapshot, filter)];
  const wanted_flags = toFlags(({ isOn }) => isOn(filter));
  if (!place && tests.length === 0 && wanted_flags === 0) return null;
  const { flags } = snapshot.index;
  const passing: number[] = [];
  const take = (e: number): void => {
    if (((flags[e] ?? 0) & wanted_flags) !== wanted_flags) return;
    for (const test of tests) if (!test(e)) return;
    passing.push(e);
  };
  if (place) visit(place, take);
  else for (let e = 0; e < snapshot.event_count; e += 1) take(e);
  return passing;
}

const listWantedCodes = (snapshot: Snapshot, filter: EventFilter): readonly WantedCodes[] =>
  TAXON_FILTERS.flatMap(({ keys, keysOf }, at) => {
    const wanted = keysOf(filter);
    const [groups, code_of] = [snapshot.events_of[at], snapshot.index.codes[at]];
    return wanted && groups && code_of
      ? [{ codes: wanted.map((key) => keys.indexOf(key)), groups, code_of }]
      : [];
  });

/**
 * A bit for each wanted key. An event without one has code 255, which shifts as 31 does: no key's
 * bit.
 */
function toCodeTest({ codes, code_of }: WantedCodes): Test {
  const bits = codes.reduce((sum, code) => sum | (1 << code), 0);
  return (e) => ((bits >>> (code_of[e] ?? 0)) & 1) === 1;
}

function visit(
  { codes, groups: { members, offsets } }: WantedCodes,
  take: (event: number) => void,
): void {
  for (const code of codes) {
    for (let at = offsets[code] ?? 0; at < (offsets[code + 1] ?? 0); at += 1)
      take(members[at] ?? 0);
  }
}

/** What cannot be told from a byte of the event. */
function toTests(
  snapshot: Snapshot,
  { words, venue, organizer, near, updated_since }: EventFilter,
): readonly Test[] {
  const tests: Test[] = [];
  if (words) {
    const { marks } = findMatches(snapshot, words);
    tests.push((e) => marks[e] === 1);
  }
  for (const set of [
    venue === null ? null : snapshot.eventsOfVenue(venue),
    organizer === null ? null : snapshot.eventsOfOrganizer(organizer),
    updated_since === null ? null : snapshot.eventsUpdatedSince(updated_since),
  ]) {
    if (set) tests.push((e) => set.has(e));
  }
  if (near) {
    const { lat, lng } = snapshot.index;
    const isNear = toPlaceTest(near);
    tests.push((e) => isNear(lat[e] ?? Number.NaN, lng[e] ?? Number.NaN));
  }
  return tests;
}
