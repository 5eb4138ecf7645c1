// Agenda: an event of today is in the part of the day for the current time.
import { expect, test } from 'vitest';
import { type EventCard, groupTodayByTime } from '../../src/domain/agenda.ts';
import { parseDay } from '../../src/domain/local-time.ts';
import { CONCERT, CONCERT_DATE, NO_NAMES } from '../fixtures/concert.ts';
import { at } from '../fixtures/fixture.ts';

const from = parseDay('2026-11-20') ?? expect.unreachable();
const HOURLESS = { all_day: true, time_known: false, end_known: false } as const;

test.each([
  ['2026-11-20T22:50:00', { end_known: true }, {}, 'ended'],
  ['2026-11-20T22:50:00', { end_known: false }, {}, 'begun'],
  ['2026-11-20T23:30:00', { end_known: false }, {}, 'ended'],
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
    const card: EventCard = { ...NO_NAMES, more_dates: 0, event, next };
    const parts = groupTodayByTime({ events: [card], ongoing: [], from }, at(local));
    expect(parts.map((part) => part.key)).toEqual([key]);
  },
);
