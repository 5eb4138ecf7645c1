// Site code folders: unused bundles are deleted, and unusual entries do not break that.
import { existsSync, lutimesSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { buildSiteCode, bundleFolderName } from '../../src/releases/site-code.ts';
import { createTestFolder } from '../fixtures/folder.ts';

const DAY_S = 86_400;
const CURRENT = bundleFolderName('code');
test('keeps bundles used within a week, and tolerates a link to itself', async () => {
  const dir = createTestFolder();
  const age = (name: string, days: number): void => {
    const used_s = Date.now() / 1000 - days * DAY_S;
    lutimesSync(join(dir, name), used_s, used_s);
  };
  const AGES = { [CURRENT]: 30, 'of-last-week': 6, old: 8, '.building-1': 0.5, '.building-2': 0 };
  for (const [name, days] of Object.entries(AGES)) {
    mkdirSync(join(dir, name, 'site'), { recursive: true });
    age(name, days);
  }
  for (const name of ['loop', 'old-loop']) symlinkSync(name, join(dir, name));
  age('old-loop', 8);
  const config = { ...loadConfig({}), bundles_dir: dir };
  const { entry } = await buildSiteCode(config, 'code', () => {});
  expect(entry).toBe(join(dir, CURRENT, 'site/server/entry.mjs'));
  expect(readdirSync(dir).sort()).toEqual(['.building-2', 'loop', CURRENT, 'of-last-week'].sort());
  // Built code finds its packages from any folder.
  expect(existsSync(join(dir, CURRENT, 'node_modules/astro'))).toBe(true);
});
