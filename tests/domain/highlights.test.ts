// Highlights: picks for a day with their reasons, daily events, and events of a poster.
import { expect, test } from 'vitest';
import type { EventCard } from '../../src/domain/agenda.ts';
import { parseDay, toDayNumber } from '../../src/domain/local-time.ts';
import type { OccurrenceRecord } from '../../src/domain/event/event.ts';
import { pickHighlights, pickPosterEvents } from '../../src/domain/highlights.ts';
import { CONCERT, CONCERT_DATE, NO_NAMES } from '../fixtures/concert.ts';
import { localMs } from '../fixtures/fixture.ts';

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
  const card: EventCard = { ...NO_NAMES, more_dates: 0, called_off: [], event, next };
  return { card, dates };
}
const OFF = { status: 'cancelled' } as const;
const cancelLast = ({ card, dates }: ReturnType<typeof toCard>) => ({
  card,
  dates: dates.map((date, index) => (index === dates.length - 1 ? { ...date, ...OFF } : date)),
});
const every = (step: number, count: number) => Array.from({ length: count }, (_, n) => n * step);
const why = { es: 'Solo hoy', en: 'Only today' };
const today = { why, dates: [DAY] };
const later = { why, dates: ['2026-11-27'] };
const first_day = toDayNumber(day) - 20;
const UNCONFIRMED = toCard('a', [0], { date: { certainty: 'usual' } });
const CONFIRMED = toCard('b', [0], { date: { certainty: 'confirmed' } });
const FOUR = ['c', 'd', 'a', 'b'].map((id) => toCard(id, [0]));
const ONCE = toCard('once', [0]);
const NOON_MS = localMs(`${DAY}T12:00:00`);
const begun = (id: string, end_ms: number, last_entry_ms: number | null = null) =>
  toCard(id, [0], { date: { start_ms: NOON_MS - 3_600_000, end_ms, last_entry_ms } });
const CLOSING = begun('closing', NOON_MS + 3_600_000);
const FULL = begun('full', NOON_MS + 9_000_000, NOON_MS);
const BEGINS = toCard('begins', [0, 1, 2]);
const OFTEN = toCard('often', every(7, 9), { featured: today });
const CHOSEN = toCard('daily', every(1, 99), { featured: { why, dates: [] } });

const toId = ({ event }: EventCard): string => event.id;
type Candidates = readonly ReturnType<typeof toCard>[];
function choose(candidates: Candidates) {
  const datesOf = (id: string) => candidates.find(({ card }) => card.event.id === id)?.dates ?? [];
  const cards = candidates.map(({ card }) => card);
  return pickHighlights(cards, datesOf, { from: day, to: day }, localMs(`${DAY}T12:00:00`));
}

test.each<[string, Candidates, string]>([
  ['the rarest first', [toCard('weekly', every(7, 20)), ONCE], 'once only,weekly'],
  ['of two equally rare ones the confirmed first', [UNCONFIRMED, CONFIRMED], 'b only,a only'],
  ['three at most, in order of id', FOUR, 'a only,b only,c only'],
  ['a first and a last day marked', [BEGINS, toCard('ends', [-1, 0])], 'ends last,begins first'],
  ['the only remaining day marked', [cancelLast(toCard('left', [0, 1]))], 'left only'],
  ['featured events before rarer ones', [ONCE, OFTEN], 'often Solo hoy,once only'],
  ['what closes soon after all others', [CLOSING, ONCE], 'once only,closing only'],
  ['none that is past its last entry', [FULL, ONCE], 'once only'],
  ['a daily event featured on all days', [CHOSEN], 'daily Solo hoy'],
  [
    'an event featured on another day without reason',
    [toCard('market', every(7, 9), { featured: later })],
    'market',
  ],
  ['no cancelled date', [toCard('off', [0], { date: OFF })], ''],
  ['no postponed event', [toCard('gone', [0], { status: 'postponed' })], ''],
  ['no past event', [toCard('over', [0], { date: { end_ms: localMs(`${DAY}T11:00:00`) } })], ''],
  ['no daily event', [toCard('daily', every(1, 99))], ''],
  ['no event of several weeks', [toCard('run', [0], { date: { first_day } })], ''],
  ['no nightclub', [toCard('club', [0], { category: 'party', tags: ['antro'] })], ''],
])('picks %s', (_, candidates, expected) => {
  const { picks } = choose(candidates);
  const labels = picks.map(({ card, why: line, run_position }) => [
    card.event.id,
    line?.es ?? run_position,
  ]);
  expect(labels.map((parts) => parts.filter(Boolean).join(' ')).join()).toBe(expected);
});

test.each([
  ['six days a week', [0, 1, 2, 3, 4, 5], 3, 3],
  ['five days a week', [0, 1, 2, 3, 4], 3, 0],
  ['fewer than three of them', [0, 1, 2, 3, 4, 5], 2, 0],
])('an event on %s is daily or not: %j × %i: %i', (_, weekdays, count, expected) => {
  const days = every(7, 26).flatMap((week) => weekdays.map((weekday) => week + weekday));
  const candidates = ['a', 'b', 'c'].slice(0, count).map((id) => toCard(id, days));
  expect(choose(candidates).daily.length).toBe(expected);
});

const DAYS_OF_42 = every(1, 42);
test.each<[string, Candidates, string]>([
  ['at most 60 days in the year', [toCard('rare', every(3, 60))], 'rare'],
  ['not 61 days in the year', [toCard('rare', every(3, 61))], ''],
  ['without days 184 days ahead', [toCard('rare', [...every(3, 60), 184])], 'rare'],
  ['with days 183 days ahead', [toCard('rare', [...every(3, 60), 183])], ''],
  ['without days 184 days ago', [toCard('rare', [-184, ...every(3, 60)])], 'rare'],
  ['with days 183 days ago', [toCard('rare', [-183, ...every(3, 60)])], ''],
  ['14 days in a row', [toCard('run', every(1, 14))], 'run first'],
  ['15 days in a row without position', [toCard('run', every(1, 15))], 'run'],
  ['a middle day without position', [toCard('run', [-1, 0, 1])], 'run'],
  ['days with a gap without position', [toCard('run', [0, 2])], 'run'],
  ['one date of 14 days', [toCard('run', [0], { date: { first_day: first_day + 7 } })], 'run last'],
  ['no date of 15 days', [toCard('run', [0], { date: { first_day: first_day + 6 } })], ''],
  [
    'no date that ends now',
    [toCard('x', [0], { date: { end_ms: localMs(`${DAY}T12:00:00`) } })],
    '',
  ],
  [
    'a date that ends later',
    [toCard('x', [0], { date: { end_ms: localMs(`${DAY}T12:01:00`) } })],
    'x only',
  ],
])('picks %s', (_, candidates, expected) => {
  const labels = choose(candidates).picks.map(({ card, run_position }) =>
    [card.event.id, run_position].filter(Boolean).join(' '),
  );
  expect(labels.join()).toBe(expected);
});

test.each([
  ['31 days in a row', every(1, 31), 3],
  ['30 days in a row', every(1, 30), 0],
  ['36 of 42 days', DAYS_OF_42.filter((number) => number % 7 !== 3), 3],
  ['35 of 42 days', DAYS_OF_42.filter((number) => number % 7 !== 3 && number !== 1), 0],
])('three events on %s are daily or not', (_, days, expected) => {
  const candidates = ['a', 'b', 'c'].map((id) => toCard(id, days));
  expect(choose(candidates).daily.length).toBe(expected);
});

test('a poster has highlights, then events of another motif, then the others', () => {
  const text = { es: 'Sol', en: 'Sun' };
  const drawn = (id: string, key: string): EventCard => ({
    ...toCard(id, [0]).card,
    motif: { key, name: text, alt: text, digest: '0123456789' },
  });
  const [a, b, c, d] = [drawn('a', 'sol'), drawn('b', 'sol'), drawn('c', 'ola'), drawn('d', 'pez')];
  const front = { picks: [{ card: b, why: null, run_position: null }], daily: ['c'] };
  const list = (cards: readonly EventCard[]) => pickPosterEvents(cards, front).map(toId).join();
  expect([list([a, b, c, d]), list([a, b])]).toEqual(['b,d,c', 'b,a']);
});
