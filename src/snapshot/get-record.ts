// Record lookup: gets one event, venue or organizer by id or by any current or former slug
// (contract 5, 8.4, 8.6), and the hours of a venue on a day. An event position is an index into the arrays of MemoryIndex
// (open-snapshot.ts).
import type { Temporal } from 'temporal-polyfill';
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { filterNotEnded, isCalledOff, summarizeDates } from '../domain/event/event.ts';
import { toDayNumber } from '../domain/local-time.ts';
import {
  computeVenueDay,
  listFreeVisitors,
  type VenueDay,
  type Visitor,
} from '../domain/opening-hours.ts';
import { detectRegularity } from '../domain/event/regularity.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Snapshot, StoredCard } from './open-snapshot.ts';

/** Returns an event with its related records, by position. @throws if there is no such event. */
export function getStoredCard({ index }: Snapshot, position: number): StoredCard {
  const card = index.cards[position];
  if (card === undefined) throw new Error(`There is no event at position ${position}`);
  return card;
}

/**
 * Returns an event by position with its next date at `now_ms`, the number of later ones and those
 * that are called off.
 */
export function getUpcomingCard(snapshot: Snapshot, position: number, now_ms: number): EventCard {
  const upcoming = filterNotEnded(snapshot.index.dates[position] ?? [], now_ms);
  return { ...getStoredCard(snapshot, position), ...summarizeDates(upcoming, now_ms) };
}

/**
 * Returns the event with all its occurrences, as of `now_ms`.
 * @returns 'gone' if it was withdrawn (status 410); null if it never existed.
 */
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

/**
 * Adds to a card all occurrences, the next date, `ahead_count` (occurrences that have not ended),
 * and the regularity: the pattern of the dates, as `every Thursday`. All are as of `now_ms`.
 */
export function buildEventDetail(
  card: StoredCard,
  occurrences: EventDetail['occurrences'],
  now_ms: number,
): EventDetail {
  const upcoming = filterNotEnded(occurrences, now_ms);
  return {
    ...card,
    ...summarizeDates(upcoming, now_ms),
    occurrences,
    ahead_count: upcoming.length,
    regularity: detectRegularity(card.event, occurrences, now_ms),
    is_past: occurrences.length > 0 && upcoming.length === 0,
  };
}

/** Returns a venue, or null if there is no such venue or it was withdrawn. */
export const getVenue = (snapshot: Snapshot, id_or_slug: string): VenueRecord | null =>
  snapshot.venues.get(snapshot.findId('venue', id_or_slug) ?? '') ?? null;

/** Returns an organizer, or null if there is no such organizer or it was withdrawn. */
export const getOrganizer = (snapshot: Snapshot, id_or_slug: string): OrganizerRecord | null =>
  snapshot.organizers.get(snapshot.findId('organizer', id_or_slug) ?? '') ?? null;

/**
 * Finds the hours of a venue on a day; null if its hours are unknown. Who enters free by a rule of
 * the weekday does not if the event that announces it is called off that day.
 */
export function findVenueDay(
  snapshot: Snapshot,
  venue: VenueRecord,
  day: Temporal.PlainDate,
): VenueDay | null {
  const venue_day = computeVenueDay(venue, day, snapshot.calendar.holidays);
  if (venue_day === null || venue_day.opening.free_for.length === 0) return venue_day;
  const called_off = listCalledOffVisitors(snapshot, venue, toDayNumber(day));
  const free_for = venue_day.opening.free_for.filter((visitor) => !called_off.includes(visitor));
  return { ...venue_day, opening: { ...venue_day.opening, free_for } };
}

/** Lists who would have entered an event at a venue free that is called off on a day. */
function listCalledOffVisitors(
  { index }: Snapshot,
  { id }: VenueRecord,
  day: number,
): readonly Visitor[] {
  return index.cards.flatMap(({ event, venue }, position) => {
    if (venue?.id !== id) return [];
    const is_called_off = index.dates[position]?.some(
      (date) => isCalledOff(date) && date.first_day <= day && day <= date.last_day,
    );
    return is_called_off ? listFreeVisitors(event.price.visitors) : [];
  });
}
