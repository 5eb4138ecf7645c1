// What a person may choose on the calendar page, and what is shown of their choice.
import type { EventCard } from '../../domain/agenda.ts';
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import type { PageMeta } from '../layout/page-meta.ts';

/** The names of the form's fields; they are the feed's own parameters. */
export const CHOICE_NAMES = ['category', 'zone', 'free', 'family', 'lang'] as const;
export type FeedChoice = Readonly<Partial<Record<(typeof CHOICE_NAMES)[number], string>>>;

/** The feed of a choice. */
export interface ShownFeed {
  /** What the calendar calls itself: its filters in words. */
  readonly name: string;
  /** Absolute. */
  readonly url: string;
  /** Dates in it; where `is_cut`, only the first of more. */
  readonly count: number;
  readonly is_cut: boolean;
  /** The next few, each with its own date as `next`. */
  readonly upcoming: readonly (EventCard & { readonly next: OccurrenceRecord })[];
}

/** All that the calendar page shows. */
export interface CalendarView {
  readonly meta: PageMeta;
  readonly choice: FeedChoice;
  readonly taxonomy: Taxonomy;
  /** The feed, or what is wrong with the question, in the API's words. */
  readonly feed: ShownFeed | null;
  readonly issue: string | null;
  /** The instant of the question, epoch ms. */
  readonly now_ms: number;
}
