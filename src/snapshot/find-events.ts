// The events of a list, one item an event, in order of their next occurrence, a page of them
// (contract 7.18, 7.19, 7.20, 8.2).
import type { EventCard } from '../domain/agenda.ts';
import type { Cursor } from '../domain/filters/cursor.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import { toDistanceKm } from '../domain/filters/near.ts';
import type { Lang } from '../domain/lang.ts';
import { SCHEDULED } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { readCard, readOccurrence, toEventId } from './get-thing.ts';
import { firstReaching, type Scan, toPassingMarks, toScan } from './scan.ts';

/** An event of the list: positions only, until a surface needs the record. */
export interface Hit {
  readonly event: number;
  /** Position of its next occurrence. */
  readonly next: number;
  readonly more_dates: number;
}

/** The hits of a page, where the next page goes on, null at the end, and how many all pages have. */
export interface Hits {
  readonly hits: readonly Hit[];
  readonly next: Cursor | null;
  readonly total: number;
}

/** All hits in order of position, one at a time, and how many there are. */
interface Listed {
  readonly hits: Iterable<Hit>;
  readonly total: number;
}

/** Looking an occurrence up through its event costs about this much of passing it by in a scan. */
const LOOK_UP_COST = 3;

/**
 * All hits in order of position, which is order of start: event by event where few pass, else in
 * one pass over the range.
 */
function listHits(snapshot: Snapshot, scan: Scan, now_ms: number): Listed {
  const looked_up =
    (scan.passing?.length ?? Number.POSITIVE_INFINITY) *
    (snapshot.index.event.length / Math.max(1, snapshot.event_count));
  return looked_up * LOOK_UP_COST < scan.until - scan.from
    ? listOfPassing(snapshot, scan, now_ms)
    : listOfRange(snapshot, scan, now_ms);
}

/**
 * By the occurrences of the events that pass, whatever else lies in the range; how many each has is
 * counted when it comes up.
 */
function listOfPassing(snapshot: Snapshot, scan: Scan, now_ms: number): Listed {
  const passing = scan.passing ?? [];
  const nexts = new Int32Array(passing.length);
  let found = 0;
  // What begins later cannot have ended, so most ends need not be looked up.
  const later = firstReaching(snapshot.index.start_ms, now_ms + 1);
  for (const event of passing) {
    const next = findNext(snapshot, scan, event, now_ms, later);
    if (next >= 0) nexts[found++] = next;
  }
  return { hits: speakInTurn(snapshot, scan, nexts.subarray(0, found).sort()), total: found };
}

function* speakInTurn(snapshot: Snapshot, scan: Scan, nexts: Int32Array): Generator<Hit> {
  for (const next of nexts) {
    const event = snapshot.index.event[next] ?? 0;
    yield { event, next, more_dates: countMatching(snapshot, scan, event) - 1 };
  }
}

/**
 * The first matching occurrence of an event still to take place, else the first match; -1 where
 * none is. From `later` on all begin after now.
 */
function findNext(
  { index: { status, end_ms }, occurrences_of: { members, offsets } }: Snapshot,
  { from, until, reach, least, sure }: Scan,
  event: number,
  now_ms: number,
  later: number,
): number {
  let first = -1;
  const end = offsets[event + 1] ?? 0;
  for (let at = offsets[event] ?? 0; at < end; at += 1) {
    const o = members[at] ?? 0;
    if (o >= until) break;
    if (o < from || (o < sure && (reach[o] ?? 0) < least)) continue;
    if (status[o] === SCHEDULED && (o >= later || (end_ms[o] ?? 0) > now_ms)) return o;
    if (first < 0) first = o;
  }
  return first;
}

function countMatching(
  { occurrences_of: { members, offsets } }: Snapshot,
  { from, until, reach, least, sure }: Scan,
  event: number,
): number {
  let count = 0;
  const end = offsets[event + 1] ?? 0;
  for (let at = offsets[event] ?? 0; at < end; at += 1) {
    const o = members[at] ?? 0;
    if (o >= until) break;
    if (o >= from && (o >= sure || (reach[o] ?? 0) >= least)) count += 1;
  }
  return count;
}

/**
 * One pass over the range: the first occurrence still to take place speaks for its event, else the
 * first (domain/event/event.ts).
 */
function listOfRange({ index, event_count }: Snapshot, scan: Scan, now_ms: number): Listed {
  const { from, until, reach, least, sure } = scan;
  const marks = toPassingMarks(scan, event_count);
  const counts = new Int32Array(event_count);
  // Position + 1 of the occurrence that speaks; below zero while a later one may still take its
  // place.
  const spokesmen = new Int32Array(event_count);
  const { event, status, end_ms } = index;
  let total = 0;
  for (let o = from; o < until; o += 1) {
    const e = event[o] ?? 0;
    if ((o < sure && (reach[o] ?? 0) < least) || (marks !== null && marks[e] !== 1)) continue;
    const spokesman = spokesmen[e] ?? 0;
    counts[e] = (counts[e] ?? 0) + 1;
    if (spokesman > 0) continue;
    if (spokesman === 0) total += 1;
    if (status[o] === SCHEDULED && (end_ms[o] ?? 0) > now_ms) spokesmen[e] = o + 1;
    else if (spokesman === 0) spokesmen[e] = -(o + 1);
  }
  return { hits: speakOfRange(event, scan, counts, spokesmen), total };
}

function* speakOfRange(
  event: Int32Array,
  { from, until }: Scan,
  counts: Int32Array,
  spokesmen: Int32Array,
): Generator<Hit> {
  const speaks = new Uint8Array(Math.max(0, until - from));
  for (const position of spokesmen) if (position !== 0) speaks[Math.abs(position) - 1 - from] = 1;
  for (let at = speaks.indexOf(1); at >= 0; at = speaks.indexOf(1, at + 1)) {
    const e = event[from + at] ?? 0;
    yield { event: e, next: from + at, more_dates: (counts[e] ?? 1) - 1 };
  }
}

/** The events that match, as positions: what a surface with its own cache needs. */
export function findHits(snapshot: Snapshot, filter: EventFilter, lang: Lang): Hits {
  const { start_ms } = snapshot.index;
  const rank = snapshot.index.rank[lang];
  const isAfter = toAfterTest(snapshot, filter.after, rank);
  const hits: Hit[] = [];
  // Occurrences stand in order of start, so a page is the first that speak; those that share the
  // last start come too, to be put in order.
  const listed = listHits(snapshot, toScan(snapshot, filter), filter.now_ms);
  for (const hit of listed.hits) {
    if (!isAfter(hit)) continue;
    const last = hits[filter.limit];
    if (last && (start_ms[hit.next] ?? 0) > (start_ms[last.next] ?? 0)) break;
    hits.push(hit);
  }
  hits.sort(
    (a, b) =>
      (start_ms[a.next] ?? 0) - (start_ms[b.next] ?? 0) ||
      (rank[a.event] ?? 0) - (rank[b.event] ?? 0),
  );
  const page = hits.slice(0, filter.limit);
  const last = page.at(-1);
  const goes_on = last !== undefined && hits.length > page.length;
  return {
    hits: page,
    total: listed.total,
    next: goes_on
      ? {
          now_ms: filter.now_ms,
          start_ms: start_ms[last.next] ?? 0,
          id: toEventId(snapshot.index.id.at(last.next)),
        }
      : null,
  };
}

/** How many events match. */
export const countHits = (snapshot: Snapshot, filter: EventFilter): number =>
  listHits(snapshot, toScan(snapshot, filter), filter.now_ms).total;

/** Whether a hit comes after the end of the page before. */
function toAfterTest(
  { index, positionOf }: Snapshot,
  after: Cursor | null,
  rank: Int32Array,
): (hit: Hit) => boolean {
  if (!after) return () => true;
  const position = positionOf(after.id);
  const last_rank = position === null ? -1 : (rank[position] ?? -1);
  return ({ event, next }) => {
    const start_ms = index.start_ms[next] ?? 0;
    return (
      start_ms > after.start_ms || (start_ms === after.start_ms && (rank[event] ?? 0) > last_rank)
    );
  };
}

/**
 * The events that match as cards, a page of at most `filter.limit`; `next`: where the next page
 * goes on; `total`: how many all pages have.
 */
export function findEvents(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): Omit<Hits, 'hits'> & { readonly cards: readonly EventCard[] } {
  const { hits, next, total } = findHits(snapshot, filter, lang);
  const { lat, lng } = snapshot.index;
  const cards = hits.map(({ event, next: at, more_dates }) => ({
    ...readCard(snapshot, event),
    next: readOccurrence(snapshot, at),
    more_dates,
    ...(filter.near && {
      distance_km: toDistanceKm(filter.near, lat[event] ?? Number.NaN, lng[event] ?? Number.NaN),
    }),
  }));
  return { cards, next, total };
}
