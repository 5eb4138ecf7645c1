// What an event is: the records that every room speaks of. Field names are the wire's (interface
// 2).
import type { LocalText } from '../lang.ts';

export type EventStatus = 'published' | 'cancelled' | 'postponed';
export type OccurrenceStatus = 'scheduled' | 'cancelled' | 'postponed';
export type EventSource = 'organizer' | 'agent' | 'editor';

/** A price; an unknown one is never free (decisions, Resources 6). Amounts in `currency` units. */
export interface Price {
  readonly is_free: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly currency: string;
  /** An editor's own words, where the phrase made from the numbers does not do. */
  readonly note: LocalText | null;
}

export interface EventImage {
  readonly url: string;
  readonly alt: LocalText;
}

/** An event as the snapshot holds it, in both languages, without its occurrences. */
export interface EventRecord {
  /** `ev_` and ten characters; does not depend on the title (decisions, Resources 1). */
  readonly id: string;
  readonly slug: LocalText;
  readonly title: LocalText;
  /** One or two sentences, plain text. */
  readonly summary: LocalText;
  /** Further paragraphs, plain text, a blank line between them. */
  readonly description: LocalText | null;
  readonly status: EventStatus;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly zone: string | null;
  /** The venue's id. */
  readonly venue: string | null;
  readonly location_note: LocalText | null;
  readonly price: Price;
  readonly ticket_url: string | null;
  readonly registration_url: string | null;
  readonly age_restriction: LocalText | null;
  readonly languages: readonly string[];
  /** The organizer's id. */
  readonly organizer: string | null;
  readonly image: EventImage | null;
  readonly verified: boolean;
  /** Said to readers where a fact is not sure: what to confirm with the organizer. */
  readonly confirm_note: LocalText | null;
  readonly source: EventSource;
  readonly source_url: string | null;
  /** Timestamp with offset; changes when, and only when, what the event says changes. */
  readonly updated_at: string;
}

/** One time that an event takes place. */
export interface OccurrenceRecord {
  /** The event's id and the local start: `ev_…-20261121T2000`, all day `ev_…-20261121`. */
  readonly id: string;
  readonly event: string;
  /** Timestamps with offset, the wire's form of start_ms and end_ms. */
  readonly start: string;
  readonly end: string;
  readonly start_ms: number;
  /** Exclusive; start + 3 hours where unknown; midnight after the last day where all day. */
  readonly end_ms: number;
  /** Day number of the local start. */
  readonly first_day: number;
  /** Day number of the last day it belongs to (decisions, Time 3). */
  readonly last_day: number;
  readonly all_day: boolean;
  /** False where the end is our three-hour assumption. */
  readonly end_known: boolean;
  readonly status: OccurrenceStatus;
  readonly notes: LocalText | null;
  /** When this occurrence last changed, timestamp with offset: DTSTAMP and LAST-MODIFIED. */
  readonly updated_at: string;
  /** Rises with each change, never falls: SEQUENCE. */
  readonly sequence: number;
}

/** Only family plans: the category, or the tag `familia` (interface 4, family). */
export function isFamily(event: Pick<EventRecord, 'category' | 'tags'>): boolean {
  return event.category === 'family' || event.tags.includes('familia');
}
