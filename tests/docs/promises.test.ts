// What the papers promise: every package has a reason, every command and setting is named where
// people look.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { SETTING_NAMES } from '../../src/config.ts';

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

test('every command is in the README', () => {
  const { postinstall: _, ...commands } = scripts;
  for (const name of Object.keys(commands))
    expect(read('README.md'), name).toMatch(new RegExp(`npm (run )?${name}\\b`));
});

test('every setting that a person may make is in the README', () => {
  const of_processes = ['SNAPSHOT_PATH', 'OUT_DIR', 'SERVER_INDEX'];
  expect(SETTING_NAMES.length).toBeGreaterThan(8);
  for (const name of SETTING_NAMES.filter((one) => !of_processes.includes(one)))
    expect(read('README.md'), name).toContain(`\`${name}\``);
});
