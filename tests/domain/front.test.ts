// What is chosen for a day and why, and what is there every day.
import { expect, test } from 'vitest';
import type { EventCard } from '../../src/domain/agenda.ts';
import { parseDay, toDayNumber } from '../../src/domain/local-time.ts';
import type { OccurrenceRecord } from '../../src/domain/event/event.ts';
import { chooseFront, chooseShown } from '../../src/domain/front.ts';
import { at, readFixture } from '../fixtures/fixture.ts';

const DAY = '2026-11-20';
const day = parseDay(DAY) ?? expect.unreachable();
const { events, occurrences } = readFixture();
const concert =
  occurrences.find(({ start }) => start === `${DAY}T19:00:00-05:00`) ?? expect.unreachable();
const event = events.find(({ id }) => id === concert.event) ?? expect.unreachable();

type Changes = Partial<EventCard['event']> & { readonly date?: Partial<OccurrenceRecord> };
function toCard(id: string, days: readonly number[], { date, ...more }: Changes = {}) {
  const dates = days.map((one) => {
    const first_day = toDayNumber(day) + one;
    return { ...concert, event: id, first_day, last_day: first_day, ...date };
  });
  const none = { category: null, zone: null, venue: null, organizer: null, motif: null };
  const next = dates.find(({ first_day }) => first_day === toDayNumber(day)) ?? dates[0] ?? null;
  const card: EventCard = { ...none, more_dates: 0, event: { ...event, ...more, id }, next };
  return { card, dates };
}
const callOffLast = ({ card, dates }: ReturnType<typeof toCard>) => ({
  card,
  dates: dates.map((date, at) =>
    at === dates.length - 1 ? { ...date, status: 'cancelled' as const } : date,
  ),
});
const every = (step: number, count: number) => Array.from({ length: count }, (_, n) => n * step);
const why = { es: 'Solo hoy', en: 'Only today' };
const today = { why, dates: [DAY] };
const later = { why, dates: ['2026-11-27'] };
const first_day = toDayNumber(day) - 20;
const known = { certainty: 'confirmed' } as const;
const unsure = { certainty: 'usual' } as const;

test.each<[string, readonly ReturnType<typeof toCard>[], string]>([
  ['the rarest first', [toCard('weekly', every(7, 20)), toCard('once', [0])], 'once only,weekly'],
  [
    'the confirmed of two as rare',
    [toCard('a', [0], { date: unsure }), toCard('b', [0], { date: known })],
    'b only,a only',
  ],
  [
    'three at most, in order of id',
    ['c', 'd', 'a', 'b'].map((id) => toCard(id, [0])),
    'a only,b only,c only',
  ],
  [
    'a first and a last day',
    [toCard('begins', [0, 1, 2]), toCard('ends', [-1, 0])],
    'ends last,begins first',
  ],
  ['the only day that is left', [callOffLast(toCard('left', [0, 1]))], 'left only'],
  [
    'an editor’s choice before what is rarer',
    [toCard('once', [0]), toCard('often', every(7, 9), { featured: today })],
    'often Solo hoy,once only',
  ],
  [
    'a choice of every one of its days',
    [toCard('daily', every(1, 99), { featured: { why, dates: [] } })],
    'daily Solo hoy',
  ],
  ['no choice of another day', [toCard('market', every(7, 9), { featured: later })], 'market'],
  [
    'nothing called off',
    [
      toCard('off', [0], { date: { status: 'cancelled' } }),
      toCard('gone', [0], { status: 'postponed' }),
    ],
    '',
  ],
  ['nothing over', [toCard('over', [0], { date: { end_ms: at(`${DAY}T11:00:00`) } })], ''],
  [
    'nothing there every day, for weeks, or by night for adults',
    [
      toCard('daily', every(1, 99)),
      toCard('run', [0], { date: { first_day } }),
      toCard('club', [0], { category: 'party', tags: ['antro'] }),
    ],
    '',
  ],
])('is %s', (_, made, expected) => {
  const datesOf = (id: string) => made.find(({ card }) => card.event.id === id)?.dates ?? [];
  const cards = made.map(({ card }) => card);
  const { picks } = chooseFront(cards, datesOf, { from: day, to: day }, at(`${DAY}T12:00:00`));
  const told = picks.map(({ card, why: line, standing }) => [card.event.id, line?.es ?? standing]);
  expect(told.map((parts) => parts.filter(Boolean).join(' ')).join()).toBe(expected);
});

test.each([
  ['six days a week', [0, 1, 2, 3, 4, 5], 3, 3],
  ['five days a week', [0, 1, 2, 3, 4], 3, 0],
  ['fewer than three of them', [0, 1, 2, 3, 4, 5], 2, 0],
])('what is there %s is there every day or not: %j × %i: %i', (_, weekdays, count, expected) => {
  const days = every(7, 26).flatMap((week) => weekdays.map((weekday) => week + weekday));
  const made = ['a', 'b', 'c'].slice(0, count).map((id) => toCard(id, days));
  const { daily } = chooseFront(
    made.map(({ card }) => card),
    (id) => made.find(({ card }) => card.event.id === id)?.dates ?? [],
    { from: day, to: day },
    at(`${DAY}T12:00:00`),
  );
  expect(daily.length).toBe(expected);
});

test('a poster names what is chosen, then what looks otherwise, and the same where nothing does', () => {
  const text = { es: 'Sol', en: 'Sun' };
  const drawn = (id: string, key: string): EventCard => ({
    ...toCard(id, [0]).card,
    motif: { key, name: text, alt: text, digest: '0123456789' },
  });
  const [a, b, c, d] = [drawn('a', 'sol'), drawn('b', 'sol'), drawn('c', 'ola'), drawn('d', 'pez')];
  const front = { picks: [{ card: b, why: null, standing: null }], daily: ['c'] };
  const list = (cards: readonly EventCard[]) =>
    chooseShown(cards, front).map((card) => card.event.id);
  expect([list([a, b, c, d]), list([a, b])]).toEqual([
    ['b', 'd', 'c'],
    ['b', 'a'],
  ]);
});
