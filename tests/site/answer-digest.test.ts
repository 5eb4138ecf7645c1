// The digest of a page's answer sees all that the page is given: values, and maps only where they
// are taken apart.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { toSite } from '../../src/domain/site.ts';
import { resolvePath } from '../../src/site/answer.ts';
import { digestAnswer } from '../../src/site/answer-digest.ts';
import { listBuiltPaths } from '../../src/site/prebuilt.ts';
import type { SiteState } from '../../src/site/state.ts';
import { FRIDAY_NOON_MS, openFixture, readFixture } from '../fixtures/fixture.ts';

let fixture: ReturnType<typeof openFixture>;
let state: SiteState;
beforeAll(() => {
  fixture = openFixture(readFixture(), FRIDAY_NOON_MS);
  state = { snapshot: fixture.snapshot, site: toSite(readConfig({})), now_ms: FRIDAY_NOON_MS };
});
afterAll(() => fixture.close());

/** Where below a value something stands that text does not tell; its own entries may be maps. */
function findUntold(value: unknown, where: string, depth = 0): string[] {
  if (typeof value === 'function') return [where];
  if (value instanceof Map && depth === 1)
    return [...value].flatMap(([key, one]) => findUntold(one, `${where}.${key}`, depth));
  if (value instanceof Map || value instanceof Set) return [where];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    findUntold(one, `${where}.${key}`, depth + 1),
  );
}

test('no page that a release has ready is given anything else', () => {
  const paths = listBuiltPaths(state).filter((path) => !path.endsWith('.md'));
  const results = paths.map((path) => resolvePath(state, path));
  expect(new Set(results.map((result) => result?.kind)).size).toBeGreaterThan(7);
  for (const result of results)
    if (result !== null && 'page' in result)
      expect(findUntold(result.page, result.kind)).toEqual([]);
});

test('a page and its Markdown have one, another page another', () => {
  const digest = digestAnswer(state, '/fecha/2026-11-21');
  expect(digest).toMatch(/^[\w-]{22}$/);
  expect(digestAnswer(state, '/fecha/2026-11-21.md')).toBe(digest);
  expect(digestAnswer(state, '/fecha/2026-11-22')).not.toBe(digest);
  expect(digestAnswer(state, '/sitemap.xml')).toBeNull();
});
