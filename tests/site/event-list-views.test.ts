// Event list views: groups of events, marks along the tide, and the dates and notes in rows (contract 3.8).
import { unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatAttendanceNote } from '../../src/i18n/format-facts.ts';
import { buildAgendaView, loadAgendaPage } from '../../src/site/agenda-page.ts';
import { loadEmbedFrame } from '../../src/site/embed-page.ts';
import { buildEventView, loadEventPage } from '../../src/site/event-page.ts';
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
import {
  FRIDAY_NOON_MS,
  loadFixture,
  localMs,
  openFixture,
  useFixture,
} from '../fixtures/fixture.ts';
import { openPageContext } from '../fixtures/site.ts';

const { snapshot } = useFixture();
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const days = (from: string, to = from) => ({ from: day(from), to: day(to) });
const FRIDAY = days('2026-11-20');
const WEEKEND = days('2026-11-20', '2026-11-22');
const AFTERNOON_MS = localMs('2026-11-20T15:00:00');
type Range = typeof FRIDAY;

const listAll = (range: Range) =>
  findOccurrences(snapshot, { ...unfilteredEventFilter(FRIDAY_NOON_MS, 99), range }).items.map(
    ({ occurrence }) => occurrence,
  );
/** Groups the events of an agenda page; by hour if `local` is set. */
function group(range: Range, local: string | null = null, lang: 'es' | 'en' = 'es') {
  const now_ms = local === null ? null : localMs(local);
  const agenda = loadAgenda(snapshot, range, now_ms ?? FRIDAY_NOON_MS, lang);
  return groupAgenda(agenda, listAll(range), now_ms, false, lang);
}
/** Formats groups as `Title* (count): slugs`, with `*` for a closed fold and `+` for an open one. */
const describeGroups = (groups: readonly EventGroup[]): readonly string[] =>
  groups.map(({ title, fold, count, cards }) => {
    const sign = fold === undefined ? '' : { closed: '*', open: '+' }[fold];
    const slugs = cards.map(({ event }) => event.slug.es).join(' ');
    return `${title}${sign}${count === undefined ? '' : ` (${count})`}: ${slugs}`;
  });

describe('groups of events', () => {
  test.each([
    [
      'a day by time of day, then events that began earlier, then nightclubs',
      group(FRIDAY),
      [
        'Por la mañana: feria-diaria',
        'Por la noche: concierto-unico-a-b',
        'En curso: exposicion-larga',
        'Antros* (1): fiesta-de-viernes',
      ],
    ],
    [
      'today by the current time',
      group(FRIDAY, '2026-11-20T18:30:00'),
      [
        'Empieza pronto: concierto-unico-a-b',
        'En curso: exposicion-larga',
        'Antros de esta noche* (1): fiesta-de-viernes',
        'Ya terminó* (1): feria-diaria',
      ],
    ],
    [
      'the night after midnight with the open nightclub',
      group(days('2026-11-21'), '2026-11-21T00:40:00').slice(0, 1),
      ['Antros abiertos ahora+ (1): fiesta-de-viernes'],
    ],
    [
      'a weekend by day with counts',
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
      'several days with upcoming events first and ended ones folded',
      group(WEEKEND, '2026-11-20T15:00:00', 'en').slice(0, 3),
      [
        'Friday, November 20 (4): concierto-unico-a-b',
        'Already over today* (1): feria-diaria',
        'Saturday, November 21 (2): feria-diaria',
      ],
    ],
    [
      'several days in Markdown with each event once',
      groupByNextDate(loadAgenda(snapshot, WEEKEND, AFTERNOON_MS, 'en'), AFTERNOON_MS, 'en'),
      [
        'Friday, November 20, 2026: exposicion-larga concierto-unico-a-b',
        'Already over today* (1): feria-diaria',
        'Nightclubs* (1): fiesta-de-viernes',
      ],
    ],
  ])('lists %s', (_, groups, expected) => {
    expect(describeGroups(groups)).toEqual(expected);
  });

  test('link to the rest of a day', () => {
    const rests = group(WEEKEND, null, 'en').map(({ rest_link }) => rest_link !== undefined);
    expect(rests).toEqual([true, true, true, false, false]);
    expect(group(WEEKEND, null, 'en')[0]?.rest_link?.href).toBe('/en/date/2026-11-20');
  });
  test.each([
    ['2027-02-04', 'Por la mañana', 'hour'],
    ['2027-02-05', 'Estos días', 'until'],
    ['2027-02-10', 'Por la mañana', 'hour'],
  ])('of %s begin with the run that covers the day: %s, %s', (date, title, column) => {
    expect(group(days(date))[0]).toMatchObject({ title, column });
  });
  test.each([
    ['2026-11-21T14:00:00', 'feria-diaria', 'Ya terminó'],
    ['2026-11-28T20:30:00', 'obra-pospuesta', 'Por la noche'],
  ])('of today at %s list the cancelled or postponed event %s under %s', (local, slug, title) => {
    const groups = group(days(local.slice(0, 10)), local);
    const event_group = groups.find(({ cards }) =>
      cards.some(({ event }) => event.slug.es === slug),
    );
    expect(event_group?.title).toBe(title);
  });
  test.each([
    ['at one hour', 0, null, 'Several days: Mondays, Fridays, and Saturdays', 0],
    ['at another hour on one of them', 3_600_000, null, null, 3],
    ['with a note on one of them', 0, { es: 'Solo hoy', en: 'Only today' }, null, 3],
  ])('of a week with an event on three days %s', (_, later_ms, notes, repeating, day_groups) => {
    const week = days('2026-11-20', '2026-11-26');
    const agenda = loadAgenda(snapshot, week, FRIDAY_NOON_MS, 'en');
    const fair_card = agenda.events.find(({ event }) => event.slug.es === 'feria-diaria');
    if (!fair_card?.next) throw new Error('There is no fair');
    const { next } = fair_card;
    const dates = [0, 1, 3].map((day) => {
      const ms = day * 86_400_000 + (day === 3 ? later_ms : 0);
      const first_day = next.first_day + day;
      const [start_ms, end_ms] = [next.start_ms + ms, next.end_ms + ms];
      const own = day === 3 && notes !== null ? { notes } : {};
      return { ...next, id: `${day}`, first_day, last_day: first_day, start_ms, end_ms, ...own };
    });
    const fair_agenda = { ...agenda, events: [fair_card] };
    const groups = groupAgenda(fair_agenda, dates, null, false, 'en').filter(
      ({ cards }) => cards[0],
    );
    const group_of_repeating = groups.find(({ key }) => key === 'often');
    const on_days = [...(group_of_repeating?.on_days?.values() ?? [])];
    expect(group_of_repeating ? `${group_of_repeating.title}: ${on_days}` : null).toBe(repeating);
    expect(groups.filter(({ key }) => /^d\d/.test(key))).toHaveLength(day_groups);
  });
  test('of a long range list all daily events', () => {
    const range = days('2026-11-20', '2026-11-29');
    const agenda = loadAgenda(snapshot, range, FRIDAY_NOON_MS, 'en');
    const exhibition = agenda.events.find(({ event }) => event.slug.es === 'exposicion-larga');
    if (!exhibition?.next) throw new Error('There is no exhibition');
    const { event, next } = exhibition;
    const ids = Array.from({ length: 25 }, (_, index) => `ev_${index}`);
    const events = ids.map((id) => ({ ...exhibition, event: { ...event, id } }));
    const dates = ids.map((id) => ({ ...next, id, event: id }));
    const groups = groupAgenda({ ...agenda, events }, dates, null, false, 'en');
    expect(groups.flatMap(({ cards }) => cards.map((card) => card.event.id))).toEqual(ids);
  });
  test('of upcoming events are by month, with the ongoing event of last night under its date', () => {
    const groupUpcoming = (now_ms: number, today: string) => {
      const { cards } = findEvents(snapshot, unfilteredEventFilter(now_ms, 50), 'es');
      return groupByMonth(cards, day(today), 'es');
    };
    const titles = groupUpcoming(FRIDAY_NOON_MS, '2026-11-20').map(({ title }) => title);
    expect(titles).toEqual(['noviembre de 2026', 'febrero de 2027', 'En curso']);
    const groups = groupUpcoming(localMs('2026-11-21T01:00:00'), '2026-11-21');
    expect(groups[0]?.cards[0]?.event.slug.es).toBe('fiesta-de-viernes');
    const running = groups.filter(({ column }) => column === 'until');
    expect(describeGroups(running)).toEqual(['En curso: exposicion-larga']);
  });
});

describe('tide marks', () => {
  /** Formats each mark as `16:00 #h16`, with `-` for a mark without a link. */
  const formatMarks = ({ marks }: TideMarks) =>
    marks.map(({ text, link }) => `${text} ${link?.href ?? '-'}`);
  const formatMarksAt = (local: string) =>
    formatMarks(buildTideMarks(FRIDAY, group(FRIDAY, local), localMs(local), 'es'));

  test('link to the first row that starts in their hours, or to the heading of its folded group', () => {
    // A fair at 10, a concert at 19, and a nightclub at 22, which is folded.
    const tide_marks = buildTideMarks(FRIDAY, group(FRIDAY, null, 'en'), null, 'en');
    const expected = '4 a.m. -,8 a.m. #h8,12 p.m. -,4 p.m. #h16,8 p.m. #nightclubs';
    expect(formatMarks(tide_marks).join()).toBe(expected);
    expect(tide_marks.marks[1]?.link?.label).toBe('8 a.m. to 12 p.m.: 1 event');
    expect([...tide_marks.ids].map(([{ event }, id]) => `${event.slug.en} ${id}`)).toEqual([
      'everyday-fair h8',
      'one-off-concert h16',
    ]);
  });
  test.each([
    ['2026-11-20T19:30:00', ['-', '-', '-', '#h16', '#nightclubs']],
    ['2026-11-20T23:59:00', ['-', '-', '-', '-', '#now_nightclubs']],
  ])('of today at %s have no link if their hours are over', (local, expected) => {
    expect(formatMarksAt(local).map((mark) => mark.split(' ')[1])).toEqual(expected);
  });
  test('of several days link to each day with its event count', () => {
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
if (!one || !fair) throw new Error('no events');
const NOTE = { es: 'De noche; pregunta a qué hora.', en: 'At night; ask when.' };
const TEXT = 'De noche; pregunta a qué hora';
const NONE = { as_hour: null, after_place: null, own_line: null };
const hourly = { ...one, notes: NOTE, all_day: false, time_known: true };
const hourless = { ...hourly, all_day: true, time_known: false };

test.each([
  ['an unknown hour', hourless, null, 'hour', { ...NONE, as_hour: TEXT }],
  ['a known hour', hourly, null, 'now', { ...NONE, after_place: TEXT }],
  ['several days', hourless, null, 'until', { ...NONE, after_place: TEXT }],
  ['one date of many without an hour', hourless, null, 'day', { ...NONE, as_hour: TEXT }],
  ['one date of many at an hour', hourly, null, 'day', NONE],
  ['a cancelled date', hourless, 'cancelled', 'day', { ...NONE, own_line: `${TEXT}.` }],
] as const)('places the note of %s', (_, occurrence, status, column, notes) => {
  expect(placeDateNote(occurrence, status, column, 'es')).toEqual(notes);
});

test('a highlight that began before the page shows its end instead of its first day', () => {
  const run = { ...one, all_day: true, last_day: one.first_day + 4 };
  const buildWhen = (from_day_number: number) => {
    const cards = [{ ...fair, next: run }];
    const picks = { key: 'picks', title: '', column: 'day', cards, from_day_number } as const;
    return buildEventListView(picks, { lang: 'es' }).rows[0]?.when;
  };
  const last_day = { text: expect.stringMatching(/^hasta el /) };
  expect(buildWhen(one.first_day + 1)).toMatchObject({ day: null, last_day });
  expect(buildWhen(one.first_day)).toMatchObject({ day: expect.anything(), last_day: null });
});

test.each([
  [0, 'es', null],
  [1, 'es', '1 fecha más'],
  [30, 'es', '30 fechas más'],
  [31, 'es', 'muchas fechas más'],
] as const)('formats %i more dates in %s as %s', (more_dates, lang, text) => {
  expect(formatMoreDates({ ...fair, more_dates }, lang)).toBe(text);
});

test.each([
  ['2026-11-22', 'es', null],
  ['2026-11-24', 'es', 'también lunes y martes'],
  ['2026-11-27', 'en', 'also Monday to Friday'],
] as const)(
  'formats further days until %s in %s, without cancelled ones, as %s',
  (last, lang, text) => {
    expect(createFurtherDaysFormatter(listAll(days('2026-11-20', last)), lang)(fair)).toBe(text);
  },
);

describe('a note of an editor on where or when', () => {
  const confirm_note = {
    es: 'Cambia de plaza: llama al 998 898 4510 por la sede.',
    en: 'It moves around; the council has the place.',
  };
  const card = { ...fair, event: { ...fair.event, confirm_note } };
  const readNote = (changed: typeof card, lang: 'es' | 'en') => {
    const list = { key: 'm2026-11', title: '', column: 'day', cards: [changed] } as const;
    return buildEventListView(list, { lang }).rows[0]?.note;
  };
  test('is shown in its row, shortened unless it has a phone number', () => {
    expect(readNote(card, 'es')).toMatch(
      /^Cambia de plaza: llama al 998 898 4510 por la sede\. · /,
    );
    expect(readNote(card, 'en')).toMatch(/^It moves around\. · /);
  });
  test('ends with one period, also after an abbreviation', () => {
    const note = (text: string) => {
      const event = { ...fair.event, confirm_note: { es: text, en: text } };
      return formatAttendanceNote({ ...fair, event }, 'en', 'row');
    };
    expect(note('Times from 2024, 7 to 8:30 p.m.: ask when you book.')).toBe(
      'Times from 2024, 7 to 8:30 p.m.',
    );
    expect(note('Times from 2024, 7 to 8:30 p.m.')).toBe('Times from 2024, 7 to 8:30 p.m.');
    expect(note('It moves around; ask.')).toBe('It moves around.');
  });
  test('gives way to the reason of a cancellation', () => {
    const cancelled = { ...card, event: { ...card.event, status: 'cancelled' as const } };
    expect(readNote(cancelled, 'es')).toBeNull();
  });
  test('is shown in an embedded list, a highlight, a quick section and the text to share', () => {
    const town = loadFixture();
    const events = town.events.map((event) => ({ ...event, confirm_note }));
    const { snapshot: noted, close } = openFixture({ ...town, events });
    onTestFinished(close);
    const context = { ...openPageContext(), snapshot: noted };
    const note = 'It moves around';
    expect(loadEmbedFrame(context, '', 'en').page.entries[0]?.note).toBe(`${note}.`);
    const outcome = loadAgendaPage(context, { lang: 'en', date: 'today' }, '');
    if (outcome.kind !== 'page') throw new Error('no agenda');
    const view = buildAgendaView(outcome.page);
    expect(view.highlights?.rows[0]?.note).toBe(confirm_note.en);
    expect(view.quick_sections[0]?.items[0]?.hint).toContain(note);
    const event = loadEventPage(context, { lang: 'en', slug: 'everyday-fair' });
    if (event.kind !== 'page') throw new Error('no event');
    const { share } = buildEventView(event.page).subscribe_links;
    expect(share.text).toContain(confirm_note.en);
  });
});
