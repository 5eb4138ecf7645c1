// Where an event of today stands at an instant.
import { expect, test } from 'vitest';
import { type EventCard, splitByHour } from '../../src/domain/agenda.ts';
import { parseDay } from '../../src/domain/local-time.ts';
import { at, readFixture } from '../fixtures/fixture.ts';

const { events, occurrences } = readFixture();
const from = parseDay('2026-11-20');
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
] as const)('at %s, %j of %j is %s', (local, date, more, key) => {
  const [concert] = occurrences.filter(({ start }) => start === '2026-11-20T19:00:00-05:00');
  const [event] = events.filter(({ id }) => id === concert?.event);
  if (!concert || !event || !from) throw new Error('no concert');
  const whole: EventCard = {
    ...{ category: null, zone: null, venue: null, organizer: null, motif: null, more_dates: 0 },
    event: { ...event, ...more },
    next: { ...concert, ...date },
  };
  const parts = splitByHour({ events: [whole], still_on: [], from }, at(local));
  expect(parts.map((part) => part.key)).toEqual([key]);
});
