// The shapes every surface is given: an event with its place and people, a day's agenda.
import type { Temporal } from 'temporal-polyfill';
import type { EventRecord, OccurrenceRecord } from './event/event.ts';
import type { Regularity } from './event/regularity.ts';
import type { NoticeRecord } from './notice.ts';
import type { OrganizerRecord } from './organizer.ts';
import type { TaxonRecord } from './taxon.ts';
import type { VenueDay } from './opening-hours.ts';
import type { VenueRecord } from './venue.ts';

/** An event with all that stands beside it. `next` and `more_dates` are relative to the query. */
export interface EventCard {
  readonly event: EventRecord;
  readonly category: TaxonRecord | null;
  readonly zone: TaxonRecord | null;
  readonly venue: VenueRecord | null;
  readonly organizer: OrganizerRecord | null;
  /** The first in the range still to take place (contract 7.19); null where none is. */
  readonly next: OccurrenceRecord | null;
  readonly more_dates: number;
  /** From the point that was asked for, to ten metres; only in a list around one. */
  readonly distance_km?: number;
}

export interface EventDetail extends EventCard {
  readonly occurrences: readonly OccurrenceRecord[];
  /** How many of them have not ended, called off or not. */
  readonly ahead_count: number;
  /** The rule of the dates ahead; null where they keep to none. */
  readonly regularity: Regularity | null;
  readonly is_past: boolean;
}

/** A place where simply being is a plan, with its hours on a day. */
export interface OpenPlace {
  readonly venue: VenueRecord;
  readonly zone: TaxonRecord | null;
  readonly on_day: VenueDay;
}

export interface Agenda {
  /** Inclusive local days; the same day for a day's agenda. */
  readonly from: Temporal.PlainDate;
  readonly to: Temporal.PlainDate;
  readonly events: readonly EventCard[];
  /** Last night's that go on at this minute; none where it is not today's agenda alone. */
  readonly still_on: readonly EventCard[];
  readonly notices: readonly NoticeRecord[];
  /** Places where simply being is a plan, closed ones too, by name; none where it is several days. */
  readonly open_places: readonly OpenPlace[];
}
