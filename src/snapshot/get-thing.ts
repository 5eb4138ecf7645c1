// One event, venue or organizer by id or by any slug it ever had (interface 4, getEvent, getVenue,
// getOrganizer; decisions, Resources 1 to 4).
import * as v from 'valibot';
import type { EventDetail } from '../domain/agenda.ts';
import { filterUpcoming, pickNext } from '../domain/event/next.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Snapshot } from './open.ts';
import { readCard, readOccurrencesOf, readOrganizer, readVenue } from './read-records.ts';

export type ThingKind = 'event' | 'venue' | 'organizer';

/**
 * The id behind an id or a slug of one kind; 'gone' where it was withdrawn; null where there never
 * was one.
 */
export function findId(
  snapshot: Snapshot,
  kind: ThingKind,
  id_or_slug: string,
): string | 'gone' | null {
  const id: unknown = snapshot.db
    .prepare('select id from slugs where kind = ? and slug = ?')
    .pluck()
    .get(kind, id_or_slug);
  if (typeof id === 'string') return id;
  const withdrawn: unknown = snapshot.db
    .prepare('select 1 from withdrawn where kind = ? and slug = ?')
    .pluck()
    .get(kind, id_or_slug);
  return withdrawn === undefined ? null : 'gone';
}

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
  return {
    ...readCard(snapshot, position),
    next: pickNext(upcoming, now_ms),
    more_dates: Math.max(0, upcoming.length - 1),
    occurrences,
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
