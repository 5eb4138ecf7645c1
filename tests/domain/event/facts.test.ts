// Event facts: status, certainty, booking contact and the facts of each surface.
import { describe, expect, test } from 'vitest';
import type { EventCard } from '../../../src/domain/agenda.ts';
import {
  findBookingContactUrl,
  findSavableDay,
  getEffectiveStatus,
  isDateConfirmed,
  isDateUncertain,
  listFacts,
} from '../../../src/domain/event/facts.ts';
import { CONCERT, CONCERT_DATE, NO_NAMES } from '../../fixtures/concert.ts';

const CONFIRMED = { certainty: 'confirmed', time_known: true, status: 'scheduled' } as const;
const CARD: EventCard = {
  ...NO_NAMES,
  event: {
    ...CONCERT,
    status: 'published',
    certainty: 'confirmed',
    confirm_note: null,
    gone_from: null,
  },
  next: { ...CONCERT_DATE, ...CONFIRMED },
  more_dates: 0,
  called_off: [],
};
type Changes = {
  event?: Partial<EventCard['event']>;
  next?: Partial<NonNullable<EventCard['next']>>;
};
const change = ({ event, next }: Changes): EventCard => ({
  ...CARD,
  event: { ...CARD.event, ...event },
  next: CARD.next && { ...CARD.next, ...next },
});
const NOTE = { es: 'Confirma', en: 'Confirm' };

test.each<[Changes, string | null]>([
  [{}, null],
  [{ next: { status: 'postponed' } }, 'postponed'],
  [{ event: { status: 'cancelled' }, next: { status: 'postponed' } }, 'cancelled'],
])('with %j the effective status is %s', (changes, expected) => {
  const { event, next } = change(changes);
  expect(getEffectiveStatus(event, next)).toBe(expected);
});

test.each<[Changes, confirmed: boolean, uncertain: boolean]>([
  [{}, true, false],
  [{ next: { certainty: 'usual' } }, false, true],
  [{ next: { time_known: false } }, false, false],
  [{ event: { gone_from: 'Calendario' } }, false, true],
  [{ event: { confirm_note: NOTE } }, false, false],
  [{ next: { status: 'cancelled', certainty: 'usual' } }, false, false],
])('with %j the date is confirmed: %s, uncertain: %s', (changes, confirmed, uncertain) => {
  const card = change(changes);
  expect([isDateConfirmed(card), isDateUncertain(card)]).toEqual([confirmed, uncertain]);
  const without_date = { ...card, next: null };
  expect([isDateConfirmed(without_date), isDateUncertain(without_date)]).toEqual([false, false]);
});

test('only a scheduled date can be saved', () => {
  expect(findSavableDay(CARD)).toBe(CONCERT_DATE.first_day);
  expect(findSavableDay(change({ next: { status: 'cancelled' } }))).toBeNull();
  expect(findSavableDay({ next: null })).toBeNull();
});

const SOURCE = 'https://source.example';
test.each([
  [{ ticket_url: null, registration_url: null }, SOURCE],
  [{ ticket_url: 'https://a.example', registration_url: null }, null],
  [{ ticket_url: null, registration_url: 'https://a.example' }, null],
])('with %j the booking contact is %s', (links, expected) => {
  expect(findBookingContactUrl({ ...links, source_url: SOURCE })).toBe(expected);
});

describe('listFacts', () => {
  const names = (changes: Changes, surface: Parameters<typeof listFacts>[1]) =>
    listFacts(change(changes), surface).map(({ name }) => name);

  test.each([
    ['entry', 'usual', false],
    ['entry', 'last_known', true],
    ['line', 'usual', false],
    ['document', 'usual', true],
    ['document', 'confirmed', false],
  ] as const)(
    'in a %s, certainty %s adds a note to confirm: %s',
    (surface, certainty, expected) => {
      expect(names({ event: { certainty, open_end: null } }, surface).includes('confirm')).toBe(
        expected,
      );
    },
  );
  test('adds the note to confirm for an open end on every surface with that fact', () => {
    for (const surface of ['entry', 'feed', 'document', 'calendar', 'line', 'answer'] as const)
      expect(names({ event: { open_end: true } }, surface)).toContain('confirm');
    expect(names({ event: { open_end: true } }, 'page')).not.toContain('confirm');
  });
  test('offers the calendar of an event with a savable date or several dates', () => {
    const cancelled = change({ next: { status: 'cancelled' } });
    const facts = (ahead_count: number) =>
      listFacts({ ...cancelled, ahead_count }, 'document').map(({ name }) => name);
    expect(names({}, 'document')).toContain('calendar');
    expect(facts(1)).not.toContain('calendar');
    expect(facts(2)).toContain('calendar');
  });
});
