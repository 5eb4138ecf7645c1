// Rules that return all year rest when the town, the venue or schools do (contract 2.11).
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  type RestDayRule,
  type RestDayCalendar,
  excludeRestDays,
} from '../../../src/domain/day/rest-days.ts';
import { CHRISTMAS } from '../../fixtures/holiday.ts';

const NO_TOWN: RestDayCalendar = { holidays: [], terms: [] };
const DAILY = { rrule: 'FREQ=DAILY' };
const OPEN = { ...DAILY, quiet_days: 'open' } as const;

const left = (when: RestDayRule, days: string, town = NO_TOWN) => {
  const all = days.split(' ').map((day) => Temporal.PlainDate.from(day));
  return excludeRestDays(when, all, null, town).join(' ');
};

describe('on quiet days', () => {
  const QUIET = '2026-12-24 2026-12-25 2026-12-31 2027-01-01 2027-03-26';
  const ALL = `2026-12-23 ${QUIET} 2027-01-02`;
  test.each<[string, RestDayRule, string]>([
    ['every day', DAILY, '2026-12-23 2027-01-02'],
    ['every month', { rrule: 'FREQ=MONTHLY;BYDAY=-1FR' }, '2026-12-23 2027-01-02'],
    ['every year', { rrule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25' }, ALL],
    ['listed', {}, ALL],
    ['open by its source', OPEN, ALL],
    ['confirmed by a source', { ...DAILY, confirmed: QUIET.split(' ') }, ALL],
  ])('what is %s', (_, when, days) => {
    expect(left(when, ALL)).toBe(days);
  });
  test('what was told before 21 November 2026 stays', () => {
    expect(left(DAILY, '2025-12-25 2026-04-03')).toBe('2025-12-25 2026-04-03');
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
  ['in its breaks', FRIDAYS, town, '2026-12-18 2027-01-15 2027-05-21 2027-07-09'],
  ['where no term is known', FRIDAYS, NO_TOWN, ''],
  ['but for a confirmed day', { ...FRIDAYS, confirmed: ['2027-01-15'] }, NO_TOWN, '2027-01-15'],
  ['not, where it does not say so', { rrule: FRIDAYS.rrule }, town, ALL],
])('of the school year is silent %s', (_, when, known, days) => {
  expect(left(when, ALL, known)).toBe(days);
});
