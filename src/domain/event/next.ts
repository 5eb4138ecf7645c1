// Which occurrence speaks for an event (decisions, Filters 7).
import type { OccurrenceRecord } from './event.ts';

/**
 * The first still to take place; where all are over, cancelled or postponed, the first. Null for
 * none at all.
 */
export function pickNext(
  in_range: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord | null {
  return in_range.find((o) => o.status === 'scheduled' && o.end_ms > now_ms) ?? in_range[0] ?? null;
}

/** Those that have not ended: what is on right now is in (decisions, Time 4). */
export function filterUpcoming(
  all: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord[] {
  return all.filter((o) => o.end_ms > now_ms);
}
