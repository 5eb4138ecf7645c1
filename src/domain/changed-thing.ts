// A change together with what it is about, as the snapshot gives it.
import type { EventCard } from './agenda.ts';
import type { Change, HistoryKind } from './history.ts';
import type { NoticeRecord } from './notice.ts';
import type { OrganizerRecord } from './organizer.ts';
import type { VenueRecord } from './venue.ts';

export type ChangedThing =
  | { readonly kind: 'event'; readonly card: EventCard }
  | { readonly kind: 'venue'; readonly record: VenueRecord }
  | { readonly kind: 'organizer'; readonly record: OrganizerRecord }
  | { readonly kind: 'notice'; readonly record: NoticeRecord };

export interface ChangeRecord {
  readonly id: string;
  readonly kind: HistoryKind;
  readonly change: Change;
  /** When that happened, timestamp with offset. */
  readonly at: string;
  /** When anything of it last changed: where a reader of changes has got to. */
  readonly changed_at: string;
  /** Null where it is withdrawn: nothing is said of it any more. */
  readonly thing: ChangedThing | null;
}
