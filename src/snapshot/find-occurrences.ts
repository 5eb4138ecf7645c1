// Every occurrence of a range in order of time: what a calendar feed holds (interface 4, eventsCalendarFeed).
import type { EventCard } from '../domain/agenda.ts';
import type { OccurrenceRecord } from '../domain/event.ts';
import type { EventFilter } from '../domain/event-filter.ts';
import type { Snapshot } from './open.ts';
import { readCard, readOccurrence } from './read-records.ts';
import { scan } from './scan.ts';

/** An occurrence with its event; the card's `next` is the occurrence itself, `more_dates` 0. */
export interface FoundOccurrence {
  readonly card: EventCard;
  readonly occurrence: OccurrenceRecord;
}

/** At most `filter.limit` occurrences; `cut` says whether more matched. */
export function findOccurrences(snapshot: Snapshot, filter: EventFilter): { readonly items: readonly FoundOccurrence[]; readonly cut: boolean } {
  const items: FoundOccurrence[] = [];
  let cut = false;
  scan(snapshot, filter, (position, event) => {
    if (items.length === filter.limit) { cut = true; return false; }
    const occurrence = readOccurrence(snapshot, position);
    items.push({ card: { ...readCard(snapshot, event), next: occurrence, more_dates: 0 }, occurrence });
    return true;
  });
  return { items, cut };
}
