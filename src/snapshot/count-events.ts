// How many events a filter lets pass, and how many there would be with one more category, zone or
// flag: what the links that narrow a page say. Each event counts once however often it takes place.
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
  /** By filter and key: what there is with that key in place of those asked for. */
  readonly by_key: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By filter: what there is with that flag on too. */
  readonly with_flag: ReadonlyMap<string, number>;
}

type TaxonFilter = (typeof TAXON_FILTERS)[number];

export function countChoices(snapshot: Snapshot, filter: EventFilter): EventCounts {
  const { categories, zones, free, family, indoor } = NO_FILTERS;
  const flagged = scanEvents(snapshot, { ...filter, categories, zones, free, family, indoor })
    .map(({ event }) => event)
    .filter((event) => FLAG_FILTERS.every(({ name, has }) => !filter[name] || has(event)));
  const passes = ({ name, list }: TaxonFilter, event: FilterableEvent): boolean =>
    filter[list]?.includes(event[name] ?? '') ?? true;
  const countKeys = (taxon: TaxonFilter): ReadonlyMap<string, number> => {
    const counts = new Map(snapshot.taxonomy[taxon.list].map(({ key }) => [key, 0]));
    for (const event of flagged) {
      const key = event[taxon.name] ?? '';
      const count = counts.get(key);
      if (count === undefined) continue;
      if (TAXON_FILTERS.every((other) => other === taxon || passes(other, event)))
        counts.set(key, count + 1);
    }
    return counts;
  };
  const passing = flagged.filter((event) => TAXON_FILTERS.every((taxon) => passes(taxon, event)));
  return {
    by_key: new Map(TAXON_FILTERS.map((taxon) => [taxon.name, countKeys(taxon)])),
    with_flag: new Map(FLAG_FILTERS.map(({ name, has }) => [name, passing.filter(has).length])),
  };
}

/** What is not sure of the places of a list around a point; null where `near` is not asked. */
export const findNearCaveats = (snapshot: Snapshot, filter: EventFilter): NearCaveats | null =>
  filter.near &&
  nearCaveatsOf(
    snapshot,
    scanEvents(snapshot, filter).map(({ venue }) => venue),
    scanEvents(snapshot, { ...filter, near: null }).map(({ venue }) => venue),
  );

/** The same for venues: those that are `listed` and `all` that match all else. */
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
      measured.length === 0 ? null : { count: measured.length, off_km: readOff(snapshot, zones) },
  };
}

/**
 * The farthest that a venue with a point of its own lies from the middle of one of these zones; of
 * any zone, where one of these has no such venue.
 */
function readOff({ venues, taxonomy }: Snapshot, wanted: ReadonlySet<string>): number | null {
  const all = [...venues.values()].flatMap(({ zone, coordinates, lat, lng }) => {
    const middle = taxonomy.zones.find(({ key }) => key === zone)?.middle;
    return middle && coordinates === 'venue' && lat !== null && lng !== null
      ? [{ zone: zone ?? '', km: greatCircleKm(middle.lat, middle.lng, lat, lng) }]
      : [];
  });
  const own = all.filter(({ zone }) => wanted.has(zone));
  const is_known = wanted.size === new Set(own.map(({ zone }) => zone)).size;
  const off = (is_known ? own : all).map(({ km }) => km);
  return off.length === 0 ? null : Math.max(1, Math.round(Math.max(...off)));
}

type CountContext = { readonly snapshot: Snapshot; readonly now_ms: number };

const countOpen = ({ snapshot, now_ms }: CountContext): EventCounts =>
  countChoices(snapshot, unfilteredEventFilter(floorToMinute(now_ms), 1));

/** Upcoming events at an instant by category and by zone, as the filter of each gives them. */
export const countUpcomingByTaxon = (asked: CountContext): EventCounts['by_key'] =>
  countOpen(asked).by_key;

/** The same, as many as the page of each lists: that of families has all plans for them. */
export function countListedByTaxon(asked: CountContext): EventCounts['by_key'] {
  const { by_key, with_flag } = countOpen(asked);
  const families = [FAMILY_CATEGORY, with_flag.get('family') ?? 0] as const;
  return new Map(
    [...by_key].map(([name, counts]) => [
      name,
      name === 'category' ? new Map([...counts, families]) : counts,
    ]),
  );
}

/** By `category` and `zone`, the keys whose pages have something to list. */
export type NonEmptyTaxa = ReadonlyMap<string, readonly string[]>;

export const listNonEmptyTaxa = (asked: CountContext): NonEmptyTaxa =>
  new Map(
    [...countListedByTaxon(asked)].map(([name, counts]) => [
      name,
      [...counts].flatMap(([key, count]) => (count > 0 ? [key] : [])),
    ]),
  );
