// The price that is said once for a whole calendar: read as the form reads it.
import { expect, test } from 'vitest';
import { type BatchRow, readBatchRow } from '../../src/domain/batch.ts';
import { FRIDAY_NOON_MS, readFixture } from '../fixtures/fixture.ts';

const ROW: BatchRow = {
  event: {
    ...{ uid: 'a', line: 1, title: 'Noche de trova', location: 'Patio', url: null },
    ...{ description: 'Trova y boleros en el patio, toda la noche.', categories: [], doubts: [] },
    ...{ start: '2026-12-05T20:00', end: null, all_day: false, dates: [], is_cancelled: false },
  },
  ...{ standing: 'new', like: null, reference: null, place: 0 },
};
const KNOWN = {
  taxonomy: readFixture().taxonomy,
  findVenue: () => null,
  findVenueByName: () => null,
};
const CHOICES = { category: 'live-music', place_0_name: 'Patio', place_0_zone: 'downtown' };
const read = (price: Readonly<Record<string, string>>) =>
  readBatchRow(ROW, 0, { ...CHOICES, ...price }, 'es', KNOWN, FRIDAY_NOON_MS);

test.each([
  [{ price_kind: 'free' }, { is_free: true, min: null, max: null }],
  [
    { price_kind: 'fixed', price_min: '$1,500' },
    { is_free: false, min: 1500, max: 1500 },
  ],
  [
    { price_kind: 'fixed', price_min: 'desde 150' },
    { is_free: false, min: 150, max: null },
  ],
  [
    { price_kind: 'fixed', price_min: '80 a 250 pesos' },
    { is_free: false, min: 80, max: 250 },
  ],
])('%o', (price, said) => {
  expect(read(price).submission?.price).toMatchObject(said);
});

test.each([
  [{}, 'price_kind'],
  [{ price_kind: 'fixed' }, 'price_min'],
  [{ price_kind: 'fixed', price_min: 'mucho' }, 'price_min'],
])('says what is wrong with %o at its control', (price, control) => {
  expect(read(price).issues.map((one) => one.control)).toEqual([control]);
});
