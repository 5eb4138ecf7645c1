// Venues and organizers of a list, a page of those that match, each with how many events are ahead
// (contract 8.27, 8.28); and the places that are listed as open on a day (contract 4.14).
import type { Temporal } from 'temporal-polyfill';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import { toDistanceKm, toPlaceTest } from '../domain/filters/near.ts';
import type { PlaceCursor, PlaceFilter } from '../domain/filters/place-query.ts';
import { fold, toWords } from '../domain/folding.ts';
import { LANGS } from '../domain/lang.ts';
import { opensOnMostDays } from '../domain/opening-hours.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import {
  matchesWords,
  nearlyMatchesWord,
  READINGS,
  type Spelling,
} from '../domain/search-words.ts';
import { type OpenPlace, toVenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { listOrganizers, listVenues } from './list-things.ts';
import type { IndexedEvent } from './memory-index.ts';
import type { Snapshot } from './open.ts';
import { scanEvents } from './scan.ts';

/** A thing of a list. */
export interface ListedPlace<T> {
  readonly record: T;
  /** Events that are still to end. */
  readonly upcoming_count: number;
  /** Only in a list around a point. */
  readonly distance_km: number | null;
}

/** A page of them. */
export interface FoundPlaces<T> {
  readonly items: readonly ListedPlace<T>[];
  /** All that match, on every page. */
  readonly total: number;
  /** Where the list goes on; null at its end. */
  readonly next: PlaceCursor | null;
  readonly spellings: readonly Spelling[];
  /** With `near`: those that match all else and have no point; null without it. */
  readonly without_place: number | null;
}

type Words = readonly (string | null | undefined)[];

/** The page of venues that a filter asks for: by name, around a point by distance. */
export function findVenues(snapshot: Snapshot, filter: PlaceFilter): FoundPlaces<VenueRecord> {
  const { zones, near } = filter;
  const in_zone = listVenues(snapshot).filter(({ zone }) => zones?.includes(zone ?? '') ?? true);
  const { found, spellings } = matchAll(in_zone, filter, (venue) => {
    const { name, address, locality, description } = venue;
    const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone);
    const texts = LANGS.flatMap((lang) => [zone?.name[lang], description?.[lang]]);
    return [name, address, locality, ...texts];
  });
  const isNear = near && toPlaceTest(near);
  const placed = isNear
    ? found.filter(({ lat, lng }) => isNear(lat ?? Number.NaN, lng ?? Number.NaN))
    : found;
  const items = placed.map((record) => ({
    record,
    distance_km: near && toDistanceKm(near, record.lat ?? Number.NaN, record.lng ?? Number.NaN),
  }));
  return {
    ...toPage(snapshot, filter, items, ({ venue }) => venue),
    spellings,
    without_place: near && found.filter(({ lat, lng }) => lat === null || lng === null).length,
  };
}

/** The page of organizers that a filter asks for, by name. */
export function findOrganizers(
  snapshot: Snapshot,
  filter: PlaceFilter,
): FoundPlaces<OrganizerRecord> {
  const { found, spellings } = matchAll(
    listOrganizers(snapshot),
    filter,
    ({ name, description }) => [name, ...LANGS.map((lang) => description?.[lang])],
  );
  const items = found.map((record) => ({ record, distance_km: null }));
  return {
    ...toPage(snapshot, filter, items, ({ organizer }) => organizer),
    spellings,
    without_place: null,
  };
}

/** Those that have the words, by the first reading that any of them answers to (contract 7.13 to 7.15). */
function matchAll<T>(
  all: readonly T[],
  { words }: PlaceFilter,
  textsOf: (record: T) => Words,
): { readonly found: readonly T[]; readonly spellings: readonly Spelling[] } {
  if (words === null) return { found: all, spellings: [] };
  const worded = all.map((record) => ({ record, words: toWords(textsOf(record).join(' ')) }));
  for (const reading of [READINGS.strict, READINGS.loose]) {
    const found = worded.filter((one) => matchesWords(words, one.words, reading));
    if (found.length > 0) return { found: found.map(({ record }) => record), spellings: [] };
  }
  const { forgiving, loose } = READINGS;
  const found = worded.filter((one) => matchesWords(words, one.words, forgiving));
  const there = [...new Set(found.flatMap((one) => one.words))];
  const spellings = forgiving.pick(words).flatMap((word) => {
    if (there.some((each) => loose.matches(word, each))) return [];
    const read_as = there.filter((each) => nearlyMatchesWord(word, each)).sort();
    return read_as.length === 0 ? [] : [{ word, read_as }];
  });
  return { found: found.map(({ record }) => record), spellings };
}

/** In order from where the page before ended. */
function toPage<T extends { readonly id: string; readonly name: string }>(
  snapshot: Snapshot,
  { limit, after, now_ms }: PlaceFilter,
  items: readonly { readonly record: T; readonly distance_km: number | null }[],
  ownerOf: (event: IndexedEvent) => string | null,
): Pick<FoundPlaces<T>, 'items' | 'total' | 'next'> {
  const upcoming = Map.groupBy(scanEvents(snapshot, toOpenFilter(now_ms, 1)), ownerOf);
  const ordered = items
    .map((item) => ({ ...item, ...toCursor(item.record, item.distance_km) }))
    .sort(compare);
  const rest = after === null ? ordered : ordered.filter((item) => compare(item, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ record, distance_km }) => ({
      record,
      distance_km,
      upcoming_count: upcoming.get(record.id)?.length ?? 0,
    })),
    total: items.length,
    next: last && rest.length > page.length ? { key: last.key, id: last.id } : null,
  };
}

const toCursor = (
  { id, name }: { readonly id: string; readonly name: string },
  distance_km: number | null,
): PlaceCursor => ({ key: distance_km ?? fold(name), id });

/** A cursor of another order begins anew. */
function compare(a: PlaceCursor, b: PlaceCursor): number {
  if (typeof a.key !== typeof b.key) return 1;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
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
  const open = listVenues(snapshot).filter(({ open_place }) => open_place);
  open.sort((a, b) => a.name.localeCompare(b.name, 'es'));
  return open.flatMap((venue) => {
    const on_day = toVenueDay(venue, day, snapshot.calendar.holidays);
    if (on_day === null || venue.hours === null) return [];
    if (!on_day.opening.is_open && !opensOnMostDays(venue.hours)) return [];
    if (zones.length > 0 && !zones.includes(venue.zone ?? '')) return [];
    const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone) ?? null;
    return [{ venue, zone, on_day }];
  });
}
