// Holidays: dates of holidays and festivities.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  findNextHoliday,
  listHolidaysOn,
  findFestivityRange,
  computeHolidayDate,
} from '../../../src/domain/day/holidays.ts';
import { CHRISTMAS } from '../../fixtures/holiday.ts';

const REVOLUTION = { ...CHRISTMAS, key: 'revolution', rule: { month: 11, weekday: 1, nth: 3 } };
const GOOD_FRIDAY = { ...CHRISTMAS, key: 'good-friday', rule: { easter: -2 } };
const HANDOVER = { ...CHRISTMAS, rule: { month: 10, day: 1 }, every: { years: 6, from: 2024 } };
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

test.each([
  [CHRISTMAS, 2026, '2026-12-25'],
  [REVOLUTION, 2026, '2026-11-16'],
  [REVOLUTION, 2027, '2027-11-15'],
  [GOOD_FRIDAY, 2029, '2029-03-30'],
  [GOOD_FRIDAY, 2038, '2038-04-23'],
  [HANDOVER, 2024, '2024-10-01'],
  [HANDOVER, 2030, '2030-10-01'],
  [HANDOVER, 2026, null],
  [HANDOVER, 2018, null],
])('$0.key of %d is on %s', (record, year, expected) => {
  expect(computeHolidayDate(record, year)?.toString() ?? null).toBe(expected);
});

test.each([
  ['2027-01-06', '2026-12-16', '2027-01-06'],
  ['2027-01-07', '2027-12-16', '2028-01-06'],
])('on %s, Christmas, which spans the turn of the year, is from %s to %s', (today, from, to) => {
  const name = { es: 'x', en: 'x' };
  const last = { month: 1, day: 6 };
  const christmas = { key: 'x', slug: name, name, first: { month: 12, day: 16 }, last };
  const days = findFestivityRange(christmas, day(today));
  expect([`${days.from}`, `${days.to}`]).toEqual([from, to]);
});

test('the holidays of a day are listed, and the next one is found across the turn of the year', () => {
  const all = [CHRISTMAS, REVOLUTION, GOOD_FRIDAY];
  const keysOn = (text: string): string[] => listHolidaysOn(all, day(text)).map(({ key }) => key);
  expect([keysOn('2026-12-25'), keysOn('2026-11-17')]).toEqual([['christmas'], []]);
  const next = findNextHoliday(all, day('2026-12-25'));
  expect([next?.holiday.key, next?.day.toString()]).toEqual(['good-friday', '2027-03-26']);
});
