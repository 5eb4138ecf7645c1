// What happens before a release serves: a candidate is tested, and a start finds the newest sound
// release.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/config.ts';
import {
  PROJECT_DIR,
  type Layout,
  readCurrent,
  toLayout,
  toReleasePaths,
  writeCurrent,
} from '../../src/releases/layout.ts';
import { digestMakers } from '../../src/releases/digests.ts';
import {
  checkSettings,
  listChangedSettings,
  rememberSettings,
} from '../../src/releases/made-for.ts';
import { isReleaseRequested } from '../../src/releases/request-release.ts';
import { ensureRelease } from '../../src/server/process/first-release.ts';
import { openRelease, retire } from '../../src/server/http/release-state.ts';
import { createBundleLoader } from '../../src/server/http/site-bundle.ts';
import { smokeTestCandidate, smokeTestSwitch } from '../../src/server/process/smoke-candidate.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { RELEASES, startFake, writeRelease } from './fake-release.ts';

const RUN_SCRIPT = join(PROJECT_DIR, 'scripts', 'run.mjs');
const [FIRST, SECOND] = RELEASES;
let layout: Layout;
let config: Config;
beforeEach(async () => {
  layout = toLayout(mkdtempSync(join(tmpdir(), 'hoy-before-')));
  config = readConfig({ DATA_DIR: layout.data_dir });
  for (const id of [FIRST, SECOND])
    await writeRelease(layout, id, id, { made_with: digestMakers(config) });
  writeCurrent(layout, SECOND);
});
afterEach(() => rmSync(layout.data_dir, { recursive: true }));

const dirOf = (id: string): string => join(layout.releases_dir, id);

describe('a candidate', () => {
  test('whose pages say nothing of its events is told so, page by page; its API is right', async () => {
    const { tested, issues } = await smokeTestCandidate(config, dirOf(FIRST), FRIDAY_NOON_MS);
    expect(tested).toBeGreaterThan(100);
    expect(issues).toContain("/hoy does not say 'Exposición larga'");
    expect(issues).toContain("/en/today.md does not say 'A Long Exhibition'");
    expect(issues.filter((issue) => /^\/(api|mcp|healthz)/.test(issue))).toEqual([]);
    expect(issues.length).toBeLessThanOrEqual(20);
  });

  test('that breaks while a page is rendered is told so', async () => {
    writeFileSync(
      toReleasePaths(dirOf(FIRST)).entry,
      'export async function render() { throw new Error("out of paper"); }',
    );
    const { issues } = await smokeTestCandidate(config, dirOf(FIRST), FRIDAY_NOON_MS);
    expect(issues.some((issue) => issue.endsWith('fails: out of paper'))).toBe(true);
    expect(issues.some((issue) => issue.includes('answers 500 instead of'))).toBe(true);
  });

  test('that cannot be opened is no candidate', async () => {
    writeFileSync(toReleasePaths(dirOf(FIRST)).snapshot, 'no database');
    await expect(smokeTestCandidate(config, dirOf(FIRST), FRIDAY_NOON_MS)).rejects.toThrow(
      `The snapshot of release ${FIRST} is damaged`,
    );
  });
});

describe('before a switch', () => {
  const open = () => openRelease(dirOf(FIRST), createBundleLoader());
  const afterItsFiles_ms = FRIDAY_NOON_MS + 30 * 86_400_000;

  test('a release that responds rightly is the one that will serve', async () => {
    const fake = await startFake({ address: 1, key: 1 });
    const state = await open();
    expect(await smokeTestSwitch(state, fake.service, FRIDAY_NOON_MS)).toBe(state);
    expect((await fake.ask('/api/v1/events')).status).toBe(200);
    retire(state);
    await fake.stop();
  });

  test('one whose page of the day fails is closed and refused', async () => {
    writeFileSync(
      toReleasePaths(dirOf(FIRST)).entry,
      'export const render = async () => new Response("no", { status: 503 });',
    );
    const fake = await startFake();
    const state = await open();
    await expect(smokeTestSwitch(state, fake.service, afterItsFiles_ms)).rejects.toThrow(
      `/hoy answers 503 instead of 200 in release ${FIRST}`,
    );
    expect(state.lease.is_retired).toBe(true);
    await fake.stop();
  });
});

describe('a start', () => {
  const start = async (): Promise<string[]> => {
    const said: string[] = [];
    await ensureRelease(
      config,
      () => FRIDAY_NOON_MS,
      (line) => said.push(line),
      RUN_SCRIPT,
    );
    return said;
  };

  test('with a sound release says nothing and changes nothing', async () => {
    expect(await start()).toEqual([]);
    expect(readCurrent(layout)).toBe(SECOND);
  });

  test('with a damaged one takes the newest sound one, says so, and asks for a new one', async () => {
    writeFileSync(toReleasePaths(dirOf(SECOND)).snapshot, 'x', { flag: 'r+' });
    expect(await start()).toEqual([
      expect.stringMatching(
        `^ATTENTION: release ${SECOND} cannot serve: its snapshot is damaged. The newest sound one, ${FIRST} of .*, serves instead`,
      ),
    ]);
    expect([readCurrent(layout), isReleaseRequested(layout)]).toEqual([FIRST, true]);
  });

  test('with nonsense in data/current does the same', async () => {
    writeFileSync(layout.current_file, '\0\0\0');
    expect(await start()).toEqual([expect.stringContaining('data/current names no release')]);
    expect(readCurrent(layout)).toBe(SECOND);
  });

  test('leaves releases alone where they are somebody else’s business', async () => {
    config = readConfig({ DATA_DIR: layout.data_dir, REBUILD_HOURS: '0' });
    rmSync(toReleasePaths(dirOf(SECOND)).snapshot);
    await start();
    expect(isReleaseRequested(layout)).toBe(false);
  });
});

describe('the settings that a data folder was made with', () => {
  const PUBLIC = { SITE_URL: 'https://hoy.example', TILES_URL: '' };
  const toConfig = (env: Record<string, string>): Config =>
    readConfig({ DATA_DIR: layout.data_dir, ...env });

  test('are held once the site is public, and changed by whoever says so', () => {
    expect(() => checkSettings(toConfig(PUBLIC), layout)).not.toThrow();
    rememberSettings(toConfig(PUBLIC), layout);
    expect(() => checkSettings(toConfig(PUBLIC), layout)).not.toThrow();
    const map = { TILES_URL: 'https://tiles.example/style.json', TILES_ALLOW: 'https://a.example' };
    const other = toConfig({ ...PUBLIC, ...map, SITE_NAME: 'Otro' });
    expect(() => checkSettings(other, layout)).toThrow(
      /^SITE_NAME, TILES_URL, TILES_ALLOW: DATA_DIR was made with other settings/,
    );
    expect(listChangedSettings(other, layout)).toContain(
      'SITE_NAME: it was Hoy Cancún, now it is Otro',
    );
    rememberSettings(other, layout);
    expect(() => checkSettings(other, layout)).not.toThrow();
    expect(() => checkSettings(toConfig(PUBLIC), layout)).toThrow('TILES_URL: it was https://');
  });

  test('of a trial on one machine may change at will', () => {
    rememberSettings(toConfig({ PORT: '4400' }), layout);
    expect(listChangedSettings(toConfig(PUBLIC), layout)).toEqual([]);
  });
});
