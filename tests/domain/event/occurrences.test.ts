// Rules of days and hours, and the days that a night belongs to.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { fromDayNumber, toCancun } from '../../../src/domain/cancun-time.ts';
import { toEaster } from '../../../src/domain/day/holidays.ts';
import { expandDays, type Schedule, toSpan } from '../../../src/domain/event/occurrences.ts';

const BASE: Schedule = {
  rrule: null,
  easter: null,
  dates: null,
  since: null,
  until: null,
  start: null,
  end: null,
  days: 1,
  except: [],
};
const HORIZON = Temporal.PlainDate.from('2028-12-31');
const expand = (schedule: Partial<Schedule>, count = 6): string[] =>
  expandDays({ ...BASE, ...schedule }, HORIZON)
    .slice(0, count)
    .map(String);

describe('the days of a rule', () => {
  test.each<[string, Partial<Schedule>, string[]]>([
    [
      'first Sundays',
      { rrule: 'FREQ=MONTHLY;BYDAY=1SU', since: '2026-11-01' },
      ['2026-11-01', '2026-12-06', '2027-01-03', '2027-02-07', '2027-03-07', '2027-04-04'],
    ],
    [
      'last Fridays',
      { rrule: 'FREQ=MONTHLY;BYDAY=-1FR', since: '2026-01-01' },
      ['2026-01-30', '2026-02-27', '2026-03-27', '2026-04-24', '2026-05-29', '2026-06-26'],
    ],
    [
      'a season of Thursdays',
      { rrule: 'FREQ=WEEKLY;BYDAY=TH;BYMONTH=11,12,1,2,3,4', since: '2026-04-16' },
      ['2026-04-16', '2026-04-23', '2026-04-30', '2026-11-05', '2026-11-12', '2026-11-19'],
    ],
    [
      'two days a year',
      { rrule: 'FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=15,16', since: '2026-01-01' },
      ['2026-09-15', '2026-09-16', '2027-09-15', '2027-09-16', '2028-09-15', '2028-09-16'],
    ],
    [
      'leap days only',
      { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', since: '2024-01-01' },
      ['2024-02-29', '2028-02-29'],
    ],
    [
      'the 31st where there is one',
      { rrule: 'FREQ=MONTHLY;BYMONTHDAY=31', since: '2026-01-31' },
      ['2026-01-31', '2026-03-31', '2026-05-31', '2026-07-31', '2026-08-31', '2026-10-31'],
    ],
    [
      'less its exceptions',
      { rrule: 'FREQ=DAILY', since: '2026-12-30', except: ['2026-12-31', '2027-01-02'] },
      ['2026-12-30', '2027-01-01', '2027-01-03', '2027-01-04', '2027-01-05', '2027-01-06'],
    ],
    [
      'until a day, inclusive',
      { rrule: 'FREQ=DAILY', since: '2026-12-30', until: '2026-12-31' },
      ['2026-12-30', '2026-12-31'],
    ],
    ['listed days in order', { dates: ['2027-01-05', '2026-12-24'] }, ['2026-12-24', '2027-01-05']],
    [
      'Shrove Tuesday',
      { easter: -47, since: '2024-01-01' },
      ['2024-02-13', '2025-03-04', '2026-02-17', '2027-02-09', '2028-02-29'],
    ],
    [
      'Easter from a day after this year’s',
      { easter: 0, since: '2026-04-06' },
      ['2027-03-28', '2028-04-16'],
    ],
  ])('%s', (_name, schedule, days) => {
    expect(expand(schedule)).toEqual(days);
  });

  test('refuses a rule that is none', () => {
    expect(() => expand({ rrule: 'FREQ=SOMETIMES', since: '2026-01-01' })).toThrow();
    expect(() => expand({ rrule: 'FREQ=HOURLY', since: '2026-01-01' })).toThrow(
      'DAILY, WEEKLY, MONTHLY or YEARLY',
    );
  });

  test.each([
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2029, '2029-04-01'],
    [2038, '2038-04-25'],
  ])('Easter of %i is %s', (year, day) => {
    expect(toEaster(year).toString()).toBe(day);
  });
});

describe('the span of a day', () => {
  const span = (schedule: Partial<Schedule>, day = '2026-11-20') => {
    const s = toSpan({ ...BASE, ...schedule }, Temporal.PlainDate.from(day));
    return [s.start_ms, s.end_ms]
      .map((ms) => toCancun(ms).toPlainDateTime().toString())
      .concat([s.first_day, s.last_day].map((d) => fromDayNumber(d).toString()));
  };
  test.each<[string, Partial<Schedule>, string[]]>([
    [
      'an evening',
      { start: '19:00', end: '21:00' },
      ['2026-11-20T19:00:00', '2026-11-20T21:00:00', '2026-11-20', '2026-11-20'],
    ],
    [
      'an unknown end is three hours on',
      { start: '22:30' },
      ['2026-11-20T22:30:00', '2026-11-21T01:30:00', '2026-11-20', '2026-11-20'],
    ],
    [
      'until midnight',
      { start: '20:00', end: '00:00' },
      ['2026-11-20T20:00:00', '2026-11-21T00:00:00', '2026-11-20', '2026-11-20'],
    ],
    [
      'until 06:00 is still the night before',
      { start: '22:00', end: '06:00' },
      ['2026-11-20T22:00:00', '2026-11-21T06:00:00', '2026-11-20', '2026-11-20'],
    ],
    [
      'until 06:01 reaches into the next day',
      { start: '22:00', end: '06:01' },
      ['2026-11-20T22:00:00', '2026-11-21T06:01:00', '2026-11-20', '2026-11-21'],
    ],
    [
      'a start and end in the small hours',
      { start: '02:00', end: '05:00' },
      ['2026-11-20T02:00:00', '2026-11-20T05:00:00', '2026-11-20', '2026-11-20'],
    ],
    ['all day', {}, ['2026-11-20T00:00:00', '2026-11-21T00:00:00', '2026-11-20', '2026-11-20']],
    [
      'three whole days',
      { days: 3 },
      ['2026-11-20T00:00:00', '2026-11-23T00:00:00', '2026-11-20', '2026-11-22'],
    ],
    [
      'a festival with hours',
      { start: '18:00', end: '23:00', days: 3 },
      ['2026-11-20T18:00:00', '2026-11-22T23:00:00', '2026-11-20', '2026-11-22'],
    ],
    [
      'a festival into the night',
      { start: '18:00', end: '02:00', days: 2 },
      ['2026-11-20T18:00:00', '2026-11-22T02:00:00', '2026-11-20', '2026-11-21'],
    ],
  ])('%s', (_name, schedule, expected) => {
    expect(span(schedule)).toEqual(expected);
  });
  test('of the last day of the year', () => {
    expect(span({ start: '22:00', end: '02:00' }, '2026-12-31')).toEqual([
      '2026-12-31T22:00:00',
      '2027-01-01T02:00:00',
      '2026-12-31',
      '2026-12-31',
    ]);
  });
});
