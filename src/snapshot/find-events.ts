// One item an event, in order of its next occurrence (interface 4, listEvents; decisions, Filters 7).
import type { EventCard } from '../domain/agenda.ts';
import type { Cursor, EventFilter } from '../domain/event-filter.ts';
import type { Lang } from '../domain/lang.ts';
import { SCHEDULED } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { readCard, readOccurrence } from './read-records.ts';
import { type Scan, toScan } from './scan.ts';

/** An event of the list: positions only, until a surface asks for the record. */
export interface Hit {
  readonly event: number;
  /** Position of its next occurrence. */
  readonly next: number;
  readonly more_dates: number;
}

/** The hits of a page and where the next page goes on, null at the end. */
export interface Hits {
  readonly hits: readonly Hit[];
  readonly next: Cursor | null;
}

/** For each event of the scan how many occurrences it keeps, and which one speaks for it. */
interface Tally {
  /** By event position. */
  readonly counts: Int32Array;
  /** By occurrence position from the scan's beginning: 1 where it speaks for its event. */
  readonly speaks: Uint8Array;
}

/** One pass over the scan: the first occurrence still to take place speaks, else the first (domain/next-occurrence). */
function tally({ index, event_count }: Snapshot, { from, until, reach, least, marks }: Scan, now_ms: number): Tally {
  const counts = new Int32Array(event_count);
  // Position + 1 of the occurrence that speaks; below zero while a later one may still take its place.
  const spokesmen = new Int32Array(event_count);
  const { event, status, end_ms } = index;
  for (let o = from; o < until; o += 1) {
    const e = event[o] ?? 0;
    if ((reach[o] ?? 0) < least || (marks !== null && marks[e] !== 1)) continue;
    const spokesman = spokesmen[e] ?? 0;
    counts[e] = (counts[e] ?? 0) + 1;
    if (spokesman > 0) continue;
    if (status[o] === SCHEDULED && (end_ms[o] ?? 0) > now_ms) spokesmen[e] = o + 1;
    else if (spokesman === 0) spokesmen[e] = -(o + 1);
  }
  const speaks = new Uint8Array(Math.max(0, until - from));
  for (const position of spokesmen) if (position !== 0) speaks[Math.abs(position) - 1 - from] = 1;
  return { counts, speaks };
}

/** The events that match, as positions: what a surface with a cache of its own needs. */
export function findHits(snapshot: Snapshot, filter: EventFilter, lang: Lang): Hits {
  const { index } = snapshot;
  const { start_ms, event } = index;
  const scan = toScan(snapshot, filter);
  const { counts, speaks } = tally(snapshot, scan, filter.now_ms);
  const rank = lang === 'es' ? index.rank_es : index.rank_en;
  const isAfter = toAfterTest(snapshot, filter.after, rank);
  const hits: Hit[] = [];
  // Occurrences stand in order of start, so a page is the first that speak; those that share the last start come too, to be put in order.
  for (let i = 0; i < speaks.length; i += 1) {
    const next = scan.from + i;
    if (speaks[i] === 0 || !isAfter(next)) continue;
    const last = hits[filter.limit];
    if (last && (start_ms[next] ?? 0) > (start_ms[last.next] ?? 0)) break;
    const e = event[next] ?? 0;
    hits.push({ event: e, next, more_dates: (counts[e] ?? 1) - 1 });
  }
  hits.sort((a, b) => (start_ms[a.next] ?? 0) - (start_ms[b.next] ?? 0) || (rank[a.event] ?? 0) - (rank[b.event] ?? 0));
  const page = hits.slice(0, filter.limit);
  const last = page.at(-1);
  const goes_on = last !== undefined && hits.length > page.length;
  return { hits: page, next: goes_on ? { now_ms: filter.now_ms, start_ms: start_ms[last.next] ?? 0, id: snapshot.idOf(last.event) } : null };
}

/** Whether an occurrence comes after the end of the page before. */
function toAfterTest({ index, positionOf }: Snapshot, after: Cursor | null, rank: Int32Array): (occurrence: number) => boolean {
  if (!after) return () => true;
  const position = positionOf(after.id);
  const last_rank = position === null ? -1 : rank[position] ?? -1;
  return (o) => {
    const start_ms = index.start_ms[o] ?? 0;
    return start_ms > after.start_ms || (start_ms === after.start_ms && (rank[index.event[o] ?? 0] ?? 0) > last_rank);
  };
}

/** The events that match as cards, a page of at most `filter.limit`. */
export function findEvents(snapshot: Snapshot, filter: EventFilter, lang: Lang): { readonly cards: readonly EventCard[]; readonly next: Cursor | null } {
  const { hits, next } = findHits(snapshot, filter, lang);
  const cards = hits.map((hit) => ({
    ...readCard(snapshot, hit.event), next: readOccurrence(snapshot, hit.next), more_dates: hit.more_dates,
  }));
  return { cards, next };
}
