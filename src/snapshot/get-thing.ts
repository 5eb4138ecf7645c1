// One event, venue, organizer or occurrence by id, by position, or by any slug it ever had; a row is
// parsed as it is read (contract 5, 8.4, 8.6, 8.7).
import { CERTAINTIES } from '../domain/knowledge/certainty.ts';
import type { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { filterUpcoming, type OccurrenceRecord, pickNext } from '../domain/event/event.ts';
import { EVENT_FIELDS } from '../domain/event/fields.ts';
import { findRegularity } from '../domain/event/regularity.ts';
import { toStoredEntries } from '../domain/fields.ts';
import { NOTICE_FIELDS, type NoticeRecord } from '../domain/notice.ts';
import { ORGANIZER_FIELDS, type OrganizerRecord } from '../domain/organizer.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { VENUE_FIELDS, type VenueRecord } from '../domain/venue.ts';
import { CERTAINTY_SHIFT, KIND, STATUSES } from './memory-index.ts';
import type { Snapshot } from './open.ts';

export const EventRecordSchema = v.object(toStoredEntries(EVENT_FIELDS));
export const VenueRecordSchema = v.object(toStoredEntries(VENUE_FIELDS));
export const OrganizerRecordSchema = v.object(toStoredEntries(ORGANIZER_FIELDS));
export const NoticeRecordSchema = v.object(toStoredEntries(NOTICE_FIELDS));

/** What a row says as JSON, parsed once as long as it is kept; null where there is none. */
function readKept<T extends object>(
  kept: LRUCache<string, T>,
  id: string,
  readText: (id: string) => string | null,
  schema: v.GenericSchema<unknown, T>,
): T | null {
  const known = kept.get(id);
  if (known) return known;
  const text = readText(id);
  if (text === null) return null;
  const record = v.parse(schema, JSON.parse(text));
  kept.set(id, record);
  return record;
}

/** A venue by id, or null. */
export const readVenue = ({ venues, recordOf }: Snapshot, id: string): VenueRecord | null =>
  readKept(venues, id, recordOf.venue, VenueRecordSchema);

/** An organizer by id, or null. */
export const readOrganizer = (
  { organizers, recordOf }: Snapshot,
  id: string,
): OrganizerRecord | null => readKept(organizers, id, recordOf.organizer, OrganizerRecordSchema);

/** A notice by id, in force or not; null where there is none. */
export const readNotice = ({ notices, recordOf }: Snapshot, id: string): NoticeRecord | null =>
  readKept(notices, id, recordOf.notice, NoticeRecordSchema);

const byKey = (taxa: readonly TaxonRecord[], key: string | null): TaxonRecord | null =>
  taxa.find((taxon) => taxon.key === key) ?? null;

/** The card of an event position, without what depends on the query. */
export function readCard(
  snapshot: Snapshot,
  position: number,
): Omit<EventCard, 'next' | 'more_dates'> {
  const cached = snapshot.cards.get(position);
  if (cached) return cached;
  const text = snapshot.recordOf.event(position);
  const event = v.parse(EventRecordSchema, text === null ? null : JSON.parse(text));
  const card = {
    event,
    category: byKey(snapshot.taxonomy.categories, event.category),
    zone: byKey(snapshot.taxonomy.zones, event.zone),
    venue: event.venue === null ? null : readVenue(snapshot, event.venue),
    organizer: event.organizer === null ? null : readOrganizer(snapshot, event.organizer),
  };
  snapshot.cards.set(position, card);
  return card;
}

/** The event's id, with which each of its occurrences' ids begins. */
export const toEventId = (occurrence_id: string): string =>
  occurrence_id.slice(0, occurrence_id.indexOf('-'));

/** The occurrence at a position of the memory index. */
export function readOccurrence(snapshot: Snapshot, position: number): OccurrenceRecord {
  const { index } = snapshot;
  const kind = index.kind[position] ?? 0;
  const id = index.id.at(position);
  return {
    id,
    event: toEventId(id),
    start: index.start.at(position),
    end: index.end.at(position),
    start_ms: index.start_ms[position] ?? 0,
    end_ms: index.end_ms[position] ?? 0,
    first_day: index.first_day[position] ?? 0,
    last_day: index.last_day[position] ?? 0,
    all_day: (kind & KIND.all_day) !== 0,
    time_known: (kind & KIND.time_known) !== 0,
    end_known: (kind & KIND.end_known) !== 0,
    certainty: CERTAINTIES[kind >> CERTAINTY_SHIFT] ?? 'usual',
    status: STATUSES[index.status[position] ?? 0] ?? 'scheduled',
    notes: snapshot.notes.get(position) ?? null,
    updated_at: index.updated_at.at(position),
    sequence: index.sequence[position] ?? 0,
  };
}

/** All occurrences of an event position, in order of time. */
export function readOccurrencesOf(snapshot: Snapshot, event: number): OccurrenceRecord[] {
  const { members, offsets } = snapshot.occurrences_of;
  return Array.from(members.subarray(offsets[event], offsets[event + 1]), (position) =>
    readOccurrence(snapshot, position),
  );
}

/** The card of an event position; `next` and `more_dates` count what is upcoming at `now_ms`. */
export function readUpcomingCard(snapshot: Snapshot, position: number, now_ms: number): EventCard {
  const upcoming = filterUpcoming(readOccurrencesOf(snapshot, position), now_ms);
  return {
    ...readCard(snapshot, position),
    next: pickNext(upcoming, now_ms),
    more_dates: Math.max(0, upcoming.length - 1),
  };
}

export type ThingKind = 'event' | 'venue' | 'organizer';

/**
 * The id behind an id or a slug of one kind; 'gone' where it was withdrawn; null where there never
 * was one.
 */
export const findId = (
  snapshot: Snapshot,
  kind: ThingKind,
  id_or_slug: string,
): string | 'gone' | null => snapshot.idOf(kind, id_or_slug);

/**
 * The event with all its occurrences; `next` and `more_dates` count what is upcoming at `now_ms`.
 * 'gone' answers 410.
 */
export function getEvent(
  snapshot: Snapshot,
  id_or_slug: string,
  now_ms: number,
): EventDetail | 'gone' | null {
  const id = findId(snapshot, 'event', id_or_slug);
  if (id === null || id === 'gone') return id;
  const position = v.parse(v.number(), snapshot.positionOf(id));
  const occurrences = readOccurrencesOf(snapshot, position);
  const upcoming = filterUpcoming(occurrences, now_ms);
  const card = readCard(snapshot, position);
  return {
    ...card,
    next: pickNext(upcoming, now_ms),
    more_dates: Math.max(0, upcoming.length - 1),
    occurrences,
    regularity: findRegularity(card.event.habit, occurrences, now_ms),
    is_past: upcoming.length === 0,
  };
}

/** The venue, or null where there is none. */
export function getVenue(snapshot: Snapshot, id_or_slug: string): VenueRecord | null {
  const id = findId(snapshot, 'venue', id_or_slug);
  return id === null || id === 'gone' ? null : readVenue(snapshot, id);
}

/** The organizer, or null where there is none. */
export function getOrganizer(snapshot: Snapshot, id_or_slug: string): OrganizerRecord | null {
  const id = findId(snapshot, 'organizer', id_or_slug);
  return id === null || id === 'gone' ? null : readOrganizer(snapshot, id);
}
