// The short way through a plain rule gives the days that the library gives.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { walkAnyRule, walkRule } from '../../../src/domain/event/occurrences.ts';
import { toDayTest } from '../../../src/domain/event/plain-rules.ts';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const day = fc
  .integer({ min: 0, max: 60_000 })
  .map((days) => Temporal.PlainDate.from('1900-01-01').add({ days }));
const rule = fc.oneof(
  fc.constant('FREQ=DAILY'),
  fc
    .subarray(WEEKDAYS, { minLength: 1 })
    .map((weekdays) => `FREQ=WEEKLY;BYDAY=${weekdays.join(',')}`),
  fc
    .tuple(fc.constantFrom(1, 2, 3, 4, 5, -1, -2, -3, -4, -5), fc.constantFrom(...WEEKDAYS))
    .map(([position, weekday]) => `FREQ=MONTHLY;BYDAY=${position}${weekday}`),
);

test('a plain rule falls on the same days', () => {
  fc.assert(
    fc.property(rule, day, fc.integer({ min: 0, max: 600 }), (rrule, since, days) => {
      const last = since.add({ days });
      const short = [...walkRule(rrule, since, last)].map(String);
      expect(short).toEqual([...walkAnyRule(rrule, since, last)].map(String));
    }),
    { numRuns: 500 },
  );
});

test.each([
  'FREQ=WEEKLY',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU',
  'FREQ=WEEKLY;BYDAY=SU;COUNT=3',
  'FREQ=MONTHLY;BYDAY=FR',
  'FREQ=MONTHLY;BYDAY=1FR,3FR',
  'FREQ=YEARLY;BYDAY=1FR',
])('%s is none', (rrule) => {
  expect(toDayTest(rrule)).toBeNull();
});
