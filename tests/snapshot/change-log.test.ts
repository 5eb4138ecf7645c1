// Change log: the window of new notices, the order of new events, and pages of changes (contract 8.31).
import { describe, expect, test } from 'vitest';
import type { NoticeRecord } from '../../src/domain/notice.ts';
import { LAST_ID_OF_TIMESTAMP, RECORD_KINDS } from '../../src/domain/record-history.ts';
import {
  listChangeLog,
  listNewEvents,
  listNewNotices,
  listRecentChanges,
} from '../../src/snapshot/change-log.ts';
import { localMs, FRIDAY_NOON_MS, loadFixture, useFixture } from '../fixtures/fixture.ts';

const town = loadFixture();
const { snapshot } = useFixture(town);
const DAY_MS = 86_400_000;
const [NOTICE] = town.notices;
if (NOTICE === undefined) throw new Error('the fixture has notices');

describe('new notices', () => {
  const list = (...notices: readonly Partial<NoticeRecord>[]) => {
    const records = notices.map(
      (notice, at): NoticeRecord => ({ ...NOTICE, id: `no_${at}`, ...notice }),
    );
    const loaded = { ...snapshot, notices: new Map(records.map((record) => [record.id, record])) };
    return listNewNotices(loaded, FRIDAY_NOON_MS, 2).map(({ id }) => id);
  };
  test.each([
    [
      'starts in just under 30 days',
      { start_ms: FRIDAY_NOON_MS + 30 * DAY_MS - 1, end_ms: null },
      true,
    ],
    ['starts in 30 days', { start_ms: FRIDAY_NOON_MS + 30 * DAY_MS, end_ms: null }, false],
    ['ended just under 7 days ago', { start_ms: 0, end_ms: FRIDAY_NOON_MS - 7 * DAY_MS + 1 }, true],
    ['ended 7 days ago', { start_ms: 0, end_ms: FRIDAY_NOON_MS - 7 * DAY_MS }, false],
    ['has no end', { start_ms: 0, end_ms: null }, true],
  ])('a notice that %s is listed: %s', (_, times, expected) => {
    expect(list(times)).toEqual(expected ? ['no_0'] : []);
  });
  test('are sorted by change, then by start, and limited', () => {
    const times = { start_ms: 0, end_ms: null };
    const [old, recent] = ['2026-11-01T00:00:00-05:00', '2026-11-02T00:00:00-05:00'];
    const notices = [
      { ...times, updated_at: old },
      { ...times, updated_at: recent },
      { ...times, updated_at: recent, start_ms: 1 },
    ];
    expect(list(...notices)).toEqual(['no_2', 'no_1']);
  });
});

test('new events are upcoming, sorted by change, then by start, and limited', () => {
  const cards = listNewEvents(snapshot, FRIDAY_NOON_MS, 5);
  expect(cards).toHaveLength(5);
  const keys = cards.map(({ event, next }) => [event.updated_at, next?.start_ms ?? 0] as const);
  for (const [[updated_at, start_ms], [next_updated_at, next_start_ms]] of keys
    .slice(1)
    .map((key, index) => [keys[index] ?? key, key] as const)) {
    expect(updated_at >= next_updated_at).toBe(true);
    if (updated_at === next_updated_at) expect(start_ms).toBeLessThanOrEqual(next_start_ms);
  }
  expect(listNewEvents(snapshot, localMs('2040-01-01T00:00:00'), 5)).toEqual([]);
});

describe('pages of changes', () => {
  const since = '2026-11-01T00:00:00-05:00';
  const readAll = (limit: number) => {
    const ids: string[] = [];
    let after = { changed_at: since, id: LAST_ID_OF_TIMESTAMP };
    for (;;) {
      const page = listChangeLog(
        snapshot,
        { since, after, kinds: RECORD_KINDS, limit },
        FRIDAY_NOON_MS,
      );
      expect(page.changes.length).toBeLessThanOrEqual(limit);
      ids.push(...page.changes.map(({ id }) => id));
      after = page.end;
      if (!page.has_more) return { ids, after };
    }
  };
  test('of any size have every record once, and end after the last change', () => {
    const { ids, after } = readAll(500);
    expect(ids.length).toBeGreaterThan(10);
    expect(new Set(ids).size).toBe(ids.length);
    expect(readAll(3)).toEqual({ ids, after });
    const kinds = RECORD_KINDS;
    const page = listChangeLog(snapshot, { since, after, kinds, limit: 3 }, FRIDAY_NOON_MS);
    expect([page.changes, page.end, page.has_more]).toEqual([[], after, false]);
  });
  test('have only the requested kinds', () => {
    const after = { changed_at: since, id: LAST_ID_OF_TIMESTAMP };
    const query = { since, after, kinds: ['notice'] as const, limit: 500 };
    const { changes } = listChangeLog(snapshot, query, FRIDAY_NOON_MS);
    expect(changes.map(({ kind }) => kind)).toEqual(town.notices.map(() => 'notice'));
  });
  test('of recent changes continue after the cursor, with the same total', () => {
    const read = (limit: number) => {
      const ids: string[] = [];
      let after: Parameters<typeof listRecentChanges>[1]['after'] = null;
      for (;;) {
        const page = listRecentChanges(snapshot, { since, limit, after }, FRIDAY_NOON_MS);
        ids.push(...page.changes.map(({ id }) => id));
        after = page.next;
        if (after === null) return { ids, total: page.total };
      }
    };
    const all = read(10_000);
    expect(all.total).toBe(all.ids.length);
    expect(read(7)).toEqual(all);
  });
});
