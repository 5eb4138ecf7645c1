// Release build: from content and inbox to the live release, and rollbacks with current decisions.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getLastAgendaDecisionId } from '../../src/inbox/decisions.ts';
import { loadLedger } from '../../src/inbox/ledger.ts';
import type { BuildReleaseOptions } from '../../src/releases/build-release.ts';
import { withSnapshotContent } from '../../src/releases/release-content.ts';
import { loadLastBuild } from '../../src/releases/last-build.ts';
import { isLocked } from '../../src/releases/file-lock.ts';
import { findSnapshot, getCurrentName, snapshotPath } from '../../src/releases/snapshots.ts';
import { loadContentRows } from '../../src/snapshot/snapshot-meta.ts';
import { deriveId } from '../../src/sources/identity.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { type Releases, startReleases } from '../fixtures/releases.ts';
import { changeStatus } from '../fixtures/changes.ts';

const FAIR = deriveId('event', 'feria-diaria');
const CONCERT = deriveId('event', 'concierto-unico');
let releases: Releases;
beforeEach(() => {
  releases = startReleases();
});
afterEach(() => releases.stop());

const setTitle = (title: string): void =>
  releases.town.edit('events/feria-diaria', /^title: .*$/m, `title: { es: ${title}, en: Fair }`);
const cancel = (event: string): Promise<void> =>
  releases.withInbox((inbox) =>
    changeStatus(inbox, { editor: 'ana', now_ms: FRIDAY_NOON_MS }, event, 'cancel', 'Llueve'),
  );
const listFiles = () => readdirSync(releases.layout.snapshots_dir).sort();
const current = () => getCurrentName(releases.layout) ?? '';
const damage = (name: string): void =>
  writeFileSync(snapshotPath(releases.layout, name), '\0', { flag: 'a' });

describe('a release', () => {
  test('goes live under the digest of its bytes and summarizes its changes', async () => {
    await releases.build();
    const first = current();
    setTitle('Otro nombre');
    releases.town.remove('events/taller-pasado');
    await cancel(CONCERT);
    const { name, summary, rolled_back_to } = await releases.build();
    expect([name, rolled_back_to]).toEqual([current(), null]);
    expect(summary).toMatch(
      /^\d+ events read, 0 new, 1 changed, 1 cancelled, 1 gone, 0 without dates now$/,
    );
    expect(listFiles()).toEqual([`${first}.db`, `${name}.db`].sort());
    expect([releases.read(FAIR), releases.read(CONCERT)?.[1]]).toEqual([
      ['Otro nombre', 'published'],
      'cancelled',
    ]);
    expect(loadLastBuild(releases.layout)).toMatchObject({
      success: { release: name, summary, changes: { changed: 1, gone: 1 }, faults: [] },
      failure: null,
    });
  });

  test.each<readonly [string, Partial<BuildReleaseOptions>, RegExp, () => void]>([
    [
      'that fails the smoke test',
      { runSmokeTest: async () => ['/hoy answers 500'] },
      /answers 500/,
      () => {},
    ],
    [
      'with a failed warm-up',
      { beforeSwitch: () => Promise.reject(new Error('no page')) },
      /no page/,
      () => {},
    ],
    [
      'with invalid content in strict mode',
      { is_strict: true },
      /feria-diaria\.yml:1/,
      () => releases.town.write('events/feria-diaria', 'title: ['),
    ],
    [
      'that loses too many events',
      {},
      /--allow-loss/,
      () => {
        const lost = ['concierto-unico', 'feria-diaria', 'fiesta-de-viernes', 'obra-pospuesta'];
        for (const event of lost) releases.town.remove(`events/${event}`);
      },
    ],
  ])(
    '%s leaves the live release unchanged and stores the reason',
    async (_, options, message, spoil) => {
      await releases.build();
      const loadState = async () => [current(), listFiles(), await releases.withInbox(loadLedger)];
      const before = await loadState();
      setTitle('Otro nombre');
      spoil();
      await expect(releases.build(options)).rejects.toThrow(message);
      expect(await loadState()).toEqual(before);
      const { success, failure } = loadLastBuild(releases.layout);
      expect([success?.release, failure?.reason]).toEqual([current(), expect.any(String)]);
      expect(isLocked(releases.layout.lock_file)).toBe(false);
      await releases.build({ allow_loss: true });
      expect(loadLastBuild(releases.layout).failure).toBeNull();
    },
  );

  test('is in the ledger before it goes live, so that no revision is published as new twice', async () => {
    await releases.build();
    const files = listFiles();
    setTitle('Otro nombre');
    const { current_file } = releases.layout;
    const before = readFileSync(current_file);
    renameSync(current_file, `${current_file}.aside`);
    mkdirSync(join(current_file, 'in the way'), { recursive: true });
    await expect(releases.build()).rejects.toThrow();
    expect(listFiles()).toEqual(files);
    const revision = (await releases.withInbox(loadLedger)).revisions.get(FAIR);
    expect(revision?.sequence).toBe(1);
    renameSync(current_file, `${current_file}.gone`);
    writeFileSync(current_file, before);
    await releases.build();
    expect((await releases.withInbox(loadLedger)).revisions.get(FAIR)).toEqual(revision);
  });

  test('records the last decision that it includes, not one made during the build', async () => {
    await releases.build();
    await cancel(FAIR);
    let meanwhile: Promise<void> | null = null;
    await releases.build({
      // This line is logged after all rows were loaded.
      log: (line) => {
        if (line.includes('sources: ')) meanwhile = cancel(CONCERT);
      },
      // Ensures that the decision is stored before the build ends.
      runSmokeTest: async () => {
        await meanwhile;
        return [];
      },
    });
    const states = [FAIR, CONCERT].map((slug) => releases.read(slug)?.[1]);
    expect(states).toEqual(['cancelled', 'published']);
    const newest = await releases.withInbox(getLastAgendaDecisionId);
    expect(releases.meta()?.decision).toBe(newest - 1);
    await releases.build({ origin: 'current' });
    expect([releases.meta()?.decision, releases.read(CONCERT)?.[1]]).toEqual([newest, 'cancelled']);
  });
});

test('decisions during the warm-up are included, and another process can build meanwhile', async () => {
  await releases.build();
  await releases.build({ beforeSwitch: async () => void (await releases.build()) });
  await releases.build({
    beforeSwitch: async () => {
      await cancel(FAIR);
      await releases.build({ origin: 'current' });
      expect(releases.read(FAIR)?.[1]).toBe('cancelled');
      await cancel(CONCERT);
    },
  });
  for (const event of [FAIR, CONCERT]) expect(releases.read(event)?.[1]).toBe('cancelled');
});

test('a failure after the switch does not fail the build', async () => {
  await releases.build();
  rmSync(releases.layout.pictures_dir, { recursive: true, force: true });
  writeFileSync(releases.layout.pictures_dir, 'in the way');
  rmSync(releases.layout.last_build_file);
  mkdirSync(join(releases.layout.last_build_file, 'in the way'), { recursive: true });
  setTitle('Otro nombre');
  await releases.build();
  expect(releases.read(FAIR)?.[0]).toBe('Otro nombre');
  expect(releases.lines.filter((line) => line.startsWith('  ATTENTION'))).toHaveLength(2);
});

test('a damaged snapshot is not used as previous content', async () => {
  await releases.build();
  setTitle('Dañada');
  await releases.build();
  damage(current());
  releases.town.write('events/feria-diaria', 'title: [');
  await releases.build();
  expect(releases.read(FAIR)?.[0]).toBe('Feria diaria');
});

describe('a rollback', () => {
  const rollBack = () => releases.build({ origin: 'previous' });
  const currentTitle = () => releases.read(FAIR)?.[0];
  async function releaseAll(...titles: readonly string[]): Promise<void> {
    for (const title of titles) {
      setTitle(title);
      await releases.build();
    }
  }

  test('serves the previous content with current decisions, until the next scheduled release', async () => {
    await releaseAll('Buena', 'Mala');
    await cancel(FAIR);
    const { rolled_back_to } = await rollBack();
    expect(releases.read(FAIR)).toEqual(['Buena', 'cancelled']);
    expect(rolled_back_to).toBe('2026-11-20T12:01:00-05:00');
    await cancel(CONCERT);
    await releases.build({ origin: 'current', code: 'newer code' });
    await releases.build({ origin: 'current' });
    expect([currentTitle(), releases.read(CONCERT)?.[1]]).toEqual(['Buena', 'cancelled']);
    expect(listFiles().every((file) => file.endsWith('.db'))).toBe(true);
    await releaseAll('Mendada');
    expect([currentTitle(), releases.meta()?.rolled_back]).toEqual(['Mendada', '']);
  });

  test('keeps the current town.yml', async () => {
    await releaseAll('Buena', 'Mala');
    releases.town.write('town', `${releases.town.read('town')}# later\n`);
    await rollBack();
    const rows = loadContentRows(snapshotPath(releases.layout, current()));
    expect([currentTitle(), rows.find(({ file }) => file === 'town.yml')?.text]).toEqual([
      'Buena',
      expect.stringContaining('# later'),
    ]);
  });

  test('works for content without notices, and for another town with the current zone keys', async () => {
    rmSync(join(releases.config.content_dir, 'notices'), { recursive: true });
    mkdirSync(join(releases.config.content_dir, 'notices'));
    await releaseAll('Buena', 'Mala');
    await rollBack();
    expect(currentTitle()).toBe('Buena');
    const snapshot = findSnapshot(releases.layout, current());
    releases.town.write('zones', '# other keys');
    const readZones = (town: string) =>
      snapshot &&
      withSnapshotContent(
        { ...snapshot, meta: { ...snapshot.meta, town } },
        releases.config.content_dir,
        releases.layout.snapshots_dir,
        async (folder) => readFileSync(join(folder, 'zones.yml'), 'utf8'),
      );
    expect(await readZones('another')).toBe('# other keys');
    expect(await readZones(snapshot?.meta.town ?? '')).toContain('slug');
  });

  test('goes further back the second time, even after decisions in between', async () => {
    await releaseAll('Primera', 'Segunda', 'Mala');
    await rollBack();
    for (let more = 0; more < 3; more += 1) await releases.build({ origin: 'current' });
    expect(currentTitle()).toBe('Segunda');
    await rollBack();
    expect(currentTitle()).toBe('Primera');
    await expect(rollBack()).rejects.toThrow('There is no earlier release with other content');
  });

  test('returns to the content that was live last, even if it also was before; skips a damaged snapshot', async () => {
    await releaseAll('Una', 'Otra', 'Una', 'Mala');
    damage(current());
    await releaseAll('Otra');
    await rollBack();
    expect(currentTitle()).toBe('Una');
  });
});
