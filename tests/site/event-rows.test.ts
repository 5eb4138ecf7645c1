// What a row says of its date's note and of the other dates of its event (contract 3.8).
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { Temporal } from 'temporal-polyfill';
import { afterAll, expect, test } from 'vitest';
import { toFurtherDays, toMoreDates, toNote } from '../../src/site/event-lists.ts';
import { findEvents, findOccurrences } from '../../src/snapshot/find-events.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const open = toOpenFilter(FRIDAY_NOON_MS, 99);
const one = findOccurrences(snapshot, open).items.find(
  ({ occurrence }) => occurrence.first_day === occurrence.last_day,
)?.occurrence;
const fair = findEvents(snapshot, open, 'es').cards.find(
  ({ event }) => event.slug.es === 'feria-diaria',
);
if (!one || !fair) throw new Error('nothing takes place');
const NOTE = { es: 'De noche; pregunta a qué hora.', en: 'At night; ask when.' };
const TEXT = 'De noche; pregunta a qué hora';
const NONE = { of_hour: null, beside: null, below: null };
const hourly = { ...one, notes: NOTE, all_day: false, time_known: true };
const hourless = { ...hourly, all_day: true, time_known: false };

test.each([
  ['no note', { ...hourly, notes: null }, null, 'hour', NONE],
  ['an hour that nobody knows', hourless, null, 'hour', { ...NONE, of_hour: TEXT }],
  ['an hour that is known', hourly, null, 'now', { ...NONE, beside: TEXT }],
  ['several days', hourless, null, 'until', { ...NONE, beside: TEXT }],
  ['one date of many', hourly, null, 'day', NONE],
  ['one date of many without an hour', hourless, null, 'day', NONE],
  ['what is cancelled', hourless, 'cancelled', 'day', { ...NONE, below: `${TEXT}.` }],
] as const)('the note of %s', (_, occurrence, status, column, notes) => {
  expect(toNote(occurrence, status, column, 'es')).toEqual(notes);
});

test.each([
  [0, 'es', null],
  [1, 'es', '+1 fecha'],
  [2, 'en', '+2 dates'],
  [30, 'es', '+30 fechas'],
  [31, 'es', 'muchas fechas más'],
] as const)('%i other dates in %s: %s', (more_dates, lang, words) => {
  expect(toMoreDates({ ...fair, more_dates }, lang)).toBe(words);
});

test.each([
  ['2026-11-22', 'es', null],
  ['2026-11-24', 'es', 'también lunes y martes'],
  ['2026-11-27', 'en', 'also Monday to Friday'],
] as const)(
  'other days until %s in %s, silent where they are cancelled: %s',
  (last, lang, words) => {
    const range = {
      from: Temporal.PlainDate.from('2026-11-20'),
      to: Temporal.PlainDate.from(last),
    };
    const occurrences = findOccurrences(snapshot, { ...open, range }).items.map(
      ({ occurrence }) => occurrence,
    );
    expect(toFurtherDays(occurrences, lang)(fair)).toBe(words);
  },
);
