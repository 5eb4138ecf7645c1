// What is asked of a calendar, once for all of it, for a place, or of an event that differs: read as the form is.
import { describe, expect, test } from 'vitest';
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
const ANSWERS = {
  ...{ category: 'live-music', venue_name_p0: 'Patio', zone_p0: 'downtown' },
  price_kind: 'free',
};
const read = (answers: Readonly<Record<string, string>>, said: Partial<BatchRow['event']> = {}) =>
  readBatchRow(
    { ...ROW, event: { ...ROW.event, ...said } },
    '7',
    { ...ANSWERS, ...answers },
    'es',
    KNOWN,
    FRIDAY_NOON_MS,
  );
const controlsOf = ({ issues }: ReturnType<typeof read>): string[] =>
  issues.map(({ control }) => control);

describe('the price', () => {
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
    [
      { price_kind_7: 'fixed', price_min_7: '90' },
      { is_free: false, min: 90, max: 90 },
    ],
    [
      { price_min: '150', price_max: '300', price_kind_7: 'free' },
      { is_free: true, min: null },
    ],
  ])('%o', (price, said) => {
    expect(read(price).submission?.price).toMatchObject(said);
  });

  test.each([
    [{ price_kind: '' }, ['price_kind']],
    [{ price_kind: 'fixed' }, ['price_min']],
    [{ price_kind: 'fixed', price_min: 'mucho' }, ['price_min']],
    [{ price_kind_7: 'fixed', price_min_7: 'mucho' }, ['price_min_7']],
  ])('says what is wrong with %o at its control', (price, controls) => {
    expect(controlsOf(read(price))).toEqual(controls);
  });

  const FIXED = { price_kind: 'fixed', price_min: '$150' };
  test.each([
    ['Entrada: $150.', {}, { price_kind: 'fixed', price_min: '150' }],
    ['General $1,200, VIP $ 2,500.', {}, { price_min: '1200', price_max: '2500' }],
    ['Boletos en taquilla.', {}, { price_kind: 'fixed' }],
    ['Entrada libre.', FIXED, { price_kind: 'free' }],
    ['Entrada: $200.', FIXED, { price_kind: 'fixed', price_min: '200' }],
  ])('is asked of an event that says another: %s beside %o', (words, of_all, suggested) => {
    const reading = read(of_all, { description: `Trova y boleros en el patio. ${words}` });
    expect([reading.submission, controlsOf(reading)[0]]).toEqual([null, 'price_kind_7']);
    expect(reading.values).toMatchObject(suggested);
    const answered = read(
      { ...of_all, price_kind_7: 'unknown' },
      { description: `Trova y boleros en el patio. ${words}` },
    );
    expect(answered.submission?.price).toMatchObject({ is_free: false, min: null });
  });

  test.each([
    ['Entrada: $150.', FIXED],
    ['Boletos en taquilla.', FIXED],
    ['Entrada: $150.', { price_kind: 'unknown' }],
  ])('is not asked again: %s beside %o', (words, of_all) => {
    const description = `Trova y boleros en el patio. ${words}`;
    expect(controlsOf(read(of_all, { description }))).toEqual([]);
  });
});

test.each([
  [{}, {}, { category: 'live-music' }],
  [{}, { categories: ['Otra', 'Teatro'] }, { category: 'theater' }],
  [{ category_7: 'sports' }, { categories: ['Teatro'] }, { category: 'sports' }],
  [{ category_7: '' }, {}, { category: 'live-music' }],
  [{ start_time_7: '21:00', end_time_7: '' }, { end: '2026-12-05T23:00' }, { end: null }],
  [
    { description: 'Para todo público.' },
    { description: 'Trova.' },
    { description: 'Trova.\n\nPara todo público.' },
  ],
])('%o over what the calendar says, %o', (answers, said, read_as) => {
  expect(read(answers, said).submission).toMatchObject(read_as);
});

test.each([
  [{ zone_p0: '' }, {}, ['zone_p0']],
  [{ zone_p0: '', venue_name_7: 'Otro', zone_7: '' }, {}, ['zone_7']],
  [{ venue_name_p0: '' }, {}, ['venue_name_p0', 'venue_name_p0']],
  [{ category: '' }, {}, ['category']],
  [{}, { description: '' }, ['description']],
  [{}, { start: '2029-12-05T20:00' }, ['start_date_7']],
])('what %o lacks is said where it is asked', (answers, said, controls) => {
  expect(controlsOf(read(answers, said))).toEqual(controls);
});

test('an hour typed for an event of all day counts', () => {
  const said = { all_day: true, start: '2026-12-05' };
  expect(read({}, said).submission).toMatchObject({ start: '2026-12-05', all_day: true });
  const start = '2026-12-05T20:00';
  expect(read({ start_time_7: '20:00' }, said).submission).toMatchObject({ start, all_day: false });
});

test('another place for one event has not the address of the place for all', () => {
  const all = { venue_address_p0: 'Av. Tulum 12' };
  expect(read({ ...all, venue_name_7: 'Patio' }).submission?.venue_address).toBe('Av. Tulum 12');
  expect(read({ ...all, venue_name_7: 'Casa Roja' }).submission).toMatchObject({
    ...{ venue_name: 'Casa Roja', venue_address: null },
  });
});
