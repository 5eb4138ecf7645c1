// The places that are listed as open on a day, apart from what takes place then (contract 4.14).
import type { Temporal } from 'temporal-polyfill';
import { opensOnMostDays } from '../domain/opening-hours.ts';
import { type OpenPlace, toVenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { listVenues } from './list-things.ts';
import type { Snapshot } from './open.ts';

/** Each snapshot's own, by name: read once, asked for on every day. */
const PLACES = new WeakMap<Snapshot, readonly VenueRecord[]>();

function readPlaces(snapshot: Snapshot): readonly VenueRecord[] {
  const known = PLACES.get(snapshot);
  if (known) return known;
  const places = listVenues(snapshot)
    .filter(({ open_place }) => open_place)
    .sort((a, b) => a.name.localeCompare(b.name, 'es'));
  PLACES.set(snapshot, places);
  return places;
}

/**
 * All of them on a day by name, and the closed ones that open on most days; those of some zones where
 * `zones` has keys.
 */
export function findOpenPlaces(
  snapshot: Snapshot,
  day: Temporal.PlainDate,
  zones: readonly string[] = [],
): readonly OpenPlace[] {
  return readPlaces(snapshot).flatMap((venue) => {
    const on_day = toVenueDay(venue, day, snapshot.calendar.holidays);
    if (on_day === null || venue.hours === null) return [];
    if (!on_day.opening.is_open && !opensOnMostDays(venue.hours)) return [];
    if (zones.length > 0 && !zones.includes(venue.zone ?? '')) return [];
    const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone) ?? null;
    return [{ venue, zone, on_day }];
  });
}
