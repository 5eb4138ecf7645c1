// The folders of built code: those that nobody uses go, and nothing among them stands in the way.
import { existsSync, lutimesSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { buildSiteCode, bundleFolderName } from '../../src/releases/site-code.ts';
import { makeTestFolder } from '../fixtures/folder.ts';

const DAY_S = 86_400;
const MINE = bundleFolderName('code');
test('what was used within a week stays; a link to itself is no reason to fail', async () => {
  const dir = makeTestFolder();
  const age = (name: string, days: number): void => {
    const used_s = Date.now() / 1000 - days * DAY_S;
    lutimesSync(join(dir, name), used_s, used_s);
  };
  const AGES = { [MINE]: 30, 'of-last-week': 6, old: 8, '.building-1': 0.5, '.building-2': 0 };
  for (const [name, days] of Object.entries(AGES)) {
    mkdirSync(join(dir, name, 'site'), { recursive: true });
    age(name, days);
  }
  for (const name of ['loop', 'old-loop']) symlinkSync(name, join(dir, name));
  age('old-loop', 8);
  const config = { ...loadConfig({}), bundles_dir: dir };
  const { entry } = await buildSiteCode(config, 'code', () => {});
  expect(entry).toBe(join(dir, MINE, 'site/server/entry.mjs'));
  expect(readdirSync(dir).sort()).toEqual(['.building-2', 'loop', MINE, 'of-last-week'].sort());
  // What built code imports is found from wherever it lies.
  expect(existsSync(join(dir, MINE, 'node_modules/astro'))).toBe(true);
});
