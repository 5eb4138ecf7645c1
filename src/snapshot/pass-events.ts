// Which events a filter lets pass, by what the memory index knows of each (decisions, Filters).
import { distanceKm } from '../domain/distance.ts';
import type { EventFilter, Near } from '../domain/filters/event-filter.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../domain/taxon.ts';
import { FLAG, type MemoryIndex } from './memory-index.ts';
import type { Groups } from './groups.ts';
import type { Snapshot } from './open.ts';
import { markMatches } from './word-index.ts';

/**
 * Degrees of latitude in a kilometre, a little generous: what lies further north or south need not
 * be measured.
 */
const DEGREES_A_KM = 1 / 110;

type Test = (event: number) => boolean;

/**
 * The positions of the events that pass, in no order; null where the filter asks nothing of events.
 */
export function listPassing(snapshot: Snapshot, filter: EventFilter): readonly number[] | null {
  const tests = toTests(snapshot, filter);
  const { categories, zones, free, family } = filter;
  if (tests.length === 0 && !categories && !zones && !free && !family) return null;
  const { category, zone, flags } = snapshot.index;
  const [category_bits, zone_bits] = [toBits(CATEGORY_KEYS, categories), toBits(ZONE_KEYS, zones)];
  const wanted_flags = (free ? FLAG.free : 0) | (family ? FLAG.family : 0);
  const passing: number[] = [];
  const take = (e: number): void => {
    const is_wanted = (category_bits >>> (category[e] ?? 0)) & (zone_bits >>> (zone[e] ?? 0)) & 1;
    if (is_wanted === 0 || ((flags[e] ?? 0) & wanted_flags) !== wanted_flags) return;
    for (const test of tests) if (!test(e)) return;
    passing.push(e);
  };
  // The categories or zones say where to look; otherwise every event is looked at.
  if (categories) visit(snapshot.events_of.category, CATEGORY_KEYS, categories, take);
  else if (zones) visit(snapshot.events_of.zone, ZONE_KEYS, zones, take);
  else for (let e = 0; e < snapshot.event_count; e += 1) take(e);
  return passing;
}

/**
 * A bit for each wanted key, all bits for null. An event without one has code 255, which shifts as
 * 31 does: no key's bit.
 */
function toBits(keys: readonly string[], wanted: readonly string[] | null): number {
  return wanted === null ? -1 : wanted.reduce((bits, key) => bits | (1 << keys.indexOf(key)), 0);
}

function visit(
  { members, offsets }: Groups,
  keys: readonly string[],
  wanted: readonly string[],
  take: (event: number) => void,
): void {
  for (const key of wanted) {
    const group = keys.indexOf(key);
    for (let at = offsets[group] ?? 0; at < (offsets[group + 1] ?? 0); at += 1)
      take(members[at] ?? 0);
  }
}

/** What cannot be told from a byte of the event. */
function toTests(
  snapshot: Snapshot,
  { words, venue, organizer, near }: EventFilter,
): readonly Test[] {
  const tests: Test[] = [];
  if (words) {
    const marks = markMatches(snapshot.word_index, words, snapshot.event_count);
    tests.push((e) => marks[e] === 1);
  }
  for (const set of [
    venue === null ? null : snapshot.eventsOfVenue(venue),
    organizer === null ? null : snapshot.eventsOfOrganizer(organizer),
  ]) {
    if (set) tests.push((e) => set.has(e));
  }
  if (near) tests.push(toNearTest(snapshot.index, near));
  return tests;
}

/** NaN (no coordinates) is never within. */
function toNearTest(index: MemoryIndex, near: Near): Test {
  const height = near.radius_km * DEGREES_A_KM;
  return (e) => {
    const lat = index.lat[e] ?? Number.NaN;
    return (
      Math.abs(lat - near.lat) <= height &&
      distanceKm(near.lat, near.lng, lat, index.lng[e] ?? Number.NaN) <= near.radius_km
    );
  };
}
