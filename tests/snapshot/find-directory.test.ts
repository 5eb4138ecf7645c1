// Open venues: venues that are open on a day, filtered.
import { Temporal } from 'temporal-polyfill';
import { expect, onTestFinished, test } from 'vitest';
import { type EventFilter, unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import type { VenueRecord } from '../../src/domain/venue.ts';
import { loadAgenda } from '../../src/snapshot/load-agenda.ts';
import { findOpenVenues } from '../../src/snapshot/find-directory.ts';
import { findVenueDay } from '../../src/snapshot/get-record.ts';
import { toDayNumber } from '../../src/domain/local-time.ts';
import { FRIDAY_NOON_MS, loadFixture, openFixture, useFixture } from '../fixtures/fixture.ts';

const FRIDAY = Temporal.PlainDate.from('2026-11-20');
const SUNDAY = FRIDAY.add({ days: 2 });
const FREE = [{ visitor: 'everyone', amount: 0, currency: 'MXN', note: null }] as const;

/** Variants of the fixture's forum by name. It opens from Saturday to Tuesday. */
const FORUMS = {
  plain: {},
  free: { admission: FREE },
  family: { family: true },
  indoor: { indoor: true },
};
const town = loadFixture();
const forum = town.venues.find(({ name }) => name === 'Foro sin Punto');
if (!forum?.hours) throw new Error('the fixture has a forum with hours');
const { hours } = forum;
const market = { ...hours, rules: hours.rules.map((rule) => ({ ...rule, days: ['su'] as const })) };
const forums = Object.entries({ ...FORUMS, market: { hours: market } });
const { snapshot } = useFixture({
  ...town,
  venues: [
    ...town.venues.filter((venue) => venue !== forum),
    ...forums.map(([name, changed]) => ({ ...forum, id: `ve_${name}`, name, ...changed })),
  ],
  slugs: town.slugs.filter(({ id }) => id !== forum.id),
});

const joinNames = (venues: readonly { readonly venue: VenueRecord }[]): string =>
  venues
    .map(({ venue }) => venue.name)
    .sort()
    .join(' ');

test('a venue open on most days is also listed when closed, a Sunday market is not', () => {
  const names = [FRIDAY, SUNDAY].map((day) => joinNames(findOpenVenues(snapshot, day)));
  const all = 'Malecón Inventado family free indoor';
  expect(names).toEqual([`${all} plain`, `${all} market plain`]);
});

test.each<[Partial<EventFilter>, string]>([
  // The price of the others is unknown. Visitors from elsewhere may have to pay.
  [{ free: true }, 'Malecón Inventado free'],
  [{ family: true }, 'family'],
  [{ indoor: true }, 'indoor'],
  [{ zones: ['tajamar'] }, 'Malecón Inventado'],
])('%j lists %j', (criteria, names) => {
  const filter = { ...unfilteredEventFilter(FRIDAY_NOON_MS, 9), ...criteria };
  expect(joinNames(findOpenVenues(snapshot, SUNDAY, filter))).toBe(names);
  const range = { from: SUNDAY, to: SUNDAY };
  const agenda = loadAgenda(snapshot, range, FRIDAY_NOON_MS, 'es', filter);
  expect(joinNames(agenda.open_places)).toBe(names);
});

test.each([
  ['scheduled', ['national']],
  ['cancelled', []],
  ['postponed', []],
] as const)(
  'free entry on Sundays, announced by an event that is %s, is for %j',
  (status, free_for) => {
    const [event] = town.events;
    if (event === undefined) throw new Error('the fixture has events');
    const free = [{ days: ['su'], visitors: ['national'] }] as const;
    const price = [
      { visitor: 'national', amount: 0, currency: 'MXN', note: null },
      { visitor: 'foreign', amount: 90, currency: 'MXN', note: null },
    ] as const;
    const [first_day, last_day] = [toDayNumber(SUNDAY), toDayNumber(SUNDAY)];
    const { snapshot: with_sundays, close } = openFixture({
      ...town,
      venues: town.venues.map((venue) =>
        venue === forum ? { ...venue, hours: { ...hours, free } } : venue,
      ),
      events: town.events.map((other) =>
        other === event
          ? { ...event, venue: forum.id, price: { ...event.price, visitors: price } }
          : other,
      ),
      occurrences: town.occurrences.map((date) =>
        date.event === event.id ? { ...date, status, first_day, last_day } : date,
      ),
    });
    onTestFinished(close);
    const readFreeFor = (day: Temporal.PlainDate) =>
      findVenueDay(with_sundays, with_sundays.venues.get(forum.id) ?? forum, day)?.opening.free_for;
    expect(readFreeFor(SUNDAY)).toEqual(free_for);
    expect(readFreeFor(SUNDAY.add({ days: 7 }))).toEqual(['national']);
  },
);
