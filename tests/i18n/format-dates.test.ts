// Date texts: days and times in natural phrases and as parts.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { toDayNumber } from '../../src/domain/local-time.ts';
import type { OccurrenceRecord } from '../../src/domain/event/event.ts';
import { type Lang, LANGS } from '../../src/domain/lang.ts';
import {
  formatBriefWhen,
  formatHourColumn,
  formatLongRange,
  formatMonthAndYear,
  formatTime,
  formatShortDay,
  formatShortRange,
  formatUntil,
  formatWhen,
} from '../../src/i18n/format-dates.ts';
import { CONCERT_DATE } from '../fixtures/concert.ts';
import { localMs } from '../fixtures/fixture.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const both = (format: (lang: Lang) => string | null) => LANGS.map(format);

test('formats a short day and a month', () => {
  const friday = day('2026-11-20');
  expect(both((lang) => formatShortDay(friday, lang))).toEqual(['vie 20 nov', 'Fri, Nov 20']);
  const of_another_year = both((lang) => formatShortDay(friday, lang, 2027));
  expect(of_another_year).toEqual(['vie 20 nov 2026', 'Fri, Nov 20, 2026']);
  const months = both((lang) => formatMonthAndYear(friday, lang));
  expect(months).toEqual(['noviembre de 2026', 'November 2026']);
});

test('formats midnight as a word on a 12-hour clock', () => {
  const midnight = Temporal.PlainTime.from('00:00');
  expect(both((lang) => formatTime(midnight, lang))).toEqual(['0:00', 'midnight']);
});

const range = (days: string) => {
  const [from = '', to = ''] = days.split(' ');
  return { from: day(from), to: day(to) };
};
test.each([
  ['2026-11-20 2026-11-22', 'del viernes 20 al domingo 22 de noviembre de 2026', 'es'],
  ['2026-11-27 2026-12-03', 'del viernes 27 de noviembre al jueves 3 de diciembre de 2026', 'es'],
  ['2026-10-01 2027-04-30', 'del 1 de octubre de 2026 al 30 de abril de 2027', 'es'],
  ['2026-11-01 2026-11-30', 'del 1 al 30 de noviembre de 2026', 'es'],
  ['2026-11-20 2026-11-22', 'Friday, November 20 to Sunday, November 22, 2026', 'en'],
] as const)('formats the range %s with shared parts once: %s', (days, expected, lang) => {
  expect(formatLongRange(range(days), lang)).toBe(expected);
});

test.each([
  ['2026-11-20 2026-11-22', 'es', 'vie 20 – dom 22 nov'],
  ['2028-02-24 2028-02-29', 'es', 'jue 24 – mar 29 feb 2028'],
  ['2028-02-24 2028-02-29', 'en', 'Thu–Tue, Feb 24–29, 2028'],
  ['2027-11-30 2027-12-11', 'es', 'mar 30 nov – sáb 11 dic 2027'],
  ['2026-12-31 2027-01-01', 'es', 'jue 31 dic – vie 1 ene 2027'],
  ['2027-12-31 2028-01-01', 'es', 'vie 31 dic 2027 – sáb 1 ene 2028'],
] as const)('formats the short range %s in %s: %s', (days, lang, expected) => {
  expect(formatShortRange(range(days), lang, 2026)).toBe(expected);
});

/** Creates an occurrence; the hours after midnight belong to the evening before. */
const createOccurrence = (
  start: string,
  end: string,
  last = start.slice(0, 10),
): OccurrenceRecord => ({
  ...CONCERT_DATE,
  start: `${start}:00-05:00`,
  end: `${end}:00-05:00`,
  start_ms: localMs(start),
  end_ms: localMs(end),
  first_day: toDayNumber(day(start.slice(0, 10))),
  last_day: toDayNumber(day(last)),
  end_known: true,
});
const NIGHT = createOccurrence('2026-11-20T22:00', '2026-11-21T03:00');

test('a column of hours has start and end, no unknown end, and is null for all-day events', () => {
  const timestamp = NIGHT.start;
  expect(formatHourColumn(NIGHT, 'es')).toEqual({ timestamp, start: '22:00', end: '3:00' });
  const open = { ...NIGHT, end_known: false };
  expect(formatHourColumn(open, 'en')).toEqual({ timestamp, start: '10 p.m.', end: null });
  expect(formatHourColumn({ ...NIGHT, all_day: true }, 'en')).toBeNull();
});

test('formats a night with its hours, and an all-day event with its days', () => {
  expect(formatWhen(NIGHT, 'es')).toBe('viernes 20 de noviembre de 2026, de 22:00 a 3:00');
  const season = createOccurrence('2026-11-01T00:00', '2026-12-31T00:00', '2026-12-30');
  const days = 'del 1 de noviembre al 30 de diciembre de 2026';
  expect(formatWhen({ ...season, all_day: true }, 'es')).toBe(days);
});

describe('an end on another day', () => {
  test.each([
    ['2026-11-20T22:00', '2026-11-21T06:00', '2026-11-20', null],
    ['2026-11-20T22:00', '2026-11-21T06:30', '2026-11-21', 'hasta el sáb 21 nov, 6:30'],
    ['2026-11-20T05:00', '2026-11-21T05:00', '2026-11-20', 'hasta el sáb 21 nov, 5:00'],
    ['2026-12-31T10:00', '2027-01-02T02:00', '2027-01-01', 'hasta el sáb 2 ene 2027, 2:00'],
  ])('%s to %s, with the last day %s, is %j', (start, end, last, expected) => {
    const occurrence = createOccurrence(start, end, last);
    expect(formatUntil(occurrence, 'es')).toBe(expected);
    expect(formatHourColumn(occurrence, 'es')?.end === null).toBe(expected !== null);
  });
  test('follows the first day and its hour', () => {
    const occurrence = createOccurrence('2026-11-20T10:00', '2026-11-22T18:00', '2026-11-22');
    const hours = 'a las 10:00, hasta el dom 22 nov, 18:00';
    expect(formatBriefWhen(occurrence, 2026, 'es')).toBe(`viernes 20 de noviembre, ${hours}`);
  });
});
