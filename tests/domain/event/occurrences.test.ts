// Occurrences: days of rules, the days that a night touches, and stable ids (contract 5.6).
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { formatTimestamp, fromDayNumber } from '../../../src/domain/local-time.ts';
import {
  assignOccurrenceIds,
  expandDays,
  type Schedule,
  computeSpan,
} from '../../../src/domain/event/occurrences.ts';

const MONTHLY = 'FREQ=MONTHLY;BYDAY=-1FR';
const BASE: Schedule = { days: 1, except: [] };
const YEARLY = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29';
const WITH_EXCEPTIONS = { since: '2026-12-30', except: ['2026-12-31', '2027-01-02'] };
const HORIZON = Temporal.PlainDate.from('2028-12-31');

describe('expandDays', () => {
  test.each<[Partial<Schedule>, string]>([
    [{ rrule: MONTHLY, since: '2026-01-01' }, '2026-01-30 2026-02-27 2026-03-27 2026-04-24'],
    [{ rrule: YEARLY, since: '2024-01-01' }, '2024-02-29 2028-02-29'],
    [{ rrule: 'FREQ=DAILY', ...WITH_EXCEPTIONS }, '2026-12-30 2027-01-01 2027-01-03 2027-01-04'],
    [{ rrule: 'FREQ=DAILY', since: '2026-12-30', until: '2026-12-31' }, '2026-12-30 2026-12-31'],
    [{ dates: ['2027-01-05', '2026-12-24'] }, '2026-12-24 2027-01-05'],
    [{ easter: -47, since: '2024-01-01' }, '2024-02-13 2025-03-04 2026-02-17 2027-02-09'],
    [{ easter: 0, since: '2026-04-06' }, '2027-03-28 2028-04-16'],
  ])('%j', (schedule, days) => {
    const expanded = expandDays({ ...BASE, ...schedule }, HORIZON);
    expect(expanded.slice(0, 4).join(' ')).toBe(days);
  });

  test('keeps the newest dates of a rule that is older than its limit', () => {
    const days = expandDays({ ...BASE, rrule: 'FREQ=DAILY', since: '1997-01-01' }, HORIZON);
    expect(days.at(-1)?.toString()).toBe(HORIZON.toString());
    expect(days.at(0)?.year).toBe(2013);
  });

  test('counts from the first day, however long ago that is', () => {
    const rrule = 'FREQ=DAILY;COUNT=99999';
    const days = expandDays({ ...BASE, rrule, since: '1800-01-01' }, HORIZON);
    expect(days.at(-1)?.toString()).toBe(HORIZON.toString());
  });

  test('ends for a rule without dates', () => {
    const rrule = 'FREQ=DAILY;BYMONTH=11;BYMONTHDAY=31';
    expect(expandDays({ ...BASE, rrule, since: '2020-01-01' }, HORIZON)).toEqual([]);
  });

  test('keeps UNTIL of a rule', () => {
    const rrule = 'FREQ=WEEKLY;BYDAY=SU;UNTIL=20260118T235959Z';
    const days = expandDays({ ...BASE, rrule, since: '2026-01-01' }, HORIZON);
    expect(days.join(' ')).toBe('2026-01-04 2026-01-11 2026-01-18');
  });

  test.each(['FREQ=SOMETIMES', 'FREQ=HOURLY', 'FREQ=DAILY;INTERVAL=0'])('rejects %s', (rrule) => {
    expect(() => expandDays({ ...BASE, rrule, since: '2026-01-01' }, HORIZON)).toThrow();
  });
});

test.each<[string, Partial<Schedule>, string]>([
  ['an unknown end is after three hours', { start: '22:30' }, '20T22:30 21T01:30, of 20 to 20'],
  ['until midnight', { start: '20:00', end: '00:00' }, '20T20:00 21T00:00, of 20 to 20'],
  ['until 06:00', { start: '22:00', end: '06:00' }, '20T22:00 21T06:00, of 20 to 20'],
  ['until 06:01', { start: '22:00', end: '06:01' }, '20T22:00 21T06:01, of 20 to 21'],
  ['in the small hours', { start: '02:00', end: '05:00' }, '20T02:00 20T05:00, of 20 to 20'],
  ['all day', {}, '20T00:00 21T00:00, of 20 to 20'],
  ['three whole days', { days: 3 }, '20T00:00 23T00:00, of 20 to 22'],
  ['into the night', { start: '18:00', end: '02:00', days: 2 }, '20T18:00 22T02:00, of 20 to 21'],
])('computeSpan: %s', (_name, schedule, expected) => {
  const span = computeSpan({ ...BASE, ...schedule }, Temporal.PlainDate.from('2026-11-20'));
  const [start, end] = [span.start_ms, span.end_ms].map((ms) => formatTimestamp(ms).slice(8, 16));
  const [first, last] = [span.first_day, span.last_day].map((day) => fromDayNumber(day).day);
  expect(`${start} ${end}, of ${first} to ${last}`).toBe(expected);
});

const EVENT = 'ev_a';
const createId = (start: string): string => `${EVENT}-${start}`;
/** Creates the ids of `21 21T2000`: days of a month, all day or with an hour. */
const createIds = (starts: string): string[] =>
  starts.split(' ').flatMap((start) => (start === '' ? [] : [createId(`202611${start}`)]));

test.each([
  ['another hour', '21T1830', '21T1900', '21T1830'],
  ['an hour that becomes known', '21', '21T2000', '21'],
  ['a second date and a later first one', '21T1830', '21T1900 21T2200', '21T1830 21T2200'],
  [
    'a new date at the hour of another one',
    '21T1800 21T2000',
    '21T2000 21T2200',
    '21T2000 21T1800',
  ],
])('assignOccurrenceIds, after %s', (_, published, starts, expected) => {
  const ids = assignOccurrenceIds(createIds(starts), createIds(published));
  expect(createIds(starts).map((start) => ids.get(start))).toEqual(createIds(expected));
});

const starts = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom('20', '21', '22'), fc.constantFrom('', 'T0930', 'T1230', 'T2030'))
    .map(([day, hour]) => createId(`202611${day}${hour}`)),
  { maxLength: 12 },
);

test('assignOccurrenceIds gives each date an id of its day, keeps published ids, and is stable', () => {
  fc.assert(
    fc.property(starts, starts, (first_ids, published) => {
      const ids = assignOccurrenceIds(first_ids, published);
      expect(new Set(ids.values()).size).toBe(first_ids.length);
      for (const [start, id] of ids) {
        expect(id.slice(0, 13)).toBe(start.slice(0, 13));
        if (published.includes(start)) expect(id).toBe(start);
      }
      const next = [...new Set([...published, ...ids.values()])];
      expect(assignOccurrenceIds(first_ids.toReversed(), next.toReversed())).toEqual(ids);
    }),
    { numRuns: 500 },
  );
});
