// The service as an operator meets it: two processes with one allowance, releases that follow,
// faults that change nothing.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBackups } from '../../src/backup/backup-folder.ts';
import {
  type BuiltServer,
  findFreePort,
  runCommand,
  startServer,
} from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-operator-'));
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
const LIMIT = 20;
let server: BuiltServer;
let metrics_port: number;
beforeAll(async () => {
  cpSync(FIXTURE_DIR, settings.content_dir, { recursive: true });
  metrics_port = await findFreePort();
  const env = {
    WORKERS: '2',
    RATE_LIMIT: String(LIMIT),
    METRICS_PORT: String(metrics_port),
    BACKUP_DIR: join(folder, 'backups'),
  };
  server = await startServer({ ...settings, env });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

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
  expect(server.output()).toMatch(
    /There is no release yet[\s\S]*\d+ events[\s\S]*\d+ pages and documents written[\s\S]*Listo: http:\/\/localhost:\d+\/hoy/,
  );
});

test('two processes count one allowance', async () => {
  const statuses: number[] = [];
  // A connection each, so that both processes are asked.
  for (let i = 0; i < LIMIT + 2; i++)
    statuses.push(
      (await server.get(`/api/v1/events?limit=${i + 1}`, { connection: 'close' })).status,
    );
  expect(statuses).toEqual([...Array.from({ length: LIMIT }, () => 200), 429, 429]);
});

test('the figures of both processes are at one address, with what each of them counted', async () => {
  const text = await (await fetch(`http://127.0.0.1:${metrics_port}/metrics`)).text();
  expect(text).toContain('hoy_workers{state="answering"} 2');
  const answered = [
    ...text.matchAll(
      /^hoy_responses_total\{process="worker-\d",route="api",status="(\d+)"\} (\d+)/gm,
    ),
  ];
  const count = (status: string): number =>
    answered.filter(([, s]) => s === status).reduce((sum, [, , n]) => sum + Number(n), 0);
  expect([count('200'), count('429')]).toEqual([LIMIT, 2]);
  const refused = [...text.matchAll(/^hoy_refused_total\{.*kind="too_many"\} (\d+)/gm)];
  expect(refused.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(2);
});

test('a backup is made where none is there', async () => {
  await expect.poll(() => listBackups(join(folder, 'backups')).length, { timeout: 30_000 }).toBe(1);
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

test('a new release is followed by every process', { timeout: 120_000 }, async () => {
  const before = await readRelease();
  expect(await runCommand('release', [], settings)).toMatchObject({ code: 0 });
  // Each process answers some of these.
  const readReleases = async (): Promise<readonly string[]> => {
    const seen = new Set<string>();
    for (let i = 0; i < 12; i++) {
      const answer = await server.get('/healthz', { connection: 'close' });
      seen.add(v.parse(HealthSchema, await answer.json()).release);
    }
    return [...seen];
  };
  await expect.poll(readReleases).toEqual([expect.not.stringMatching(before)]);
});

test('a second start on the same port says what to do', async () => {
  const { code, output } = await runCommand('start', [], {
    ...settings,
    env: { PORT: String(server.port) },
  });
  expect(code).toBe(1);
  expect(output).toContain(`Port ${server.port} on 127.0.0.1 is in use`);
});

test('told to end, it ends well', async () => {
  expect(await server.stop()).toBe(0);
});
