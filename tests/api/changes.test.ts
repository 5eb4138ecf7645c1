// Change log: the kind of each change, and errors of invalid queries (contract 8.31).
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { requestApi } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { useFolder } from '../fixtures/folder.ts';
import { fetchChanges, createReleasedTown } from '../fixtures/released-town.ts';

const DAY_MS = 86_400_000;
const folder = useFolder();

describe('changes since a moment', () => {
  const town = createReleasedTown(join(folder, 'words'));
  afterAll(town.stop);
  const stem = 'events/concierto-unico';
  const first = town.read(stem);
  const steps = [
    first,
    first.replace(/^title: .*$/m, 'title: { es: Otro, en: Other }'),
    `${first}status: cancelled\n`,
    first,
    first.replace(/checked: \d{4}-\d\d-\d\d/, 'checked: 2026-11-19'),
    null,
    first,
  ];
  let cursor = '';
  /** The change log after each release, one per day from Friday on. */
  const results = steps.map((text, day) => {
    if (text === null) town.remove(stem);
    else town.write(stem, text);
    const release = town.release(FRIDAY_NOON_MS + day * DAY_MS);
    const listChanges = (query: string) =>
      fetchChanges(release, query).data.map(({ kind, change }) => `${kind} ${change}`);
    const by_cursor = cursor === '' ? [] : listChanges(`cursor=${cursor}`);
    const { meta, data } = fetchChanges(release, `since=2026-11-${20 + day}`);
    ({ cursor } = meta);
    return {
      data,
      by_cursor,
      by_day: listChanges(`since=2026-11-${20 + day}`),
      first_change: listChanges('since=2026-11-20&kind=event&limit=1'),
      organizers: listChanges('since=2026-11-20&kind=organizer'),
    };
  });

  test.each([
    [1, 'event changed'],
    [2, 'event cancelled'],
    [3, 'event restored'],
    [4, 'event refreshed'],
    [5, 'event withdrawn'],
    [6, 'event added'],
  ])('after release %i: %s', (day, change) => {
    expect(results[day]).toMatchObject({ by_day: [change], by_cursor: [change] });
  });

  test('a record that is new to the client is added, even if it was changed since', () => {
    expect(results[3]?.first_change).toEqual(['event added']);
    expect(results[3]?.organizers).toEqual(['organizer added']);
  });

  test('a withdrawn record has no title and no URLs', () => {
    expect(results[5]?.data).toMatchObject([{ title: null, url: null, api_url: null }]);
  });
});

describe('an invalid query', () => {
  const town = createReleasedTown(join(folder, 'wrong'));
  const release = town.release(FRIDAY_NOON_MS);
  const { snapshot, now_ms } = release;
  afterAll(town.stop);

  test.each([
    ['since=ayer', "since: 'ayer' is invalid. Use a day as YYYY-MM-DD"],
    ['since=2026-12-01', 'since: 2026-12-01 is in the future. It is now 2026-11-20T12:00:00-05:00'],
    ['since=2026-11-20&cursor=x', 'since: cannot be combined with cursor'],
    ['cursor=x', 'cursor: invalid'],
    ['limit=501', "limit: '501' is invalid. Use a whole number from 1 to 500"],
  ])('%s is 400 with the accepted values', (query, message) => {
    const response = requestApi(snapshot, `/api/v1/changes?${query}`, { now_ms });
    expect([response.status, String(response.body)]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });

  test('an offset with a space instead of + is accepted', () => {
    const { meta } = fetchChanges(release, 'since=2026-11-20T15:00:00+00:00');
    expect(meta.since).toBe('2026-11-20T09:45:00-05:00');
  });
});
