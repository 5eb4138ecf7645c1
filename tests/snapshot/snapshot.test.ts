// The snapshot as a file and as answers: deterministic, checked, true to its sources.
import Database from 'better-sqlite3';
import { copyFileSync, readFileSync } from 'node:fs';
import { Temporal } from 'temporal-polyfill';
import { afterAll, describe, expect, test } from 'vitest';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { checkSnapshot } from '../../src/snapshot/check.ts';
import { findNotices } from '../../src/snapshot/agenda.ts';
import { getEvent } from '../../src/snapshot/get-thing.ts';
import { listUpcomingEvents } from '../../src/snapshot/list-things.ts';
import { openSnapshot } from '../../src/snapshot/open.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture, readFixtureFiles } from '../fixtures/fixture.ts';

const town = readFixture();
const { snapshot, path, close } = openFixture(town);
afterAll(close);
describe('the file', () => {
  test('is the same bytes for the same sources and moment', () => {
    const again = `${path}.again`;
    const made_of = { now_ms: FRIDAY_NOON_MS, content: readFixtureFiles() };
    buildSnapshot(again, readFixture(), made_of);
    expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
  });
  test('passes its checks', () => {
    expect(checkSnapshot(path, town)).toEqual([]);
  });
  test.each([
    [
      `delete from notices where id = (select min(id) from notices)`,
      'notices: 2 rows where 3 were written',
    ],
    [
      `update events set record = json_set(record, '$.title.en', ' ') where position = 0`,
      'events without both titles: 1',
    ],
    [
      `update events set record = json_set(record, '$.summary.en', '') where position = 0`,
      'events without both summaries: 1',
    ],
    [`delete from occurrences where event = 0`, 'events without an occurrence: 1'],
    [
      `update events set venue = 've_nowhere' where position = 0`,
      'references that lead nowhere: 1',
    ],
    [
      `update slugs set id = 'ev_nowhere' where kind = 'event' and slug = 'feria-diaria'`,
      'slugs of events that lead nowhere: 1',
    ],
  ])('after %s does not', (sql, issue) => {
    const broken = `${path}.broken`;
    copyFileSync(path, broken);
    const db = new Database(broken);
    db.pragma('foreign_keys = off');
    db.exec(sql).close();
    expect(checkSnapshot(broken, town)).toContain(issue);
  });
  test('of something else is not opened', () => {
    const other = `${path}.other`;
    new Database(other).exec('create table meta (key text, value text)').close();
    expect(() => openSnapshot(other)).toThrow('is not a snapshot that this version reads');
  });
});

describe('an event', () => {
  const get = (slug: string) => getEvent(snapshot, slug, FRIDAY_NOON_MS);
  test.each(['concierto-unico-a-b', 'one-off-concert', 'concierto-viejo'])(
    'answers to %s and its id, with the zone of its venue and the end of a rule',
    (slug) => {
      const detail = get(slug);
      expect(detail).toMatchObject({
        event: { title: { en: 'One-off Concert' } },
        is_past: false,
        more_dates: 0,
        zone: { key: 'tajamar' },
        next: {
          start: '2026-11-20T19:00:00-05:00',
          end: '2026-11-20T22:00:00-05:00',
          end_known: false,
        },
      });
      if (detail && detail !== 'gone') expect(get(detail.event.id)).toEqual(detail);
    },
  );
  test('that is over is still there, and says so', () => {
    expect(get('taller-pasado')).toMatchObject({ is_past: true, next: null, more_dates: 0 });
    const upcoming = listUpcomingEvents(snapshot, FRIDAY_NOON_MS).map(({ slug }) => slug.es);
    expect(upcoming).not.toContain('taller-pasado');
  });
  test('that was withdrawn is gone under every name, and was never there under others', () => {
    const names = ['evento-retirado', 'withdrawn-event', 'evento'];
    expect(names.map(get)).toEqual(['gone', 'gone', null]);
  });
  test('that is postponed as a whole has its future postponed', () => {
    expect(get('obra-pospuesta')).toMatchObject({
      event: { status: 'postponed' },
      occurrences: [{ status: 'postponed' }],
    });
  });
});

test.each([
  ['2026-11-18', []],
  ['2026-11-19', ['Street closed']],
  ['2026-11-20', ['High surf', 'Street closed']],
  ['2026-11-21', ['Test alert', 'High surf', 'Street closed']],
  ['2026-11-22', ['Street closed']],
  ['2030-01-01', ['Street closed']],
])('the notices of %s are %j, the worst first', (day, expected) => {
  const found = findNotices(snapshot, Temporal.PlainDate.from(day));
  expect(found.map((notice) => notice.title.en)).toEqual(expected);
});
