// Rules of days as people say them.
import { expect, test } from 'vitest';
import { type Schedule, toRecurrence } from '../../../src/domain/event/occurrences.ts';

const schedule = (rrule: string | null, more: Partial<Schedule> = {}): Schedule => ({
  rrule,
  easter: null,
  dates: null,
  since: '2026-01-01',
  until: null,
  start: '16:00',
  end: null,
  days: 1,
  except: [],
  ...more,
});

test.each([
  ['FREQ=DAILY', { kind: 'daily', weekdays: [], position: null, months: [] }],
  ['FREQ=WEEKLY;BYDAY=TH', { kind: 'weekly', weekdays: [4], position: null, months: [] }],
  [
    'FREQ=WEEKLY;BYDAY=SU,FR,SA',
    { kind: 'weekly', weekdays: [5, 6, 7], position: null, months: [] },
  ],
  [
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU',
    { kind: 'daily', weekdays: [], position: null, months: [] },
  ],
  [
    'FREQ=WEEKLY;BYDAY=TH;BYMONTH=11',
    { kind: 'weekly', weekdays: [4], position: null, months: [11] },
  ],
  ['FREQ=MONTHLY;BYDAY=1TH', { kind: 'monthly_weekday', weekdays: [4], position: 1, months: [] }],
  ['FREQ=MONTHLY;BYDAY=-1FR', { kind: 'monthly_weekday', weekdays: [5], position: -1, months: [] }],
  [
    'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=2',
    { kind: 'monthly_weekday', weekdays: [5], position: 2, months: [] },
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=15', { kind: 'monthly_day', weekdays: [], position: 15, months: [] }],
  [
    'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=8',
    { kind: 'yearly', weekdays: [], position: 8, months: [12] },
  ],
  [
    'FREQ=YEARLY;BYMONTH=3;BYDAY=1SU',
    { kind: 'monthly_weekday', weekdays: [7], position: 1, months: [3] },
  ],
] as const)('%s', (rrule, expected) => {
  expect(toRecurrence(schedule(rrule))).toMatchObject({ ...expected, start: '16:00' });
});

test.each([
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA',
  'FREQ=MONTHLY;BYDAY=1SA,3SA',
  'FREQ=DAILY;COUNT=3',
  'FREQ=WEEKLY',
])('%s is more than a sentence says', (rrule) => {
  expect(toRecurrence(schedule(rrule))).toBeNull();
});

test('a list of dates has no pattern, a feast of Easter has', () => {
  expect(toRecurrence(schedule(null, { dates: ['2026-12-01'] }))).toBeNull();
  expect(toRecurrence(schedule(null, { easter: -47 }))).toMatchObject({
    kind: 'easter',
    position: -47,
  });
});
