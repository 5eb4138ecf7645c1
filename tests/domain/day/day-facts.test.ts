// Day facts: computable years, the week before a season starts or ends, and the next feast (contract 6.6).
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  type CalendarRecord,
  computeAgendaDayFacts,
  computeDayFacts,
  isComputableDay,
} from '../../../src/domain/day/day-facts.ts';
import { CHRISTMAS } from '../../fixtures/holiday.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const name = { es: 'la temporada', en: 'the season' };
const SEASON = { notice: 'no_1', name, first: '2026-06-01', last: '2026-11-30', is_fixed: true };
const CALENDAR: CalendarRecord = {
  holidays: [
    { ...CHRISTMAS, feast: true },
    { ...CHRISTMAS, key: 'no-feast', feast: false, rule: { month: 12, day: 24 } },
  ],
  links: [],
  seasons: [SEASON],
  festivities: [],
};

test.each([
  ['2015-12-31', false],
  ['2016-01-01', true],
  ['2199-12-31', true],
  ['2200-01-01', false],
])('%s is computable: %s', (text, expected) => {
  expect(isComputableDay(day(text))).toBe(expected);
  expect(computeAgendaDayFacts('today', day(text), CALENDAR) !== null).toBe(expected);
});

test('an agenda of several days has no day facts', () => {
  expect(computeAgendaDayFacts('weekend', day('2026-11-20'), CALENDAR)).toBeNull();
});

test.each([
  ['2026-05-25', ''],
  ['2026-05-26', 'starts in 6'],
  ['2026-06-01', 'starts in 0'],
  ['2026-06-02', ''],
  ['2026-11-23', ''],
  ['2026-11-24', 'ends in 6'],
  ['2026-11-30', 'ends in 0'],
  ['2026-12-01', ''],
])('on %s the season "%s"', (text, expected) => {
  const { seasons } = computeDayFacts(day(text), CALENDAR);
  const listed = seasons.map(({ change, days_to_go }) => `${change} in ${days_to_go}`);
  expect(listed.join()).toBe(expected);
});

test.each([
  ['2026-12-23', 'christmas', 2],
  // Only feasts count, and a feast is followed by the next one.
  ['2026-12-25', 'christmas', 365],
])('on %s the next feast is %s in %d days', (text, key, days) => {
  const { next_feast } = computeDayFacts(day(text), CALENDAR);
  expect([next_feast?.holiday.key, next_feast?.days_to_go]).toEqual([key, days]);
});

test('times are whole minutes, and a day is computed once', () => {
  const facts = computeDayFacts(day('2026-11-20'), CALENDAR);
  expect([(facts.sky.sunrise_ms ?? 1) % 60_000, (facts.sky.sunset_ms ?? 1) % 60_000]).toEqual([
    0, 0,
  ]);
  expect(computeDayFacts(day('2026-11-20'), CALENDAR)).toBe(facts);
});
