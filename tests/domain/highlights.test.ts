// What is chosen for a day and why, and what is there every day.
import { expect, test } from 'vitest';
import type { EventCard } from '../../src/domain/agenda.ts';
import { parseDay, toDayNumber } from '../../src/domain/local-time.ts';
import type { OccurrenceRecord } from '../../src/domain/event/event.ts';
import { pickHighlights, pickPosterEvents } from '../../src/domain/highlights.ts';
import { CONCERT, CONCERT_DATE, NO_NAMES } from '../fixtures/concert.ts';
import { at } from '../fixtures/fixture.ts';

const DAY = '2026-11-20';
const day = parseDay(DAY) ?? expect.unreachable();

type Changes = Partial<EventCard['event']> & { readonly date?: Partial<OccurrenceRecord> };
function toCard(id: string, days: readonly number[], { date, ...more }: Changes = {}) {
  const dates = days.map((one) => {
    const first_day = toDayNumber(day) + one;
    return { ...CONCERT_DATE, event: id, first_day, last_day: first_day, ...date };
  });
  const next = dates.find(({ first_day }) => first_day === toDayNumber(day)) ?? dates[0] ?? null;
  const event = { ...CONCERT, ...more, id };
  const card: EventCard = { ...NO_NAMES, more_dates: 0, event, next };
  return { card, dates };
}
const OFF = { status: 'cancelled' } as const;
const callOffLast = ({ card, dates }: ReturnType<typeof toCard>) => ({
  card,
  dates: dates.map((date, at) => (at === dates.length - 1 ? { ...date, ...OFF } : date)),
});
const every = (step: number, count: number) => Array.from({ length: count }, (_, n) => n * step);
const why = { es: 'Solo hoy', en: 'Only today' };
const today = { why, dates: [DAY] };
const later = { why, dates: ['2026-11-27'] };
const first_day = toDayNumber(day) - 20;
const UNSURE = toCard('a', [0], { date: { certainty: 'usual' } });
const KNOWN = toCard('b', [0], { date: { certainty: 'confirmed' } });
const FOUR = ['c', 'd', 'a', 'b'].map((id) => toCard(id, [0]));
const ONCE = toCard('once', [0]);
const BEGINS = toCard('begins', [0, 1, 2]);
const OFTEN = toCard('often', every(7, 9), { featured: today });
const CHOSEN = toCard('daily', every(1, 99), { featured: { why, dates: [] } });

const toId = ({ event }: EventCard): string => event.id;
type Made = readonly ReturnType<typeof toCard>[];
function choose(made: Made) {
  const datesOf = (id: string) => made.find(({ card }) => card.event.id === id)?.dates ?? [];
  const cards = made.map(({ card }) => card);
  return pickHighlights(cards, datesOf, { from: day, to: day }, at(`${DAY}T12:00:00`));
}

test.each<[string, Made, string]>([
  ['the rarest first', [toCard('weekly', every(7, 20)), ONCE], 'once only,weekly'],
  ['the confirmed of two as rare', [UNSURE, KNOWN], 'b only,a only'],
  ['three at most, in order of id', FOUR, 'a only,b only,c only'],
  ['a first and a last day', [BEGINS, toCard('ends', [-1, 0])], 'ends last,begins first'],
  ['the only day that is left', [callOffLast(toCard('left', [0, 1]))], 'left only'],
  ['an editor’s choice before what is rarer', [ONCE, OFTEN], 'often Solo hoy,once only'],
  ['a choice of every one of its days', [CHOSEN], 'daily Solo hoy'],
  ['no choice of another day', [toCard('market', every(7, 9), { featured: later })], 'market'],
  ['nothing called off', [toCard('off', [0], { date: OFF })], ''],
  ['nothing put off', [toCard('gone', [0], { status: 'postponed' })], ''],
  ['nothing over', [toCard('over', [0], { date: { end_ms: at(`${DAY}T11:00:00`) } })], ''],
  ['nothing there every day', [toCard('daily', every(1, 99))], ''],
  ['nothing there for weeks', [toCard('run', [0], { date: { first_day } })], ''],
  ['no club', [toCard('club', [0], { category: 'party', tags: ['antro'] })], ''],
])('is %s', (_, made, expected) => {
  const { picks } = choose(made);
  const told = picks.map(({ card, why: line, run_position: standing }) => [card.event.id, line?.es ?? standing]);
  expect(told.map((parts) => parts.filter(Boolean).join(' ')).join()).toBe(expected);
});

test.each([
  ['six days a week', [0, 1, 2, 3, 4, 5], 3, 3],
  ['five days a week', [0, 1, 2, 3, 4], 3, 0],
  ['fewer than three of them', [0, 1, 2, 3, 4, 5], 2, 0],
])('what is there %s is there every day or not: %j × %i: %i', (_, weekdays, count, expected) => {
  const days = every(7, 26).flatMap((week) => weekdays.map((weekday) => week + weekday));
  const made = ['a', 'b', 'c'].slice(0, count).map((id) => toCard(id, days));
  expect(choose(made).daily.length).toBe(expected);
});

test('a poster names what is chosen, then what looks otherwise, and the same where nothing does', () => {
  const text = { es: 'Sol', en: 'Sun' };
  const drawn = (id: string, key: string): EventCard => ({
    ...toCard(id, [0]).card,
    motif: { key, name: text, alt: text, digest: '0123456789' },
  });
  const [a, b, c, d] = [drawn('a', 'sol'), drawn('b', 'sol'), drawn('c', 'ola'), drawn('d', 'pez')];
  const front = { picks: [{ card: b, why: null, standing: null }], daily: ['c'] };
  const list = (cards: readonly EventCard[]) => pickPosterEvents(cards, front).map(toId).join();
  expect([list([a, b, c, d]), list([a, b])]).toEqual(['b,d,c', 'b,a']);
});
