// Releases under a running service: what they bring, what stops them, going back, damage, a full
// disk, the schedule.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSound, readCurrent, toLayout, toSnapshotPath } from '../../src/releases/snapshots.ts';
import {
  type BuiltServer,
  runCommand,
  type ServerSettings,
  startServer,
} from '../fixtures/built-server.ts';
import { copyFixture } from '../fixtures/changing-content.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-cycle-'));
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
const layout = toLayout(settings.data_dir);
const setEdition = copyFixture(settings.content_dir);
let server: BuiltServer;
beforeAll(async () => {
  setEdition(1);
  server = await startServer(settings);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const HealthSchema = v.object({
  release: v.string(),
  last_release: v.nullable(v.object({ summary: v.string() })),
  last_failure: v.nullable(v.object({ reason: v.string() })),
  content_faults: v.array(v.object({ file: v.string(), line: v.nullable(v.number()) })),
});
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
const events = join(settings.content_dir, 'events');

test('a release says what it brings, and a rollback brings back what was', {
  timeout: 120_000,
}, async () => {
  const first = (await readHealth()).release;
  setEdition(2);
  writeFileSync(
    join(events, 'nuevo.yml'),
    readFileSync(join(events, 'carnaval-inventado.yml'), 'utf8')
      .replace('Carnaval inventado', 'Otro carnaval')
      .replace('Made-up Carnival', 'Another Carnival'),
  );
  const feria = join(events, 'feria-diaria.yml');
  writeFileSync(feria, `${readFileSync(feria, 'utf8')}status: cancelled\n`);
  const built = await release();
  expect(built).toMatchObject({ code: 0 });
  expect(built.output).toMatch(
    /checks passed[\s\S]*pages made ahead[\s\S]*Done in .*: 8 events read, 1 new, 2 changed, 1 cancelled, 0 gone/,
  );
  const second = readCurrent(layout);
  await untilServed(second);
  expect(await readTitle()).toContain('Edición 2');
  expect((await readHealth()).last_release?.summary).toBe(
    '8 events read, 1 new, 2 changed, 1 cancelled, 0 gone',
  );
  const back = await runCommand('rollback', [], toLater());
  expect(back).toMatchObject({ code: 0 });
  expect(back.output).toMatch(/The content of 2026-11-20T12:00:\d\d-05:00 serves again: /);
  expect(readCurrent(layout)).not.toBe(first);
  await untilServed(readCurrent(layout));
  expect(await readTitle()).toContain('Edición 1');
  expect(await runCommand('rollback', [], toLater())).toMatchObject({
    code: 1,
    output: expect.stringContaining('no release with other content before this one'),
  });
  expect(await release()).toMatchObject({ code: 0 });
  await untilServed(readCurrent(layout));
  expect(await readTitle()).toContain('Edición 2');
});

test('a loss of more than a tenth stops it, until a person says that it is meant', {
  timeout: 120_000,
}, async () => {
  const before = readCurrent(layout);
  const gone = [
    'concierto-unico',
    'feria-diaria',
    'fiesta-de-viernes',
    'nuevo',
    'obra-pospuesta',
  ].map((stem) => join(events, `${stem}.yml`));
  const texts = gone.map((file) => readFileSync(file, 'utf8'));
  for (const file of gone) rmSync(file);
  const stopped = await release();
  expect(stopped).toMatchObject({ code: 1 });
  expect(stopped.output).toContain(
    '5 of the 8 events that are served now would be gone, more than a tenth',
  );
  expect(readCurrent(layout)).toBe(before);
  expect((await readHealth()).last_failure?.reason).toContain('5 of the 8 events');
  expect(await release(['--allow-loss'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('3 events read, 0 new, 0 changed, 0 cancelled, 5 gone'),
  });
  gone.forEach((file, at) => {
    writeFileSync(file, texts[at] ?? '');
  });
  expect((await readHealth()).last_failure).toBeNull();
});

test('a faulty file says what it last said and is named; a strict release is refused', {
  timeout: 120_000,
}, async () => {
  // What it said when it was in a release.
  expect(await release()).toMatchObject({ code: 0 });
  const feria = join(events, 'feria-diaria.yml');
  const text = readFileSync(feria, 'utf8');
  writeFileSync(feria, text.replace('category: markets', 'category: mercado'));
  expect(await release(['--strict'])).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /The content has 1 fault; nothing .*\n +events\/feria-diaria\.yml:\d/,
    ),
  });
  const built = await release();
  expect(built).toMatchObject({ code: 0, output: expect.stringContaining('0 gone') });
  expect(built.output).toMatch(
    /ATTENTION: the content has 1 fault.*\n +events\/feria-diaria\.yml:\d category: must be .*what it last said stands/,
  );
  await untilServed(readCurrent(layout));
  const { content_faults } = await readHealth();
  expect(content_faults).toEqual([{ file: 'events/feria-diaria.yml', line: expect.any(Number) }]);
  writeFileSync(feria, text);
});

/** Waits until another release than the damaged one is current, sound and served. */
async function untilMended(damaged: string): Promise<void> {
  const isMended = (): boolean => {
    const current = readCurrent(layout);
    return current !== null && current !== damaged && isSound(layout, current);
  };
  await expect.poll(isMended, { timeout: 60_000, interval: 250 }).toBe(true);
  await untilServed(readCurrent(layout));
}

test.each<readonly [string, (snapshot: string) => void]>([
  ['changed in a few bytes', (snapshot) => writeFileSync(snapshot, 'XXXXX', { flag: 'r+' })],
  ['cut', (snapshot) => writeFileSync(snapshot, 'no database any more')],
  ['gone', (snapshot) => rmSync(snapshot)],
])(
  'a snapshot that is %s under the server changes nothing, and is made anew by itself',
  {
    timeout: 120_000,
  },
  async (_, damage) => {
    const damaged = readCurrent(layout) ?? '';
    damage(toSnapshotPath(layout, damaged));
    for (const path of [
      '/api/v1/events?limit=7',
      '/eventos/taller-pasado',
      '/api/v1/events/exposicion-larga-es',
    ])
      expect((await server.get(path)).status, path).toBe(200);
    const isMended = (): boolean => {
      const current = readCurrent(layout);
      return current !== null && current !== damaged && isSound(layout, current);
    };
    await expect.poll(isMended, { timeout: 60_000, interval: 250 }).toBe(true);
    await untilServed(readCurrent(layout));
    expect(await readTitle()).toContain('Edición 2');
  },
);

test('a start over a damaged snapshot serves the newest sound one, and makes another', {
  timeout: 120_000,
}, async () => {
  await server.stop();
  const damaged = readCurrent(layout) ?? '';
  writeFileSync(toSnapshotPath(layout, damaged), 'no database any more');
  server = await startServer(toLater());
  expect((await readHealth()).release).not.toBe(damaged);
  await untilMended(damaged);
});

test('a run that was missed is caught up at the start, one that is due is built by itself', {
  timeout: 120_000,
}, async () => {
  await server.stop();
  const before = readCurrent(layout);
  // The last release is of after noon; it is five minutes past six in the evening.
  server = await startServer({
    ...settings,
    clock_start: '2026-11-20T18:05:00-05:00',
    env: { REBUILD_HOURS: '6', LOG_LEVEL: 'info' },
  });
  expect((await readHealth()).release).toBe(before);
  await expect.poll(() => readCurrent(layout), { timeout: 90_000, interval: 500 }).not.toBe(before);
  await untilServed(readCurrent(layout));
  expect(server.output()).toContain('"cause":"due"');
});

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
