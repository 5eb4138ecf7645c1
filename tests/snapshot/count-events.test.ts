// The counts behind the links that narrow a page: each is the length of the list it leads to.
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type EventFilter, toOpenFilter } from '../../src/domain/query/event-query.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../../src/domain/taxon.ts';
import {
  countChoices,
  countEvents,
  countListed,
  readNearFacts,
} from '../../src/snapshot/count-events.ts';
import { findEvents } from '../../src/snapshot/find-events.ts';
import { loadTaxon } from '../../src/site/places.ts';
import { anyFilter } from '../fixtures/any-filter.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const town = readFixture();
const { snapshot, close } = openFixture(town);
afterAll(close);

const filters = anyFilter(town);
const length = (filter: EventFilter): number => findEvents(snapshot, filter, 'es').cards.length;

test('a count is the length of the list with that filter', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const total = countEvents(snapshot, filter);
      const { by_key, with_flag } = countChoices(snapshot, filter);
      expect(total).toBe(length(filter));
      expect(findEvents(snapshot, { ...filter, limit: 1 }, 'es').total).toBe(total);
      for (const key of CATEGORY_KEYS)
        expect(by_key.get('category')?.get(key)).toBe(length({ ...filter, categories: [key] }));
      for (const key of ZONE_KEYS)
        expect(by_key.get('zone')?.get(key)).toBe(length({ ...filter, zones: [key] }));
      expect(with_flag.get('free')).toBe(length({ ...filter, free: true }));
      expect(with_flag.get('family')).toBe(length({ ...filter, family: true }));
    }),
    { numRuns: 60 },
  );
});

test('near counts what matches all else and has no point of its own', () => {
  const near = { lat: 21.1266, lng: -86.8161, radius_km: 50 };
  fc.assert(
    fc.property(filters, (any) => {
      const filter = { ...any, near: null };
      expect(readNearFacts(snapshot, filter)).toBe(null);
      const { cards } = findEvents(snapshot, filter, 'es');
      const { length: count } = cards.filter(({ venue }) => venue?.coordinates === 'zone');
      const { length: without_place } = cards.filter(({ venue }) => !venue?.coordinates);
      expect(readNearFacts(snapshot, { ...filter, near })).toEqual({
        without_place,
        measured_to_zone: count === 0 ? null : { count, off_km: null },
      });
      expect(length({ ...filter, near }) + without_place).toBe(cards.length);
    }),
    { numRuns: 50 },
  );
});

test('the category of families counts all plans for them, as its page lists', () => {
  const open = toOpenFilter(FRIDAY_NOON_MS, 1000);
  const plans = length({ ...open, family: true });
  expect(plans).toBeGreaterThan(length({ ...open, categories: ['family'] }));
  const state = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };
  expect(countListed(state).get('category')?.get('family')).toBe(plans);
  const page = loadTaxon(state, { section: 'category', slug: 'familia', lang: 'es' });
  expect(page.kind === 'page' && page.page.cards).toHaveLength(plans);
});
