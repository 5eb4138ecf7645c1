// Event counts: count the events that match a filter, and those with another category, zone or flag for the links of the
// filter panel. Each event counts once, however many dates it has.
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
import type { VenueRecord } from '../domain/venue.ts';
import { scanEvents } from './find-events.ts';
import type { Snapshot } from './open-snapshot.ts';

export const countEvents = (snapshot: Snapshot, filter: EventFilter): number =>
  scanEvents(snapshot, filter).length;

export interface EventCounts {
  /** By filter and key: events with this key instead of the selected ones. */
  readonly by_key: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By filter: events with this flag on too. */
  readonly with_flag: ReadonlyMap<string, number>;
}

type TaxonFilter = (typeof TAXON_FILTERS)[number];

export function countChoices(snapshot: Snapshot, filter: EventFilter): EventCounts {
  const { categories, zones, free, family, indoor } = NO_FILTERS;
  const with_flags = scanEvents(snapshot, { ...filter, categories, zones, free, family, indoor })
    .map(({ event }) => event)
    .filter((event) =>
      FLAG_FILTERS.every(({ name, matchesEvent }) => !filter[name] || matchesEvent(event)),
    );
  const passes = ({ name, list }: TaxonFilter, event: FilterableEvent): boolean =>
    filter[list]?.includes(event[name] ?? '') ?? true;
  const countKeys = (taxon: TaxonFilter): ReadonlyMap<string, number> => {
    const counts = new Map(snapshot.taxonomy[taxon.list].map(({ key }) => [key, 0]));
    for (const event of with_flags) {
      const key = event[taxon.name] ?? '';
      const count = counts.get(key);
      if (count === undefined) continue;
      if (TAXON_FILTERS.every((other) => other === taxon || passes(other, event)))
        counts.set(key, count + 1);
    }
    return counts;
  };
  const matching = with_flags.filter((event) =>
    TAXON_FILTERS.every((taxon) => passes(taxon, event)),
  );
  return {
    by_key: new Map(TAXON_FILTERS.map((taxon) => [taxon.name, countKeys(taxon)])),
    with_flag: new Map(
      FLAG_FILTERS.map(({ name, matchesEvent }) => [name, matching.filter(matchesEvent).length]),
    ),
  };
}

/** Finds the caveats of a list around a point. @returns null without `near`. */
export const findNearCaveats = (snapshot: Snapshot, filter: EventFilter): NearCaveats | null =>
  filter.near &&
  nearCaveatsOf(
    snapshot,
    scanEvents(snapshot, filter).map(({ venue }) => venue),
    scanEvents(snapshot, { ...filter, near: null }).map(({ venue }) => venue),
  );

/**
 * Computes the caveats of a list of venues around a point.
 * @param listed The venues in the list.
 * @param all The venues that match every filter but `near`.
 */
export function nearCaveatsOf(
  snapshot: Snapshot,
  listed: readonly (VenueRecord | null)[],
  all: readonly (VenueRecord | null)[],
): NearCaveats {
  const measured = listed.filter((venue) => venue?.coordinates === 'zone');
  const zones = new Set(measured.map((venue) => venue?.zone ?? ''));
  return {
    without_place: all.filter((venue) => findPoint(venue) === null).length,
    measured_to_zone:
      measured.length === 0
        ? null
        : { count: measured.length, off_km: computeMaxError(snapshot, zones) },
  };
}

/**
 * Computes the largest distance in km between the center of one of these zones and a venue there with its own point. If
 * one of these zones has no such venue, it uses all zones.
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

const countUpcoming = ({ snapshot, now_ms }: CountContext): EventCounts =>
  countChoices(snapshot, unfilteredEventFilter(floorToMinute(now_ms), 1));

/** Counts upcoming events by category and zone, as the filter of each lists them. */
export const countUpcomingByTaxon = (context: CountContext): EventCounts['by_key'] =>
  countUpcoming(context).by_key;

/** Counts upcoming events as the page of each category and zone lists them: the family page has all family events. */
export function countListedByTaxon(context: CountContext): EventCounts['by_key'] {
  const { by_key, with_flag } = countUpcoming(context);
  const families = [FAMILY_CATEGORY, with_flag.get('family') ?? 0] as const;
  return new Map(
    [...by_key].map(([name, counts]) => [
      name,
      name === 'category' ? new Map([...counts, families]) : counts,
    ]),
  );
}

/** By `category` and `zone`, the keys with upcoming events. */
export type NonEmptyTaxa = ReadonlyMap<string, readonly string[]>;

export const listNonEmptyTaxa = (context: CountContext): NonEmptyTaxa =>
  new Map(
    [...countListedByTaxon(context)].map(([name, counts]) => [
      name,
      [...counts].flatMap(([key, count]) => (count > 0 ? [key] : [])),
    ]),
  );
