// Days in pieces: each language in its own order, a range with its two numbers.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import type { OccurrenceRecord } from '../../src/domain/event/event.ts';
import type { Lang } from '../../src/domain/lang.ts';
import {
  toDateParts,
  toHourStub,
  toLongDays,
  toMonthOfYear,
  toAlsoOn,
} from '../../src/i18n/dates.ts';
import { toDayNumber } from '../../src/domain/cancun-time.ts';
import { at } from '../fixtures/fixture.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const range = (from: string, to: string = from) => ({ from: day(from), to: day(to) });
const read = (from: string, to: string, lang: Lang): string =>
  toDateParts(range(from, to), lang)
    .map((part, place) => (place === 0 ? '' : part.joint) + part.text)
    .join('');

describe('the pieces of a date', () => {
  test('read in order are what the long date says', () => {
    for (const lang of ['es', 'en'] as const)
      expect(read('2026-11-20', '2026-11-20', lang)).toBe(toLongDays(range('2026-11-20'), lang));
  });
  test.each([
    [
      '2026-11-20',
      '2026-11-22',
      'de viernes a domingo 20–22 de noviembre de 2026',
      'Friday to Sunday, November 20–22, 2026',
    ],
    [
      '2026-11-27',
      '2026-12-03',
      '27 de noviembre al 3 de diciembre de 2026',
      'November 27 to December 3, 2026',
    ],
    [
      '2027-05-15',
      '2027-09-17',
      '15 de mayo al 17 de septiembre de 2027',
      'May 15 to September 17, 2027',
    ],
  ])('of %s to %s', (from, to, spanish, english) => {
    expect([read(from, to, 'es'), read(from, to, 'en')]).toEqual([spanish, english]);
  });
  test('name the month with its year', () => {
    expect([
      toMonthOfYear(day('2027-01-06'), 'es'),
      toMonthOfYear(day('2027-01-06'), 'en'),
    ]).toEqual(['enero de 2027', 'January 2027']);
  });
});

describe('a column of hours', () => {
  const OCCURRENCE: OccurrenceRecord = {
    id: 'x',
    event: 'x',
    start: '2026-11-20T22:00:00-05:00',
    end: '2026-11-21T03:00:00-05:00',
    start_ms: at('2026-11-20T22:00:00'),
    end_ms: at('2026-11-21T03:00:00'),
    first_day: 0,
    last_day: 0,
    all_day: false,
    time_known: true,
    end_known: true,
    certainty: 'confirmed',
    status: 'scheduled',
    notes: null,
    updated_at: '',
    sequence: 0,
  };
  test('has start and end, the end only where it is known, and nothing all day', () => {
    expect(toHourStub(OCCURRENCE, 'es')).toEqual({
      timestamp: '2026-11-20T22:00:00-05:00',
      start: '22:00',
      end: '3:00',
    });
    expect(toHourStub({ ...OCCURRENCE, end_known: false }, 'en')).toEqual({
      timestamp: '2026-11-20T22:00:00-05:00',
      start: '10 p.m.',
      end: null,
    });
    expect(toHourStub({ ...OCCURRENCE, all_day: true }, 'en')).toBeNull();
  });
});

test('further days are listed as each language lists', () => {
  const days = [day('2026-11-20'), day('2026-11-21'), day('2026-11-22')].map(toDayNumber);
  expect([toAlsoOn(days, 'es'), toAlsoOn(days, 'en')]).toEqual([
    'también de viernes a domingo',
    'also Friday to Sunday',
  ]);
  const apart = [0, 2, 3, 4, 5].map((at) => toDayNumber(day('2026-11-22')) + at);
  expect([toAlsoOn(apart, 'es'), toAlsoOn(apart, 'en')]).toEqual([
    'también domingo y de martes a viernes',
    'also Sunday and Tuesday to Friday',
  ]);
  expect([toAlsoOn([], 'es'), toAlsoOn(days.slice(0, 1), 'en')]).toEqual([null, 'also Friday']);
});
