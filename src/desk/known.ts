// What is known of the agenda: the taxonomy, places and people that a submission names, and the events that look like
// the same thing as one that is sent in (contract 14.21).
import { floorToMinute, parseDay } from '../domain/local-time.ts';
import { LANGS } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { findByName } from '../domain/place-names.ts';
import {
  isLikelyDuplicate,
  type Likeable,
  findNamed,
  nameApart,
} from '../domain/submission/likeness.ts';
import { toOpenFilter } from '../domain/query/event-query.ts';
import type { KnownPlaces } from '../domain/submission/read-submission.ts';
import type { Submission } from '../domain/submission/submission.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Inbox } from '../inbox/open.ts';
import { findOccurrences, type FoundOccurrence } from '../snapshot/find-events.ts';
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

/** Days of a submission that are looked at, and occurrences on each. */
const MAX_DAYS = 10;
const MAX_A_DAY = 500;

/** What of a submission is compared. */
export const toLikeable = (s: Submission): Likeable => ({
  titles: [s.title],
  days: [s.start.slice(0, 10), ...s.dates].slice(0, MAX_DAYS),
  venue: s.venue,
  venue_name: s.venue_name,
});

/** The agenda that is compared with, and the minute. */
interface Agenda {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
}
/** The same with what was sent in. */
export interface Desk extends Agenda {
  readonly inbox: Inbox;
}

/** Each once, on the first day that both have; never `own_id` itself. */
export const findAlikeEvents = (
  agenda: Agenda,
  own: Likeable,
  own_id: string,
): readonly FoundOccurrence[] =>
  createAlikeSearch(agenda)(own).filter(({ card }) => card.event.id !== own_id);

/** The same for many: each day of the agenda is looked up once. */
export function createAlikeSearch({ snapshot, now_ms }: Agenda) {
  const by_day = new Map<string, readonly FoundOccurrence[]>();
  const listDay = (date: string): readonly FoundOccurrence[] => {
    const day = parseDay(date);
    if (day === null) return [];
    const open = toOpenFilter(floorToMinute(now_ms), MAX_A_DAY);
    return findOccurrences(snapshot, { ...open, range: { from: day, to: day } }).items;
  };
  return (own: Likeable): readonly FoundOccurrence[] => {
    const found = new Map<string, FoundOccurrence>();
    for (const date of own.days.slice(0, MAX_DAYS)) {
      const listed = by_day.get(date) ?? listDay(date);
      by_day.set(date, listed);
      for (const hit of listed)
        if (!found.has(hit.card.event.id) && isAlike(own, hit, date))
          found.set(hit.card.event.id, hit);
    }
    return [...found.values()];
  };
}

const isAlike = (own: Likeable, { card: { event, venue } }: FoundOccurrence, date: string) =>
  isLikelyDuplicate(own, {
    titles: LANGS.map((one) => event.title[one]),
    days: [date],
    venue: venue?.id ?? null,
    venue_name: venue?.name ?? null,
  });
