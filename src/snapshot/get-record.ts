// Record lookup: gets one event, venue or organizer by id, position, or any current or former slug (contract 5, 8.4, 8.6).
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { filterNotEnded, findNextDate } from '../domain/event/event.ts';
import { detectRegularity } from '../domain/event/regularity.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Snapshot, StoredCard } from './open-snapshot.ts';

/** Returns the query-independent card of an event position. @throws if there is no such event. */
export function getStoredCard({ index }: Snapshot, position: number): StoredCard {
  const card = index.cards[position];
  if (card === undefined) throw new Error(`There is no event at position ${position}`);
  return card;
}

/** Returns the card of an event position; `next` and `more_dates` describe the dates upcoming at `now_ms`. */
export function getUpcomingCard(snapshot: Snapshot, position: number, now_ms: number): EventCard {
  const upcoming = filterNotEnded(snapshot.index.dates[position] ?? [], now_ms);
  return { ...getStoredCard(snapshot, position), ...findNextDate(upcoming, now_ms) };
}

/** Returns the event with all its occurrences, as of `now_ms`; 'gone' if it was withdrawn (status 410). */
export function getEvent(
  snapshot: Snapshot,
  id_or_slug: string,
  now_ms: number,
): EventDetail | 'gone' | null {
  const { positions, dates } = snapshot.index;
  const id = snapshot.findId('event', id_or_slug);
  if (id === null || id === 'gone') return id;
  const position = positions.get(id) ?? -1;
  return buildEventDetail(getStoredCard(snapshot, position), dates[position] ?? [], now_ms);
}

/** Adds all occurrences, the next date and the regularity as of `now_ms` to a card. */
export function buildEventDetail(
  card: StoredCard,
  occurrences: EventDetail['occurrences'],
  now_ms: number,
): EventDetail {
  const upcoming = filterNotEnded(occurrences, now_ms);
  return {
    ...card,
    ...findNextDate(upcoming, now_ms),
    occurrences,
    ahead_count: upcoming.length,
    regularity: detectRegularity(card.event.habit, occurrences, now_ms),
    is_past: upcoming.length === 0,
  };
}

export const getVenue = (snapshot: Snapshot, id_or_slug: string): VenueRecord | null =>
  snapshot.venues.get(snapshot.findId('venue', id_or_slug) ?? '') ?? null;

export const getOrganizer = (snapshot: Snapshot, id_or_slug: string): OrganizerRecord | null =>
  snapshot.organizers.get(snapshot.findId('organizer', id_or_slug) ?? '') ?? null;
