// The hours and days along the water: where each leads, and that none leads nowhere.
import { Temporal } from 'temporal-polyfill';
import { afterAll, describe, expect, test } from 'vitest';
import { groupByHour, groupDay, groupDays } from '../../src/components/agenda/agenda-groups.ts';
import { toMarks } from '../../src/components/agenda/marks.ts';
import { splitDays } from '../../src/domain/agenda-parts/several-days.ts';
import { toOpenFilter } from '../../src/domain/query/event-query.ts';
import { findOccurrences } from '../../src/snapshot/find-events.ts';
import { readAgenda } from '../../src/snapshot/agenda.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const FRIDAY = Temporal.PlainDate.from('2026-11-20');
const DAY = { from: FRIDAY, to: FRIDAY };

/** `16:00 → h16`: where each mark leads; `-` where it leads nowhere. */
const show = ({ marks }: ReturnType<typeof toMarks>) =>
  marks.map(({ text, link }) => `${text} ${link?.href ?? '-'}`);
const byHour = (now_ms: number) =>
  toMarks(DAY, groupByHour(readAgenda(snapshot, DAY, now_ms, 'es'), now_ms, 'es'), now_ms, 'es');

describe('the hours of a day', () => {
  const groups = groupDay(readAgenda(snapshot, DAY, FRIDAY_NOON_MS, 'en'), false, 'en');
  const marks = toMarks(DAY, groups, null, 'en');
  test('each lead to the first row that begins from then on, and to the heading of what is folded', () => {
    // A fair at 10, a concert at 19, and a nightclub at 22, which is folded.
    expect(show(marks)).toEqual([
      '4 a.m. #h4',
      '8 a.m. #h4',
      '12 p.m. #h12',
      '4 p.m. #h12',
      '8 p.m. #nightclubs',
    ]);
    expect([...marks.ids].map(([card, id]) => [card.event.slug.en, id])).toEqual([
      ['everyday-fair', 'h4'],
      ['one-off-concert', 'h12'],
    ]);
  });
  test('say how many events begin from then on', () => {
    expect(marks.marks.map(({ link }) => link?.label)).toEqual([
      'From 4 a.m.: 3 events',
      'From 8 a.m.: 3 events',
      'From 12 p.m.: 2 events',
      'From 4 p.m.: 2 events',
      'From 8 p.m.: 1 event',
    ]);
  });
  test('of today that are over lead nowhere, and the one that goes on to what is on', () => {
    expect(show(byHour(at('2026-11-20T19:30:00')))).toEqual([
      '4:00 -',
      '8:00 -',
      '12:00 -',
      '16:00 #now',
      '20:00 #nightclubs',
    ]);
    expect(show(byHour(at('2026-11-20T00:40:00')))[0]).toBe('4:00 #h4');
    expect(show(byHour(at('2026-11-20T23:59:00')))).toEqual([
      '4:00 -',
      '8:00 -',
      '12:00 -',
      '16:00 -',
      '20:00 #now_nightclubs',
    ]);
  });
  test('of a calm day lead nowhere', () => {
    expect(show(toMarks(DAY, [], null, 'es')).every((mark) => mark.endsWith(' -'))).toBe(true);
  });
});

test('the days of several lead to their parts, with how many events each has', () => {
  const range = { from: FRIDAY, to: FRIDAY.add({ days: 2 }) };
  const agenda = readAgenda(snapshot, range, FRIDAY_NOON_MS, 'es');
  const occurrences = findOccurrences(snapshot, { ...toOpenFilter(FRIDAY_NOON_MS, 99), range });
  const days = splitDays(
    agenda,
    occurrences.items.map(({ occurrence }) => occurrence),
  );
  const { kind, marks } = toMarks(range, groupDays(days, 'es'), null, 'es');
  expect(kind).toBe('days');
  expect(marks.map(({ link }) => [link?.href, link?.label])).toEqual([
    ['#d2026-11-20', 'vie 20: 4 eventos'],
    ['#d2026-11-21', 'sáb 21: 2 eventos'],
    ['#d2026-11-22', 'dom 22: 1 evento'],
  ]);
});
