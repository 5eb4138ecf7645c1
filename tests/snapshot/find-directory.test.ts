// The open places of a day, and those that a filter keeps.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { type EventFilter, unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import type { VenueRecord } from '../../src/domain/venue.ts';
import { loadAgenda } from '../../src/snapshot/load-agenda.ts';
import { findOpenVenues } from '../../src/snapshot/find-directory.ts';
import { FRIDAY_NOON_MS, readFixture, useFixture } from '../fixtures/fixture.ts';

const FRIDAY = Temporal.PlainDate.from('2026-11-20');
const SUNDAY = FRIDAY.add({ days: 2 });
const FREE = [{ visitor: 'everyone', amount: 0, currency: 'MXN', note: null }] as const;

/** The forum, with something changed of it, by what it is then. It opens on Saturday to Tuesday. */
const SAID = { family: { family: true }, indoor: { indoor: true } };
const FORUMS = { plain: {}, free: { admission: FREE }, ...SAID };
const town = readFixture();
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

const toNames = (places: readonly { readonly venue: VenueRecord }[]): string =>
  places
    .map(({ venue }) => venue.name)
    .sort()
    .join(' ');

test('a place that opens on most days is listed when closed too, a Sunday market is not', () => {
  const names = [FRIDAY, SUNDAY].map((day) => toNames(findOpenVenues(snapshot, day)));
  const all = 'Malecón Inventado family free indoor';
  expect(names).toEqual([`${all} plain`, `${all} market plain`]);
});

test.each<[Partial<EventFilter>, string]>([
  // What others cost is not known; who comes from elsewhere may pay.
  [{ free: true }, 'Malecón Inventado free'],
  [{ family: true }, 'family'],
  [{ indoor: true }, 'indoor'],
  [{ zones: ['tajamar'] }, 'Malecón Inventado'],
])('%j keeps %j', (asked, names) => {
  const filter = { ...unfilteredEventFilter(FRIDAY_NOON_MS, 9), ...asked };
  expect(toNames(findOpenVenues(snapshot, SUNDAY, filter))).toBe(names);
  const range = { from: SUNDAY, to: SUNDAY };
  const agenda = loadAgenda(snapshot, range, FRIDAY_NOON_MS, 'es', filter);
  expect(toNames(agenda.open_places)).toBe(names);
});
