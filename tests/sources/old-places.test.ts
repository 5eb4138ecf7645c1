// Hours and prices of a place while nobody looks at its sources again.
import { expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { toAdmissionConfirm, toPricedLines } from '../../src/i18n/opening.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { at, FIXTURE_DIR } from '../fixtures/fixture.ts';

const placeOn = (now: string) =>
  readDataset(FIXTURE_DIR, EMPTY_LEDGER, at(`${now}T12:00:00`)).venues.find(
    ({ name }) => name === 'Malecón Inventado',
  );

test('of hours older than 13 months only the days of the week are left, and of prices nothing', () => {
  const [then, later] = [placeOn('2027-11-25'), placeOn('2027-11-26')];
  expect([then?.hours?.rules[0]?.open, then?.admission.length]).toEqual(['09:00', 3]);
  expect(later?.hours?.rules[0]).toMatchObject({
    days: ['tu', 'we', 'th', 'fr', 'sa', 'su'],
    open: null,
    close: null,
    last_entry: null,
  });
  expect([later?.hours?.free, later?.admission]).toEqual([[], []]);
});

test('what entering costs is of its month after 90 days, and nobody vouches for it after 180', () => {
  // Its newest source is of 25 October 2026.
  const known = ['2027-01-23', '2027-01-24', '2027-04-24', '2027-11-26'].map((day) => {
    const place = placeOn(day);
    if (!place) throw new Error('no such place');
    return [place.admission_certainty, toAdmissionConfirm(place, 'es')];
  });
  const dated = 'Precios de octubre de 2026; confírmalos.';
  expect(known).toEqual([
    ['confirmed', null],
    ['usual', dated],
    ['last_known', dated],
    [null, null],
  ]);
  const place = placeOn('2027-01-24');
  expect(place && toPricedLines(place, 'en').at(-1)).toBe('Prices as of October 2026; check them.');
});
