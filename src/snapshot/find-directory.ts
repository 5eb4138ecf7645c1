// Directory search: finds a page of venues or organizers, each with its number of upcoming events
// (contract 8.27), and the venues that are worth a visit without an event and open on a day
// (`open_place`, contract 4.14).
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
import { toLocalDay } from '../domain/local-time.ts';
import { foldText } from '../domain/text-folding.ts';
import {
  isOpenMostDays,
  findNextOpening,
  type OpeningDay,
  type VenueDay,
} from '../domain/opening-hours.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { OpenVenue } from '../domain/agenda.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { type EventCounts, nearCaveatsOf } from './count-events.ts';
import { scanEvents } from './find-events.ts';
import { findVenueDay } from './get-record.ts';
import type { Snapshot, StoredCard } from './open-snapshot.ts';
import { matchWords } from './word-index.ts';

export interface DirectoryResult<T> {
  readonly record: T;
  /** Number of its events that have not ended. */
  readonly upcoming_count: number;
  /** Distance from the filter's `near`; null without it. */
  readonly distance_km: number | null;
}

/**
 * A page of records. `total` counts all pages; `next` is the cursor of the next page, null on the
 * last one; `spellings` are the corrections of search words that no record has; `near` is null
 * unless the filter has a point.
 */
export interface DirectoryResults<T> {
  readonly items: readonly DirectoryResult<T>[];
  readonly total: number;
  readonly next: DirectoryCursor | null;
  readonly spellings: readonly SpellingCorrection[];
  readonly near: NearCaveats | null;
}

/** A venue with its hours on a day; `on_day` is null if they are unknown. */
export interface VenueResult extends DirectoryResult<VenueRecord> {
  readonly on_day: VenueDay | null;
}

/** A venue that is closed on the requested day, and the next day on which it surely opens. */
export interface ClosedVenue {
  readonly venue: VenueRecord;
  readonly on_day: VenueDay;
  readonly opens_on: Temporal.PlainDate | null;
}

/** Venues that match all filters but `open_on`, and are not listed. */
export interface UnlistedVenues {
  readonly day: Temporal.PlainDate;
  /** Number of those whose hours on the day are unknown: they may be open. */
  readonly hours_unknown: number;
  /** Names of these and of those that are closed, if the search has words; otherwise empty. */
  readonly unknown: readonly VenueRecord[];
  readonly closed: readonly ClosedVenue[];
}

export interface VenueResults extends DirectoryResults<VenueRecord> {
  readonly items: readonly VenueResult[];
  /** Null without `open_on`. */
  readonly unlisted: UnlistedVenues | null;
}

/** Most unlisted venues of each kind by name. */
const MAX_UNLISTED = 5;

/**
 * Finds a page of venues, sorted by name, or by distance around a point. It answers which places
 * open on a day for pages, API and MCP (contract 8.27).
 * @param options `day`: day of the hours, by default the requested one or today. `isIncluded`: a
 *   further condition.
 */
export function findVenues(
  snapshot: Snapshot,
  filter: DirectoryFilter,
  options: {
    readonly day?: Temporal.PlainDate;
    readonly isIncluded?: (venue: VenueRecord) => boolean;
  } = {},
): VenueResults {
  const { open_on, now_ms } = filter;
  const day = options.day ?? open_on ?? toLocalDay(now_ms);
  const venues = groupVenues(snapshot, filter, options.isIncluded);
  const page = findPage(snapshot, filter, venues.listed, VENUES);
  return {
    ...page,
    items: page.items.map((item) => ({
      ...item,
      on_day: findVenueDay(snapshot, item.record, day),
    })),
    unlisted:
      open_on &&
      findUnlistedVenues(snapshot, filter, venues, {
        day: open_on,
        has_names: filter.words !== null || options.isIncluded !== undefined,
      }),
  };
}

/**
 * Finds the venues without known hours on a day, and those that are closed; both by name only if
 * the search asks for names.
 */
function findUnlistedVenues(
  snapshot: Snapshot,
  filter: DirectoryFilter,
  venues: ReturnType<typeof groupVenues>,
  { day, has_names }: { readonly day: Temporal.PlainDate; readonly has_names: boolean },
): UnlistedVenues {
  const { holidays } = snapshot.calendar;
  const match = (records: readonly VenueRecord[]) =>
    matchRecords(snapshot, filter, records, VENUES).listed;
  const unknown = match(venues.unknown);
  const listByName = (records: readonly VenueRecord[]) =>
    has_names
      ? records
          .toSorted((a, b) => a.name.localeCompare(b.name, DEFAULT_LANG))
          .slice(0, MAX_UNLISTED)
      : [];
  return {
    day,
    hours_unknown: unknown.length,
    unknown: listByName(unknown),
    closed: listByName(match(venues.closed)).flatMap((venue) => {
      const on_day = findVenueDay(snapshot, venue, day);
      return venue.hours && on_day
        ? [{ venue, on_day, opens_on: findNextOpening(venue.hours, day, holidays) }]
        : [];
    }),
  };
}

/** Counts the venues that match a filter, on all pages. */
export const countVenues = (snapshot: Snapshot, filter: DirectoryFilter): number =>
  matchRecords(snapshot, filter, groupVenues(snapshot, filter).listed, VENUES).listed.length;

/**
 * Counts the venues that match a filter with each other category, zone and flag, as countChoices
 * does for events.
 */
export function countVenueChoices(snapshot: Snapshot, filter: DirectoryFilter): EventCounts {
  const count = (changes: Partial<DirectoryFilter>): number =>
    countVenues(snapshot, { ...filter, ...changes });
  const by_key = TAXON_FILTERS.map(({ name, list }) => {
    const keys = snapshot.taxonomy[list].map(({ key }) => key);
    return [name, new Map(keys.map((key) => [key, count({ [list]: [key] })]))] as const;
  });
  const flags = FLAG_FILTERS.map(({ name }) => [name, count({ [name]: true })] as const);
  return { by_key: new Map(by_key), with_flag: new Map(flags) };
}

/**
 * Groups the venues that match a filter, except `words` and `near`, which matchRecords applies:
 * listed ones, and for a filter with a day also closed ones and ones of unknown hours.
 */
function groupVenues(
  snapshot: Snapshot,
  filter: DirectoryFilter,
  isIncluded: (venue: VenueRecord) => boolean = () => true,
): Readonly<Record<'listed' | 'closed' | 'unknown', readonly VenueRecord[]>> {
  const { venues } = snapshot;
  const { zones, categories, open_on, now_ms } = filter;
  // Ids of venues with an upcoming event in one of the categories; null without that filter.
  const hosting_venues =
    categories &&
    new Set(
      scanEvents(snapshot, { ...unfilteredEventFilter(now_ms, 1), categories }).map(
        ({ venue }) => venue?.id,
      ),
    );
  const groups: Record<'listed' | 'closed' | 'unknown', VenueRecord[]> = {
    listed: [],
    closed: [],
    unknown: [],
  };
  const getGroup = (opening: OpeningDay | undefined): VenueRecord[] => {
    if (open_on === null || opening?.is_open) return groups.listed;
    return opening ? groups.closed : groups.unknown;
  };
  for (const venue of venues.values()) {
    const on_day = open_on && findVenueDay(snapshot, venue, open_on);
    const opening = on_day?.opening;
    const matches =
      isIncluded(venue) &&
      (zones?.includes(venue.zone ?? '') ?? true) &&
      (hosting_venues?.has(venue.id) ?? true) &&
      FLAG_FILTERS.every(
        ({ name, matchesVenue }) => !filter[name] || matchesVenue(venue, opening?.free_for ?? []),
      );
    if (matches) getGroup(opening).push(venue);
  }
  return groups;
}

/** Finds a page of organizers, sorted by name. */
export const findOrganizers = (
  snapshot: Snapshot,
  filter: DirectoryFilter,
): DirectoryResults<OrganizerRecord> =>
  findPage(snapshot, filter, [...snapshot.organizers.values()], {
    kind: 'organizer',
    getRecordId: ({ organizer }) => organizer?.id,
    getVenue: () => null,
  });

/** Differences between venues and organizers in a search. */
interface SearchableKind<T> {
  readonly kind: 'venue' | 'organizer';
  /** Returns the id of the venue or organizer of an event. */
  readonly getRecordId: (card: StoredCard) => string | undefined;
  /** Returns the venue that has the record's point; null for an organizer. */
  readonly getVenue: (record: T) => VenueRecord | null;
}
const VENUES: SearchableKind<VenueRecord> = {
  kind: 'venue',
  getRecordId: ({ venue }) => venue?.id,
  getVenue: (venue) => venue,
};

/**
 * Matches records by search words, as for events (contract 7.13 to 7.15). `matching` have the
 * words; `listed` are those within the radius of `near`, or all of `matching` without it.
 */
function matchRecords<T extends Pick<VenueRecord, 'id'>>(
  { venues, organizers, word_indexes }: Snapshot,
  { words, near }: DirectoryFilter,
  records: readonly T[],
  { kind, getVenue }: SearchableKind<T>,
) {
  const ids = [...{ venue: venues, organizer: organizers }[kind].keys()];
  const matches = words && matchWords(word_indexes[kind], words, ids.length);
  const matching_ids = matches && new Set(ids.filter((_, index) => matches.marks[index] === 1));
  const matching = records.filter(({ id }) => matching_ids?.has(id) ?? true);
  const listed = matching.filter(
    (record) => near === null || isWithinRadius(near, getVenue(record)),
  );
  return { matching, listed, spellings: matches?.spellings ?? [] };
}

/** Finds the page of matching records after the filter's cursor. */
function findPage<T extends Pick<VenueRecord, 'id' | 'name'>>(
  snapshot: Snapshot,
  filter: DirectoryFilter,
  records: readonly T[],
  searchable: SearchableKind<T>,
): DirectoryResults<T> {
  const { words, near, limit, after, now_ms } = filter;
  const { getRecordId, getVenue } = searchable;
  const { matching, listed, spellings } = matchRecords(snapshot, filter, records, searchable);
  const ordered = listed
    .map((record) => {
      const distance_km = near && computeDistanceKm(near, getVenue(record));
      const name_key = words === null ? foldText(record.name) : searchSortKey(record.name, words);
      return { record, distance_km, id: record.id, key: distance_km ?? name_key };
    })
    .sort(compareBySortKey);
  const remaining =
    after === null ? ordered : ordered.filter((entry) => compareBySortKey(entry, after) > 0);
  const page = remaining.slice(0, limit);
  const last_entry = page.at(-1);
  const upcoming_by_id = Map.groupBy(
    scanEvents(snapshot, unfilteredEventFilter(now_ms, 1)),
    getRecordId,
  );
  return {
    items: page.map(({ record, distance_km }) => ({
      record,
      distance_km,
      upcoming_count: upcoming_by_id.get(record.id)?.length ?? 0,
    })),
    total: ordered.length,
    next:
      last_entry && remaining.length > page.length
        ? { key: last_entry.key, id: last_entry.id }
        : null,
    spellings,
    near: near && nearCaveatsOf(snapshot, listed.map(getVenue), matching.map(getVenue)),
  };
}

/** Builds a sort key that puts records with the search words in their name first. */
const searchSortKey = (name: string, words: readonly string[]): string =>
  `${matchesName(name, words) ? ' ' : ''}${foldText(name)}`;

/**
 * Compares by key (a distance or a name), then by id. A cursor of the other sort order has a key of
 * another type: every record then comes after it, so that the list starts over.
 */
function compareBySortKey(a: DirectoryCursor, b: DirectoryCursor): number {
  if (typeof a.key !== typeof b.key) return 1;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/**
 * Finds the venues with `open_place` that match a filter and are open on a day, or closed that day
 * but open on most days, so that a page can warn of it. Venues that open on few days, such as a
 * Sunday market, come first; then by name.
 */
export function findOpenVenues(
  snapshot: Snapshot,
  day: Temporal.PlainDate,
  filter: Pick<EventFilter, 'zones' | 'free' | 'family' | 'indoor'> = NO_FILTERS,
): readonly OpenVenue[] {
  const rankByFrequency = ({ hours }: VenueRecord): number =>
    Number(hours !== null && isOpenMostDays(hours));
  const venues = [...snapshot.venues.values()].filter(({ open_place }) => open_place);
  venues.sort(
    (a, b) => rankByFrequency(a) - rankByFrequency(b) || a.name.localeCompare(b.name, DEFAULT_LANG),
  );
  return venues.flatMap((venue) => {
    const on_day = findVenueDay(snapshot, venue, day);
    if (on_day === null || venue.hours === null) return [];
    if (!on_day.opening.is_open && !isOpenMostDays(venue.hours)) return [];
    if (!(filter.zones?.includes(venue.zone ?? '') ?? true)) return [];
    const { free_for } = on_day.opening;
    if (
      FLAG_FILTERS.some(({ name, matchesVenue }) => filter[name] && !matchesVenue(venue, free_for))
    )
      return [];
    const zone = snapshot.taxonomy.zones.find(({ key }) => key === venue.zone) ?? null;
    return [{ venue, zone, on_day }];
  });
}
