// Venues and organizers of a list: those that match, by name or by distance, a page of them, each
// with how many events are ahead (contract 8.27, 8.28).
import { toDistanceKm, toPlaceTest } from '../domain/filters/near.ts';
import type { PlaceCursor, PlaceFilter } from '../domain/filters/place-query.ts';
import { fold, toWords } from '../domain/folding.ts';
import { LANGS } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import {
  matchesWords,
  nearlyMatchesWord,
  READINGS,
  type Spelling,
} from '../domain/search-words.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { markUpcoming } from './count-events.ts';
import { listOrganizers, listVenues } from './list-things.ts';
import type { Snapshot } from './open.ts';

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

/** Things with the words by which they are found. */
type Worded<T> = { readonly record: T; readonly words: readonly string[] };

const VENUES = new WeakMap<Snapshot, readonly Worded<VenueRecord>[]>();
const ORGANIZERS = new WeakMap<Snapshot, readonly Worded<OrganizerRecord>[]>();

/** Made once a snapshot, for its records never change. */
function once<T>(cache: WeakMap<Snapshot, T>, snapshot: Snapshot, make: () => T): T {
  const known = cache.get(snapshot) ?? make();
  cache.set(snapshot, known);
  return known;
}

const wordVenues = (snapshot: Snapshot): readonly Worded<VenueRecord>[] =>
  listVenues(snapshot).map((record) => {
    const zone = snapshot.taxonomy.zones.find(({ key }) => key === record.zone);
    const { name, address, locality, description } = record;
    const texts = LANGS.flatMap((lang) => [zone?.name[lang], description?.[lang]]);
    return { record, words: toWords([name, address, locality, ...texts].join(' ')) };
  });

const wordOrganizers = (snapshot: Snapshot): readonly Worded<OrganizerRecord>[] =>
  listOrganizers(snapshot).map((record) => {
    const texts = LANGS.map((lang) => record.description?.[lang]);
    return { record, words: toWords([record.name, ...texts].join(' ')) };
  });

/** The page of venues that a filter asks for: by name, around a point by distance. */
export function findVenues(snapshot: Snapshot, filter: PlaceFilter): FoundPlaces<VenueRecord> {
  const all = once(VENUES, snapshot, () => wordVenues(snapshot));
  const { zones, near } = filter;
  const in_zone = all.filter(({ record }) => zones?.includes(record.zone ?? '') ?? true);
  const { found, spellings } = matchAll(in_zone, filter);
  const hasPoint = ({ record }: Worded<VenueRecord>) => record.lat !== null && record.lng !== null;
  const isNear = near && toPlaceTest(near);
  const placed = isNear
    ? found.filter(({ record: { lat, lng } }) => isNear(lat ?? Number.NaN, lng ?? Number.NaN))
    : found;
  const items = placed.map(({ record }) => ({
    record,
    distance_km: near && toDistanceKm(near, record.lat ?? Number.NaN, record.lng ?? Number.NaN),
  }));
  return {
    ...toPage(snapshot, filter, items, (id) => snapshot.eventsOfVenue(id)),
    spellings,
    without_place: near && found.filter((one) => !hasPoint(one)).length,
  };
}

/** The page of organizers that a filter asks for, by name. */
export function findOrganizers(
  snapshot: Snapshot,
  filter: PlaceFilter,
): FoundPlaces<OrganizerRecord> {
  const all = once(ORGANIZERS, snapshot, () => wordOrganizers(snapshot));
  const { found, spellings } = matchAll(all, filter);
  const items = found.map(({ record }) => ({ record, distance_km: null }));
  return {
    ...toPage(snapshot, filter, items, (id) => snapshot.eventsOfOrganizer(id)),
    spellings,
    without_place: null,
  };
}

/** Those that have the words, by the first reading that any of them answers to (contract 7.13 to 7.15). */
function matchAll<T>(
  all: readonly Worded<T>[],
  { words }: PlaceFilter,
): { readonly found: readonly Worded<T>[]; readonly spellings: readonly Spelling[] } {
  if (words === null) return { found: all, spellings: [] };
  for (const reading of [READINGS.strict, READINGS.loose]) {
    const found = all.filter((one) => matchesWords(words, one.words, reading));
    if (found.length > 0) return { found, spellings: [] };
  }
  const { forgiving, loose } = READINGS;
  const found = all.filter((one) => matchesWords(words, one.words, forgiving));
  const there = [...new Set(found.flatMap((one) => one.words))];
  const spellings = forgiving.pick(words).flatMap((word) => {
    if (there.some((each) => loose.matches(word, each))) return [];
    const read_as = there.filter((each) => nearlyMatchesWord(word, each)).sort();
    return read_as.length === 0 ? [] : [{ word, read_as }];
  });
  return { found, spellings };
}

/** In order from where the page before ended. */
function toPage<T extends { readonly id: string; readonly name: string }>(
  snapshot: Snapshot,
  { limit, after, now_ms }: PlaceFilter,
  items: readonly { readonly record: T; readonly distance_km: number | null }[],
  eventsOf: (id: string) => ReadonlySet<number>,
): Pick<FoundPlaces<T>, 'items' | 'total' | 'next'> {
  const upcoming = markUpcoming(snapshot, now_ms);
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
      upcoming_count: [...eventsOf(record.id)].filter((event) => upcoming[event] === 1).length,
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
