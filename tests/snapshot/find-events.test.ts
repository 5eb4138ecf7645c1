// Lists and feeds from a real snapshot, against a plain filter over everything and case by case.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { formatTimestamp, toLocalDay, toDayNumber } from '../../src/domain/local-time.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { greatCircleKm } from '../../src/domain/distance.ts';
import { type EventFilter, unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import { HOUR_KEYWORDS, resolveHourKeyword } from '../../src/domain/query/date-range.ts';
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
import { at, FRIDAY_NOON_MS, openFixture, useFixture, readFixture } from '../fixtures/fixture.ts';

/** The town of the fixture, in which not everything changed at the same moment. */
const made = readFixture();
const town: Dataset = {
  ...made,
  events: made.events.map((event, position) => ({
    ...event,
    updated_at: formatTimestamp(FRIDAY_NOON_MS - (position % 10) * 86_400_000),
    indoor: [true, false, null][position % 3] ?? null,
  })),
};
const { snapshot } = useFixture(town);

const { event: toSearchText } = createSearchDocuments(town);
const TEXTS = new Map(town.events.map((e) => [e.id, splitWords(toSearchText(e))]));
/** Other forms and slips are those of search.test.ts and recall.test.ts. */
const hasWord = (id: string, wanted: string): boolean =>
  TEXTS.get(id)?.some(
    (word) => word.startsWith(wanted) || switchGrammaticalNumber(wanted).includes(word),
  ) ?? false;

/** Whatever those pay who come from elsewhere. */
const isFree = ({ price }: EventRecord): boolean =>
  price.is_free ||
  price.visitors.some(
    ({ visitor, amount }) =>
      amount === 0 && (visitor === 'everyone' || visitor === 'national' || visitor === 'resident'),
  );

/** What somebody pays at least; null where nobody knows. */
const toCost = ({ is_free, min, max }: Price): number | null => (is_free ? 0 : (min ?? max));

/** The rule of decisions.md, Filters, said as plainly as can be. */
function filterPlainly(filter: EventFilter): OccurrenceRecord[] {
  return town.occurrences.filter((o) => {
    const event = town.events.find((e) => e.id === o.event);
    if (!event) return false;
    const venue = town.venues.find((v) => v.id === event.venue);
    if (filter.hours) {
      if (filter.hours.word === 'now' && (!o.time_known || o.status !== 'scheduled')) return false;
      // What has no hour in this town says nothing of the night.
      if (filter.hours.word === 'tonight' && o.all_day) return false;
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
    if (filter.status !== null && event.status !== filter.status) return false;
    if (filter.price_max !== null && (toCost(event.price) ?? Infinity) > filter.price_max)
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

function listPlainly(filter: EventFilter, lang: 'es' | 'en') {
  const kept = filterPlainly(filter);
  return town.events
    .flatMap((event) => {
      const own = kept.filter((o) => o.event === event.id);
      const to_come = own.filter((o) => o.status === 'scheduled' && o.end_ms > filter.now_ms);
      const next = to_come[0] ?? own[0];
      if (!next) return [];
      const is_over = filter.range && `${filter.range.to}` < `${toLocalDay(filter.now_ms)}`;
      const told = is_over && to_come.length === 0 ? own : to_come;
      const more_dates = told.filter((o) => o !== next).length;
      return [{ id: event.id, title: event.title[lang], next, more_dates }];
    })
    .sort(
      (a, b) =>
        a.next.start_ms - b.next.start_ms ||
        compare(foldText(a.title), foldText(b.title)) ||
        compare(a.id, b.id),
    );
}

const some = <T>(values: readonly [T, ...T[]]) =>
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
/** Filters with any of their parts. */
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
  categories: some(TOWN.category_keys),
  zones: some(TOWN.zone_keys),
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
  test('lists what a plain filter over all events lists, page by page as at once', () => {
    fc.assert(
      fc.property(
        filters,
        fc.constantFrom('es', 'en'),
        fc.integer({ min: 1, max: 3 }),
        (filter, lang, limit) => {
          const { cards } = findEvents(snapshot, filter, lang);
          const found = cards.map(({ event: { id, title }, next, more_dates }) => {
            return { id, title: title[lang], next, more_dates };
          });
          expect(found).toEqual(listPlainly(filter, lang));
          const ids: string[] = [];
          let after: EventFilter['after'] = null;
          do {
            const page = findEvents(snapshot, { ...filter, limit, after }, lang);
            ids.push(...page.cards.map((card) => card.event.id));
            after = page.next;
          } while (after);
          expect(ids).toEqual(found.map(({ id }) => id));
        },
      ),
      { numRuns: 300 },
    );
  });
  test('feeds what a plain filter over all occurrences keeps', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const fed = findOccurrences(snapshot, filter).items.map((item) => item.occurrence);
        expect(fed).toEqual(filterPlainly(filter).slice(0, filter.limit));
      }),
      { numRuns: 150 },
    );
  });
});

/** The English titles of what is in the hours of a word at a local moment. */
function listTitles(of: Snapshot, word: string, local: string): readonly string[] {
  const filter = {
    ...unfilteredEventFilter(at(local), 100),
    hours: resolveHourKeyword(word, at(local)),
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
  // Called off that day: it does not go on, but whoever plans the evening is to know.
  ['now', '2026-11-21T12:00', 'Everyday Fair', false],
  ['now', '2026-11-28T20:30', 'Postponed Play', false],
  ['tonight', '2026-11-28T19:00', 'Postponed Play', true],
])('%s at %s has %s: %s', (word, local, title, is_in) => {
  expect(listTitles(snapshot, word, local).includes(title)).toBe(is_in);
});

test('what has no hour is never now, and tonight only where something says night', () => {
  const [event] = town.events;
  const [occurrence] = town.occurrences;
  if (!event || !occurrence) throw new Error('the town is empty');
  const day = Temporal.PlainDate.from('2026-12-01');
  const span = computeSpan({ hour: 'unknown', days: 1, except: [] }, day);
  const said: readonly Partial<EventRecord>[] = [
    { id: 'silent' },
    { id: 'tagged', tags: ['noche'] },
    { id: 'party', category: 'party' },
    { id: 'titled', title: { es: 'Noche de charlas', en: 'titled' } },
    { id: 'noted' },
  ];
  const events = said.map((one): EventRecord => {
    const title = one.title ?? { es: 'Charla', en: one.id ?? '' };
    return { ...event, category: 'tech', tags: [], ...one, title, slug: title };
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
