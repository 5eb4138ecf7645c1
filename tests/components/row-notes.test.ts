// Where a row says the note of its date (contract 3.8).
import { afterAll, expect, test } from 'vitest';
import { toRowNotes } from '../../src/components/agenda/row-notes.ts';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { findOccurrences } from '../../src/snapshot/find-events.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const NOTE = { es: 'De noche; pregunta a qué hora.', en: 'At night; ask when.' };
const one = findOccurrences(snapshot, toOpenFilter(FRIDAY_NOON_MS, 99)).items.find(
  ({ occurrence }) => occurrence.first_day === occurrence.last_day,
)?.occurrence;
if (!one) throw new Error('nothing takes place');
const hourly = { ...one, notes: NOTE, all_day: false, time_known: true };
const hourless = { ...hourly, all_day: true, time_known: false };
const long = { ...hourless, last_day: one.first_day + 3 };

const NONE = { of_hour: null, beside: null, below: null };
const TEXT = 'De noche; pregunta a qué hora';

test.each([
  ['no note', { ...hourly, notes: null }, null, 'hour', NONE],
  ['an hour that nobody knows', hourless, null, 'hour', { ...NONE, of_hour: TEXT }],
  ['an hour that is known', hourly, null, 'now', { ...NONE, beside: TEXT }],
  ['several days', long, null, 'hour', { ...NONE, beside: TEXT }],
  ['one date of many', hourly, null, 'day', NONE],
  ['one date of many without an hour', hourless, null, 'day', NONE],
  ['what is cancelled', hourless, 'cancelled', 'day', { ...NONE, below: `${TEXT}.` }],
] as const)('of %s', (_, occurrence, status, column, notes) => {
  expect(toRowNotes(occurrence, status, column, 'es')).toEqual(notes);
});
