// The digest of a page's answer sees all that the page is given.
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { toDayNumber } from '../../src/domain/cancun-time.ts';
import { byLang, type Lang } from '../../src/domain/lang.ts';
import { toSite } from '../../src/domain/site.ts';
import { toDayPath, toThingPath } from '../../src/i18n/paths.ts';
import { listBuiltDays } from '../../src/site/agenda.ts';
import { digestAnswer } from '../../src/site/answer-digest.ts';
import { listBuiltPaths } from '../../src/site/documents.ts';
import { findPage } from '../../src/site/registry.ts';
import type { SiteState } from '../../src/site/state.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';
import { sayOtherwise } from '../fixtures/otherwise.ts';

/** Two days on: today's and tomorrow's lead to pages of their own. */
const LATER_MS = FRIDAY_NOON_MS + 2 * 86_400_000;

let fixture: ReturnType<typeof openFixture>;
let state: SiteState;
beforeAll(() => {
  fixture = openFixture(readFixture(), FRIDAY_NOON_MS);
  state = { snapshot: fixture.snapshot, site: toSite(readConfig({})), now_ms: FRIDAY_NOON_MS };
});
afterAll(() => fixture.close());

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
  const isAlone = ({ event }: { readonly event: string }): boolean =>
    occurrences.filter((other) => other.event === event).length === 1;
  const own = occurrences.find(
    (one) => one.start_ms > LATER_MS && one.first_day === one.last_day && isAlone(one),
  );
  const one = events.find((event) => event.id === own?.event);
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

test('what is said in another language changes no list, and what is said in its own does', () => {
  const otherwise = openFixture(
    sayOtherwise(readFixture(), 'en', '2026-11-20T11:00:00-05:00'),
    FRIDAY_NOON_MS,
  );
  const isOther = (path: string): boolean =>
    digestAnswer({ ...state, snapshot: otherwise.snapshot }, path) !== digestAnswer(state, path);
  const days = listBuiltDays(FRIDAY_NOON_MS);
  const zones = state.snapshot.taxonomy.zones.map(({ slug }) => slug);
  const listChanged = (lang: Lang): readonly string[] =>
    [
      ...days.map((day) => toDayPath(day, lang)),
      ...zones.map((slug) => toThingPath('zone', slug, lang)),
    ].filter(isOther);
  expect(listChanged('es')).toEqual([]);
  expect(listChanged('en').length).toBeGreaterThan(10);
  otherwise.close();
});

test('a page and its Markdown have one, another page another', () => {
  const digest = digestAnswer(state, '/fecha/2026-11-21');
  expect(digest).toMatch(/^[\w-]{22}$/);
  expect(digestAnswer(state, '/fecha/2026-11-21.md')).toBe(digest);
  expect(digestAnswer(state, '/fecha/2026-11-22')).not.toBe(digest);
  expect(digestAnswer(state, '/sitemap.xml')).toBeNull();
});
