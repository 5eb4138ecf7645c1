// Event search: lists and feeds of a real snapshot, compared with a naive filter and case by case.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { formatTimestamp, toLocalDay, toDayNumber } from '../../src/domain/local-time.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { greatCircleKm } from '../../src/domain/distance.ts';
import { type EventFilter, unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import { resolveHourKeyword } from '../../src/domain/query/date-range.ts';
import { HOUR_KEYWORDS } from '../../src/domain/query/day-words.ts';
import { foldText, splitWords } from '../../src/domain/text-folding.ts';
import { switchGrammaticalNumber } from '../../src/domain/word-matching.ts';
import { createSearchDocuments } from '../../src/domain/search-documents.ts';
import {
  EVENT_STATUSES,
  type EventRecord,
  isFamily,
  type OccurrenceRecord,
  type Price,
} from '../../src/domain/event/event.ts';
import { computeSpan } from '../../src/domain/event/occurrences.ts';
import { findEvents, findOccurrences } from '../../src/snapshot/find-events.ts';
import type { Snapshot } from '../../src/snapshot/open-snapshot.ts';
import { TOWN } from '../../src/town.ts';
import {
  localMs,
  FRIDAY_NOON_MS,
  openFixture,
  useFixture,
  loadFixture,
} from '../fixtures/fixture.ts';

/** The town of the fixture, with different times of change. */
const fixture = loadFixture();
const town: Dataset = {
  ...fixture,
  events: fixture.events.map((event, position) => ({
    ...event,
    updated_at: formatTimestamp(FRIDAY_NOON_MS - (position % 10) * 86_400_000),
    indoor: [true, false, null][position % 3] ?? null,
  })),
};
const { snapshot } = useFixture(town);

const { event: getSearchText } = createSearchDocuments(town);
const TEXTS = new Map(town.events.map((event) => [event.id, splitWords(getSearchText(event))]));
/** Covers prefixes and plurals; search.test.ts and recall.test.ts test other forms and typing errors. */
const hasWord = (id: string, searched: string): boolean =>
  TEXTS.get(id)?.some(
    (word) => word.startsWith(searched) || switchGrammaticalNumber(searched).includes(word),
  ) ?? false;

/** Free for at least one kind of visitor. */
const isFree = ({ price }: EventRecord): boolean =>
  price.is_free || price.visitors.some(({ amount }) => amount === 0);

/** Returns the lowest price, or null if unknown. */
const lowestPrice = ({ is_free, min, max }: Price): number | null => (is_free ? 0 : (min ?? max));

/** Naive implementation of the filters in decisions.md. */
function filterNaively(filter: EventFilter): OccurrenceRecord[] {
  return town.occurrences.filter((o) => {
    const event = town.events.find((e) => e.id === o.event);
    if (!event) return false;
    const venue = town.venues.find((v) => v.id === event.venue);
    if (filter.hours) {
      if (filter.hours.keyword === 'now' && (!o.time_known || o.status !== 'scheduled'))
        return false;
      // In this dataset no event without an hour mentions the night.
      if (filter.hours.keyword === 'tonight' && o.all_day) return false;
      if (o.start_ms >= filter.hours.until_ms || o.end_ms <= filter.hours.from_ms) return false;
    } else if (
      filter.range
        ? o.last_day < toDayNumber(filter.range.from) || o.first_day > toDayNumber(filter.range.to)
        : o.end_ms <= filter.now_ms
    )
      return false;
    if (filter.categories && !filter.categories.includes(event.category ?? '')) return false;
    if (filter.zones && !filter.zones.includes(event.zone ?? '')) return false;
    if ((filter.free && !isFree(event)) || (filter.family && !isFamily(event))) return false;
    if (filter.indoor && event.indoor !== true) return false;
    if (filter.venue !== null && event.venue !== filter.venue.id) return false;
    if (filter.organizer !== null && event.organizer !== filter.organizer.id) return false;
    if (filter.ids !== null && !filter.ids.includes(event.id)) return false;
    if (filter.status === 'published' && event.status !== 'published') return false;
    if (filter.status !== null && filter.status !== 'published' && o.status !== filter.status)
      return false;
    if (filter.price_max !== null && (lowestPrice(event.price) ?? Infinity) > filter.price_max)
      return false;
    if (filter.words?.length === 0) return false;
    if (filter.words?.some((word) => !hasWord(event.id, word))) return false;
    if (filter.updated_since !== null && event.updated_at < filter.updated_since) return false;
    if (filter.near) {
      const lat = venue?.lat ?? venue?.zone_lat ?? Number.NaN;
      const lng = venue?.lng ?? venue?.zone_lng ?? Number.NaN;
      return greatCircleKm(filter.near.lat, filter.near.lng, lat, lng) <= filter.near.radius_km;
    }
    return true;
  });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function listNaively(filter: EventFilter, lang: 'es' | 'en') {
  const matching = filterNaively(filter);
  return town.events
    .flatMap((event) => {
      const dates = matching.filter((o) => o.event === event.id);
      const upcoming = dates.filter((o) => o.status === 'scheduled' && o.end_ms > filter.now_ms);
      const next = upcoming[0] ?? dates[0];
      if (!next) return [];
      const is_over = filter.range && `${filter.range.to}` < `${toLocalDay(filter.now_ms)}`;
      const counted = is_over && upcoming.length === 0 ? dates : upcoming;
      const more_dates = counted.filter((o) => o !== next).length;
      const called_off = dates.filter((o) => o.status !== 'scheduled');
      return [{ id: event.id, title: event.title[lang], next, more_dates, called_off }];
    })
    .sort(
      (a, b) =>
        a.next.start_ms - b.next.start_ms ||
        compare(foldText(a.title), foldText(b.title)) ||
        compare(a.id, b.id),
    );
}

const optionalSubset = <T>(values: readonly [T, ...T[]]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }));
const day = fc
  .integer({ min: -40, max: 120 })
  .map((days) => Temporal.PlainDate.from('2026-11-20').add({ days }));
const now = fc
  .integer({ min: -60_000, max: 120_000 })
  .map((minutes) => FRIDAY_NOON_MS + minutes * 60_000);
const word = fc.constantFrom('musica', 'm', 'noches', 'feria', 'kids', 'muertos', 'zzz');
const near = fc.record({
  lat: fc.double({ min: 21, max: 21.3, noNaN: true }),
  lng: fc.double({ min: -87, max: -86.7, noNaN: true }),
  radius_km: fc.double({ min: 0.1, max: 50, noNaN: true }),
});
/** Filters with any combination of criteria. */
const filters: fc.Arbitrary<EventFilter> = fc.record({
  now_ms: now,
  hours: fc.option(
    fc
      .tuple(fc.constantFrom(...HOUR_KEYWORDS), now)
      .map(([word, now_ms]) => resolveHourKeyword(word, now_ms)),
    { freq: 2 },
  ),
  range: fc.option(
    fc
      .tuple(day, fc.integer({ min: 0, max: 91 }))
      .map(([from, days]) => ({ from, to: from.add({ days }) })),
  ),
  categories: optionalSubset(TOWN.category_keys),
  zones: optionalSubset(TOWN.zone_keys),
  free: fc.boolean(),
  family: fc.boolean(),
  indoor: fc.boolean(),
  near: fc.option(near, { freq: 3 }),
  words: fc.option(fc.array(word, { maxLength: 2 }), { freq: 3 }),
  venue: fc.option(fc.constantFrom(...town.venues), { freq: 5 }),
  organizer: fc.option(fc.constantFrom(...town.organizers), { freq: 5 }),
  ids: fc.option(fc.subarray(town.events.map(({ id }) => id)), { freq: 5 }),
  status: fc.option(fc.constantFrom(...EVENT_STATUSES), { freq: 5 }),
  price_max: fc.option(fc.constantFrom(0, 94.5, 95, 350, 1000), { freq: 3 }),
  updated_since: fc.option(
    fc
      .integer({ min: -1, max: 12 })
      .map((days) => formatTimestamp(FRIDAY_NOON_MS - days * 86_400_000)),
    { freq: 5 },
  ),
  limit: fc.constant(1000),
  after: fc.constant(null),
});

describe('any filter', () => {
  test('lists the same events as the naive filter, at once and page by page', () => {
    fc.assert(
      fc.property(
        filters,
        fc.constantFrom('es', 'en'),
        fc.integer({ min: 1, max: 3 }),
        (filter, lang, limit) => {
          const { cards } = findEvents(snapshot, filter, lang);
          const listed = cards.map(({ event: { id, title }, next, more_dates, called_off }) => {
            return { id, title: title[lang], next, more_dates, called_off };
          });
          expect(listed).toEqual(listNaively(filter, lang));
          const ids: string[] = [];
          let after: EventFilter['after'] = null;
          do {
            const page = findEvents(snapshot, { ...filter, limit, after }, lang);
            ids.push(...page.cards.map((card) => card.event.id));
            after = page.next;
          } while (after);
          expect(ids).toEqual(listed.map(({ id }) => id));
        },
      ),
      { numRuns: 300 },
    );
  });
  test('finds the same occurrences for a feed as the naive filter', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const occurrences = findOccurrences(snapshot, filter).items.map((item) => item.occurrence);
        expect(occurrences).toEqual(filterNaively(filter).slice(0, filter.limit));
      }),
      { numRuns: 150 },
    );
  });
});

/** Lists the English titles of the events in the hours of a keyword at a local time. */
function listTitles(of: Snapshot, keyword: string, local: string): readonly string[] {
  const filter = {
    ...unfilteredEventFilter(localMs(local), 100),
    hours: resolveHourKeyword(keyword, localMs(local)),
  };
  return findEvents(of, filter, 'en').cards.map(({ event }) => event.title.en);
}

test.each([
  ['now', '2026-11-20T21:59', 'One-off Concert', true],
  ['now', '2026-11-20T22:00', 'One-off Concert', false],
  ['tonight', '2026-11-21T05:59', 'Friday Night Out', true],
  ['tonight', '2026-11-21T06:00', 'Friday Night Out', false],
  // It ends at 18:00.
  ['tonight', '2026-11-20T09:00', 'Everyday Fair', false],
  // Cancelled that day: not listed as happening now, but still in the plans of the evening.
  ['now', '2026-11-21T12:00', 'Everyday Fair', false],
  ['now', '2026-11-28T20:30', 'Postponed Play', false],
  ['tonight', '2026-11-28T19:00', 'Postponed Play', true],
])('%s at %s has %s: %s', (keyword, local, title, expected) => {
  expect(listTitles(snapshot, keyword, local).includes(title)).toBe(expected);
});

test('an event without an hour is never on now, and tonight only if a field mentions the night', () => {
  const [event] = town.events;
  const [occurrence] = town.occurrences;
  if (!event || !occurrence) throw new Error('the town is empty');
  const day = Temporal.PlainDate.from('2026-12-01');
  const span = computeSpan({ hour: 'unknown', days: 1, except: [] }, day);
  const variants: readonly Partial<EventRecord>[] = [
    { id: 'silent' },
    { id: 'tagged', tags: ['noche'] },
    { id: 'party', category: 'party' },
    { id: 'titled', title: { es: 'Noche de charlas', en: 'titled' } },
    { id: 'noted' },
  ];
  const events = variants.map((variant): EventRecord => {
    const title = variant.title ?? { es: 'Charla', en: variant.id ?? '' };
    return { ...event, category: 'tech', tags: [], ...variant, title, slug: title };
  });
  const opened = openFixture({
    ...town,
    events,
    occurrences: events.map(({ id }) => {
      const notes = id === 'noted' ? { es: 'Por la noche.', en: 'At night.' } : null;
      return { ...occurrence, ...span, id: `${id}-1`, event: id, notes };
    }),
  });
  expect(listTitles(opened.snapshot, 'now', '2026-12-01T23:59')).toEqual([]);
  const tonight = listTitles(opened.snapshot, 'tonight', '2026-12-01T23:59');
  expect([...tonight].sort()).toEqual(['noted', 'party', 'tagged', 'titled']);
  opened.close();
});
