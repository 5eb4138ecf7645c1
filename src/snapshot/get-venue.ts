// One venue by id or by any slug it ever had (interface 4, getVenue).
import type { VenueRecord } from '../domain/venue.ts';
import { findId } from './get-event.ts';
import type { Snapshot } from './open.ts';
import { readVenue } from './read-records.ts';

/** The venue, or null where there is none. */
export function getVenue(snapshot: Snapshot, id_or_slug: string): VenueRecord | null {
  const id = findId(snapshot, 'venue', id_or_slug);
  return id === null || id === 'gone' ? null : readVenue(snapshot, id);
}
