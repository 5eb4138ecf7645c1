// One event, venue, organizer or occurrence by id, by position, or by any slug it ever had; a row is
// parsed as it is read (contract 5, 8.4, 8.6, 8.7).
import * as v from 'valibot';
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { filterUpcoming, type OccurrenceRecord, pickNext } from '../domain/event/event.ts';
import { findRegularity } from '../domain/event/regularity.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Snapshot } from './open.ts';

const byKey = (taxa: readonly TaxonRecord[], key: string | null): TaxonRecord | null =>
  taxa.find((taxon) => taxon.key === key) ?? null;

/** The card of an event position, without what depends on the query. */
export function readCard(
  snapshot: Snapshot,
  position: number,
): Omit<EventCard, 'next' | 'more_dates'> {
  const cached = snapshot.cards.get(position);
  if (cached) return cached;
  const event = snapshot.readEvent(position);
  const card = {
    event,
    category: byKey(snapshot.taxonomy.categories, event.category),
    zone: byKey(snapshot.taxonomy.zones, event.zone),
    venue: snapshot.venues.get(event.venue ?? '') ?? null,
    organizer: snapshot.organizers.get(event.organizer ?? '') ?? null,
  };
  snapshot.cards.set(position, card);
  return card;
}

/** All occurrences of an event position, in order of time. */
export const readOccurrencesOf = (
  { index }: Snapshot,
  event: number,
): readonly OccurrenceRecord[] => index.dates[event] ?? [];

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
  const position = v.parse(v.number(), snapshot.index.positions.get(id));
  const card = readUpcomingCard(snapshot, position, now_ms);
  const occurrences = readOccurrencesOf(snapshot, position);
  return {
    ...card,
    occurrences,
    regularity: findRegularity(card.event.habit, occurrences, now_ms),
    is_past: card.next === null,
  };
}

export const getVenue = (snapshot: Snapshot, id_or_slug: string): VenueRecord | null =>
  snapshot.venues.get(findId(snapshot, 'venue', id_or_slug) ?? '') ?? null;

export const getOrganizer = (snapshot: Snapshot, id_or_slug: string): OrganizerRecord | null =>
  snapshot.organizers.get(findId(snapshot, 'organizer', id_or_slug) ?? '') ?? null;
