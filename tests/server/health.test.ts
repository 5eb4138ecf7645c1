// /healthz and /readyz: what an operator and a balancer are told.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toReleasePaths, writeCurrent } from '../../src/releases/layout.ts';
import { writeFailure, writeSuccess } from '../../src/releases/last-build.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { RELEASES, startFake, writeRelease } from './fake-release.ts';

const HOUR_MS = 3_600_000;
const [FIRST, SECOND] = RELEASES;
let fake: Awaited<ReturnType<typeof startFake>>;
beforeAll(async () => {
  fake = await startFake();
});
afterAll(() => fake.stop());

const read = async (path: string) => {
  const { status, text, headers } = await fake.ask(path);
  expect(headers['cache-control']).toBe('no-store');
  return { status, body: JSON.parse(text) };
};

test('ready with a release younger than two runs, not ready with an older one; alive either way', async () => {
  fake.clock.now_ms = FRIDAY_NOON_MS + 12 * HOUR_MS;
  expect(await read('/readyz')).toEqual({
    status: 200,
    body: { status: 'ready', release: FIRST, reasons: [] },
  });
  fake.clock.now_ms++;
  expect(await read('/readyz')).toEqual({
    status: 503,
    body: {
      status: 'not ready',
      release: FIRST,
      reasons: [expect.stringMatching(/^release: .* older than two runs/)],
    },
  });
  expect(await read('/healthz')).toMatchObject({
    status: 200,
    body: { status: 'ok', age_seconds: 43_200 },
  });
  fake.clock.now_ms = FRIDAY_NOON_MS;
});

test('not ready while the release that should serve is refused; ready again once another serves; why is told without paths of this machine', {
  timeout: 25_000,
}, async () => {
  await writeRelease(fake.layout, SECOND, 'second');
  rmSync(toReleasePaths(join(fake.layout.releases_dir, SECOND)).snapshot);
  writeCurrent(fake.layout, SECOND);
  await expect.poll(async () => (await read('/readyz')).status, { timeout: 5_000 }).toBe(503);
  expect((await read('/readyz')).body.reasons).toEqual([
    expect.stringMatching(`^switch: ${SECOND} was refused: `),
  ]);
  expect((await read('/healthz')).body.refused).toEqual({
    release: SECOND,
    reason: expect.any(String),
  });
  rmSync(join(fake.layout.releases_dir, SECOND), { recursive: true });
  await expect
    .poll(async () => (await read('/healthz')).body.refused?.reason, { timeout: 12_000 })
    .toMatch(`'DATA_DIR/releases/${SECOND}`);
  writeFileSync(fake.layout.current_file, 'nonsense');
  await expect
    .poll(async () => (await read('/readyz')).body.reasons, { timeout: 5_000 })
    .toEqual(['switch: none was refused: data/current is missing or names no release']);
  expect((await fake.ask('/hoy')).status).toBe(200);
  writeCurrent(fake.layout, FIRST);
  await expect.poll(async () => (await read('/readyz')).status, { timeout: 5_000 }).toBe(200);
});

test('tells the last release and the last failure', async () => {
  writeSuccess(fake.layout, {
    release: FIRST,
    generated_at: '2026-11-20T12:00:00-05:00',
    generated_ms: FRIDAY_NOON_MS,
    summary: '7 events read, 1 new',
  });
  writeFailure(
    fake.layout,
    '2026-11-20T18:00:00-05:00',
    new Error('The content has 1 fault; nothing was built from it:\n  events/roto.yml'),
  );
  expect((await read('/healthz')).body).toMatchObject({
    last_release: {
      release: FIRST,
      generated_at: '2026-11-20T12:00:00-05:00',
      summary: '7 events read, 1 new',
    },
    last_failure: {
      at: '2026-11-20T18:00:00-05:00',
      reason: 'The content has 1 fault; nothing was built from it:',
    },
  });
});

test('names the files of content that are faulty, by path and line alone', async () => {
  const fault = {
    file: 'events/roto.yml',
    line: 3,
    field: 'price',
    message: 'x',
    is_left_out: true,
  };
  const success = { release: FIRST, generated_at: '', generated_ms: FRIDAY_NOON_MS, summary: '' };
  writeSuccess(fake.layout, { ...success, faults: [fault] });
  const named = [{ file: 'events/roto.yml', line: 3 }];
  expect((await read('/healthz')).body.content_faults).toEqual(named);
  writeFailure(fake.layout, '2026-11-20T18:00:00-05:00', new Error('The disk is full'));
  expect((await read('/healthz')).body.content_faults).toEqual(named);
  writeSuccess(fake.layout, { ...success, faults: [] });
  expect((await read('/healthz')).body.content_faults).toEqual([]);
});

test('an answer that failed says under which id the log has it; one that did not says none', async () => {
  const failed = await fake.ask('/eventos/explota');
  expect([failed.status, failed.headers['x-request-id']]).toEqual([
    500,
    expect.stringMatching(/^[0-9a-f-]{36}$/),
  ]);
  expect((await fake.ask('/hoy')).headers['x-request-id']).toBeUndefined();
});
