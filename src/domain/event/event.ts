// What an event is: its record, the times it takes place, and which of them speaks for it
// (contract 7.19).
import type { RecordOf } from '../fields.ts';
import type { Certainty } from '../knowledge/certainty.ts';
import type { LocalText } from '../lang.ts';
import type { EVENT_FIELDS, EVENT_STATUSES } from './fields.ts';

export type EventStatus = (typeof EVENT_STATUSES)[number];
export type OccurrenceStatus = 'scheduled' | 'cancelled' | 'postponed';

/** An event as the snapshot holds it, in every language, without its occurrences. */
export interface EventRecord extends RecordOf<typeof EVENT_FIELDS> {}
/** A price; an unknown one is never free (contract 4.7). Amounts in `currency` units. */
export type Price = EventRecord['price'];

/** One time that an event takes place. */
export interface OccurrenceRecord {
  /** The event's id and the local start as first published (occurrence-ids.ts). */
  readonly id: string;
  readonly event: string;
  /** Timestamps with offset: of its first and after its last minute, of whole days midnight. */
  readonly start: string;
  readonly end: string;
  /** Where it stands among the others: its start, or the day's last minute where nobody knows it. */
  readonly start_ms: number;
  /** Exclusive; start + 3 hours where unknown; midnight after the last day where all day. */
  readonly end_ms: number;
  /** Day number of the local start. */
  readonly first_day: number;
  /** Day number of the last day it belongs to (contract 2.3). */
  readonly last_day: number;
  readonly all_day: boolean;
  /** False where nobody knows the hour; then it is all_day on the wire (contract 2.9). */
  readonly time_known: boolean;
  /** False where the end is our three-hour assumption. */
  readonly end_known: boolean;
  /** How well this very date is known (contract 6.2). */
  readonly certainty: Certainty;
  readonly status: OccurrenceStatus;
  readonly notes: LocalText | null;
  /** When this occurrence last changed, timestamp with offset: DTSTAMP and LAST-MODIFIED. */
  readonly updated_at: string;
  /** Rises with each change, never falls: SEQUENCE. */
  readonly sequence: number;
}

/** The key of the category of what is made for families. */
export const FAMILY_CATEGORY = 'family';

/** Of an event of another category that is for families too. */
export const FAMILY_TAG = 'familia';

/** Only family plans: the category, or the tag `familia` (contract 7.12). */
export function isFamily(event: Pick<EventRecord, 'category' | 'tags'>): boolean {
  return event.category === FAMILY_CATEGORY || event.tags.includes(FAMILY_TAG);
}

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

/** Those that have not ended: what is on right now is in (contract 2.4). */
export function filterUpcoming(
  all: readonly OccurrenceRecord[],
  now_ms: number,
): OccurrenceRecord[] {
  return all.filter((o) => o.end_ms > now_ms);
}
