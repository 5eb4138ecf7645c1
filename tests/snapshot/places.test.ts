// The open places of a day.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { findOpenPlaces } from '../../src/snapshot/places.ts';
import { openFixture, readFixture } from '../fixtures/fixture.ts';

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
