// Reference data: looks up the taxa, venues and organizers that a submission names, and finds agenda events
// that may be duplicates of it (contract 14.21).
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

export interface ReferenceData extends VenueLookups {
  readonly getVenue: (id: string) => VenueRecord | null;
  readonly getOrganizer: (id: string) => OrganizerRecord | null;
  readonly listOrganizers: () => readonly { readonly id: string; readonly name: string }[];
}

export const createReferenceData = (snapshot: Snapshot): ReferenceData => ({
  taxonomy: snapshot.taxonomy,
  findVenue: (slug) => getVenue(snapshot, slug)?.id ?? null,
  findVenueByName: (name, zone) => {
    const all = listVenues(snapshot);
    const venues = all.filter((venue) => zone === null || venue.zone === zone);
    return (findByExactName(all, name) ?? findUniqueByName(venues, name))?.id ?? null;
  },
  getVenue: (id) => getVenue(snapshot, id),
  getOrganizer: (id) => getOrganizer(snapshot, id),
  listOrganizers: () => listOrganizers(snapshot),
});

/** Lists the venues of the agenda with a name that is unique to each. */
export const listUniquelyNamedVenues = (
  snapshot: Snapshot,
): readonly (readonly [string, VenueRecord])[] => disambiguateNames(listVenues(snapshot));

/** Returns the event id of a submission, which it has before any release contains it. */
export const eventIdOfSubmission = (reference: string): string => submittedEventId(reference);

/** Days of a submission that are compared, and occurrences on each. */
const MAX_DAYS = 10;
const MAX_OCCURRENCES_PER_DAY = 500;

export const toDuplicateCandidate = (s: Submission): DuplicateCandidate => ({
  titles: [s.title],
  days: [s.start.slice(0, 10), ...s.dates].slice(0, MAX_DAYS),
  venue: s.venue,
  venue_name: s.venue_name,
});

interface AgendaSnapshot {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
}

export interface DeskContext extends AgendaSnapshot {
  readonly inbox: Inbox;
}

/** Finds agenda events that may be duplicates, each with its first shared day, except `own_id` itself. */
export const findPossibleDuplicates = (
  agenda: AgendaSnapshot,
  candidate: DuplicateCandidate,
  own_id: string,
): readonly OccurrenceResult[] =>
  createDuplicateFinder(agenda)(candidate).filter(({ card }) => card.event.id !== own_id);

/** Creates a duplicate finder for many candidates that queries each day of the agenda once. */
export function createDuplicateFinder({ snapshot, now_ms }: AgendaSnapshot) {
  const by_day = new Map<string, readonly OccurrenceResult[]>();
  const findDay = (date: string): readonly OccurrenceResult[] => {
    const day = parseDay(date);
    if (day === null) return [];
    const filter = unfilteredEventFilter(floorToMinute(now_ms), MAX_OCCURRENCES_PER_DAY);
    return findOccurrences(snapshot, { ...filter, range: { from: day, to: day } }).items;
  };
  return (candidate: DuplicateCandidate): readonly OccurrenceResult[] => {
    const duplicates = new Map<string, OccurrenceResult>();
    for (const date of candidate.days.slice(0, MAX_DAYS)) {
      const results = by_day.get(date) ?? findDay(date);
      by_day.set(date, results);
      for (const result of results)
        if (!duplicates.has(result.card.event.id) && isDuplicate(candidate, result, date))
          duplicates.set(result.card.event.id, result);
    }
    return [...duplicates.values()];
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
