// Venues and organizers of a list, a page of those that match, each with how many events are ahead
// (contract 8.27); and the places that are listed as open on a day (contract 4.14).
import type { Temporal } from 'temporal-polyfill';
import {
  NO_FILTERS,
  type EventFilter,
  FLAG_FILTERS,
  TAXON_FILTERS,
  unfilteredEventFilter,
} from '../domain/query/event-query.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { isWithinRadius, type NearCaveats, computeDistanceKm } from '../domain/distance.ts';
import type { DirectoryCursor, DirectoryFilter } from '../domain/query/list-queries.ts';
import { matchesName, type SpellingCorrection } from '../domain/word-matching.ts';
import { foldText } from '../domain/text-folding.ts';
import { isOpenMostDays, computeVenueDay } from '../domain/opening-hours.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { OpenVenue } from '../domain/agenda.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { type EventCounts, nearCaveatsOf } from './count-events.ts';
import { scanEvents } from './find-events.ts';
import type { Snapshot, StoredCard } from './open-snapshot.ts';
import { matchWords } from './word-index.ts';

export interface DirectoryResult<T> {
  readonly record: T;
  /** Events that are still to end. */
  readonly upcoming_count: number;
  /** Only in a list around a point. */
  readonly distance_km: number | null;
}

export interface DirectoryResults<T> {
  readonly items: readonly DirectoryResult<T>[];
  readonly total: number;
  readonly next: DirectoryCursor | null;
  readonly spellings: readonly SpellingCorrection[];
  readonly near: NearCaveats | null;
}

/** The page of venues that a filter asks for, of those that are meant: by name, around a point by distance. */
export const findVenues = (
  snapshot: Snapshot,
  filter: DirectoryFilter,
  isMeant: (venue: VenueRecord) => boolean = () => true,
): DirectoryResults<VenueRecord> =>
  findPlaces(snapshot, filter, listAsked(snapshot, filter, isMeant), VENUES);

export const countVenues = (snapshot: Snapshot, filter: DirectoryFilter): number =>
  matchPlaces(snapshot, filter, listAsked(snapshot, filter), VENUES).listed.length;

/** How many venues there are with each category, zone or flag in place of those asked for, as for events. */
export function countVenueChoices(snapshot: Snapshot, filter: DirectoryFilter): EventCounts {
  const count = (changed: Partial<DirectoryFilter>): number =>
    countVenues(snapshot, { ...filter, ...changed });
  const by_key = TAXON_FILTERS.map(({ name, list }) => {
    const keys = snapshot.taxonomy[list].map(({ key }) => key);
    return [name, new Map(keys.map((key) => [key, count({ [list]: [key] })]))] as const;
  });
  const flags = FLAG_FILTERS.map(({ name }) => [name, count({ [name]: true })] as const);
  return { by_key: new Map(by_key), with_flag: new Map(flags) };
}

/** Those that a filter lets pass, whatever its words and its point. */
function listAsked(
  snapshot: Snapshot,
  filter: DirectoryFilter,
  isMeant: (venue: VenueRecord) => boolean = () => true,
): readonly VenueRecord[] {
  const { venues, calendar } = snapshot;
  const { zones, categories, open_on, now_ms } = filter;
  const hosts =
    categories &&
    new Set(
      scanEvents(snapshot, { ...unfilteredEventFilter(now_ms, 1), categories }).map(
        ({ venue }) => venue?.id,
      ),
    );
  return [...venues.values()].filter((venue) => {
    const opening = open_on && computeVenueDay(venue, open_on, calendar.holidays)?.opening;
    return (
      isMeant(venue) &&
      (zones?.includes(venue.zone ?? '') ?? true) &&
      (hosts?.has(venue.id) ?? true) &&
      FLAG_FILTERS.every(
        ({ name, hasPlace }) => !filter[name] || hasPlace(venue, opening?.free_for ?? []),
      ) &&
      (open_on === null || opening?.is_open === true)
    );
  });
}

export const findOrganizers = (
  snapshot: Snapshot,
  filter: DirectoryFilter,
): DirectoryResults<OrganizerRecord> =>
  findPlaces(snapshot, filter, [...snapshot.organizers.values()], {
    kind: 'organizer',
    ownerOf: ({ organizer }) => organizer?.id,
    placeOf: () => null,
  });

interface SearchableKind<T> {
  readonly kind: 'venue' | 'organizer';
  readonly ownerOf: (card: StoredCard) => string | undefined;
  readonly placeOf: (record: T) => VenueRecord | null;
}
const VENUES: SearchableKind<VenueRecord> = {
  kind: 'venue',
  ownerOf: ({ venue }) => venue?.id,
  placeOf: (venue) => venue,
};

/** Those that have the words, read as those of events are (contract 7.13 to 7.15): `listed` are around the point. */
function matchPlaces<T extends Pick<VenueRecord, 'id'>>(
  { venues, organizers, word_indexes }: Snapshot,
  { words, near }: DirectoryFilter,
  all: readonly T[],
  { kind, placeOf }: SearchableKind<T>,
) {
  const ids = [...{ venue: venues, organizer: organizers }[kind].keys()];
  const matches = words && matchWords(word_indexes[kind], words, ids.length);
  const matching = matches && new Set(ids.filter((_, at) => matches.marks[at] === 1));
  const found = all.filter(({ id }) => matching?.has(id) ?? true);
  const listed = found.filter((record) => near === null || isWithinRadius(near, placeOf(record)));
  return { found, listed, spellings: matches?.spellings ?? [] };
}

/** Those that match, in order from where the page before ended. */
function findPlaces<T extends Pick<VenueRecord, 'id' | 'name'>>(
  snapshot: Snapshot,
  filter: DirectoryFilter,
  all: readonly T[],
  reading: SearchableKind<T>,
): DirectoryResults<T> {
  const { words, near, limit, after, now_ms } = filter;
  const { ownerOf, placeOf } = reading;
  const { found, listed, spellings } = matchPlaces(snapshot, filter, all, reading);
  const ordered = listed
    .map((record) => {
      const distance_km = near && computeDistanceKm(near, placeOf(record));
      const key = words === null ? foldText(record.name) : toFoundKey(record.name, words);
      return { record, distance_km, id: record.id, key: distance_km ?? key };
    })
    .sort(compare);
  const rest = after === null ? ordered : ordered.filter((item) => compare(item, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const upcoming = Map.groupBy(scanEvents(snapshot, unfilteredEventFilter(now_ms, 1)), ownerOf);
  return {
    items: page.map(({ record, distance_km }) => ({
      record,
      distance_km,
      upcoming_count: upcoming.get(record.id)?.length ?? 0,
    })),
    total: ordered.length,
    next: last && rest.length > page.length ? { key: last.key, id: last.id } : null,
    spellings,
    near: near && nearCaveatsOf(snapshot, listed.map(placeOf), found.map(placeOf)),
  };
}

/** Of a search what is called by its words stands before what only speaks of them. */
const toFoundKey = (name: string, words: readonly string[]): string =>
  `${matchesName(name, words) ? ' ' : ''}${foldText(name)}`;

/** A cursor of another order begins anew. */
function compare(a: DirectoryCursor, b: DirectoryCursor): number {
  if (typeof a.key !== typeof b.key) return 1;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/**
 * All that a filter lets pass on a day, and the closed ones that open on most days: first what is open on few days,
 * a market of Sundays, then by name.
 */
export function findOpenVenues(
  snapshot: Snapshot,
  day: Temporal.PlainDate,
  filter: Pick<EventFilter, 'zones' | 'free' | 'family' | 'indoor'> = NO_FILTERS,
): readonly OpenVenue[] {
  const isUsual = ({ hours }: VenueRecord): number =>
    Number(hours !== null && isOpenMostDays(hours));
  const open = [...snapshot.venues.values()].filter(({ open_place }) => open_place);
  open.sort((a, b) => isUsual(a) - isUsual(b) || a.name.localeCompare(b.name, DEFAULT_LANG));
  return open.flatMap((venue) => {
    const on_day = computeVenueDay(venue, day, snapshot.calendar.holidays);
    if (on_day === null || venue.hours === null) return [];
    if (!on_day.opening.is_open && !isOpenMostDays(venue.hours)) return [];
    if (!(filter.zones?.includes(venue.zone ?? '') ?? true)) return [];
    const { free_for } = on_day.opening;
    if (FLAG_FILTERS.some(({ name, hasPlace }) => filter[name] && !hasPlace(venue, free_for)))
      return [];
    const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone) ?? null;
    return [{ venue, zone, on_day }];
  });
}
