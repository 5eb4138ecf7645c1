// Agenda: an event of today is in the part of the day for the current time.
import { expect, test } from 'vitest';
import {
  type EventCard,
  groupTodayByTime,
  isAfterMidnight,
  isNightTime,
  isShortRun,
} from '../../src/domain/agenda.ts';
import { parseDay } from '../../src/domain/local-time.ts';
import { CONCERT, CONCERT_DATE, NO_NAMES } from '../fixtures/concert.ts';
import { localMs } from '../fixtures/fixture.ts';

const from = parseDay('2026-11-20') ?? expect.unreachable();
const HOURLESS = { all_day: true, time_known: false, end_known: false } as const;

test.each([
  ['2026-11-20T22:50:00', { end_known: true }, {}, 'ended'],
  ['2026-11-20T22:50:00', { end_known: false }, {}, 'begun'],
  ['2026-11-20T23:30:00', { end_known: false }, {}, 'ended'],
  ['2026-11-20T20:30:00', { last_entry_ms: localMs('2026-11-20T20:30:00') }, {}, 'begun'],
  ['2026-11-20T20:29:00', { last_entry_ms: localMs('2026-11-20T20:30:00') }, {}, 'now'],
  ['2026-11-20T21:00:00', HOURLESS, { tags: ['de-dia'] }, 'ended'],
  ['2026-11-20T21:00:00', HOURLESS, {}, 'all_day'],
  ['2026-11-20T19:00:00', HOURLESS, { tags: ['de-dia'] }, 'all_day'],
  ['2026-11-20T22:50:00', { end_known: false, status: 'cancelled' }, {}, 'ended'],
  ['2026-11-20T22:50:00', { end_known: false }, { category: 'party', tags: ['antro'] }, 'ended'],
] as const)(
  'at %s, an occurrence with %j of an event with %j is in part %s',
  (local, date, more, key) => {
    const event = { ...CONCERT, ...more };
    const next = { ...CONCERT_DATE, ...date };
    const card: EventCard = { ...NO_NAMES, more_dates: 0, called_off: [], event, next };
    const parts = groupTodayByTime({ events: [card], ongoing: [], from }, localMs(local));
    expect(parts.map((part) => part.key)).toEqual([key]);
  },
);

const START = '2026-11-20T20:00:00';
test.each([
  ['2026-11-20T12:00:00', '2026-11-20T14:00:00', 'soon'],
  ['2026-11-20T11:59:00', '2026-11-20T14:00:00', 'afternoon'],
  ['2026-11-20T12:00:00', '2026-11-20T18:59:00', 'later'],
  ['2026-11-20T12:00:00', '2026-11-20T19:00:00', 'evening'],
  ['2026-11-20T08:00:00', '2026-11-20T11:59:00', 'later'],
  ['2026-11-20T08:00:00', '2026-11-20T12:00:00', 'afternoon'],
  ['2026-11-20T05:59:00', '2026-11-20T11:00:00', 'morning'],
  ['2026-11-20T06:00:00', '2026-11-20T11:00:00', 'later'],
  [START, START, 'now'],
])('at %s, an event from %s on is in part %s', (local, start, key) => {
  const [start_ms, end_ms] = [localMs(start), localMs('2026-11-20T23:30:00')];
  const next = { ...CONCERT_DATE, start_ms, end_ms, end_known: true };
  const card: EventCard = { ...NO_NAMES, more_dates: 0, called_off: [], event: CONCERT, next };
  const parts = groupTodayByTime({ events: [card], ongoing: [], from }, localMs(local));
  expect(parts.map((part) => part.key)).toEqual([key]);
});

test.each([
  ['2026-11-20T19:59:00', false, false],
  ['2026-11-20T20:00:00', true, false],
  ['2026-11-21T00:00:00', true, true],
  ['2026-11-21T05:59:00', true, true],
  ['2026-11-21T06:00:00', false, false],
])('%s is at night: %s, after midnight: %s', (local, is_night, is_after_midnight) => {
  expect([isNightTime(localMs(local)), isAfterMidnight(localMs(local))]).toEqual([
    is_night,
    is_after_midnight,
  ]);
});

test.each([
  [1, true, false],
  [2, true, true],
  [14, true, true],
  [15, true, false],
  [2, false, false],
])('%i days, all day: %s, are a short run: %s', (days, all_day, expected) => {
  const { first_day } = CONCERT_DATE;
  const next = { ...CONCERT_DATE, all_day, last_day: first_day + days - 1 };
  expect(isShortRun({ ...NO_NAMES, more_dates: 0, called_off: [], event: CONCERT, next })).toBe(
    expected,
  );
});
