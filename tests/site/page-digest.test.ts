import { expect, test } from 'vitest';
import { digestPageInputs } from '../../src/site/page-digest.ts';
import { listWarmPaths } from '../../src/site/resolve-path.ts';
import { matchPage } from '../../src/site/page-registry.ts';
import { openState } from '../fixtures/site.ts';

const state = openState();

/** Where below a value something stands that text does not tell. */
function findUntold(value: unknown, where: string): string[] {
  if (typeof value === 'function' || value instanceof Map || value instanceof Set) return [where];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => findUntold(one, `${where}.${key}`));
}

test('no page that a release has ready is given anything else', () => {
  const paths = listWarmPaths(state).filter((path) => !path.endsWith('.md'));
  const pages = [...paths, '/calendario', '/incrustar', '/buscar', '/lugares'].flatMap(
    (path) => matchPage(path) ?? [],
  );
  expect(new Set(pages.map(({ name }) => name)).size).toBeGreaterThan(8);
  for (const page of pages) {
    const answer = page.load(state, '');
    if (answer.kind === 'page') expect(findUntold(answer.page, page.name)).toEqual([]);
  }
});

test('a page and its Markdown have one, another page another', () => {
  const digest = digestPageInputs(state, '/fecha/2026-11-21');
  expect(digest).toMatch(/^[\w-]{22}$/);
  expect(digestPageInputs(state, '/fecha/2026-11-21.md')).toBe(digest);
  expect(digestPageInputs(state, '/fecha/2026-11-22')).not.toBe(digest);
  expect(digestPageInputs(state, '/sitemap.xml')).toBeNull();
});
