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
import type { Spelling } from '../domain/search-words.ts';
import { type OpenPlace, toVenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { Snapshot, StoredCard } from './open.ts';
import { scanEvents } from './scan.ts';
import { createWordIndex, matchWords } from './word-index.ts';

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

/** What is asked of a thing that may be listed. */
interface Listed {
  readonly id: string;
  readonly name: string;
  readonly lat?: number | null;
  readonly lng?: number | null;
}

/**
 * The page of venues that a filter asks for, of those that `passes` lets: by name, around a point by
 * distance.
 */
export function findVenues(
  snapshot: Snapshot,
  filter: PlaceFilter,
  passes: (venue: VenueRecord) => boolean = () => true,
): FoundPlaces<VenueRecord> {
  const { venues, taxonomy } = snapshot;
  const in_zone = [...venues.values()].filter(
    (venue) => (filter.zones?.includes(venue.zone ?? '') ?? true) && passes(venue),
  );
  const toText = ({ name, address, locality, description, zone: key }: VenueRecord): string => {
    const zone = taxonomy.zones.find((one) => one.key === key);
    const texts = LANGS.flatMap((lang) => [zone?.name[lang], description?.[lang]]);
    return [name, address, locality, ...texts].join(' ');
  };
  return findPlaces(snapshot, filter, in_zone, toText, ({ venue }) => venue?.id);
}

/** The page of organizers that a filter asks for, by name. */
export const findOrganizers = (
  snapshot: Snapshot,
  filter: PlaceFilter,
): FoundPlaces<OrganizerRecord> =>
  findPlaces(
    snapshot,
    filter,
    [...snapshot.organizers.values()],
    ({ name, description }) => [name, ...LANGS.map((lang) => description?.[lang])].join(' '),
    ({ organizer }) => organizer?.id,
  );

/**
 * Those that have the words, read as those of events are (contract 7.13 to 7.15), in order from where
 * the page before ended.
 */
function findPlaces<T extends Listed>(
  snapshot: Snapshot,
  { words, near, limit, after, now_ms }: PlaceFilter,
  all: readonly T[],
  toText: (record: T) => string,
  ownerOf: (card: StoredCard) => string | undefined,
): FoundPlaces<T> {
  const matches =
    words && matchWords(createWordIndex(all.map((one) => toWords(toText(one)))), words, all.length);
  const found = all.filter((_, at) => matches === null || matches.marks[at] === 1);
  const isNear = near && toPlaceTest(near);
  const placed = found.map((record) => ({
    record,
    lat: record.lat ?? Number.NaN,
    lng: record.lng ?? Number.NaN,
  }));
  const ordered = placed
    .filter(({ lat, lng }) => isNear?.(lat, lng) ?? true)
    .map(({ record, lat, lng }) => {
      const distance_km = near && toDistanceKm(near, lat, lng);
      return { record, distance_km, id: record.id, key: distance_km ?? fold(record.name) };
    })
    .sort(compare);
  const rest = after === null ? ordered : ordered.filter((item) => compare(item, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const upcoming = Map.groupBy(scanEvents(snapshot, toOpenFilter(now_ms, 1)), ownerOf);
  return {
    items: page.map(({ record, distance_km }) => ({
      record,
      distance_km,
      upcoming_count: upcoming.get(record.id)?.length ?? 0,
    })),
    total: ordered.length,
    next: last && rest.length > page.length ? { key: last.key, id: last.id } : null,
    spellings: matches?.spellings ?? [],
    without_place: near && placed.filter(({ lat, lng }) => Number.isNaN(lat + lng)).length,
  };
}

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
  const open = [...snapshot.venues.values()].filter(({ open_place }) => open_place);
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
