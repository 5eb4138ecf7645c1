// Recurrence rules: expands random rules to the same days as ical.js, which serves as reference.
import fc from 'fast-check';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import {
  iterateRuleDays,
  parseRecurrenceRule,
  parseWeekday,
} from '../../../src/domain/event/recurrence-rule.ts';
import { fromDayNumber } from '../../../src/domain/local-time.ts';

const FIRST = 20_454; // 2026-01-01, a Thursday
const LAST = FIRST + 8 * 366;

function expand(text: string, budget = { remaining: 10_000 }): string[] {
  const rule = parseRecurrenceRule(text);
  if (rule === null) throw new Error(`invalid: ${text}`);
  const range = { first: FIRST, from: FIRST, last: LAST, includes_first: false };
  return Array.from(iterateRuleDays(rule, range, budget), (day) => fromDayNumber(day).toString());
}

function expandWithReference(text: string): string[] {
  const iterator = ICAL.Recur.fromString(text).iterator(ICAL.Time.fromDateString('2026-01-01'));
  const days: string[] = [];
  const last = fromDayNumber(LAST).toString();
  for (let time = iterator.next(); time; time = iterator.next()) {
    if (time.toString() > last) break;
    days.push(time.toString());
  }
  return days;
}

// Not compared, because ical.js yields wrong days: BYSETPOS, the nth weekday of a year, and days of
// some months.
const weekdays = fc.subarray(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], { minLength: 1 });
const nthWeekdays = fc.uniqueArray(
  fc
    .tuple(fc.integer({ min: -4, max: 4 }), fc.constantFrom('MO', 'TH', 'SU'))
    .map(([nth, weekday]) => `${nth === 0 ? '' : nth}${weekday}`),
  { minLength: 1, maxLength: 3, selector: (text) => text.slice(-2) },
);
const monthDays = fc.uniqueArray(fc.constantFrom(1, 2, 13, 28, 31, -1, -2), {
  minLength: 1,
  maxLength: 3,
});
const interval = fc.integer({ min: 1, max: 4 });
const count = fc.option(fc.integer({ min: 1, max: 40 }), { nil: null });
const part = (name: string, values: readonly unknown[]): string =>
  values.length === 0 ? '' : `;${name}=${values.join(',')}`;
const build = (freq: string, every: number, max: number | null, ...parts: string[]): string =>
  [`FREQ=${freq};INTERVAL=${every}`, max === null ? '' : `;COUNT=${max}`, ...parts].join('');

const rules = fc.oneof(
  fc.tuple(interval, count).map(([i, n]) => build('DAILY', i, n)),
  fc.tuple(interval, count, weekdays).map(([i, n, d]) => build('WEEKLY', i, n, part('BYDAY', d))),
  fc
    .tuple(interval, count, nthWeekdays)
    .map(([i, n, d]) => build('MONTHLY', i, n, part('BYDAY', d))),
  fc
    .tuple(interval, count, monthDays)
    .map(([i, n, d]) => build('MONTHLY', i, n, part('BYMONTHDAY', d))),
  fc
    .tuple(fc.integer({ min: 1, max: 2 }), count, fc.constantFrom(1, 2, 9, 12), nthWeekdays)
    .map(([i, n, m, d]) => build('YEARLY', i, n, part('BYMONTH', [m]), part('BYDAY', d))),
);

test('random rules have the same days as in ical.js', () => {
  fc.assert(
    fc.property(rules, (text) => {
      expect(expand(text), text).toEqual(expandWithReference(text));
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['FREQ=MONTHLY;BYDAY=SA;BYSETPOS=2', '2026-01-10 2026-02-14'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-01-30 2026-02-27'],
  ['FREQ=DAILY;INTERVAL=10;BYMONTH=3,4', '2026-03-02 2026-03-12 2026-03-22 2026-04-01'],
  ['FREQ=YEARLY;BYDAY=10MO', '2026-03-09 2027-03-08'],
  ['FREQ=YEARLY;BYDAY=1MO,-1FR', '2026-01-05 2026-12-25 2027-01-04 2027-12-31'],
  ['FREQ=YEARLY;BYMONTH=5,6;BYDAY=SU;BYSETPOS=-1', '2026-06-28 2027-06-27'],
  ['FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=-1', '2026-01-02 2026-01-09'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TH;WKST=SU', '2026-01-01 2026-01-11 2026-01-15'],
])('%s begins with %s', (text, days) => {
  expect(expand(text).join(' ')).toMatch(new RegExp(`^${days} `));
});

test('a rule without days ends with the range, or with the budget', () => {
  expect(expand('FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30')).toEqual([]);
  const budget = { remaining: 100 };
  expect(expand('FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30', budget)).toEqual([]);
  expect(budget.remaining).toBe(-1);
});

test.each([
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=HOURLY',
  'FREQ=DAILY;BYHOUR=1',
  `FREQ=DAILY;BYDAY=${'MO,'.repeat(200)}MO`,
])('rejects %s', (text) => {
  expect(parseRecurrenceRule(text)).toBe(null);
});

test('parses weekdays as Temporal counts them', () => {
  expect(['MO', 'SU', 'XX'].map(parseWeekday)).toEqual([1, 7, 0]);
});
