// Rules that return all year rest on the days on which the town does, their venue is closed or
// schools have no lessons (contract 2.11).
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import type { HolidayRecord } from '../../../src/domain/day/holidays.ts';
import {
  type RestingRule,
  type RestingTown,
  skipRestDays,
} from '../../../src/domain/day/resting-rules.ts';
import type { OpeningHours } from '../../../src/domain/opening-hours.ts';

const toList = (days: readonly string[]) => days.map((day) => Temporal.PlainDate.from(day));
const days = [
  '2025-12-25',
  '2026-04-03',
  '2026-12-23',
  '2026-12-24',
  '2026-12-25',
  '2026-12-26',
  '2026-12-31',
  '2027-01-01',
  '2027-01-02',
  '2027-03-26',
];
const NO_TOWN: RestingTown = { holidays: [], terms: [] };
const left = (
  when: RestingRule,
  all: readonly string[] = days,
  hours: OpeningHours | null = null,
  town = NO_TOWN,
): string[] => skipRestDays(when, toList(all), hours, town).map(String);

describe('a rule', () => {
  test.each([['FREQ=DAILY'], ['FREQ=WEEKLY;BYDAY=FR'], ['FREQ=MONTHLY;BYDAY=-1FR']])(
    '%s rests from 21 November 2026 on, and what was told before stays',
    (rrule) => {
      expect(left({ rrule })).toEqual([
        '2025-12-25',
        '2026-04-03',
        '2026-12-23',
        '2026-12-26',
        '2027-01-02',
      ]);
    },
  );

  test.each<[string, RestingRule]>([
    ['a yearly rule', { rrule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25' }],
    ['dates', {}],
    ['a rule that a source says is open', { rrule: 'FREQ=DAILY', quiet_days: 'open' }],
    [
      'a day that a source confirms',
      {
        rrule: 'FREQ=DAILY',
        confirmed: ['2026-12-24', '2026-12-25', '2026-12-31', '2027-01-01', '2027-03-26'],
      },
    ],
  ])('%s does not rest', (_, when) => {
    expect(left(when)).toEqual(days);
  });
});

const holiday = (key: string, month: number, day: number, closes: HolidayRecord['closes']) => ({
  key,
  name: { es: key, en: key },
  kind: 'statutory' as const,
  closes,
  feast: false,
  rule: { month, day },
  every: null,
});

describe('a rule at a venue with hours', () => {
  /** Tuesday to Sunday; closed on 8 December, on a feast, and open on one Monday. */
  const hours: OpeningHours = {
    rules: [
      {
        days: ['tu', 'we', 'th', 'fr', 'sa', 'su'],
        open: '09:00',
        close: '18:00',
        last_entry: null,
        since: null,
        until: null,
      },
    ],
    exceptions: [
      { date: '2026-12-08', open: null, close: null, note: null },
      { date: '2026-12-14', open: '09:00', close: '12:00', note: null },
    ],
    closed_on: ['guadalupe'],
    free: [],
    note: null,
  };
  const town = { ...NO_TOWN, holidays: [holiday('guadalupe', 12, 12, ['banks'])] };
  const week = [
    '2026-11-16',
    '2026-12-07',
    '2026-12-08',
    '2026-12-09',
    '2026-12-12',
    '2026-12-13',
    '2026-12-14',
  ];

  test('skips the weekday, the day and the holiday on which it is closed', () => {
    expect(left({ rrule: 'FREQ=DAILY' }, week, hours, town)).toEqual([
      '2026-11-16',
      '2026-12-09',
      '2026-12-13',
      '2026-12-14',
    ]);
  });
  test.each<[string, RestingRule]>([
    ['is a list of dates', {}],
    ['is yearly', { rrule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=8' }],
    ['is open by its source', { rrule: 'FREQ=DAILY', quiet_days: 'open' }],
  ])('skips nothing where it %s', (_, when) => {
    expect(left(when, week, hours, town)).toEqual(week);
  });
});

describe('a rule of the school year', () => {
  const town: RestingTown = {
    holidays: [holiday('teachers', 5, 14, ['schools']), holiday('banks', 5, 21, ['banks'])],
    terms: [
      {
        first: '2026-08-31',
        last: '2027-07-15',
        breaks: [{ first: '2026-12-21', last: '2027-01-08' }],
        off: ['2027-02-26'],
      },
    ],
  };
  const rrule = 'FREQ=WEEKLY;BYDAY=FR';
  const fridays = [
    '2026-12-18',
    '2027-01-08',
    '2027-01-15',
    '2027-02-26',
    '2027-05-14',
    '2027-05-21',
    '2027-07-09',
    '2027-07-16',
  ];

  test('is silent in breaks, on days off, on holidays of schools and after the term', () => {
    expect(left({ rrule, term: true }, fridays, null, town)).toEqual([
      '2026-12-18',
      '2027-01-15',
      '2027-05-21',
      '2027-07-09',
    ]);
  });
  test('is silent where no term is known, and speaks where a source confirms the day', () => {
    expect(left({ rrule, term: true }, fridays, null, NO_TOWN)).toEqual([]);
    expect(left({ rrule, term: true, confirmed: ['2027-01-15'] }, fridays, null, NO_TOWN)).toEqual([
      '2027-01-15',
    ]);
  });
  test('of another kind does not know terms', () => {
    expect(left({ rrule }, ['2027-01-08'], null, town)).toEqual(['2027-01-08']);
  });
});
