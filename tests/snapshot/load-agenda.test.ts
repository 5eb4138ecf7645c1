// Agenda: events still running from last night, notices of a range, and open venues of a single day (contract 2.3, 4.14).
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { resolveHourKeyword } from '../../src/domain/query/date-range.ts';
import { type EventFilter, unfilteredEventFilter } from '../../src/domain/query/event-query.ts';
import { findNotices, findOngoingEvents, loadAgenda } from '../../src/snapshot/load-agenda.ts';
import { localMs, FRIDAY_NOON_MS, loadFixture, useFixture } from '../fixtures/fixture.ts';

const town = loadFixture();
const { snapshot } = useFixture(town);
const SATURDAY = Temporal.PlainDate.from('2026-11-21');

describe('ongoing events', () => {
  const NIGHT_MS = localMs('2026-11-21T01:00:00');
  const filter = {
    ...unfilteredEventFilter(NIGHT_MS, 100),
    range: { from: SATURDAY, to: SATURDAY },
  };
  const list = (changes: Partial<EventFilter> = {}) =>
    findOngoingEvents(snapshot, { ...filter, ...changes }, 'en').map(({ event }) => event.title.en);

  test('started last night and have not ended', () => {
    expect(list()).toContain('Friday Night Out');
    expect(list({ now_ms: localMs('2026-11-21T06:00:00') })).not.toContain('Friday Night Out');
  });
  test('exclude events of today', () => {
    const friday = SATURDAY.subtract({ days: 1 });
    const range = { from: friday, to: friday };
    expect(list({ range, now_ms: localMs('2026-11-20T20:00:00') })).not.toContain(
      'One-off Concert',
    );
  });
  test('are empty unless the list starts today and has no hours', () => {
    expect(
      list({ range: { from: SATURDAY.add({ days: 1 }), to: SATURDAY.add({ days: 1 }) } }),
    ).toEqual([]);
    expect(list({ range: null })).toEqual([]);
    expect(list({ hours: resolveHourKeyword('tonight', NIGHT_MS) })).toEqual([]);
  });
});

test('the notices of a range touch any of its days', () => {
  const titles = (from: string, to?: string) =>
    findNotices(
      snapshot,
      Temporal.PlainDate.from(from),
      to ? Temporal.PlainDate.from(to) : undefined,
    )
      .map(({ title }) => title.en)
      .join();
  expect(titles('2026-11-19')).toBe('Street closed');
  expect(titles('2026-11-20')).toBe('High surf,Street closed');
  expect(titles('2026-11-21')).toBe('Test alert,High surf,Street closed');
  expect(titles('2026-11-22')).toBe('Street closed');
  expect(titles('2026-11-18')).toBe('');
  expect(titles('2026-11-18', '2026-11-20')).toBe('High surf,Street closed');
});

test.each([
  ['a single day', 0, {}, true],
  ['two days', 1, {}, false],
  ['a filter that only events have', 0, { words: ['musica'] }, false],
])('an agenda of %s has open venues: %s', (_, days, criteria, expected) => {
  const filter = { ...unfilteredEventFilter(FRIDAY_NOON_MS, 1), ...criteria };
  const range = { from: SATURDAY, to: SATURDAY.add({ days }) };
  const agenda = loadAgenda(snapshot, range, FRIDAY_NOON_MS, 'es', filter);
  expect(agenda.open_places.length > 0).toBe(expected);
});
