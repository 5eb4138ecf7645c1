// The digest of a page's answer sees all that the page is given.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { toDayNumber } from '../../src/domain/cancun-time.ts';
import { byLang } from '../../src/domain/lang.ts';
import { toDayPath } from '../../src/i18n/paths.ts';
import { listBuiltDays } from '../../src/site/agenda.ts';
import { digestAnswer } from '../../src/site/answer-digest.ts';
import { listBuiltPaths } from '../../src/site/documents.ts';
import { findPage } from '../../src/site/registry.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';
import { openState } from '../fixtures/site.ts';

const state = openState();

/** Where below a value something stands that text does not tell. */
function findUntold(value: unknown, where: string): string[] {
  if (typeof value === 'function' || value instanceof Map || value instanceof Set) return [where];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => findUntold(one, `${where}.${key}`));
}

test('no page that a release has ready is given anything else', () => {
  const paths = listBuiltPaths(state).filter((path) => !path.endsWith('.md'));
  const pages = [...paths, '/calendario', '/incrustar', '/buscar', '/lugares'].flatMap(
    (path) => findPage(path) ?? [],
  );
  expect(new Set(pages.map(({ name }) => name)).size).toBeGreaterThan(8);
  for (const page of pages) {
    const answer = page.load(state, '');
    if (answer.kind === 'page') expect(findUntold(answer.page, page.name)).toEqual([]);
  }
});

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : 1;

test('one event more changes only the days around its own', () => {
  const { events, occurrences, ...rest } = readFixture();
  const one = events.find(({ slug }) => slug.es === 'obra-pospuesta');
  const own = occurrences.find(({ event }) => event === one?.id);
  if (one === undefined || own === undefined) throw new Error('no event of one day');
  const [id, slug] = ['ev_otromasotro', byLang(() => 'otro-mas')];
  const more = openFixture(
    {
      ...rest,
      events: [...events, { ...one, id, slug }].sort(byId),
      occurrences: occurrences.flatMap((other) =>
        other === own ? [own, { ...own, id: `${id}-1`, event: id }] : [other],
      ),
    },
    FRIDAY_NOON_MS,
  );
  const changed = listBuiltDays(FRIDAY_NOON_MS).filter((day) => {
    const path = toDayPath(day, 'es');
    return digestAnswer({ ...state, snapshot: more.snapshot }, path) !== digestAnswer(state, path);
  });
  more.close();
  // The days around one stand in a row above it, each with how much it has.
  const far = changed.filter(
    (day) => Math.abs(toDayNumber(Temporal.PlainDate.from(day)) - own.first_day) > 7,
  );
  expect([changed.length > 0, far]).toEqual([true, []]);
});

test('a page and its Markdown have one, another page another', () => {
  const digest = digestAnswer(state, '/fecha/2026-11-21');
  expect(digest).toMatch(/^[\w-]{22}$/);
  expect(digestAnswer(state, '/fecha/2026-11-21.md')).toBe(digest);
  expect(digestAnswer(state, '/fecha/2026-11-22')).not.toBe(digest);
  expect(digestAnswer(state, '/sitemap.xml')).toBeNull();
});
