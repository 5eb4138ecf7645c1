// Lists and feeds from a real snapshot, against a plain filter over everything and case by case.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterAll, describe, expect, test } from 'vitest';
import { formatTimestamp, toCancunDay, toDayNumber } from '../../src/domain/cancun-time.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { distanceKm } from '../../src/domain/distance.ts';
import { type EventFilter, toOpenFilter } from '../../src/domain/query/event-query.ts';
import { HOUR_WORDS, resolveHourWord } from '../../src/domain/query/days.ts';
import { fold, toWords } from '../../src/domain/folding.ts';
import {
  createSearchText,
  dropSilent,
  nearlyMatchesWord,
  sharesStem,
  toOtherNumbers,
} from '../../src/domain/search.ts';
import {
  EVENT_STATUSES,
  isFamily,
  type OccurrenceRecord,
  type Price,
} from '../../src/domain/event/event.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../../src/domain/taxon.ts';
import { findEvents, findOccurrences } from '../../src/snapshot/find-events.ts';
import { at, FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';

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
const { snapshot, close } = openFixture(town);
afterAll(close);

const toSearchText = createSearchText(town);
const TEXTS = new Map(town.events.map((e) => [e.id, toWords(toSearchText(e))]));
type Match = (wanted: string, word: string) => boolean;
const isStrict: Match = (wanted, word) =>
  word.startsWith(wanted) || toOtherNumbers(wanted).includes(word);
const isLoose: Match = (wanted, word) => isStrict(wanted, word) || sharesStem(wanted, word);
const isNear: Match = (wanted, word) => isLoose(wanted, word) || nearlyMatchesWord(wanted, word);
/** By the first reading that any event of the town answers to. */
function hasWords({ id }: { readonly id: string }, words: readonly string[]): boolean {
  const telling = dropSilent(words);
  const readings = [
    [words, isStrict],
    [telling, isLoose],
    [telling, isNear],
  ] as const;
  const answered = readings.map(([wanted, matches]) =>
    [...TEXTS].flatMap(([event, text]) =>
      wanted.length > 0 && wanted.every((one) => text.some((word) => matches(one, word)))
        ? [event]
        : [],
    ),
  );
  return answered.find((events) => events.length > 0)?.includes(id) ?? false;
}

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
    if ((filter.free && !event.price.is_free) || (filter.family && !isFamily(event))) return false;
    if (filter.indoor && event.indoor !== true) return false;
    if (filter.venue !== null && event.venue !== filter.venue.id) return false;
    if (filter.organizer !== null && event.organizer !== filter.organizer.id) return false;
    if (filter.status !== null && event.status !== filter.status) return false;
    if (filter.price_max !== null && (toCost(event.price) ?? Infinity) > filter.price_max)
      return false;
    if (filter.words && !hasWords(event, filter.words)) return false;
    if (filter.updated_since !== null && event.updated_at < filter.updated_since) return false;
    if (filter.near) {
      const lat = venue?.lat ?? venue?.zone_lat ?? Number.NaN;
      const lng = venue?.lng ?? venue?.zone_lng ?? Number.NaN;
      return distanceKm(filter.near.lat, filter.near.lng, lat, lng) <= filter.near.radius_km;
    }
    return true;
  });
}

function listPlainly(filter: EventFilter, lang: 'es' | 'en') {
  const kept = filterPlainly(filter);
  return town.events
    .flatMap((event) => {
      const own = kept.filter((o) => o.event === event.id);
      const to_come = own.filter((o) => o.status === 'scheduled' && o.end_ms > filter.now_ms);
      const next = to_come[0] ?? own[0];
      if (!next) return [];
      const is_over = filter.range && `${filter.range.to}` < `${toCancunDay(filter.now_ms)}`;
      const told = is_over && to_come.length === 0 ? own : to_come;
      const more_dates = told.filter((o) => o !== next).length;
      return [{ id: event.id, title: event.title[lang], next, more_dates }];
    })
    .sort(
      (a, b) =>
        a.next.start_ms - b.next.start_ms ||
        (fold(a.title) < fold(b.title)
          ? -1
          : fold(a.title) > fold(b.title)
            ? 1
            : a.id < b.id
              ? -1
              : 1),
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
const filters: fc.Arbitrary<EventFilter> = fc.record({
  now_ms: now,
  hours: fc.option(
    fc
      .tuple(fc.constantFrom(...HOUR_WORDS), now)
      .map(([word, now_ms]) => resolveHourWord(word, now_ms)),
    { freq: 2 },
  ),
  range: fc.option(
    fc
      .tuple(day, fc.integer({ min: 0, max: 91 }))
      .map(([from, days]) => ({ from, to: from.add({ days }) })),
  ),
  categories: some(CATEGORY_KEYS),
  zones: some(ZONE_KEYS),
  free: fc.boolean(),
  family: fc.boolean(),
  indoor: fc.boolean(),
  near: fc.option(
    fc.record({
      lat: fc.double({ min: 21, max: 21.3, noNaN: true }),
      lng: fc.double({ min: -87, max: -86.7, noNaN: true }),
      radius_km: fc.double({ min: 0.1, max: 50, noNaN: true }),
    }),
    { freq: 3 },
  ),
  words: fc.option(
    fc.array(
      fc.constantFrom(
        ...['musica', 'muisca', 'm', 'noches', 'de', 'feria', 'firea', 'ferais', 'zzz'],
        ...['markets', 'musicales', 'exponer', 'things', 'to', 'con', 'kids', 'free', 'muertos'],
      ),
      { maxLength: 3 },
    ),
    { freq: 3 },
  ),
  venue: fc.option(fc.constantFrom(...town.venues), { freq: 5 }),
  organizer: fc.option(fc.constantFrom(...town.organizers), { freq: 5 }),
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
  test('lists what a plain filter over all events lists', () => {
    fc.assert(
      fc.property(filters, fc.constantFrom('es', 'en'), (filter, lang) => {
        const found = findEvents(snapshot, filter, lang).cards.map((card) => ({
          id: card.event.id,
          title: card.event.title[lang],
          next: card.next,
          more_dates: card.more_dates,
        }));
        expect(found).toEqual(listPlainly(filter, lang));
      }),
      { numRuns: 400 },
    );
  });
  test('feeds what a plain filter over all occurrences keeps', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(findOccurrences(snapshot, filter).items.map((item) => item.occurrence)).toEqual(
          filterPlainly(filter).slice(0, filter.limit),
        );
      }),
      { numRuns: 200 },
    );
  });
  test('gives the same list page by page as at once', () => {
    fc.assert(
      fc.property(filters, fc.integer({ min: 1, max: 3 }), (filter, limit) => {
        const ids: string[] = [];
        let after: EventFilter['after'] = null;
        do {
          const page = findEvents(snapshot, { ...filter, limit, after }, 'es');
          ids.push(...page.cards.map((card) => card.event.id));
          after = page.next;
        } while (after);
        expect(ids).toEqual(findEvents(snapshot, filter, 'es').cards.map((card) => card.event.id));
      }),
      { numRuns: 100 },
    );
  });
});

describe('what is on', () => {
  test.each([
    ['now', '2026-11-20T21:59:00', 'One-off Concert', true],
    ['now', '2026-11-20T22:00:00', 'One-off Concert', false],
    ['now', '2026-11-20T18:59:00', 'One-off Concert', false],
    ['now', '2026-11-21T00:40:00', 'Friday Night Out', true],
    ['now', '2026-11-21T03:00:00', 'Friday Night Out', false],
    ['tonight', '2026-11-21T05:59:00', 'Friday Night Out', true],
    ['tonight', '2026-11-21T06:00:00', 'Friday Night Out', false],
    // It ends at 18:00.
    ['tonight', '2026-11-20T09:00:00', 'Everyday Fair', false],
    ['tonight', '2026-11-20T09:00:00', 'One-off Concert', true],
    ['now', '2026-11-20T09:00:00', 'A Long Exhibition', true],
    ['tonight', '2026-11-20T09:00:00', 'A Long Exhibition', false],
    // Called off that day: it does not go on, but whoever plans the evening is to know.
    ['now', '2026-11-21T12:00:00', 'Everyday Fair', false],
    ['now', '2026-11-23T12:00:00', 'Everyday Fair', true],
    ['now', '2026-11-28T20:30:00', 'Postponed Play', false],
    ['tonight', '2026-11-28T19:00:00', 'Postponed Play', true],
  ])('%s at %s: %s, %s', (word, local, title, is_in) => {
    const hours = resolveHourWord(word, at(local));
    const filter = { ...toOpenFilter(at(local), 100), hours };
    const titles = findEvents(snapshot, filter, 'en').cards.map(({ event }) => event.title.en);
    expect(titles.includes(title)).toBe(is_in);
  });
  const TALK = { es: 'Charla', en: 'A Talk' };
  const LATE = { es: 'Por la noche.', en: 'At night.' };
  test.each([
    ['tech', [], TALK, null, '2026-12-01', false],
    ['tech', ['noche'], TALK, null, '2026-12-01', true],
    ['party', [], TALK, null, '2026-12-01', true],
    ['tech', [], { es: 'Noche de charlas', en: 'Talks' }, null, '2026-12-01', true],
    ['tech', [], TALK, LATE, '2026-12-01', true],
    ['tech', [], TALK, { es: 'Por la mañana.', en: 'In the morning.' }, '2026-12-01', false],
    // Another day's night.
    ['tech', ['noche'], TALK, null, '2026-12-02', false],
  ] as const)(
    'without an hour, %s %j %j %j on %s is never now, and tonight: %s',
    (category, tags, title, notes, day, is_in) => {
      const now_ms = at('2026-12-01T23:59:00');
      const id = 'ev_hourless';
      const [event] = town.events;
      const [occurrence] = town.occurrences;
      if (!event || !occurrence) throw new Error('The town is empty');
      const start_ms = at(`${day}T23:59:00`);
      const number = toDayNumber(Temporal.PlainDate.from(day));
      const hourless = {
        ...occurrence,
        ...{ id: `${id}-1`, event: id, all_day: true, time_known: false, end_known: false, notes },
        ...{ start_ms, end_ms: start_ms + 60_000, first_day: number, last_day: number },
      };
      const named = {
        id,
        slug: { es: 'sin-hora', en: 'no-hour' },
        category,
        tags: [...tags],
        title,
      };
      const opened = openFixture({
        ...town,
        events: [...town.events, { ...event, ...named }],
        occurrences: [...town.occurrences, hourless].sort((a, b) => a.start_ms - b.start_ms),
      });
      const has = (word: string): boolean =>
        findEvents(
          opened.snapshot,
          { ...toOpenFilter(now_ms, 100), hours: resolveHourWord(word, now_ms) },
          'en',
        ).cards.some((card) => card.event.id === id);
      expect([has('now'), has('tonight')]).toEqual([false, is_in]);
      opened.close();
    },
  );
});
