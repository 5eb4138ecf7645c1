// Which things a release is asked about: one of each kind that it has.
import type { EventRecord } from '../domain/event/event.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { getEvent } from '../snapshot/get-event.ts';
import { listOrganizers, listUpcomingEvents, listVenues } from '../snapshot/list-pages.ts';
import { listStandings } from '../snapshot/list-standings.ts';
import type { Snapshot } from '../snapshot/open.ts';

export interface Samples {
  /**
   * One that is ahead, whose page is built, and one that is over, whose page is rendered when asked
   * for.
   */
  readonly events: readonly Pick<EventRecord, 'id' | 'slug' | 'title'>[];
  readonly venue: Pick<VenueRecord, 'slug' | 'name'> | null;
  readonly organizer: Pick<OrganizerRecord, 'slug' | 'name'> | null;
  readonly category: TaxonRecord | null;
  readonly zone: TaxonRecord | null;
}

/** The first of each kind; null where there is none. */
export function pickSamples(snapshot: Snapshot, now_ms: number): Samples {
  const upcoming = listUpcomingEvents(snapshot, now_ms);
  const ahead = new Set(upcoming.map((event) => event.id));
  const past_id = [...listStandings(snapshot).keys()].find((id) => !ahead.has(id));
  const past = past_id === undefined ? null : getEvent(snapshot, past_id, now_ms);
  const { categories, zones } = snapshot.taxonomy;
  return {
    events: [...upcoming.slice(0, 1), ...(past !== null && past !== 'gone' ? [past.event] : [])],
    venue: listVenues(snapshot)[0] ?? null,
    organizer: listOrganizers(snapshot)[0] ?? null,
    category: categories.find(({ key }) => key === upcoming[0]?.category) ?? categories[0] ?? null,
    zone: zones.find(({ key }) => key === upcoming[0]?.zone) ?? zones[0] ?? null,
  };
}
