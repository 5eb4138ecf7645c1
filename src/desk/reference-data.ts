// Reference data: looks up the zones, categories, venues and organizers that a submission names,
// and finds agenda events that may be duplicates of it (contract 14.21).
import { floorToMinute, parseDay } from '../domain/local-time.ts';
import { LANGS } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { findUniqueByName } from '../domain/place-text.ts';
import {
  isLikelyDuplicate,
  type DuplicateCandidate,
  findByExactName,
  disambiguateNames,
} from '../domain/submission/duplicate-detection.ts';
import { unfilteredEventFilter } from '../domain/query/event-query.ts';
import type { VenueLookups } from '../domain/submission/parse-submission.ts';
import type { Submission } from '../domain/submission/submission.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Inbox } from '../inbox/open.ts';
import { findOccurrences, type OccurrenceResult } from '../snapshot/find-events.ts';
import { getOrganizer, getVenue } from '../snapshot/get-record.ts';
import { listOrganizers, listVenues } from '../snapshot/list-records.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { submittedEventId } from '../sources/inbox/merge-inbox.ts';

/** Lookups in the live snapshot. */
export interface ReferenceData extends VenueLookups {
  readonly getVenue: (id: string) => VenueRecord | null;
  readonly getOrganizer: (id: string) => OrganizerRecord | null;
  readonly listOrganizers: () => readonly { readonly id: string; readonly name: string }[];
}

export const createReferenceData = (snapshot: Snapshot): ReferenceData => ({
  taxonomy: snapshot.taxonomy,
  findVenue: (slug) => getVenue(snapshot, slug)?.id ?? null,
  findVenueByName: (name, zone) => {
    const venues = listVenues(snapshot);
    const venues_of_zone = venues.filter((venue) => zone === null || venue.zone === zone);
    return (findByExactName(venues, name) ?? findUniqueByName(venues_of_zone, name))?.id ?? null;
  },
  getVenue: (id) => getVenue(snapshot, id),
  getOrganizer: (id) => getOrganizer(snapshot, id),
  listOrganizers: () => listOrganizers(snapshot),
});

/** Lists the venues of the agenda, each with a unique name. */
export const listUniquelyNamedVenues = (
  snapshot: Snapshot,
): readonly (readonly [string, VenueRecord])[] => disambiguateNames(listVenues(snapshot));

/** Returns the id of a submission's event, which is fixed before any release contains it. */
export const eventIdOfSubmission = (reference: string): string => submittedEventId(reference);

/** Only the first days of a submission are compared. */
const MAX_DAYS = 10;
const MAX_OCCURRENCES_PER_DAY = 500;

export const toDuplicateCandidate = (s: Submission): DuplicateCandidate => ({
  titles: [s.title],
  days: [s.start.slice(0, 10), ...s.dates].slice(0, MAX_DAYS),
  venue: s.venue,
  venue_name: s.venue_name,
});

/** The live snapshot and the current time. */
interface AgendaSnapshot {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
}

/** Dependencies of most use cases of the desk. */
export interface DeskContext extends AgendaSnapshot {
  readonly inbox: Inbox;
}

/**
 * Finds agenda events that may be duplicates, each on its first shared day, except `own_id` itself.
 */
export const findPossibleDuplicates = (
  agenda: AgendaSnapshot,
  candidate: DuplicateCandidate,
  own_id: string,
): readonly OccurrenceResult[] =>
  createDuplicateFinder(agenda)(candidate).filter(({ card }) => card.event.id !== own_id);

/** Creates a duplicate finder for many candidates; it queries each day of the agenda once. */
export function createDuplicateFinder({ snapshot, now_ms }: AgendaSnapshot) {
  const occurrences_by_day = new Map<string, readonly OccurrenceResult[]>();
  const findOccurrencesOn = (date: string): readonly OccurrenceResult[] => {
    const day = parseDay(date);
    if (day === null) return [];
    const filter = unfilteredEventFilter(floorToMinute(now_ms), MAX_OCCURRENCES_PER_DAY);
    return findOccurrences(snapshot, { ...filter, range: { from: day, to: day } }).items;
  };
  return (candidate: DuplicateCandidate): readonly OccurrenceResult[] => {
    const duplicates_by_event = new Map<string, OccurrenceResult>();
    for (const date of candidate.days.slice(0, MAX_DAYS)) {
      const occurrences = occurrences_by_day.get(date) ?? findOccurrencesOn(date);
      occurrences_by_day.set(date, occurrences);
      for (const occurrence of occurrences) {
        const { id } = occurrence.card.event;
        if (!duplicates_by_event.has(id) && isDuplicate(candidate, occurrence, date))
          duplicates_by_event.set(id, occurrence);
      }
    }
    return [...duplicates_by_event.values()];
  };
}

const isDuplicate = (
  candidate: DuplicateCandidate,
  { card: { event, venue } }: OccurrenceResult,
  date: string,
) =>
  isLikelyDuplicate(candidate, {
    titles: LANGS.map((lang) => event.title[lang]),
    days: [date],
    venue: venue?.id ?? null,
    venue_name: venue?.name ?? null,
  });
