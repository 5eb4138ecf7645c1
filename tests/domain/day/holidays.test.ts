// Holidays and the days on which an inferred rule says nothing.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  findNextHoliday,
  type HolidayRecord,
  isQuietDay,
  listHolidaysOf,
  toHolidayDay,
} from '../../../src/domain/day/holidays.ts';

const holiday = (
  key: string,
  rule: HolidayRecord['rule'],
  every: HolidayRecord['every'] = null,
): HolidayRecord => ({
  key,
  rule,
  every,
  name: { es: key, en: key },
  kind: 'statutory',
  closes: ['banks'],
  feast: true,
});

const CHRISTMAS = holiday('christmas', { month: 12, day: 25 });
const REVOLUTION = holiday('revolution', { month: 11, weekday: 1, nth: 3 });
const GOOD_FRIDAY = holiday('good-friday', { easter: -2 });
const HANDOVER = holiday('handover', { month: 10, day: 1 }, { years: 6, from: 2024 });

describe('a holiday falls', () => {
  test.each([
    [CHRISTMAS, 2026, '2026-12-25'],
    [REVOLUTION, 2026, '2026-11-16'],
    [REVOLUTION, 2027, '2027-11-15'],
    [GOOD_FRIDAY, 2026, '2026-04-03'],
    [GOOD_FRIDAY, 2027, '2027-03-26'],
    [HANDOVER, 2024, '2024-10-01'],
    [HANDOVER, 2030, '2030-10-01'],
    [HANDOVER, 2026, null],
    [HANDOVER, 2018, null],
  ] as const)('%o in %d on %s', (record, year, expected) => {
    expect(toHolidayDay(record, year)?.toString() ?? null).toBe(expected);
  });
});

test('the holidays of a day are named, and the next one is found over the turn of the year', () => {
  const all = [CHRISTMAS, REVOLUTION, GOOD_FRIDAY];
  const of = (day: string): string[] =>
    listHolidaysOf(all, Temporal.PlainDate.from(day)).map(({ key }) => key);
  expect([of('2026-12-25'), of('2026-11-16'), of('2026-11-17')]).toEqual([
    ['christmas'],
    ['revolution'],
    [],
  ]);
  const next = findNextHoliday(all, Temporal.PlainDate.from('2026-12-25'));
  expect([next?.holiday.key, next?.day.toString()]).toEqual(['good-friday', '2027-03-26']);
});

test.each([
  ['2026-12-24', true],
  ['2026-12-25', true],
  ['2026-12-26', false],
  ['2026-12-31', true],
  ['2027-01-01', true],
  ['2027-01-02', false],
  ['2027-03-26', true],
  ['2027-03-25', false],
])('%s is a quiet day: %s', (day, expected) => {
  expect(isQuietDay(Temporal.PlainDate.from(day))).toBe(expected);
});
