// One item an event, in order of its next occurrence (interface 4, listEvents; decisions, Filters
// 7).
import type { EventCard } from '../domain/agenda.ts';
import type { Cursor } from '../domain/filters/cursor.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import type { Lang } from '../domain/lang.ts';
import { findHits } from './find-hits.ts';
import type { Snapshot } from './open.ts';
import { readCard, readOccurrence } from './read-records.ts';

/**
 * The events that match as cards, a page of at most `filter.limit`; `next`: where the next page
 * goes on.
 */
export function findEvents(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): { readonly cards: readonly EventCard[]; readonly next: Cursor | null } {
  const { hits, next } = findHits(snapshot, filter, lang);
  const cards = hits.map((hit) => ({
    ...readCard(snapshot, hit.event),
    next: readOccurrence(snapshot, hit.next),
    more_dates: hit.more_dates,
  }));
  return { cards, next };
}
