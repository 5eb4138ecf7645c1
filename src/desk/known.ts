// What is known of the agenda: the taxonomy, places and people that a submission names.
import type { OrganizerRecord } from '../domain/organizer.ts';
import { findByName } from '../domain/place-name.ts';
import type { KnownPlaces } from '../domain/submission/read-submission.ts';
import { findNamed, nameApart } from '../domain/submission/named-places.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import { listOrganizers, listVenues } from '../snapshot/list-things.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { toSubmittedEventId } from '../sources/inbox/merge-inbox.ts';

export interface Known extends KnownPlaces {
  readonly getVenue: (id: string) => VenueRecord | null;
  readonly getOrganizer: (id: string) => OrganizerRecord | null;
  readonly listOrganizers: () => readonly { readonly id: string; readonly name: string }[];
}

/** What the release that serves knows. */
export const toKnown = (snapshot: Snapshot): Known => ({
  taxonomy: snapshot.taxonomy,
  findVenue: (slug) => getVenue(snapshot, slug)?.id ?? null,
  findVenueByName: (name, zone) => {
    const all = listVenues(snapshot);
    const venues = all.filter((venue) => zone === null || venue.zone === zone);
    return (findNamed(all, name) ?? findByName(venues, name))?.id ?? null;
  },
  getVenue: (id) => getVenue(snapshot, id),
  getOrganizer: (id) => getOrganizer(snapshot, id),
  listOrganizers: () => listOrganizers(snapshot),
});

/** Each venue of the agenda by the name that means it alone. */
export const listNamedVenues = (snapshot: Snapshot): readonly (readonly [string, VenueRecord])[] =>
  nameApart(listVenues(snapshot));

/** The id that the event of a submission has, in a release or not yet. */
export const toEventId = (reference: string): string => toSubmittedEventId(reference);
