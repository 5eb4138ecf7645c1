// Days in pieces: each language in its own order, a range with its two numbers.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import type { OccurrenceRecord } from '../../src/domain/event/event.ts';
import type { Lang } from '../../src/domain/lang.ts';
import {
  toAlsoOn,
  toBriefWhen,
  toDateParts,
  toHours,
  toHourStub,
  toLongDays,
  toMonthOfYear,
  toUntil,
  toWhen,
} from '../../src/i18n/dates.ts';
import { toDayNumber } from '../../src/domain/cancun-time.ts';
import { toRecurrenceWords } from '../../src/i18n/recurrence.ts';
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

describe('a column of hours', () => {
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

describe('an end on another day', () => {
  /** With the days that the schedule gives it: a night's last hours are still its own. */
  const lasting = (start: string, end: string, last: string): OccurrenceRecord => ({
    ...OCCURRENCE,
    start_ms: at(start),
    end_ms: at(end),
    first_day: toDayNumber(day(start.slice(0, 10))),
    last_day: toDayNumber(day(last)),
  });
  test.each([
    ['2026-11-20T22:00', '2026-11-21T03:00', '2026-11-20', null, null],
    ['2026-11-20T22:00', '2026-11-21T06:00', '2026-11-20', null, null],
    [
      '2026-11-20T22:00',
      '2026-11-21T06:30',
      '2026-11-21',
      'hasta el sáb 21 nov, 6:30',
      'until Sat, Nov 21, 6:30 a.m.',
    ],
    [
      '2026-11-20T19:00',
      '2026-11-21T19:00',
      '2026-11-21',
      'hasta el sáb 21 nov, 19:00',
      'until Sat, Nov 21, 7 p.m.',
    ],
    [
      '2026-11-20T05:00',
      '2026-11-21T05:00',
      '2026-11-20',
      'hasta el sáb 21 nov, 5:00',
      'until Sat, Nov 21, 5 a.m.',
    ],
    [
      '2026-11-20T10:00',
      '2026-11-22T18:00',
      '2026-11-22',
      'hasta el dom 22 nov, 18:00',
      'until Sun, Nov 22, 6 p.m.',
    ],
    [
      '2026-12-31T10:00',
      '2027-01-02T02:00',
      '2027-01-01',
      'hasta el sáb 2 ene 2027, 2:00',
      'until Sat, Jan 2, 2027, 2 a.m.',
    ],
  ])('%s to %s', (start, end, last, es, en) => {
    const occurrence = lasting(start, end, last);
    expect([toUntil(occurrence, 'es'), toUntil(occurrence, 'en')]).toEqual([es, en]);
    expect(toHourStub(occurrence, 'es')?.end === null).toBe(es !== null);
  });
  test('is said with the hours, and the day of the beginning before it', () => {
    const occurrence = lasting('2026-11-20T10:00', '2026-11-22T18:00', '2026-11-22');
    expect(toHours(occurrence, 'es')).toBe('a las 10:00, hasta el dom 22 nov, 18:00');
    expect(toWhen(occurrence, 'en')).toBe(
      'Friday, November 20, 2026, 10 a.m., until Sun, Nov 22, 6 p.m.',
    );
    expect(toBriefWhen(occurrence, 2026, 'es')).toBe(
      'viernes 20 de noviembre, a las 10:00, hasta el dom 22 nov, 18:00',
    );
  });
  test('of a rule is left out where it has the hour of the beginning', () => {
    const friday = { kind: 'weekly', weekdays: [5], position: null, months: [] } as const;
    const rule = { ...friday, start: '19:00', end: '19:00', since: null, until: null };
    expect(toRecurrenceWords(rule, 'es')).toBe('los viernes a las 19:00');
  });
});
