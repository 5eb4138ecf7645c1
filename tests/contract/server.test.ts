// The service as an operator meets it: two servers, releases that are followed,
// faults that change nothing.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { beforeAll, expect, test, vi } from 'vitest';
import { findNewest } from '../../src/backup/backups.ts';
import {
  type BuiltServer,
  findFreePort,
  runCommand,
  startServer,
} from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
let server: BuiltServer;
let metrics_port: number;
beforeAll(async () => {
  cpSync(FIXTURE_DIR, settings.content_dir, { recursive: true });
  metrics_port = await findFreePort();
  const env = {
    SERVERS: '2',
    METRICS_PORT: String(metrics_port),
    BACKUP_DIR: join(folder, 'backups'),
    LOG_LEVEL: 'info',
  };
  server = await startServer({ ...settings, env });
  // The second server begins once the first one answers.
  await vi.waitFor(() => readFigures(metrics_port + 1), { timeout: 30_000 });
}, 120_000);

const readFigures = async (port: number): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const HealthSchema = v.object({
  status: v.literal('ok'),
  release: v.string(),
  generated_at: v.string(),
  age_seconds: v.number(),
  next_release: v.null(),
});
const readRelease = async (): Promise<string> =>
  v.parse(HealthSchema, await (await server.get('/healthz')).json()).release;

test('the first start says what it builds, that the clock is not the real one, and where to look', () => {
  expect(server.output()).toMatch(/^ATTENTION: CLOCK_START is set/);
  expect(server.output()).toMatch(/There is no release[\s\S]*Listo: http:\/\/localhost:\d+\/hoy/);
});

test('each process has its figures at a port of its own, the second one above the first', async () => {
  // A connection each, so that both processes are asked.
  for (const path of [...Array(8).fill('/api/v1/events'), '/api/nada'])
    await server.get(path, { connection: 'close' });
  const texts = await Promise.all([metrics_port, metrics_port + 1].map(readFigures));
  const count = (what: RegExp): number =>
    texts
      .flatMap((text) => [...text.matchAll(what)])
      .reduce((sum, [, number]) => sum + Number(number), 0);
  const toAnswers = (status: string): RegExp =>
    new RegExp(
      `^hoy_request_duration_seconds_count\\{.*route="api",status="${status}".*\\} (\\d+)`,
      'gm',
    );
  expect([count(toAnswers('2xx')), count(toAnswers('4xx'))]).toEqual([8, 1]);
});

test('a backup is made where none is there', async () => {
  await server.says('a backup was made');
  expect(findNewest(join(folder, 'backups'))).not.toBeNull();
});

test('a fault in the content stops a strict release, and what serves goes on', async () => {
  const before = await readRelease();
  const broken = join(settings.content_dir, 'events', 'roto.yml');
  writeFileSync(broken, 'titel: x\n');
  const { code, output } = await runCommand('release', ['--strict'], settings);
  rmSync(broken);
  expect(code).toBe(1);
  expect(output).toContain('events/roto.yml:1 titel: is not a field');
  expect(await readRelease()).toBe(before);
});

test('a new release is followed by every process', async () => {
  const before = await readRelease();
  const switched = server.count('release switched');
  const later = { ...settings, clock_start: '2026-11-20T12:05:00-05:00' };
  expect(await runCommand('release', [], later)).toMatchObject({ code: 0 });
  await server.says('release switched', switched + 2);
  // Each process answers some of these.
  for (let i = 0; i < 12; i++) {
    const answer = await server.get('/healthz', { connection: 'close' });
    expect(v.parse(HealthSchema, await answer.json()).release).not.toBe(before);
  }
});

test('told to end, it ends well', async () => {
  expect(await server.stop()).toBe(0);
});
