// One item an event, in order of its next occurrence (interface 4, listEvents; decisions, Filters 7).
import type { EventCard } from '../domain/agenda.ts';
import type { Cursor, EventFilter } from '../domain/event-filter.ts';
import type { Lang } from '../domain/lang.ts';
import { SCHEDULED } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { readCard, readOccurrence } from './read-records.ts';
import { scan } from './scan.ts';

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

/** The events that match, as positions: what a surface with a cache of its own needs. */
export function findHits(snapshot: Snapshot, filter: EventFilter, lang: Lang): Hits {
  const { index } = snapshot;
  const slots = new Map<number, { next: number; settled: boolean; count: number }>();
  scan(snapshot, filter, (occurrence, event) => {
    const ahead = index.status[occurrence] === SCHEDULED && (index.end_ms[occurrence] ?? 0) > filter.now_ms;
    const slot = slots.get(event);
    if (!slot) slots.set(event, { next: occurrence, settled: ahead, count: 1 });
    else {
      slot.count += 1;
      if (ahead && !slot.settled) { slot.next = occurrence; slot.settled = true; }
    }
    return true;
  });
  const rank = lang === 'es' ? index.rank_es : index.rank_en;
  const order = (a: Hit, b: Hit): number =>
    (index.start_ms[a.next] ?? 0) - (index.start_ms[b.next] ?? 0) || (rank[a.event] ?? 0) - (rank[b.event] ?? 0);
  let hits: Hit[] = [];
  for (const [event, slot] of slots) hits.push({ event, next: slot.next, more_dates: slot.count - 1 });
  hits.sort(order);
  if (filter.after) hits = skipTo(snapshot, hits, filter.after, rank);
  const page = hits.slice(0, filter.limit);
  const last = page.at(-1);
  const next = last && hits.length > page.length
    ? { now_ms: filter.now_ms, start_ms: index.start_ms[last.next] ?? 0, id: snapshot.idOf(last.event) }
    : null;
  return { hits: page, next };
}

function skipTo(snapshot: Snapshot, hits: readonly Hit[], after: Cursor, rank: Int32Array): Hit[] {
  const position = snapshot.positionOf(after.id);
  const last_rank = position === null ? -1 : rank[position] ?? -1;
  return hits.filter((hit) => {
    const start_ms = snapshot.index.start_ms[hit.next] ?? 0;
    return start_ms > after.start_ms || (start_ms === after.start_ms && (rank[hit.event] ?? 0) > last_rank);
  });
}

/** The events that match as cards, a page of at most `filter.limit`. */
export function findEvents(snapshot: Snapshot, filter: EventFilter, lang: Lang): { readonly cards: readonly EventCard[]; readonly next: Cursor | null } {
  const { hits, next } = findHits(snapshot, filter, lang);
  const cards = hits.map((hit) => ({
    ...readCard(snapshot, hit.event), next: readOccurrence(snapshot, hit.next), more_dates: hit.more_dates,
  }));
  return { cards, next };
}
