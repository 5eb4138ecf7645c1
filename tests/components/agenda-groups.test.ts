// How a day, a weekend and all that comes up are grouped, and what a row says of other dates.
import { Temporal } from 'temporal-polyfill';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type AgendaGroup,
  groupByHour,
  groupByMonth,
  groupDay,
  groupDays,
  groupStillOn,
} from '../../src/components/agenda/agenda-groups.ts';
import { toFurtherDays, toMoreDates } from '../../src/components/agenda/more-dates.ts';
import { splitDays } from '../../src/domain/agenda-parts/several-days.ts';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { findEvents, findOccurrences } from '../../src/snapshot/find-events.ts';
import { readAgenda } from '../../src/snapshot/agenda.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const FRIDAY = { from: day('2026-11-20'), to: day('2026-11-20') };
const WEEKEND = { from: day('2026-11-20'), to: day('2026-11-22') };
const show = (groups: readonly AgendaGroup[]) =>
  groups.map((group) => [group.title, ...group.cards.map((card) => card.event.slug.es)]);
const read = (
  range: { from: Temporal.PlainDate; to: Temporal.PlainDate },
  now_ms = FRIDAY_NOON_MS,
) => readAgenda(snapshot, range, now_ms, 'es');
const readDays = (
  range: { from: Temporal.PlainDate; to: Temporal.PlainDate },
  now_ms: number | null = null,
) =>
  splitDays(
    read(range, now_ms ?? FRIDAY_NOON_MS),
    findOccurrences(snapshot, { ...toOpenFilter(FRIDAY_NOON_MS, 99), range }).items.map(
      (item) => item.occurrence,
    ),
    now_ms,
  );

describe('groups', () => {
  test('of a day go by its hours, what began earlier at the end, nightclubs last', () => {
    expect(show(groupDay(read(FRIDAY), false, 'es'))).toEqual([
      ['Por la mañana', 'feria-diaria'],
      ['Por la noche', 'concierto-unico-a-b'],
      ['Ya empezaron', 'exposicion-larga'],
      ['Antros', 'fiesta-de-viernes'],
    ]);
  });
  test('before several days are what goes on since last night, nightclubs or not', () => {
    const now_ms = at('2026-11-21T00:40');
    const days = read({ from: day('2026-11-21'), to: day('2026-11-27') }, now_ms);
    const [club] = days.still_on;
    const party = club && { ...club, event: { ...club.event, tags: [] } };
    const both = { ...days, still_on: [...days.still_on, ...(party ? [party] : [])] };
    expect(show(groupStillOn(both, now_ms, 'es'))).toEqual([
      ['Sigue desde anoche', 'fiesta-de-viernes'],
      ['Antros abiertos ahora', 'fiesta-de-viernes'],
    ]);
    expect(groupStillOn(both, null, 'es')).toEqual([]);
    expect(read({ from: day('2026-11-22'), to: day('2026-11-27') }, now_ms).still_on).toEqual([]);
  });
  test('of a day begin with a run of a few days, from its first day to its last', () => {
    const titles = ['2027-02-04', '2027-02-05', '2027-02-09', '2027-02-10'].map(
      (date) => groupDay(read({ from: day(date), to: day(date) }), false, 'es')[0],
    );
    expect(titles.map((group) => group?.title)).toEqual([
      'Por la mañana',
      'Estos días',
      'Estos días',
      'Por la mañana',
    ]);
    expect(titles[1]).toMatchObject({
      column: 'until',
      cards: [{ event: { slug: { es: 'carnaval-inventado' } } }],
    });
  });
  test('of today go by the watch: on now, soon, over, and the nightclubs folded', () => {
    const groups = groupByHour(read(FRIDAY), at('2026-11-20T18:30:00'), 'es');
    expect(show(groups)).toEqual([
      ['Empieza pronto', 'concierto-unico-a-b'],
      ['Ya empezaron', 'exposicion-larga'],
      ['Antros de esta noche', 'fiesta-de-viernes'],
      ['Ya terminó', 'feria-diaria'],
    ]);
    expect(groups.map(({ fold, count }) => [fold, count])).toEqual([
      [null, null],
      [null, null],
      ['closed', 1],
      ['closed', 1],
    ]);
  });
  test.each([
    ['2026-11-20T22:10:00', FRIDAY, 'closed'],
    ['2026-11-21T00:40:00', { from: day('2026-11-21'), to: day('2026-11-21') }, 'open'],
  ])('at %s show the nightclub that is open until three', (moment, range, fold) => {
    const groups = groupByHour(read(range, at(moment)), at(moment), 'es');
    expect(groups.find(({ key }) => key === 'now_nightclubs')).toMatchObject({
      title: 'Antros abiertos ahora',
      column: 'now',
      fold,
      for_adults: true,
      cards: [{ next: { end: '2026-11-21T03:00:00-05:00' } }],
    });
  });
  test('of several days have an event that returns on the same day by the time still to come', () => {
    const fair = read(FRIDAY).events.find(({ event }) => event.slug.es === 'feria-diaria');
    const { next } = fair ?? {};
    if (!fair || !next) throw new Error('There is no fair');
    const at_six = at('2026-11-20T18:00:00');
    const again = { ...next, id: `${next.id}b`, start_ms: at_six, end_ms: at_six + 3_600_000 };
    const agenda = { ...read(WEEKEND), events: [fair] };
    const [friday] = splitDays(agenda, [next, again], at('2026-11-20T15:00:00')).days;
    expect(friday).toMatchObject({ ended: [], cards: [{ next: { id: again.id }, more_dates: 0 }] });
  });
  test('of a weekend have each day with its count and a way to the rest', () => {
    const groups = groupDays(readDays(WEEKEND), 'en');
    expect(show(groups)).toEqual([
      ['Every day', 'exposicion-larga'],
      ['Friday, November 20', 'feria-diaria', 'concierto-unico-a-b'],
      ['Saturday, November 21', 'feria-diaria'],
      ['Sunday, November 22'],
      ['Nightclubs', 'fiesta-de-viernes'],
    ]);
    expect(groups.map(({ count, rest }) => [count, rest?.text ?? null])).toEqual([
      [1, null],
      [4, 'See all 4 on Friday'],
      [2, 'See all 2 on Saturday'],
      [1, 'See all 1 on Sunday'],
      [1, null],
    ]);
    expect(groups[1]?.rest?.href).toBe('/en/date/2026-11-20');
  });
  test('of today never say that what was called off goes on or begins soon', () => {
    const saturday = { from: day('2026-11-21'), to: day('2026-11-21') };
    const where = (moment: string, range: typeof FRIDAY, slug: string) =>
      groupByHour(read(range, at(moment)), at(moment), 'es').find(({ cards }) =>
        cards.some(({ event }) => event.slug.es === slug),
      )?.title;
    const fair = ['09:00', '10:30', '13:59', '14:00'].map((hour) =>
      where(`2026-11-21T${hour}:00`, saturday, 'feria-diaria'),
    );
    expect(fair).toEqual(['Por la mañana', 'Por la mañana', 'Por la mañana', 'Ya terminó']);
    const play = { from: day('2026-11-28'), to: day('2026-11-28') };
    expect(where('2026-11-28T19:30:00', play, 'obra-pospuesta')).toBe('Por la noche');
    expect(where('2026-11-28T20:30:00', play, 'obra-pospuesta')).toBe('Por la noche');
  });
  test('of several days begin with what is still to come today, and fold what is over', () => {
    const afternoon_ms = at('2026-11-20T15:00:00');
    const groups = groupDays(readDays(WEEKEND, afternoon_ms), 'en');
    expect(show(groups).slice(1, 4)).toEqual([
      ['Friday, November 20', 'concierto-unico-a-b'],
      ['Already over today', 'feria-diaria'],
      ['Saturday, November 21', 'feria-diaria'],
    ]);
    expect(groups.map(({ fold }) => fold).slice(1, 4)).toEqual([null, 'closed', null]);
    expect(groups[1]?.rest?.text).toBe('See all 4 on Friday');
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
        .filter((group) => group.column === 'until')
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
      '+30 fechas',
      'muchas fechas más',
    ]);
    expect([
      toMoreDates('es')({ ...fair, more_dates: 0 }),
      toMoreDates('es')({ ...fair, more_dates: 1 }),
      toMoreDates('en')({ ...fair, more_dates: 2 }),
    ]).toEqual([null, '+1 fecha', '+2 dates']);
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
