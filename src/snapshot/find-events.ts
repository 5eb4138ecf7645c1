// What a filter lets pass: events, one item each in order of their next occurrence, a page of them; or every
// occurrence in order of time, which is what a calendar feed holds (contract 7.18, 7.19, 7.20, 8.2, 8.3).
import type { EventCard } from '../domain/agenda.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Cursor } from '../domain/filters/cursor.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import { type Near, toDistanceKm } from '../domain/filters/near.ts';
import type { Lang } from '../domain/lang.ts';
import { readCard } from './get-thing.ts';
import type { Snapshot, StoredCard } from './open.ts';
import { scan } from './scan.ts';

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

/** Of its dates in the range the first still to take place speaks for an event, else the first. */
function listHits({ index }: Snapshot, positions: readonly number[], now_ms: number): Hit[] {
  const hits = new Map<number, { event: number; next: number; more_dates: number }>();
  const isAhead = (position: number): boolean => {
    const occurrence = index.occurrences[position];
    return occurrence?.status === 'scheduled' && occurrence.end_ms > now_ms;
  };
  for (const next of positions) {
    const event = index.event_of[next] ?? 0;
    const known = hits.get(event);
    if (known === undefined) hits.set(event, { event, next, more_dates: 0 });
    else {
      known.more_dates += 1;
      if (!isAhead(known.next) && isAhead(next)) known.next = next;
    }
  }
  return [...hits.values()];
}

/** The events that match, as positions: what a surface with its own cache needs. */
export function findHits(snapshot: Snapshot, filter: EventFilter, lang: Lang): Hits {
  const { rank, occurrences, positions, cards } = snapshot.index;
  const { after, now_ms, limit } = filter;
  const startOf = (position: number): number => occurrences[position]?.start_ms ?? 0;
  const rankOf = (event: number): number => rank[lang][event] ?? -1;
  const all = listHits(snapshot, scan(snapshot, filter), now_ms);
  const last_rank = rankOf(positions.get(after?.id ?? '') ?? -1);
  const hits = all
    .filter(({ event, next }) => {
      const later_ms = startOf(next) - (after?.start_ms ?? Number.NEGATIVE_INFINITY);
      return later_ms > 0 || (later_ms === 0 && rankOf(event) > last_rank);
    })
    .sort((a, b) => startOf(a.next) - startOf(b.next) || rankOf(a.event) - rankOf(b.event));
  const page = hits.slice(0, limit);
  const last = page.at(-1);
  return {
    hits: page,
    total: all.length,
    next:
      last && hits.length > page.length
        ? { now_ms, start_ms: startOf(last.next), id: cards[last.event]?.event.id ?? '' }
        : null,
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
  const { near } = filter;
  const cards = hits.map(({ event, next: at, more_dates }) => ({
    ...readCard(snapshot, event),
    next: snapshot.index.occurrences[at] ?? null,
    more_dates,
    ...(near && { distance_km: toDistance(snapshot, near, event) }),
  }));
  return { cards, next, total };
}

/** How far the place of an event is from a point; NaN without coordinates. */
export function toDistance(snapshot: Snapshot, near: Near, position: number): number {
  const { lat, lng } = readCard(snapshot, position).venue ?? {};
  return toDistanceKm(near, lat ?? Number.NaN, lng ?? Number.NaN);
}

/** An event and one of its dates. */
export interface FoundOccurrence {
  readonly card: StoredCard;
  readonly occurrence: OccurrenceRecord;
}

/** At most `filter.limit` occurrences with their events; `cut` says whether more matched. */
export function findOccurrences(
  snapshot: Snapshot,
  filter: EventFilter,
): { readonly items: readonly FoundOccurrence[]; readonly cut: boolean } {
  const { occurrences, event_of } = snapshot.index;
  const found = scan(snapshot, filter);
  const items = found.slice(0, filter.limit).flatMap((position) => {
    const occurrence = occurrences[position];
    return occurrence ? [{ occurrence, card: readCard(snapshot, event_of[position] ?? 0) }] : [];
  });
  return { items, cut: found.length > filter.limit };
}
