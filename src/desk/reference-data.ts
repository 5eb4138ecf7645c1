// What is known of the agenda: the taxonomy, places and people that a submission names, and the events that look like
// the same thing as one that is sent in (contract 14.21).
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

/** What the release that serves knows. */
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

/** Each venue of the agenda by the name that means it alone. */
export const listUniquelyNamedVenues = (
  snapshot: Snapshot,
): readonly (readonly [string, VenueRecord])[] => disambiguateNames(listVenues(snapshot));

/** The id that the event of a submission has, in a release or not yet. */
export const eventIdOfSubmission = (reference: string): string => submittedEventId(reference);

/** Days of a submission that are looked at, and occurrences on each. */
const MAX_DAYS = 10;
const MAX_A_DAY = 500;

/** What of a submission is compared. */
export const toDuplicateCandidate = (s: Submission): DuplicateCandidate => ({
  titles: [s.title],
  days: [s.start.slice(0, 10), ...s.dates].slice(0, MAX_DAYS),
  venue: s.venue,
  venue_name: s.venue_name,
});

/** The agenda that is compared with, and the minute. */
interface AgendaSnapshot {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
}
/** The same with what was sent in. */
export interface DeskContext extends AgendaSnapshot {
  readonly inbox: Inbox;
}

/** Each once, on the first day that both have; never `own_id` itself. */
export const findPossibleDuplicates = (
  agenda: AgendaSnapshot,
  own: DuplicateCandidate,
  own_id: string,
): readonly OccurrenceResult[] =>
  createDuplicateFinder(agenda)(own).filter(({ card }) => card.event.id !== own_id);

/** The same for many: each day of the agenda is looked up once. */
export function createDuplicateFinder({ snapshot, now_ms }: AgendaSnapshot) {
  const by_day = new Map<string, readonly OccurrenceResult[]>();
  const listDay = (date: string): readonly OccurrenceResult[] => {
    const day = parseDay(date);
    if (day === null) return [];
    const open = unfilteredEventFilter(floorToMinute(now_ms), MAX_A_DAY);
    return findOccurrences(snapshot, { ...open, range: { from: day, to: day } }).items;
  };
  return (own: DuplicateCandidate): readonly OccurrenceResult[] => {
    const found = new Map<string, OccurrenceResult>();
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

const isAlike = (
  own: DuplicateCandidate,
  { card: { event, venue } }: OccurrenceResult,
  date: string,
) =>
  isLikelyDuplicate(own, {
    titles: LANGS.map((one) => event.title[one]),
    days: [date],
    venue: venue?.id ?? null,
    venue_name: venue?.name ?? null,
  });
