// What the form takes beside single fields: dates with hours of their own, prices in one, places by
// name; and what is not sure of it, so that its sender is asked (contract 14.19).
import { describe, expect, test } from 'vitest';
import { readDateRows, toDateLines } from '../../../src/domain/submission/date-rows.ts';
import { pickFormValues } from '../../../src/domain/submission/controls.ts';
import { listDoubts } from '../../../src/domain/submission/doubts.ts';
import { toFormValues, toSubmissionInput } from '../../../src/domain/submission/form.ts';
import {
  findNamed,
  listLikelyPlaces,
  nameApart,
} from '../../../src/domain/submission/named-places.ts';
import { readSubmission } from '../../../src/domain/submission/read-submission.ts';
import { listWhens } from '../../../src/desk/publication.ts';
import { FRIDAY_NOON_MS as NOW_MS } from '../../fixtures/fixture.ts';
import { SUBMISSION } from '../../fixtures/inbox.ts';

const PLACES = {
  taxonomy: { categories: [], zones: [], regions: [] },
  findVenue: () => null,
  findVenueByName: () => null,
};
const VALUES = {
  title: 'Función de prueba',
  description: 'Una función inventada con varias fechas.',
  category: 'culture',
  start_date: '2026-12-05',
  start_time: '19:00',
  venue_name: 'Patio',
  price_kind: 'free',
};
/** The submission of controls, whatever there is of categories. */
function read(more: Readonly<Record<string, string>>) {
  const values = pickFormValues({ ...VALUES, ...more });
  const { input, issues } = toSubmissionInput(values);
  const reading = readSubmission(input, PLACES, NOW_MS);
  const others = reading.issues.filter(({ field }) => field !== 'category');
  return {
    values,
    input,
    issues: [...issues, ...others].map(({ field, rule }) => `${field} ${rule}`),
  };
}

describe('further dates', () => {
  const TABLE = {
    'dates_day[]': '2026-12-06,2026-12-12,,2026-12-05',
    'dates_from[]': ',18:00,,12:00',
    'dates_until[]': ',20:00,,',
  };
  test('come from a small table, with hours of their own where they have some', () => {
    const { values, input, issues } = read(TABLE);
    expect(issues).toEqual([]);
    expect(values.dates?.split('\n')).toEqual([
      '2026-12-06',
      '2026-12-12 18:00-20:00',
      '2026-12-05 12:00',
    ]);
    expect([input.dates, input.hours]).toEqual([
      '2026-12-06,2026-12-12,2026-12-05',
      '2026-12-12T18:00/20:00,2026-12-05T12:00',
    ]);
  });
  test('are published each at its hour, two on one day too', () => {
    const hours = [
      { date: '2026-12-12', start: '18:00', end: '20:00' },
      { date: '2026-12-05', start: '12:00', end: null },
    ];
    const times = { start: '2026-12-05T19:00', end: null, all_day: false, hours };
    expect(
      listWhens({ ...times, dates: ['2026-12-05', '2026-12-06', '2026-12-12'] }),
    ).toMatchObject([
      { start: '19:00', dates: ['2026-12-05', '2026-12-06'] },
      { start: '18:00', end: '20:00', dates: ['2026-12-12'] },
      { start: '12:00', dates: ['2026-12-05'] },
    ]);
  });
  test('stand in the form again as they were sent', () => {
    const hours = [{ date: '2026-12-13', start: '18:00', end: null }];
    const dates = ['2026-12-12', '2026-12-13'];
    expect(toFormValues({ ...SUBMISSION, dates, hours, family: true })).toMatchObject({
      dates: '2026-12-12\n2026-12-13 18:00',
      family: '1',
    });
  });
  test.each([
    [
      { 'dates_day[]': '2026-12-06', 'dates_from[]': '', 'dates_until[]': '20:00' },
      'dates no_hour',
    ],
    [{ 'dates_day[]': '', 'dates_from[]': '18:00', 'dates_until[]': '' }, 'dates not_dates'],
    [
      { 'dates_day[]': '2026-12-06', 'dates_from[]': '25:00', 'dates_until[]': '' },
      'hours not_dates',
    ],
  ])('%j is told', (sent, issue) => {
    expect(read(sent).issues).toContain(issue);
  });
  test('are read from lines in any of their forms', () => {
    const text = '19/12/2026; 2026-12-20 18:00 - 20:00\n2026-12-21 9:00, ,';
    expect(toDateLines(readDateRows(text))).toBe(
      '2026-12-19\n2026-12-20 18:00-20:00\n2026-12-21 9:00',
    );
  });
});

test.each([
  ['150', '150', '150'],
  ['desde 150', '150', undefined],
  ['From $1,500', '1500', undefined],
  ['80-250', '80', '250'],
  ['$80 a $1,250 MXN', '80', '1250'],
  ['1,500', '1500', '1500'],
])('a price of %s needs no other tick', (typed, min, max) => {
  const { price_kind: _, ...values } = VALUES;
  const { input, issues } = toSubmissionInput({ ...values, price_min: typed });
  expect([input.price_min, input.price_max, issues]).toEqual([min, max, []]);
});

describe('a sender is asked', () => {
  const doubt = (more: object, values: object = {}) =>
    listDoubts(values, { ...SUBMISSION, start: '2026-12-05T19:00', end: null, ...more }).map(
      (one) => ('hours' in one ? `${one.kind} ${one.hours}` : one.kind),
    );
  test('whether it ends on the next day, where only the hour says so', () => {
    const night = { end: '2026-12-06T09:00' };
    expect(doubt(night)).toEqual(['night 14']);
    expect(doubt({ end: '2026-12-06T01:30' })).toEqual(['night 6.5']);
    expect(doubt({ end: '2026-12-06T01:30' }, { end_date: '2026-12-06' })).toEqual([]);
    expect(doubt(night, { end_date: '2026-12-06' })).toEqual(['long 14']);
  });
  test('whether it lasts so long, of a single day too', () => {
    expect(doubt({ start: '2026-12-05T08:00', end: '2026-12-05T22:00' })).toEqual(['long 14']);
    expect(doubt({ start: '2026-12-05T08:00', end: '2026-12-05T20:00' })).toEqual([]);
    expect(doubt({ hours: [{ date: '2026-12-12', start: '09:00', end: '23:00' }] })).toEqual([
      'long 14',
    ]);
  });
  test('whether it is for families, where its text speaks of children and nothing says so', () => {
    const text = { description: 'Títeres para niñas y niños.' };
    expect(doubt(text)).toEqual(['family']);
    for (const said of [{ family: true }, { category: 'family' }, { age_restriction: '+18' }])
      expect(doubt({ ...text, ...said }), JSON.stringify(said)).toEqual([]);
    expect(doubt({ description: 'Sin menciones.' })).toEqual([]);
  });
});

describe('a place that is typed', () => {
  const place = (id: string, name: string) => ({ id, name, slug: { es: id, en: id } });
  const ALL = [
    place('palapas', 'Parque de las Palapas'),
    place('teatro', 'Teatro Xbalamqué'),
    place('maya-1', 'Casa Maya'),
    place('maya-2', 'Casa Maya'),
  ];
  test('is offered by the name that means it alone, and known by that', () => {
    const names = nameApart(ALL).map(([name]) => name);
    expect(names.slice(2)).toEqual(['Casa Maya (maya-1)', 'Casa Maya (maya-2)']);
    expect(names.map((name) => findNamed(ALL, name)?.id)).toEqual(ALL.map(({ id }) => id));
    expect(findNamed(ALL, 'Casa Maya')).toBe(null);
  });
  test.each([
    ['Parque de las palapsa', ['palapas']],
    ['Las Palapas', ['palapas']],
    ['casa maya', ['maya-1', 'maya-2']],
    ['Plaza del Huapango', []],
  ])('%s may be %j', (typed, likely) => {
    expect(listLikelyPlaces(ALL, typed).map(({ id }) => id)).toEqual(likely);
  });
});
