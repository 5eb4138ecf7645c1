// Rest days: recurring rules pause when the town rests or schools are closed (contract 2.11).
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  type RestDayRule,
  type RestDayCalendar,
  splitRestDays,
} from '../../../src/domain/day/rest-days.ts';
import { CHRISTMAS } from '../../fixtures/holiday.ts';

const NO_TOWN: RestDayCalendar = { holidays: [], terms: [] };
const DAILY = { rrule: 'FREQ=DAILY' };
const OPEN = { ...DAILY, quiet_days: 'open' } as const;

const remainingDays = (when: RestDayRule, days: string, town = NO_TOWN) => {
  const all = days.split(' ').map((day) => Temporal.PlainDate.from(day));
  return splitRestDays(when, all, null, town).held.join(' ');
};

describe('customary rest days', () => {
  const QUIET = '2026-12-24 2026-12-25 2026-12-31 2027-01-01 2027-03-26';
  const ALL = `2026-12-23 ${QUIET} 2027-01-02`;
  test.each<[string, RestDayRule, string]>([
    ['a daily rule', DAILY, '2026-12-23 2027-01-02'],
    ['a monthly rule', { rrule: 'FREQ=MONTHLY;BYDAY=-1FR' }, '2026-12-23 2027-01-02'],
    ['a yearly rule', { rrule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25' }, ALL],
    ['a list of dates', {}, ALL],
    ['a rule with quiet_days: open', OPEN, ALL],
    ['a rule with confirmed days', { ...DAILY, confirmed: QUIET.split(' ') }, ALL],
  ])('%s', (_, when, days) => {
    expect(remainingDays(when, ALL)).toBe(days);
  });
  test('are assumed, unless the venue is closed or there is no school', () => {
    const days = QUIET.split(' ').map((day) => Temporal.PlainDate.from(day));
    expect(splitRestDays(DAILY, days, null, NO_TOWN).assumed.join(' ')).toBe(QUIET);
    expect(splitRestDays({ ...DAILY, term: true }, days, null, NO_TOWN).assumed).toEqual([]);
  });
  test('dates before November 21, 2026 are unchanged', () => {
    expect(remainingDays(DAILY, '2025-12-25 2026-04-03')).toBe('2025-12-25 2026-04-03');
  });
});

const BREAK = { first: '2026-12-21', last: '2027-01-08' };
const TERM = { first: '2026-08-31', last: '2027-07-15', breaks: [BREAK], off: ['2027-02-26'] };
const town: RestDayCalendar = {
  holidays: [
    { ...CHRISTMAS, closes: ['schools'], rule: { month: 5, day: 14 } },
    { ...CHRISTMAS, rule: { month: 5, day: 21 } },
  ],
  terms: [TERM],
};
const FRIDAYS = { rrule: 'FREQ=WEEKLY;BYDAY=FR', term: true } as const;
const ALL =
  '2026-12-18 2027-01-08 2027-01-15 2027-02-26 2027-05-14 2027-05-21 2027-07-09 2027-07-16';
test.each<[string, RestDayRule, RestDayCalendar, string]>([
  ['pauses in breaks', FRIDAYS, town, '2026-12-18 2027-01-15 2027-05-21 2027-07-09'],
  ['pauses without a known term', FRIDAYS, NO_TOWN, ''],
  [
    'takes place on a confirmed day',
    { ...FRIDAYS, confirmed: ['2027-01-15'] },
    NO_TOWN,
    '2027-01-15',
  ],
  ['without `term` takes place all year', { rrule: FRIDAYS.rrule }, town, ALL],
])('a rule of school terms %s', (_, when, calendar, days) => {
  expect(remainingDays(when, ALL, calendar)).toBe(days);
});
