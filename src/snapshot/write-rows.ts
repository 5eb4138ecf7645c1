// The rows of events and of their dates, by position: written where there are none, and over those that are
// there.
import type { Database } from 'better-sqlite3';
import { type EventRecord, isFamily, type OccurrenceRecord } from '../domain/event/event.ts';
import type { VenueRecord } from '../domain/venue.ts';

/** Writes events at their positions. */
export function writeEvents(
  db: Database,
  events: Iterable<readonly [position: number, event: EventRecord]>,
  venues: ReadonlyMap<string, VenueRecord>,
): void {
  const insert = db.prepare(
    'insert or replace into events values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const [position, e] of events) {
    const venue = e.venue === null ? undefined : venues.get(e.venue);
    insert.run(
      position,
      e.id,
      e.status,
      e.category,
      e.zone,
      e.venue,
      e.organizer,
      Number(e.price.is_free),
      Number(isFamily(e)),
      venue?.lat ?? null,
      venue?.lng ?? null,
      e.updated_at,
      JSON.stringify(e),
    );
  }
}

/** Writes dates at their positions. `positions`: of events by id. */
export function writeOccurrences(
  db: Database,
  occurrences: Iterable<readonly [position: number, occurrence: OccurrenceRecord]>,
  positions: ReadonlyMap<string, number>,
): void {
  const insert = db.prepare(
    'insert or replace into occurrences values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const [position, o] of occurrences)
    insert.run(
      position,
      o.id,
      positions.get(o.event),
      o.start,
      o.end,
      o.start_ms,
      o.end_ms,
      o.first_day,
      o.last_day,
      Number(o.all_day),
      Number(o.time_known),
      Number(o.end_known),
      o.certainty,
      o.status,
      o.notes && JSON.stringify(o.notes),
      o.updated_at,
      o.sequence,
    );
}
