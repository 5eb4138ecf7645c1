// What the papers promise: every package has a reason, every command and setting is named where
// people look.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const Names = v.record(v.string(), v.string());
const Package = v.object({
  scripts: Names,
  dependencies: Names,
  optionalDependencies: Names,
  devDependencies: Names,
});
const { scripts, dependencies, optionalDependencies, devDependencies } = v.parse(
  Package,
  JSON.parse(read('package.json')),
);

test('every package is pinned and stands in docs/decisions.md with what it is for, and no other does', () => {
  const all = { ...dependencies, ...optionalDependencies, ...devDependencies };
  const pinned = /^(npm:@[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
  expect(Object.entries(all).filter(([, version]) => !pinned.test(version))).toEqual([]);
  const table = read('docs/decisions.md').split('## Dependencies')[1] ?? '';
  const named = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map((name) => name.replaceAll('`', '')),
  );
  expect(named.sort()).toEqual(Object.keys(all).sort());
});

test('every command is in the README and has a --help in the launcher', () => {
  const [readme, launcher] = [read('README.md'), read('scripts/run.mjs')];
  const { postinstall: _, ...commands } = scripts;
  for (const name of Object.keys(commands)) {
    expect(readme, name).toMatch(new RegExp(`npm (run )?${name}\\b`));
    expect(launcher, name).toMatch(new RegExp(`^ {2}${name}: ['"]`, 'm'));
  }
});

test('every setting that a person may make is in the README', () => {
  // What the processes set for one another comes last, and is nobody else's business.
  const [ours = ''] = read('src/config.ts').split('// Set by the release builder');
  const settings = new Set([...ours.matchAll(/\b([A-Z][A-Z_]{3,}): /g)].map(([, name]) => name));
  expect(settings.size).toBeGreaterThan(8);
  for (const name of settings) expect(read('README.md'), name).toContain(`\`${name}\``);
});
