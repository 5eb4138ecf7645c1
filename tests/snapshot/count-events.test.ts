// Event counts: each count of the filter panel equals a search with that filter, and caveats of lists around a point.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  type EventFilter,
  FLAG_FILTERS,
  TAXON_FILTERS,
  unfilteredEventFilter,
} from '../../src/domain/query/event-query.ts';
import type { VenueRecord } from '../../src/domain/venue.ts';
import {
  countChoices,
  countEvents,
  countListedByTaxon,
  countUpcomingByTaxon,
  nearCaveatsOf,
} from '../../src/snapshot/count-events.ts';
import { FRIDAY_NOON_MS, loadFixture, useFixture } from '../fixtures/fixture.ts';

const town = loadFixture();
const { snapshot } = useFixture(town);
const FRIDAY = Temporal.PlainDate.from('2026-11-20');
const [EVENT] = town.events;
if (EVENT === undefined) throw new Error('the fixture has events');

test.each<[Partial<EventFilter>]>([
  [{}],
  [{ free: true }],
  [{ categories: [EVENT.category ?? ''] }],
  [{ zones: [EVENT.zone ?? ''], family: true }],
  [{ range: { from: FRIDAY, to: FRIDAY.add({ days: 6 }) } }],
])('the counts of %j equal a search with each choice', (criteria) => {
  const filter = { ...unfilteredEventFilter(FRIDAY_NOON_MS, 1), ...criteria };
  const { by_key, with_flag } = countChoices(snapshot, filter);
  for (const { name, list } of TAXON_FILTERS)
    for (const { key } of town.taxonomy[list])
      expect(by_key.get(name)?.get(key), key).toBe(
        countEvents(snapshot, { ...filter, [list]: [key] }),
      );
  for (const { name } of FLAG_FILTERS)
    expect(with_flag.get(name), name).toBe(countEvents(snapshot, { ...filter, [name]: true }));
});

test('the family category counts all family events of its page', () => {
  const context = { snapshot, now_ms: FRIDAY_NOON_MS };
  const family = countEvents(snapshot, {
    ...unfilteredEventFilter(FRIDAY_NOON_MS, 1),
    family: true,
  });
  const [listed, by_category] = [countListedByTaxon(context), countUpcomingByTaxon(context)];
  expect(listed.get('category')?.get('family')).toBe(family);
  expect(listed.get('zone')).toEqual(by_category.get('zone'));
});

describe('caveats of a list around a point', () => {
  const [ZONE] = town.taxonomy.zones;
  const [VENUE] = town.venues;
  if (ZONE === undefined || VENUE === undefined)
    throw new Error('the fixture has zones and venues');
  const zone = (key: string, lat: number) => ({
    ...ZONE,
    key,
    middle: { lat, lng: 0 },
  });
  const venue = (id: string, changes: Partial<VenueRecord>): VenueRecord => ({
    ...VENUE,
    ...{ id, zone_lat: null, zone_lng: null },
    ...changes,
  });
  /** A venue with its own point, some kilometers north of the equator. */
  const located = (id: string, zone_key: string, km: number) =>
    venue(id, { zone: zone_key, coordinates: 'venue', lat: km / 111.195, lng: 0 });
  const unlocated = (id: string, zone_key: string) =>
    venue(id, {
      zone: zone_key,
      coordinates: 'zone',
      lat: null,
      lng: null,
      zone_lat: 0,
      zone_lng: 0,
    });
  const caveats = (
    venues: readonly VenueRecord[],
    listed: readonly (VenueRecord | null)[],
    all = listed,
  ) =>
    nearCaveatsOf(
      {
        ...snapshot,
        taxonomy: { ...town.taxonomy, zones: [zone('a', 0), zone('b', 0)] },
        venues: new Map(venues.map((each) => [each.id, each])),
      },
      listed,
      all,
    );

  test('count the venues without any point', () => {
    const nowhere = venue('x', { coordinates: null, lat: null, lng: null });
    expect(caveats([], [], [nowhere, null, located('y', 'a', 1)]).without_place).toBe(2);
  });
  test('are null for venues with their own points', () => {
    expect(caveats([], [located('y', 'a', 1)]).measured_to_zone).toBeNull();
  });
  test.each<[string, readonly VenueRecord[], readonly VenueRecord[], number | null]>([
    [
      'the farthest venue of the zone',
      [located('1', 'a', 2), located('2', 'a', 4), located('3', 'b', 9)],
      [unlocated('x', 'a')],
      4,
    ],
    ['at least one kilometer', [located('1', 'a', 0.1)], [unlocated('x', 'a')], 1],
    [
      'all zones if one of them has no such venue',
      [located('3', 'b', 9)],
      [unlocated('x', 'a')],
      9,
    ],
    ['unknown without such venues', [], [unlocated('x', 'a')], null],
  ])('measured to a zone, the error is %s', (_, venues, listed, off_km) => {
    expect(caveats(venues, listed).measured_to_zone).toEqual({ count: 1, off_km });
  });
});
