// Page digests: cover all loaded data, and differ between pages.
import { expect, test } from 'vitest';
import { digestPageInputs } from '../../src/site/page-digest.ts';
import { listWarmPaths } from '../../src/site/resolve-path.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { openPageContext } from '../fixtures/site.ts';

const state = openPageContext();

/** Lists the paths of functions, maps and sets in a value, which JSON loses. */
function findUnserializable(value: unknown, path: string): string[] {
  if (typeof value === 'function' || value instanceof Map || value instanceof Set) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    findUnserializable(member, `${path}.${key}`),
  );
}

test('the loaded data of cached pages has no functions, maps or sets', () => {
  const paths = listWarmPaths(state).filter((path) => !path.endsWith('.md'));
  const pages = [...paths, '/calendario', '/incrustar', '/buscar', '/lugares'].flatMap(
    (path) => matchPage(path) ?? [],
  );
  expect(new Set(pages.map(({ name }) => name)).size).toBeGreaterThan(8);
  for (const page of pages) {
    const outcome = page.load(state, '');
    if (outcome.kind === 'page') expect(findUnserializable(outcome.page, page.name)).toEqual([]);
  }
});

test('a page and its Markdown version have the same digest, another page a different one', () => {
  const digest = digestPageInputs(state, '/fecha/2026-11-21');
  expect(digest).toMatch(/^[\w-]{22}$/);
  expect(digestPageInputs(state, '/fecha/2026-11-21.md')).toBe(digest);
  expect(digestPageInputs(state, '/fecha/2026-11-22')).not.toBe(digest);
  expect(digestPageInputs(state, '/sitemap.xml')).toBeNull();
});
