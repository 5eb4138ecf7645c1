// Event counts: counts the events that match a filter, and those that would match with another
// category, zone or flag (free, family, indoor), which the filter panel shows next to its links.
// Each event counts once, however many dates it has. Numbers that pages and tools say leave out
// seasons, which lists show apart. Also the caveats of a list around a point.
import { floorToMinute } from '../domain/local-time.ts';
import { greatCircleKm, findPoint, type NearCaveats } from '../domain/distance.ts';
import { FAMILY_CATEGORY } from '../domain/event/event.ts';
import {
  NO_FILTERS,
  type EventFilter,
  type FilterableEvent,
  FLAG_FILTERS,
  TAXON_FILTERS,
  unfilteredEventFilter,
} from '../domain/query/event-query.ts';
import { isSeason } from '../domain/event/event.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { scanEvents } from './find-events.ts';
import type { Snapshot } from './open-snapshot.ts';

/** Counts the events that match a filter, on all pages, with seasons: the length of the list. */
export const countEvents = (snapshot: Snapshot, filter: EventFilter): number =>
  scanEvents(snapshot, filter).length;

/** Counts the events that match a filter as people count them: without seasons. */
export const countWithoutSeasons = (snapshot: Snapshot, filter: EventFilter): number =>
  scanEvents(snapshot, filter, isNoSeason).length;

const isNoSeason = (date: Parameters<typeof isSeason>[0]): boolean => !isSeason(date);

export interface EventCounts {
  /** By filter (`category`, `zone`) and key: matches with this key instead of the selected ones. */
  readonly by_key: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By flag (`free`, `family`, `indoor`): matches if this flag is set in addition. */
  readonly with_flag: ReadonlyMap<string, number>;
}

/** `name`: query parameter and field of an event; `list`: field of a filter and of a taxonomy. */
type TaxonFilter = (typeof TAXON_FILTERS)[number];

/**
 * Counts the matches of a filter, without seasons, with each other category, zone and flag.
 */
export const countChoices = (snapshot: Snapshot, filter: EventFilter): EventCounts =>
  countByFilter(snapshot, filter, isNoSeason);

/** Scans the events once, without the five filters, and then applies them in memory. */
function countByFilter(
  snapshot: Snapshot,
  filter: EventFilter,
  isCounted?: Parameters<typeof scanEvents>[2],
): EventCounts {
  const { categories, zones, free, family, indoor } = NO_FILTERS;
  const without_these = { ...filter, categories, zones, free, family, indoor };
  const matching_flags = scanEvents(snapshot, without_these, isCounted)
    .map(({ event }) => event)
    .filter((event) =>
      FLAG_FILTERS.every(({ name, matchesEvent }) => !filter[name] || matchesEvent(event)),
    );
  const passes = ({ name, list }: TaxonFilter, event: FilterableEvent): boolean =>
    filter[list]?.includes(event[name] ?? '') ?? true;
  const countKeys = (taxon: TaxonFilter): ReadonlyMap<string, number> => {
    const counts = new Map(snapshot.taxonomy[taxon.list].map(({ key }) => [key, 0]));
    for (const event of matching_flags) {
      const key = event[taxon.name] ?? '';
      const count = counts.get(key);
      if (count === undefined) continue;
      if (TAXON_FILTERS.every((other) => other === taxon || passes(other, event)))
        counts.set(key, count + 1);
    }
    return counts;
  };
  const matching_all = matching_flags.filter((event) =>
    TAXON_FILTERS.every((taxon) => passes(taxon, event)),
  );
  return {
    by_key: new Map(TAXON_FILTERS.map((taxon) => [taxon.name, countKeys(taxon)])),
    with_flag: new Map(
      FLAG_FILTERS.map(({ name, matchesEvent }) => [
        name,
        matching_all.filter(matchesEvent).length,
      ]),
    ),
  };
}

/** Finds the caveats of a list of events around a point; null if the filter has no `near`. */
export const findNearCaveats = (snapshot: Snapshot, filter: EventFilter): NearCaveats | null =>
  filter.near &&
  nearCaveatsOf(
    snapshot,
    scanEvents(snapshot, filter).map(({ venue }) => venue),
    scanEvents(snapshot, { ...filter, near: null }).map(({ venue }) => venue),
  );

/**
 * Computes the caveats of a list of venues around a point: the number without a known point, and
 * the number whose distance is measured to the middle of their zone, with the largest error in km.
 * @param listed The venues in the list.
 * @param all The venues that match every filter but `near`.
 */
export function nearCaveatsOf(
  snapshot: Snapshot,
  listed: readonly (VenueRecord | null)[],
  all: readonly (VenueRecord | null)[],
): NearCaveats {
  const measured_to_zone = listed.filter((venue) => venue?.coordinates === 'zone');
  const zones = new Set(measured_to_zone.map((venue) => venue?.zone ?? ''));
  return {
    without_place: all.filter((venue) => findPoint(venue) === null).length,
    measured_to_zone:
      measured_to_zone.length === 0
        ? null
        : { count: measured_to_zone.length, off_km: computeMaxError(snapshot, zones) },
  };
}

/**
 * Estimates the largest error in km of a distance to the middle of one of these zones: the largest
 * distance between a zone's middle and a venue there with a point of its own. If one of these zones
 * has no such venue, it uses all zones.
 * @returns null if no zone has such a venue.
 */
function computeMaxError(
  { venues, taxonomy }: Snapshot,
  zone_keys: ReadonlySet<string>,
): number | null {
  const distances = [...venues.values()].flatMap(({ zone, coordinates, lat, lng }) => {
    const middle = taxonomy.zones.find(({ key }) => key === zone)?.middle;
    return middle && coordinates === 'venue' && lat !== null && lng !== null
      ? [{ zone: zone ?? '', km: greatCircleKm(middle.lat, middle.lng, lat, lng) }]
      : [];
  });
  const in_zones = distances.filter(({ zone }) => zone_keys.has(zone));
  const covers_all_zones = zone_keys.size === new Set(in_zones.map(({ zone }) => zone)).size;
  const errors_km = (covers_all_zones ? in_zones : distances).map(({ km }) => km);
  return errors_km.length === 0 ? null : Math.max(1, Math.round(Math.max(...errors_km)));
}

type CountContext = { readonly snapshot: Snapshot; readonly now_ms: number };

/** Counts events from now on, with seasons, without other filters. */
const countUpcoming = ({ snapshot, now_ms }: CountContext): EventCounts =>
  countByFilter(snapshot, unfilteredEventFilter(floorToMinute(now_ms), 1));

/** Counts upcoming events by category and zone, as the filter of each lists them. */
export const countUpcomingByTaxon = (context: CountContext): EventCounts['by_key'] =>
  countUpcoming(context).by_key;

/**
 * Counts upcoming events as the page of each category and zone lists them: like
 * countUpcomingByTaxon, except that the page of the category `family` lists the family events of
 * every category.
 */
export function countListedByTaxon(context: CountContext): EventCounts['by_key'] {
  const { by_key, with_flag } = countUpcoming(context);
  const family_count = [FAMILY_CATEGORY, with_flag.get('family') ?? 0] as const;
  return new Map(
    [...by_key].map(([name, counts]) => [
      name,
      name === 'category' ? new Map([...counts, family_count]) : counts,
    ]),
  );
}

/** Keys with upcoming events, by `category` and `zone`. */
export type NonEmptyTaxa = ReadonlyMap<string, readonly string[]>;

export const listNonEmptyTaxa = (context: CountContext): NonEmptyTaxa =>
  new Map(
    [...countListedByTaxon(context)].map(([name, counts]) => [
      name,
      [...counts].flatMap(([key, count]) => (count > 0 ? [key] : [])),
    ]),
  );
