// Releases under a running service: damage, a full disk.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCurrent, toLayout } from '../../src/releases/snapshots.ts';
import {
  type BuiltServer,
  runCommand,
  type ServerSettings,
  startServer,
} from '../fixtures/built-server.ts';
import { copyFixture } from '../fixtures/changing-content.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
const layout = toLayout(settings.data_dir);
const setEdition = copyFixture(settings.content_dir);
let server: BuiltServer;
beforeAll(async () => {
  setEdition(2);
  server = await startServer(settings);
});
afterAll(() => server.stop());

const HealthSchema = v.object({ release: v.string() });
const readHealth = async (of: BuiltServer = server) =>
  v.parse(HealthSchema, await (await of.get('/healthz')).json());
const readTitle = async (): Promise<string> =>
  /<title>([^<]*)/.exec(await (await server.get('/eventos/concierto-unico-es')).text())?.[1] ?? '';
const untilServed = (id: string | null, of = server) =>
  expect.poll(async () => (await readHealth(of)).release, { timeout: 20_000 }).toBe(id);
let minutes = 5;
/** Each release is of a later minute. */
const toLater = (of: ServerSettings = settings): ServerSettings => ({
  ...of,
  clock_start: `2026-11-20T12:${String(minutes++).padStart(2, '0')}:00-05:00`,
});
const release = (args: readonly string[] = [], of: ServerSettings = settings) =>
  runCommand('release', args, toLater(of));

/** A small file system of its own, or null where we may not have one. */
function mountDisk(path: string, megabytes: number): boolean {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

describe('on a disk that fills up', () => {
  const disk = join(folder, 'disk');
  const small = { ...settings, data_dir: join(disk, 'data') };
  /** Every list has other names of zones in it, so few pages are kept. */
  const renamed = { ...small, content_dir: join(folder, 'renamed') };
  const is_mounted = mountDisk(disk, 96);
  afterAll(() => {
    if (is_mounted) execFileSync('umount', ['-l', disk]);
  });
  const filler = join(disk, 'filler');
  const fill = (free_kb: number): void => {
    rmSync(filler, { force: true });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free_kb * 1024)));
  };

  test.skipIf(!is_mounted)(
    'no build changes what serves, wherever it runs out, and the next is clean',
    { timeout: 180_000 },
    async () => {
      // With all its pages, so that nothing is written while it serves.
      expect(await release([], small)).toMatchObject({ code: 0 });
      const tight = await startServer(toLater(small));
      copyFixture(renamed.content_dir)(1);
      const zones = join(renamed.content_dir, 'zones.yml');
      writeFileSync(zones, readFileSync(zones, 'utf8').replaceAll(/(es|en): "/g, '$1: "Otra '));
      const served = (await readHealth(tight)).release;
      for (const free_kb of [0, 100, 400]) {
        fill(free_kb);
        const { code, output } = await release([], renamed);
        expect({ free_kb, code, output }).toEqual({
          free_kb,
          code: 1,
          output: expect.stringContaining('The disk that holds DATA_DIR is full'),
        });
        expect((await readHealth(tight)).release).toBe(served);
        expect((await tight.get('/hoy')).status).toBe(200);
        expect((await tight.get('/api/v1/events')).status).toBe(200);
        expect(readdirSync(toLayout(small.data_dir).snapshots_dir)).toEqual([`${served}.db`]);
      }
      fill(0);
      const backup = await runCommand('backup', ['--to', join(disk, 'backups')], small);
      expect(backup).toEqual({
        code: 1,
        output: expect.stringMatching(/^The disk that holds .* is full/),
      });
      expect(await (await tight.get('/statusz')).json()).toMatchObject({
        attention: expect.arrayContaining([expect.stringMatching(/^disk: /)]),
      });
      // Room for the release and not for its pages: they are made when they are asked for.
      fill(2_500);
      const bare = await release([], renamed);
      expect(bare).toMatchObject({ code: 0, output: expect.stringContaining('ATTENTION: ENOSPC') });
      await untilServed(readCurrent(toLayout(small.data_dir)), tight);
      expect(await (await tight.get('/hoy')).text()).toContain('Otra ');
      rmSync(filler);
      expect(await release([], small)).toMatchObject({
        ...{ code: 0, output: expect.not.stringContaining('ATTENTION') },
      });
      await untilServed(readCurrent(toLayout(small.data_dir)), tight);
      expect(readdirSync(toLayout(small.data_dir).snapshots_dir)).toHaveLength(3);
      expect(await tight.stop()).toBe(0);
    },
  );
});
