// Groups of events, marks along the water, and what a row says of its dates (contract 3.8).
import { unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  type EventGroup,
  groupAgenda,
  groupByNextDate,
  groupByMonth,
  type TideMarks,
  buildEventListView,
  createFurtherDaysFormatter,
  buildTideMarks,
  formatMoreDates,
  placeDateNote,
} from '../../src/site/event-list-views.ts';
import { loadAgenda } from '../../src/snapshot/load-agenda.ts';
import { findEvents, findOccurrences } from '../../src/snapshot/find-events.ts';
import { at, FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';

const { snapshot } = useFixture();
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const days = (from: string, to = from) => ({ from: day(from), to: day(to) });
const FRIDAY = days('2026-11-20');
const WEEKEND = days('2026-11-20', '2026-11-22');
const AFTERNOON_MS = at('2026-11-20T15:00:00');
type Range = typeof FRIDAY;

const listAll = (range: Range) =>
  findOccurrences(snapshot, { ...unfilteredEventFilter(FRIDAY_NOON_MS, 99), range }).items.map(
    ({ occurrence }) => occurrence,
  );
/** As the page of days has them; by the hour where a moment is given. */
function group(range: Range, moment: string | null = null, lang: 'es' | 'en' = 'es') {
  const now_ms = moment === null ? null : at(moment);
  const agenda = loadAgenda(snapshot, range, now_ms ?? FRIDAY_NOON_MS, lang);
  return groupAgenda(agenda, listAll(range), now_ms, false, lang);
}
/** `Title* (count): slugs`; `*` where it is folded away, `+` where it is folded and open. */
const show = (groups: readonly EventGroup[]): readonly string[] =>
  groups.map(({ title, fold, count, cards }) => {
    const sign = fold === undefined ? '' : { closed: '*', open: '+' }[fold];
    const slugs = cards.map(({ event }) => event.slug.es).join(' ');
    return `${title}${sign}${count === undefined ? '' : ` (${count})`}: ${slugs}`;
  });

describe('groups', () => {
  test.each([
    [
      'a day go by its hours, what began earlier at the end, nightclubs last',
      group(FRIDAY),
      [
        'Por la mañana: feria-diaria',
        'Por la noche: concierto-unico-a-b',
        'En curso: exposicion-larga',
        'Antros* (1): fiesta-de-viernes',
      ],
    ],
    [
      'today go by the watch',
      group(FRIDAY, '2026-11-20T18:30:00'),
      [
        'Empieza pronto: concierto-unico-a-b',
        'En curso: exposicion-larga',
        'Antros de esta noche* (1): fiesta-de-viernes',
        'Ya terminó* (1): feria-diaria',
      ],
    ],
    [
      'the small hours show the nightclub that is open',
      group(days('2026-11-21'), '2026-11-21T00:40:00').slice(0, 1),
      ['Antros abiertos ahora+ (1): fiesta-de-viernes'],
    ],
    [
      'a weekend have each day with its count',
      group(WEEKEND, null, 'en'),
      [
        'Friday, November 20 (4): feria-diaria concierto-unico-a-b',
        'Saturday, November 21 (2): feria-diaria',
        'Sunday, November 22 (1): ',
        'Every day*: exposicion-larga',
        'Nightclubs* (1): fiesta-de-viernes',
      ],
    ],
    [
      'several days begin with what is still to come today, and fold what is over',
      group(WEEKEND, '2026-11-20T15:00:00', 'en').slice(0, 3),
      [
        'Friday, November 20 (4): concierto-unico-a-b',
        'Already over today* (1): feria-diaria',
        'Saturday, November 21 (2): feria-diaria',
      ],
    ],
    [
      'several days in a document have each event once',
      groupByNextDate(loadAgenda(snapshot, WEEKEND, AFTERNOON_MS, 'en'), AFTERNOON_MS, 'en'),
      [
        'Friday, November 20, 2026: exposicion-larga concierto-unico-a-b',
        'Already over today* (1): feria-diaria',
        'Nightclubs* (1): fiesta-de-viernes',
      ],
    ],
  ])('of %s', (_, groups, expected) => {
    expect(show(groups)).toEqual(expected);
  });

  test('of a day that has more lead to the rest', () => {
    const rests = group(WEEKEND, null, 'en').map(({ rest }) => rest !== undefined);
    expect(rests).toEqual([true, true, true, false, false]);
    expect(group(WEEKEND, null, 'en')[0]?.rest?.href).toBe('/en/date/2026-11-20');
  });
  test.each([
    ['2027-02-04', 'Por la mañana', 'hour'],
    ['2027-02-05', 'Estos días', 'until'],
    ['2027-02-10', 'Por la mañana', 'hour'],
  ])('of %s begin with a run from its first day to its last', (date, title, column) => {
    expect(group(days(date))[0]).toMatchObject({ title, column });
  });
  test.each([
    ['2026-11-21T14:00:00', 'feria-diaria', 'Ya terminó'],
    ['2026-11-28T20:30:00', 'obra-pospuesta', 'Por la noche'],
  ])('of today at %s never say that %s, called off, is on or is soon', (moment, slug, title) => {
    const groups = group(days(moment.slice(0, 10)), moment);
    const found = groups.find(({ cards }) => cards.some(({ event }) => event.slug.es === slug));
    expect(found?.title).toBe(title);
  });
  test.each([
    ['at one hour', 0, null, 'Several days: Mondays, Fridays, and Saturdays', 0],
    ['at another hour on one of them', 3_600_000, null, null, 3],
    ['with a note on one of them', 0, { es: 'Solo hoy', en: 'Only today' }, null, 3],
  ])('of a week have what is on three of its days %s', (_, later_ms, notes, often, in_days) => {
    const week = days('2026-11-20', '2026-11-26');
    const agenda = loadAgenda(snapshot, week, FRIDAY_NOON_MS, 'en');
    const found = agenda.events.find(({ event }) => event.slug.es === 'feria-diaria');
    if (!found?.next) throw new Error('There is no fair');
    const { next } = found;
    const dates = [0, 1, 3].map((day) => {
      const ms = day * 86_400_000 + (day === 3 ? later_ms : 0);
      const first_day = next.first_day + day;
      const [start_ms, end_ms] = [next.start_ms + ms, next.end_ms + ms];
      const own = day === 3 && notes !== null ? { notes } : {};
      return { ...next, id: `${day}`, first_day, last_day: first_day, start_ms, end_ms, ...own };
    });
    const fairs = { ...agenda, events: [found] };
    const groups = groupAgenda(fairs, dates, null, false, 'en').filter(({ cards }) => cards[0]);
    const told = groups.find(({ key }) => key === 'often');
    expect(told ? `${told.title}: ${[...(told.on_days?.values() ?? [])]}` : null).toBe(often);
    expect(groups.filter(({ key }) => /^d\d/.test(key))).toHaveLength(in_days);
  });
  test('of a long stretch list all that is on every day, as nothing else leads to it', () => {
    const range = days('2026-11-20', '2026-11-29');
    const agenda = loadAgenda(snapshot, range, FRIDAY_NOON_MS, 'en');
    const found = agenda.events.find(({ event }) => event.slug.es === 'exposicion-larga');
    if (!found?.next) throw new Error('There is no exhibition');
    const { event, next } = found;
    const ids = Array.from({ length: 25 }, (_, at) => `ev_${at}`);
    const events = ids.map((id) => ({ ...found, event: { ...event, id } }));
    const dates = ids.map((id) => ({ ...next, id, event: id }));
    const groups = groupAgenda({ ...agenda, events }, dates, null, false, 'en');
    expect(groups.flatMap(({ cards }) => cards.map((card) => card.event.id))).toEqual(ids);
  });
  test('of all that comes up go by month, last night’s party with its own day', () => {
    const comingUp = (now_ms: number, today: string) => {
      const { cards } = findEvents(snapshot, unfilteredEventFilter(now_ms, 50), 'es');
      return groupByMonth(cards, day(today), 'es');
    };
    const titles = comingUp(FRIDAY_NOON_MS, '2026-11-20').map(({ title }) => title);
    expect(titles).toEqual(['noviembre de 2026', 'febrero de 2027', 'En curso']);
    const groups = comingUp(at('2026-11-21T01:00:00'), '2026-11-21');
    expect(groups[0]?.cards[0]?.event.slug.es).toBe('fiesta-de-viernes');
    const running = groups.filter(({ column }) => column === 'until');
    expect(show(running)).toEqual(['En curso: exposicion-larga']);
  });
});

describe('marks along the water', () => {
  /** `16:00 #h16`: where each leads; `-` where it leads nowhere. */
  const leads = ({ marks }: TideMarks) =>
    marks.map(({ text, link }) => `${text} ${link?.href ?? '-'}`);
  const byHour = (moment: string) =>
    leads(buildTideMarks(FRIDAY, group(FRIDAY, moment), at(moment), 'es'));

  test('lead each to the first row that begins in its hours, and to the heading of what is folded', () => {
    // A fair at 10, a concert at 19, and a nightclub at 22, which is folded.
    const found = buildTideMarks(FRIDAY, group(FRIDAY, null, 'en'), null, 'en');
    const expected = '4 a.m. -,8 a.m. #h8,12 p.m. -,4 p.m. #h16,8 p.m. #nightclubs';
    expect(leads(found).join()).toBe(expected);
    expect(found.marks[1]?.link?.label).toBe('8 a.m. to 12 p.m.: 1 event');
    expect([...found.ids].map(([{ event }, id]) => `${event.slug.en} ${id}`)).toEqual([
      'everyday-fair h8',
      'one-off-concert h16',
    ]);
  });
  test.each([
    ['2026-11-20T19:30:00', ['-', '-', '-', '#h16', '#nightclubs']],
    ['2026-11-20T23:59:00', ['-', '-', '-', '-', '#now_nightclubs']],
  ])('of today at %s lead nowhere where they are over', (moment, expected) => {
    expect(byHour(moment).map((mark) => mark.split(' ')[1])).toEqual(expected);
  });
  test('of several days lead to their parts, with how many events each has', () => {
    const { marks } = buildTideMarks(WEEKEND, group(WEEKEND), null, 'es');
    expect(marks.map(({ link }) => `${link?.href} ${link?.label}`)).toEqual([
      '#d2026-11-20 vie 20: 4 eventos',
      '#d2026-11-21 sáb 21: 2 eventos',
      '#d2026-11-22 dom 22: 1 evento',
    ]);
  });
});

const open = unfilteredEventFilter(FRIDAY_NOON_MS, 99);
const one = findOccurrences(snapshot, open).items.find(
  ({ occurrence }) => occurrence.first_day === occurrence.last_day,
)?.occurrence;
const { cards } = findEvents(snapshot, open, 'es');
const fair = cards.find(({ event }) => event.slug.es === 'feria-diaria');
if (!one || !fair) throw new Error('nothing takes place');
const NOTE = { es: 'De noche; pregunta a qué hora.', en: 'At night; ask when.' };
const TEXT = 'De noche; pregunta a qué hora';
const NONE = { of_hour: null, beside: null, below: null };
const hourly = { ...one, notes: NOTE, all_day: false, time_known: true };
const hourless = { ...hourly, all_day: true, time_known: false };

test.each([
  ['an hour that nobody knows', hourless, null, 'hour', { ...NONE, of_hour: TEXT }],
  ['an hour that is known', hourly, null, 'now', { ...NONE, beside: TEXT }],
  ['several days', hourless, null, 'until', { ...NONE, beside: TEXT }],
  ['one date of many without an hour', hourless, null, 'day', { ...NONE, of_hour: TEXT }],
  ['one date of many at an hour', hourly, null, 'day', NONE],
  ['what is cancelled', hourless, 'cancelled', 'day', { ...NONE, below: `${TEXT}.` }],
] as const)('the note of %s', (_, occurrence, status, column, notes) => {
  expect(placeDateNote(occurrence, status, column, 'es')).toEqual(notes);
});

test('of what is chosen for some days, what began before them says until when, and no day that is not there', () => {
  const of_days = { ...one, all_day: true, last_day: one.first_day + 4 };
  const print = (from: number) => {
    const cards = [{ ...fair, next: of_days }];
    const picks = { key: 'picks', title: '', column: 'day', cards, from } as const;
    return buildEventListView(picks, { lang: 'es' }).rows[0]?.when;
  };
  const until = { text: expect.stringMatching(/^hasta el /) };
  expect(print(one.first_day + 1)).toMatchObject({ day: null, until });
  expect(print(one.first_day)).toMatchObject({ day: expect.anything(), until: null });
});

test.each([
  [0, 'es', null],
  [1, 'es', '1 fecha más'],
  [30, 'es', '30 fechas más'],
  [31, 'es', 'muchas fechas más'],
] as const)('%i other dates in %s: %s', (more_dates, lang, words) => {
  expect(formatMoreDates({ ...fair, more_dates }, lang)).toBe(words);
});

test.each([
  ['2026-11-22', 'es', null],
  ['2026-11-24', 'es', 'también lunes y martes'],
  ['2026-11-27', 'en', 'also Monday to Friday'],
] as const)('other days until %s in %s, silent where cancelled: %s', (last, lang, words) => {
  expect(createFurtherDaysFormatter(listAll(days('2026-11-20', last)), lang)(fair)).toBe(words);
});
