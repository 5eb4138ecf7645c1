// Under which heading each event of a day, a weekend and all that comes up stands, where the marks along the water
// lead, and what a row says of its date's note and of the other dates of its event (contract 3.8).
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { Temporal } from 'temporal-polyfill';
import { afterAll, describe, expect, test } from 'vitest';
import { splitDays } from '../../src/domain/agenda-parts.ts';
import {
  type EventGroup,
  groupAgenda,
  groupByMonth,
  type Marks,
  toFurtherDays,
  toMarks,
  toMoreDates,
  toNote,
} from '../../src/site/event-lists.ts';
import { readAgenda } from '../../src/snapshot/agenda.ts';
import { findEvents, findOccurrences } from '../../src/snapshot/find-events.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const days = (from: string, to = from) => ({ from: day(from), to: day(to) });
const FRIDAY = days('2026-11-20');
const WEEKEND = days('2026-11-20', '2026-11-22');
type Range = typeof FRIDAY;

const listAll = (range: Range) =>
  findOccurrences(snapshot, { ...toOpenFilter(FRIDAY_NOON_MS, 99), range }).items.map(
    ({ occurrence }) => occurrence,
  );
/** As the page of days has them; by the hour where a moment is given. */
function group(range: Range, moment: string | null = null, lang: 'es' | 'en' = 'es') {
  const now_ms = moment === null ? null : at(moment);
  const agenda = readAgenda(snapshot, range, now_ms ?? FRIDAY_NOON_MS, lang);
  return groupAgenda(agenda, listAll(range), now_ms, false, lang);
}
const show = (groups: readonly EventGroup[]) =>
  groups.map(({ title, cards }) => [title, ...cards.map(({ event }) => event.slug.es)]);

describe('groups', () => {
  test('of a day go by its hours, what began earlier at the end, nightclubs last', () => {
    expect(show(group(FRIDAY))).toEqual([
      ['Por la mañana', 'feria-diaria'],
      ['Por la noche', 'concierto-unico-a-b'],
      ['Ya empezaron', 'exposicion-larga'],
      ['Antros', 'fiesta-de-viernes'],
    ]);
  });
  test('of a day begin with a run of a few days, from its first day to its last', () => {
    const firsts = ['2027-02-04', '2027-02-05', '2027-02-09', '2027-02-10'].map(
      (date) => group(days(date))[0],
    );
    expect(firsts.map((first) => [first?.title, first?.column])).toEqual([
      ['Por la mañana', 'hour'],
      ['Estos días', 'until'],
      ['Estos días', 'until'],
      ['Por la mañana', 'hour'],
    ]);
  });
  test('of today go by the watch: on now, soon, over, and the nightclubs folded', () => {
    const groups = group(FRIDAY, '2026-11-20T18:30:00');
    expect(show(groups)).toEqual([
      ['Empieza pronto', 'concierto-unico-a-b'],
      ['Ya empezaron', 'exposicion-larga'],
      ['Antros de esta noche', 'fiesta-de-viernes'],
      ['Ya terminó', 'feria-diaria'],
    ]);
    expect(groups.map(({ fold, count }) => [fold, count])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['closed', 1],
      ['closed', 1],
    ]);
  });
  test.each([
    ['2026-11-20T22:10:00', FRIDAY, 'closed'],
    ['2026-11-21T00:40:00', days('2026-11-21'), 'open'],
  ])('at %s show the nightclub that is open until three', (moment, range, fold) => {
    expect(group(range, moment).find(({ key }) => key === 'now_nightclubs')).toMatchObject({
      ...{ title: 'Antros abiertos ahora', column: 'now', fold, for_adults: true },
      cards: [{ next: { end: '2026-11-21T03:00:00-05:00' } }],
    });
  });
  test('of today never say that what was called off goes on or begins soon', () => {
    const where = (moment: string, range: Range, slug: string) =>
      group(range, moment).find(({ cards }) => cards.some(({ event }) => event.slug.es === slug))
        ?.title;
    const fair = ['09:00', '10:30', '13:59', '14:00'].map((hour) =>
      where(`2026-11-21T${hour}:00`, days('2026-11-21'), 'feria-diaria'),
    );
    expect(fair).toEqual(['Por la mañana', 'Por la mañana', 'Por la mañana', 'Ya terminó']);
    for (const hour of ['19:30', '20:30'])
      expect(where(`2026-11-28T${hour}:00`, days('2026-11-28'), 'obra-pospuesta')).toBe(
        'Por la noche',
      );
  });
  test('before several days are what goes on since last night, nightclubs or not', () => {
    const now_ms = at('2026-11-21T00:40');
    const range = days('2026-11-21', '2026-11-27');
    const agenda = readAgenda(snapshot, range, now_ms, 'es');
    const [club] = agenda.still_on;
    const party = club && { ...club, event: { ...club.event, tags: [] } };
    const both = { ...agenda, still_on: [...agenda.still_on, ...(party ? [party] : [])] };
    const first = (now: number | null) => show(groupAgenda(both, [], now, false, 'es')).slice(0, 2);
    expect(first(now_ms)).toEqual([
      ['Sigue desde anoche', 'fiesta-de-viernes'],
      ['Antros abiertos ahora', 'fiesta-de-viernes'],
    ]);
    expect(first(null).flat()).not.toContain('Sigue desde anoche');
    const later = readAgenda(snapshot, days('2026-11-22', '2026-11-27'), now_ms, 'es');
    expect(later.still_on).toEqual([]);
  });
  test('of a weekend have each day with its count and a way to the rest', () => {
    const groups = group(WEEKEND, null, 'en');
    expect(show(groups)).toEqual([
      ['Every day', 'exposicion-larga'],
      ['Friday, November 20', 'feria-diaria', 'concierto-unico-a-b'],
      ['Saturday, November 21', 'feria-diaria'],
      ['Sunday, November 22'],
      ['Nightclubs', 'fiesta-de-viernes'],
    ]);
    expect(groups.map(({ count, rest }) => [count, rest?.text])).toEqual([
      [1, undefined],
      [4, 'See all 4 on Friday'],
      [2, 'See all 2 on Saturday'],
      [1, 'See all 1 on Sunday'],
      [1, undefined],
    ]);
    expect(groups[1]?.rest?.href).toBe('/en/date/2026-11-20');
  });
  test('of several days begin with what is still to come today, and fold what is over', () => {
    const groups = group(WEEKEND, '2026-11-20T15:00:00', 'en');
    expect(show(groups).slice(1, 4)).toEqual([
      ['Friday, November 20', 'concierto-unico-a-b'],
      ['Already over today', 'feria-diaria'],
      ['Saturday, November 21', 'feria-diaria'],
    ]);
    expect(groups.map(({ fold }) => fold).slice(1, 4)).toEqual([undefined, 'closed', undefined]);
    expect(groups[1]?.rest?.text).toBe('See all 4 on Friday');
  });
  test('of several days have an event that returns on the same day by the time still to come', () => {
    const agenda = readAgenda(snapshot, WEEKEND, FRIDAY_NOON_MS, 'es');
    const fair = agenda.events.find(({ event }) => event.slug.es === 'feria-diaria');
    if (!fair?.next) throw new Error('There is no fair');
    const at_six = at('2026-11-20T18:00:00');
    const id = `${fair.next.id}b`;
    const again = { ...fair.next, id, start_ms: at_six, end_ms: at_six + 3_600_000 };
    const fairs = { ...agenda, events: [fair] };
    const [friday] = splitDays(fairs, [fair.next, again], at('2026-11-20T15:00:00')).days;
    expect(friday).toMatchObject({ ended: [], cards: [{ next: { id }, more_dates: 0 }] });
  });
  test('of all that comes up go by month, last night’s party with its own day', () => {
    const comingUp = (now_ms: number, today: string) => {
      const { cards } = findEvents(snapshot, toOpenFilter(now_ms, 50), 'es');
      return groupByMonth(cards, day(today), 'es');
    };
    expect(comingUp(FRIDAY_NOON_MS, '2026-11-20').map(({ title }) => title)).toEqual([
      'noviembre de 2026',
      'febrero de 2027',
      'Ya empezaron',
    ]);
    const groups = comingUp(at('2026-11-21T01:00:00'), '2026-11-21');
    expect(show(groups)[0]?.[1]).toBe('fiesta-de-viernes');
    expect(show(groups.filter(({ column }) => column === 'until'))).toEqual([
      ['Ya empezaron', 'exposicion-larga'],
    ]);
  });
});

describe('marks along the water', () => {
  /** `16:00 #h16`: where each leads; `-` where it leads nowhere. */
  const leads = ({ marks }: Marks) => marks.map(({ text, link }) => `${text} ${link?.href ?? '-'}`);
  const byHour = (moment: string) =>
    leads(toMarks(FRIDAY, group(FRIDAY, moment), at(moment), 'es'));

  test('lead to the first row that begins from then on, and to the heading of what is folded', () => {
    // A fair at 10, a concert at 19, and a nightclub at 22, which is folded.
    const found = toMarks(FRIDAY, group(FRIDAY, null, 'en'), null, 'en');
    expect(found.marks.map(({ text, link }) => [text, link?.href, link?.label])).toEqual([
      ['4 a.m.', '#h4', 'From 4 a.m.: 3 events'],
      ['8 a.m.', '#h4', 'From 8 a.m.: 3 events'],
      ['12 p.m.', '#h12', 'From 12 p.m.: 2 events'],
      ['4 p.m.', '#h12', 'From 4 p.m.: 2 events'],
      ['8 p.m.', '#nightclubs', 'From 8 p.m.: 1 event'],
    ]);
    expect([...found.ids].map(([{ event }, id]) => [event.slug.en, id])).toEqual([
      ['everyday-fair', 'h4'],
      ['one-off-concert', 'h12'],
    ]);
  });
  test.each([
    ['2026-11-20T19:30:00', ['-', '-', '-', '#now', '#nightclubs']],
    ['2026-11-20T23:59:00', ['-', '-', '-', '-', '#now_nightclubs']],
    ['2026-11-20T00:40:00', ['#h4', '#h4', '#h12', '#h12', '#nightclubs']],
  ])('of today at %s lead nowhere where they are over', (moment, expected) => {
    expect(byHour(moment).map((mark) => mark.split(' ')[1])).toEqual(expected);
  });
  test('of a calm day lead nowhere', () => {
    expect(leads(toMarks(FRIDAY, [], null, 'es')).every((mark) => mark.endsWith(' -'))).toBe(true);
  });
  test('of several days lead to their parts, with how many events each has', () => {
    const { kind, marks } = toMarks(WEEKEND, group(WEEKEND), null, 'es');
    expect(kind).toBe('days');
    expect(marks.map(({ link }) => [link?.href, link?.label])).toEqual([
      ['#d2026-11-20', 'vie 20: 4 eventos'],
      ['#d2026-11-21', 'sáb 21: 2 eventos'],
      ['#d2026-11-22', 'dom 22: 1 evento'],
    ]);
  });
});

const open = toOpenFilter(FRIDAY_NOON_MS, 99);
const one = findOccurrences(snapshot, open).items.find(
  ({ occurrence }) => occurrence.first_day === occurrence.last_day,
)?.occurrence;
const fair = findEvents(snapshot, open, 'es').cards.find(
  ({ event }) => event.slug.es === 'feria-diaria',
);
if (!one || !fair) throw new Error('nothing takes place');
const NOTE = { es: 'De noche; pregunta a qué hora.', en: 'At night; ask when.' };
const TEXT = 'De noche; pregunta a qué hora';
const NONE = { of_hour: null, beside: null, below: null };
const hourly = { ...one, notes: NOTE, all_day: false, time_known: true };
const hourless = { ...hourly, all_day: true, time_known: false };

test.each([
  ['no note', { ...hourly, notes: null }, null, 'hour', NONE],
  ['an hour that nobody knows', hourless, null, 'hour', { ...NONE, of_hour: TEXT }],
  ['an hour that is known', hourly, null, 'now', { ...NONE, beside: TEXT }],
  ['several days', hourless, null, 'until', { ...NONE, beside: TEXT }],
  ['one date of many', hourly, null, 'day', NONE],
  ['one date of many without an hour', hourless, null, 'day', NONE],
  ['what is cancelled', hourless, 'cancelled', 'day', { ...NONE, below: `${TEXT}.` }],
] as const)('the note of %s', (_, occurrence, status, column, notes) => {
  expect(toNote(occurrence, status, column, 'es')).toEqual(notes);
});

test.each([
  [0, 'es', null],
  [1, 'es', '+1 fecha'],
  [2, 'en', '+2 dates'],
  [30, 'es', '+30 fechas'],
  [31, 'es', 'muchas fechas más'],
] as const)('%i other dates in %s: %s', (more_dates, lang, words) => {
  expect(toMoreDates({ ...fair, more_dates }, lang)).toBe(words);
});

test.each([
  ['2026-11-22', 'es', null],
  ['2026-11-24', 'es', 'también lunes y martes'],
  ['2026-11-27', 'en', 'also Monday to Friday'],
] as const)(
  'other days until %s in %s, silent where they are cancelled: %s',
  (last, lang, words) => {
    expect(toFurtherDays(listAll(days('2026-11-20', last)), lang)(fair)).toBe(words);
  },
);
