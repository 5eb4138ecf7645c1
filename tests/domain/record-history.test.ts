// Record history: updates by release, and the change since a given time.
import { expect, test } from 'vitest';
import {
  closeHistory,
  createHistory,
  findChangeSince,
  lastReportedAt,
  type RecordHistory,
  type ReleasedState,
  updateHistory,
} from '../../src/domain/record-history.ts';

/** Timestamp of an hour of one day. */
const hour = (number: number): string =>
  `2026-11-20T${String(number).padStart(2, '0')}:00:00-05:00`;
const STATE: ReleasedState = {
  ...{ id: 'ev_a', kind: 'event' as const, digest: 'one', status: 'published' as const },
  ...{ said_at: hour(1), status_at: hour(1), dates: [] },
};
const HISTORY: RecordHistory = {
  ...STATE,
  ...{ added_at: hour(1), changed_at: hour(1), is_gone: false, dates: [] },
};

test('a new or returning record is added now', () => {
  const added = { added_at: hour(9), changed_at: hour(9), is_gone: false };
  expect(updateHistory(undefined, STATE, hour(9))).toMatchObject(added);
  const gone = closeHistory(HISTORY, hour(5));
  expect(updateHistory(gone, STATE, hour(9))).toMatchObject(added);
});

test('a record keeps its history until its digest changes', () => {
  expect(updateHistory(HISTORY, STATE, hour(9))).toBe(HISTORY);
  const changed = updateHistory(HISTORY, { ...STATE, digest: 'two' }, hour(9));
  expect(changed).toMatchObject({ added_at: hour(1), changed_at: hour(9), digest: 'two' });
});

test('a removed record is closed once', () => {
  const gone = closeHistory(HISTORY, hour(5));
  expect(gone).toMatchObject({ is_gone: true, digest: '', changed_at: hour(5), said_at: hour(5) });
  expect(closeHistory(gone, hour(9))).toBe(gone);
});

test('a record older than histories counts as added with its last change', () => {
  expect(createHistory({ ...STATE, said_at: hour(3) })).toMatchObject({
    ...{ added_at: hour(3), changed_at: hour(3), is_gone: false },
  });
});

const CANCELLED = {
  ...HISTORY,
  status: 'cancelled',
  status_at: hour(6),
  changed_at: hour(6),
} as const;
type DateStatus = NonNullable<RecordHistory['dates']>[number]['status'];
/** History with dates `a`, `b` … whose status changed in hour 6. */
const withDates = (...statuses: readonly DateStatus[]): RecordHistory => ({
  ...HISTORY,
  ...{ said_at: hour(6), changed_at: hour(6) },
  dates: statuses.map((status, index) => ({ id: 'abc'.charAt(index), status, at: hour(6) })),
});
test.each<[string, RecordHistory, since: number, string | null]>([
  ['an unchanged record', HISTORY, 1, null],
  ['a new record', HISTORY, 0, `added ${hour(1)}`],
  ['a new and cancelled record', CANCELLED, 0, `cancelled ${hour(6)}`],
  ['a new and restored event', { ...CANCELLED, status: 'published' }, 0, `restored ${hour(6)}`],
  ['an event with a cancelled date', withDates('cancelled'), 5, `cancelled ${hour(6)} a`],
  ['a new event with a cancelled date', withDates('cancelled'), 0, `cancelled ${hour(6)} a`],
  [
    'an event with a cancelled, a postponed and a restored date',
    withDates('scheduled', 'postponed', 'cancelled'),
    5,
    `cancelled ${hour(6)} b c`,
  ],
  ['an event with a postponed date', withDates('postponed'), 5, `postponed ${hour(6)} a`],
  ['an event with a restored date', withDates('scheduled'), 5, `restored ${hour(6)} a`],
  ['a date cancelled then', withDates('cancelled'), 6, null],
  [
    'a whole event cancelled after a date of it',
    { ...CANCELLED, dates: withDates('cancelled').dates },
    5,
    `cancelled ${hour(6)}`,
  ],
  ['a cancelled event', CANCELLED, 5, `cancelled ${hour(6)}`],
  ['an event cancelled then', CANCELLED, 6, null],
  ['a restored event', { ...CANCELLED, status: 'published' }, 5, `restored ${hour(6)}`],
  [
    'a changed text',
    { ...HISTORY, said_at: hour(7), changed_at: hour(7) },
    6,
    `changed ${hour(7)}`,
  ],
  ['further dates', { ...HISTORY, changed_at: hour(8) }, 7, `refreshed ${hour(8)}`],
  ['a removed record', closeHistory(HISTORY, hour(5)), 4, `withdrawn ${hour(5)}`],
  ['a removed new record', closeHistory(HISTORY, hour(5)), 0, `withdrawn ${hour(5)}`],
])('%s since a time has its most important change', (_, history, since, expected) => {
  const result = findChangeSince(history, hour(since));
  expect(result && [result.change, result.at, ...result.dates].join(' ')).toBe(expected);
});

test('a date keeps the time of its status, until it is restored or the event loses it', () => {
  const release = (before: RecordHistory | undefined, status: DateStatus, at: number) =>
    updateHistory(before, { ...STATE, digest: `${at}`, dates: [{ id: 'a', status }] }, hour(at));
  const added = release(undefined, 'scheduled', 1);
  expect(added.dates).toEqual([]);
  const cancelled = release(added, 'cancelled', 2);
  expect(cancelled.dates).toEqual([{ id: 'a', status: 'cancelled', at: hour(2) }]);
  expect(release(cancelled, 'cancelled', 3).dates).toEqual(cancelled.dates);
  const restored = release(cancelled, 'scheduled', 4);
  expect(restored.dates).toEqual([{ id: 'a', status: 'scheduled', at: hour(4) }]);
  const without_date = updateHistory(restored, { ...STATE, digest: 'other' }, hour(5));
  expect(without_date.dates).toEqual([]);
  const event_cancelled = { ...STATE, digest: 'all', status: 'cancelled' } as const;
  const all = [{ id: 'a', status: 'cancelled' }] as const;
  expect(updateHistory(added, { ...event_cancelled, dates: all }, hour(5)).dates).toEqual([]);
});

test('a history of an older version gets its cancelled dates with its last change', () => {
  const { dates: _, ...old } = HISTORY;
  expect(updateHistory(old, STATE, hour(9))).toBe(old);
  const state = { ...STATE, dates: [{ id: 'a', status: 'cancelled' }] } as const;
  const dates = [{ id: 'a', status: 'cancelled', at: hour(1) }];
  expect(updateHistory(old, state, hour(9))).toEqual({ ...old, dates });
});

test('the last reported time ignores refreshed dates', () => {
  expect(lastReportedAt({ ...CANCELLED, changed_at: hour(8) })).toBe(hour(6));
  expect(lastReportedAt({ ...HISTORY, said_at: hour(7), changed_at: hour(8) })).toBe(hour(7));
  expect(lastReportedAt(closeHistory(HISTORY, hour(9)))).toBe(hour(9));
});
