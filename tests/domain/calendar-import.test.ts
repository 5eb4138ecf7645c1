// Calendar import: answers for all events, for a place and for a single event are combined and parsed like
// the form.
import { expect, test } from 'vitest';
import {
  type ImportRow,
  isPreselected,
  offerOwnPrice,
  parseImportRow,
} from '../../src/domain/calendar-import.ts';
import { FRIDAY_NOON_MS, createVenuelessData } from '../fixtures/fixture.ts';

const ROW: ImportRow = {
  event: {
    ...{ uid: 'a', line: 1, title: 'Noche de trova', location: 'Patio', url: null },
    ...{ description: 'Trova y boleros en el patio, toda la noche.', categories: [], doubts: [] },
    ...{ start: '2026-12-05T20:00', end: null, all_day: false, dates: [], is_cancelled: false },
    ...{ is_postponed: false, off: [] },
  },
  ...{ standing: 'new', like: null, reference: null, place: 0 },
};
const KNOWN = createVenuelessData();
const PLACE = { venue_name_p0: 'Patio', zone_p0: 'downtown' };
const ANSWERS = { ...PLACE, category: 'live-music', price_kind: 'free' };
const FIXED = { price_kind: 'fixed', price_min: '$150' };
const FOR_ALL = 'Para todo público.';
const ALL_DAY = { all_day: true, start: '2026-12-05' };
function read(
  answers: Readonly<Record<string, string>>,
  changes: Partial<ImportRow['event']> = {},
) {
  const row = { ...ROW, event: { ...ROW.event, ...changes } };
  return parseImportRow(row, '7', { ...ANSWERS, ...answers }, 'es', KNOWN, FRIDAY_NOON_MS);
}
const controlsOf = ({ issues }: ReturnType<typeof read>): string[] =>
  issues.map(({ control }) => control);

// Answers override the calendar's values.
test.each([
  [{}, { categories: ['Otra', 'Teatro'] }, { category: 'theater' }],
  [{ category_7: 'sports' }, { categories: ['Teatro'] }, { category: 'sports' }],
  [{ category_7: '' }, {}, { category: 'live-music' }],
  [{ start_time_7: '21:00', end_time_7: '' }, { end: '2026-12-05T23:00' }, { end: null }],
  [{}, ALL_DAY, { start: '2026-12-05', all_day: true }],
  [{ start_time_7: '20:00' }, ALL_DAY, { start: '2026-12-05T20:00', all_day: false }],
  [{ description: FOR_ALL }, { description: 'Trova.' }, { description: `Trova.\n\n${FOR_ALL}` }],
  [{ venue_address_p0: 'Av. 1', venue_name_7: 'Patio' }, {}, { venue_address: 'Av. 1' }],
  // Another venue does not get the address of the shared place.
  [{ venue_address_p0: 'Av. 1', venue_name_7: 'Casa Roja' }, {}, { venue_address: null }],
  [FIXED, {}, { price: { is_free: false, min: 150, max: 150 } }],
  [{ price_kind_7: 'fixed', price_min_7: '90' }, {}, { price: { min: 90, max: 90 } }],
  [{ ...FIXED, price_kind_7: 'free' }, {}, { price: { is_free: true, min: null, max: null } }],
])('the answers %o override the event values %o', (answers, changes, expected) => {
  expect(read(answers, changes).submission).toMatchObject(expected);
});

test.each([
  [{ price_kind: '' }, {}, ['price_kind']],
  [{ price_kind: 'fixed', price_min: 'mucho' }, {}, ['price_min']],
  [{ price_kind_7: 'fixed', price_min_7: 'mucho' }, {}, ['price_min_7']],
  [{ zone_p0: '', venue_name_7: 'Otro', zone_7: '' }, {}, ['zone_7']],
  [{ venue_name_p0: '' }, {}, ['venue_name_p0', 'venue_name_p0']],
  [{}, { description: '' }, ['description']],
  [{}, { start: '2029-12-05T20:00' }, ['start_date_7']],
])(
  'the issues of %o with event values %o appear at their controls',
  (answers, changes, controls) => {
    expect(controlsOf(read(answers, changes))).toEqual(controls);
  },
);

test.each([
  ['General $1,200, VIP $ 2,500.', {}, { price_min: '1200', price_max: '2500' }],
  ['Boletos en taquilla.', {}, { price_kind: 'fixed' }],
  ['Boletos $250.', { price_kind: 'free' }, { price_kind: 'fixed', price_min: '250' }],
  ['Cooperación voluntaria de $50.', { price_kind: 'free' }, null],
  ['Gratis para niños.', { price_kind: 'free' }, { price_kind: 'fixed' }],
  ['Entrada libre.', FIXED, { price_kind: 'free' }],
  ['Entrada: $150.', FIXED, null],
  ['Entrada: $150.', { price_kind: 'unknown' }, null],
])('the event text %s is checked against the shared price %o', (words, shared_price, suggested) => {
  const changes = { description: `Trova y boleros en el patio. ${words}` };
  const reading = read(shared_price, changes);
  expect(controlsOf(reading)[0]).toBe(suggested === null ? undefined : 'price_kind_7');
  expect(reading.values).toMatchObject(suggested ?? {});
  const answered = read({ ...shared_price, price_kind_7: 'unknown' }, changes);
  expect(answered.submission?.price).toMatchObject({ is_free: false, min: null });
});

test.each([
  ['Cover: $200 - preventa $150.', {}, { price_min_7: '150', price_max_7: '200' }],
  ['Entrada libre.', { price_kind: 'unknown' }, { price_kind_7: 'free' }],
  // A price for all events, or for this one, comes from the sender.
  ['Entrada libre.', FIXED, {}],
  ['Entrada libre.', { price_kind_7: '' }, {}],
  // Texts that leave a doubt.
  ['Entrada libre. VIP $500.', {}, {}],
  ['Entrada libre para niños.', {}, {}],
  ['Boletos en taquilla.', {}, {}],
  ['Premio de $500.', {}, {}],
])('the event text %s with the answers %o offers the price %o', (words, answers, expected) => {
  const row = { ...ROW, event: { ...ROW.event, description: words } };
  const offered = offerOwnPrice(row, '7', { ...PLACE, ...answers });
  expect(offered).toMatchObject(expected);
  if (Object.keys(expected).length === 0) expect(offered).toEqual({});
});

test.each(['private', 'long_ago'] as const)(
  'an event with the doubt %s is not selected',
  (rule) => {
    const event = { ...ROW.event, doubts: [{ rule, text: '' }] };
    expect([isPreselected(ROW), isPreselected({ ...ROW, event })]).toEqual([true, false]);
  },
);
