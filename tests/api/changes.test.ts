// The list of changes: which word for what, and what is said to a wrong question (contract 8.31).
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ask } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { readChanges, startTown } from '../fixtures/released-town.ts';

const DAY_MS = 86_400_000;
const folder = makeFolder();

describe('what became of a thing since a moment', () => {
  const town = startTown(join(folder, 'words'));
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
  /** A release a day from Friday; gives what each is told by a query. */
  const told = steps.map((text, day) => {
    if (text === null) town.remove(stem);
    else town.write(stem, text);
    const served = town.release(FRIDAY_NOON_MS + day * DAY_MS);
    const tell = (query: string) =>
      readChanges(served, query).data.map(({ kind, change }) => `${kind} ${change}`);
    const by_cursor = cursor === '' ? [] : tell(`cursor=${cursor}`);
    const { meta, data } = readChanges(served, `since=2026-11-${20 + day}`);
    ({ cursor } = meta);
    return {
      data,
      by_cursor,
      by_day: tell(`since=2026-11-${20 + day}`),
      at_first: tell('since=2026-11-20&kind=event&limit=1'),
      organizers: tell('since=2026-11-20&kind=organizer'),
    };
  });

  test.each([
    [1, 'event changed'],
    [2, 'event cancelled'],
    [3, 'event restored'],
    [4, 'event refreshed'],
    [5, 'event withdrawn'],
    [6, 'event added'],
  ])('after release %i is said in one word: %s', (day, words) => {
    expect(told[day]).toMatchObject({ by_day: [words], by_cursor: [words] });
  });

  test('to whom it is new it is added, whatever became of it since', () => {
    expect(told[3]?.at_first).toEqual(['event added']);
    expect(told[3]?.organizers).toEqual(['organizer added']);
  });

  test('of what was withdrawn nothing is said but that', () => {
    expect(told[5]?.data).toMatchObject([{ title: null, url: null, api_url: null }]);
  });
});

describe('a wrong question', () => {
  const town = startTown(join(folder, 'wrong'));
  const served = town.release(FRIDAY_NOON_MS);
  const { snapshot, now_ms } = served;
  afterAll(town.stop);

  test.each([
    ['since=ayer', "since: 'ayer' is no moment. Use a day as YYYY-MM-DD"],
    ['since=2026-12-01', 'since: 2026-12-01 is still to come. It is 2026-11-20T12:00:00-05:00'],
    ['since=2026-11-20&cursor=x', 'since: cannot stand beside cursor'],
    ['cursor=x', 'cursor: is not one of ours'],
    ['limit=501', "limit: '501' is not accepted. Use a whole number from 1 to 500"],
  ])('%s is 400 with what is accepted', (query, sentence) => {
    const answer = ask(snapshot, `/api/v1/changes?${query}`, { now_ms });
    expect([answer.status, String(answer.body)]).toEqual([400, expect.stringContaining(sentence)]);
  });

  test('an offset whose + became a space is understood', () => {
    const { meta } = readChanges(served, 'since=2026-11-20T15:00:00+00:00');
    expect(meta.since).toBe('2026-11-20T09:45:00-05:00');
  });
});
