// What the papers say of files and of what is in them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAPERS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'bench/README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Files and folders of the repository named in a text or linked from it, `src/i18n/*.json` left out. */
const listPaths = (text: string, folder: string): readonly string[] => [
  ...Array.from(
    text.matchAll(/`((?:src|scripts|tests|tools\/operate|docs|content)\/[\w./[\]-]+)`/g),
    ([, path = '']) => path,
  ),
  ...Array.from(text.matchAll(/\]\((?!https?:)([^)#]+)/g), ([, path = '']) => join(folder, path)),
];

describe('the papers', () => {
  test.each(PAPERS)('%s names only files that exist', (paper) => {
    const missing = listPaths(read(paper), dirname(paper)).filter(
      (path) => !existsSync(join(ROOT, path)),
    );
    expect(missing).toEqual([]);
  });

  test('of contributing name what is in those files', () => {
    const groups = [...read('CONTRIBUTING.md').matchAll(/`(src\/[\w./-]+\.ts)` \((`[^)]+`)\)/g)];
    const named = groups.flatMap(([, path = '', names = '']) =>
      names.split(', ').map((name) => [path, name.replaceAll('`', '')] as const),
    );
    expect(named.length).toBeGreaterThan(30);
    const missing = named.filter(
      ([path, name]) =>
        !new RegExp(`\\b(const|function|interface|type) ${name}\\b`).test(read(path)),
    );
    expect(missing).toEqual([]);
  });

  test('have ten recipes and three walks of bounded length', () => {
    const text = read('CONTRIBUTING.md');
    const [recipes = ''] = text.split('## Our words');
    expect(recipes.match(/^- \*\*(add|change) /gm)?.length).toBeGreaterThanOrEqual(10);
    const walks = (text.split('## Three walks')[1] ?? '').split('## Habits')[0] ?? '';
    const lengths = walks
      .split(/^### /m)
      .slice(1)
      .map((walk) => walk.match(/^\d+\. /gm)?.length ?? 0);
    expect(lengths).toHaveLength(3);
    const [request = 0, submission = 0, file = 0] = lengths;
    expect(request).toBeLessThanOrEqual(18);
    expect(submission).toBeLessThanOrEqual(20);
    expect(file).toBeLessThanOrEqual(20);
    expect(Math.min(...lengths)).toBeGreaterThan(5);
  });
});
