// How a day, a weekend and all that comes up are grouped, and what a row says of other dates.
import { Temporal } from 'temporal-polyfill';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type AgendaGroup,
  groupByDay,
  groupByHour,
  groupByMonth,
  toNightclubs,
} from '../../src/components/agenda/agenda-groups.ts';
import { toFurtherDays, toMoreDates } from '../../src/components/agenda/more-dates.ts';
import { toOpenFilter } from '../../src/domain/filters/event-filter.ts';
import { findEvents } from '../../src/snapshot/find-events.ts';
import { findOccurrences } from '../../src/snapshot/find-occurrences.ts';
import { readAgenda } from '../../src/snapshot/read-agenda.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const FRIDAY = { from: day('2026-11-20'), to: day('2026-11-20') };
const WEEKEND = { from: day('2026-11-20'), to: day('2026-11-22') };
const show = (groups: readonly AgendaGroup[]) =>
  groups.map((group) => [group.title, ...group.cards.map((card) => card.event.slug.es)]);

describe('groups', () => {
  test('of a day go by its hours, what began earlier at the end', () => {
    expect(show(groupByHour(readAgenda(snapshot, FRIDAY, FRIDAY_NOON_MS, 'es'), 'es'))).toEqual([
      ['Por la mañana', 'feria-diaria'],
      ['Por la noche', 'concierto-unico-a-b'],
      ['Ya empezaron', 'exposicion-larga'],
    ]);
  });
  test('of a day begin with a run of a few days, from its first day to its last', () => {
    const titles = ['2027-02-04', '2027-02-05', '2027-02-09', '2027-02-10'].map((date) => {
      const agenda = readAgenda(snapshot, { from: day(date), to: day(date) }, FRIDAY_NOON_MS, 'es');
      return groupByHour(agenda, 'es')[0];
    });
    expect(titles.map((group) => group?.title)).toEqual([
      'Por la mañana',
      'Estos días',
      'Estos días',
      'Por la mañana',
    ]);
    expect(titles[1]).toMatchObject({
      lasts: true,
      cards: [{ event: { slug: { es: 'carnaval-inventado' } } }],
    });
  });
  test('of a weekend go by day', () => {
    expect(show(groupByDay(readAgenda(snapshot, WEEKEND, FRIDAY_NOON_MS, 'en'), 'en'))).toEqual([
      ['Friday, November 20, 2026', 'feria-diaria', 'concierto-unico-a-b'],
      ['Ongoing', 'exposicion-larga'],
    ]);
  });
  test('have the nightclubs apart, and none where there are none', () => {
    const friday = readAgenda(snapshot, FRIDAY, FRIDAY_NOON_MS, 'es');
    expect(toNightclubs(friday, true, 'es')).toMatchObject([
      { title: 'Antros de esta noche', cards: [{ event: { tags: ['antro'] } }] },
    ]);
    expect(show(toNightclubs(friday, true, 'en'))).toEqual([
      ['Nightclubs tonight', 'fiesta-de-viernes'],
    ]);
    expect(show(toNightclubs(friday, false, 'en'))).toEqual([['Nightclubs', 'fiesta-de-viernes']]);
    const sunday = { from: day('2026-11-22'), to: day('2026-11-22') };
    expect(toNightclubs(readAgenda(snapshot, sunday, FRIDAY_NOON_MS, 'es'), false, 'es')).toEqual(
      [],
    );
  });
  test('of all that comes up go by month, with its year', () => {
    const { cards } = findEvents(snapshot, toOpenFilter(FRIDAY_NOON_MS, 50), 'es');
    expect(groupByMonth(cards, FRIDAY.from, 'es').map((group) => group.title)).toEqual([
      'noviembre de 2026',
      'febrero de 2027',
      'Ya empezaron',
    ]);
  });
  test('of all that comes up have a party that goes on past midnight first, with its own day, not among what lasts', () => {
    const after_midnight_ms = FRIDAY_NOON_MS + 13 * 3_600_000;
    const { cards } = findEvents(snapshot, toOpenFilter(after_midnight_ms, 50), 'es');
    const groups = groupByMonth(cards, day('2026-11-21'), 'es');
    expect(groups[0]?.cards[0]).toMatchObject({
      event: { slug: { es: 'fiesta-de-viernes' } },
      next: { start: '2026-11-20T22:00:00-05:00' },
    });
    expect(
      groups
        .filter((group) => group.lasts)
        .flatMap((group) => group.cards.map((card) => card.event.slug.es)),
    ).toEqual(['exposicion-larga']);
  });
});

describe('other dates', () => {
  const { cards } = findEvents(
    snapshot,
    { ...toOpenFilter(FRIDAY_NOON_MS, 50), range: WEEKEND },
    'es',
  );
  const fair = cards.find((card) => card.event.slug.es === 'feria-diaria');
  if (!fair) throw new Error('the fixture has no fair');
  test('are counted', () => {
    expect([30, 31].map((more_dates) => toMoreDates('es')({ ...fair, more_dates }))).toEqual([
      '30 fechas más',
      'muchas fechas más',
    ]);
    expect([
      toMoreDates('es')({ ...fair, more_dates: 0 }),
      toMoreDates('es')({ ...fair, more_dates: 1 }),
      toMoreDates('en')({ ...fair, more_dates: 2 }),
    ]).toEqual([null, '1 fecha más', '2 more dates']);
  });
  test('are named, days on end by the first and the last, and silent where they are cancelled', () => {
    const occurrencesUntil = (last: string) =>
      findOccurrences(snapshot, {
        ...toOpenFilter(FRIDAY_NOON_MS, 99),
        range: { from: FRIDAY.from, to: day(last) },
      }).items.map((item) => item.occurrence);
    expect(toFurtherDays(occurrencesUntil('2026-11-22'), 'es')(fair)).toBeNull();
    expect(toFurtherDays(occurrencesUntil('2026-11-24'), 'es')(fair)).toBe(
      'también lunes y martes',
    );
    expect(toFurtherDays(occurrencesUntil('2026-11-24'), 'en')(fair)).toBe(
      'also Monday and Tuesday',
    );
    expect(toFurtherDays(occurrencesUntil('2026-11-27'), 'en')(fair)).toBe('also Monday to Friday');
  });
});
