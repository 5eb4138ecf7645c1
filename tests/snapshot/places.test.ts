// The open places of a day, and those that a filter keeps.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { readAgenda } from '../../src/snapshot/agenda.ts';
import { findOpenPlaces } from '../../src/snapshot/places.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';

const FRIDAY = Temporal.PlainDate.from('2026-11-20');
const SUNDAY = FRIDAY.add({ days: 2 });

/** The names listed on a day in the small town, where the forum opens on `days`. */
function namesOn(day: Temporal.PlainDate, days: readonly ('mo' | 'tu' | 'sa' | 'su')[]): string[] {
  const town = readFixture();
  const venues = town.venues.map((venue) =>
    venue.name === 'Foro sin Punto' && venue.hours
      ? {
          ...venue,
          hours: { ...venue.hours, rules: venue.hours.rules.map((r) => ({ ...r, days })) },
        }
      : venue,
  );
  const { snapshot, close } = openFixture({ ...town, venues });
  try {
    return findOpenPlaces(snapshot, day).map(({ venue }) => venue.name);
  } finally {
    close();
  }
}

test('a place that opens on most days is listed when it is closed too', () => {
  expect(namesOn(FRIDAY, ['mo', 'tu', 'sa', 'su'])).toContain('Foro sin Punto');
});

test('a Sunday market is listed on Sundays and not missed on other days', () => {
  expect(namesOn(SUNDAY, ['su'])).toContain('Foro sin Punto');
  expect(namesOn(FRIDAY, ['su'])).not.toContain('Foro sin Punto');
});

const FREE = [{ visitor: 'everyone', amount: 0, currency: 'MXN', note: null }] as const;
test.each([
  // What it costs is not known, or some pay.
  [{ free: true }, {}, []],
  [{ free: true }, { admission: FREE }, ['Foro sin Punto']],
  [{ family: true }, {}, []],
  [{ family: true }, { family: true }, ['Foro sin Punto']],
  [{ free: true, family: true }, { family: true }, []],
  [{ indoor: true }, { indoor: false }, []],
  [{ indoor: true }, { indoor: true }, ['Foro sin Punto']],
  [{ zones: ['tajamar'] }, { admission: FREE }, ['Malecón Inventado']],
] as const)('%j keeps the places that match, of which one is %j: %j', (asked, forum, names) => {
  const town = readFixture();
  const venues = town.venues.map((venue) =>
    venue.name === 'Foro sin Punto' ? { ...venue, ...forum } : venue,
  );
  const { snapshot, close } = openFixture({ ...town, venues });
  try {
    const filter = { ...toOpenFilter(FRIDAY_NOON_MS, 9), ...asked };
    expect(findOpenPlaces(snapshot, SUNDAY, filter).map(({ venue }) => venue.name)).toEqual(names);
    const range = { from: SUNDAY, to: SUNDAY };
    const agenda = readAgenda(snapshot, range, FRIDAY_NOON_MS, 'es', filter);
    expect(agenda.open_places.map(({ venue }) => venue.name)).toEqual(names);
  } finally {
    close();
  }
});
