// Every occurrence of a range in order of time: what a calendar feed holds (contract 8.3).
import type { EventCard } from '../domain/agenda.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import type { Snapshot } from './open.ts';
import { readCard, readOccurrence } from './get-thing.ts';
import { toPassingMarks, toScan } from './scan.ts';

/** An occurrence with its event; the card's `next` is the occurrence itself, `more_dates` 0. */
export interface FoundOccurrence {
  readonly card: EventCard;
  readonly occurrence: OccurrenceRecord;
}

/** An occurrence and the position of its event: what a caller with its own cache needs. */
export interface OccurrenceHit {
  readonly occurrence: OccurrenceRecord;
  readonly event: number;
}

/** At most `filter.limit` occurrences, without their events; `cut` says whether more matched. */
export function findOccurrenceHits(
  snapshot: Snapshot,
  filter: EventFilter,
): { readonly hits: readonly OccurrenceHit[]; readonly cut: boolean } {
  const hits: OccurrenceHit[] = [];
  const { event } = snapshot.index;
  const scan = toScan(snapshot, filter);
  const { from, until, reach, least } = scan;
  const marks = toPassingMarks(scan, snapshot.event_count);
  for (let position = from; position < until; position += 1) {
    const e = event[position] ?? 0;
    if ((reach[position] ?? 0) < least || (marks !== null && marks[e] !== 1)) continue;
    if (hits.length === filter.limit) return { hits, cut: true };
    hits.push({ occurrence: readOccurrence(snapshot, position), event: e });
  }
  return { hits, cut: false };
}

/** At most `filter.limit` occurrences with their events; `cut` says whether more matched. */
export function findOccurrences(
  snapshot: Snapshot,
  filter: EventFilter,
): { readonly items: readonly FoundOccurrence[]; readonly cut: boolean } {
  const { hits, cut } = findOccurrenceHits(snapshot, filter);
  const items = hits.map(({ occurrence, event }) => ({
    card: { ...readCard(snapshot, event), next: occurrence, more_dates: 0 },
    occurrence,
  }));
  return { items, cut };
}
