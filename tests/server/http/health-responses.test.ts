// /healthz, /livez, /readyz and /statusz: what an operator, a supervisor, a balancer and an alarm are told.
import { saveSourceState } from '../../../src/inbox/followed-sources.ts';
import { readRows } from '../../fixtures/inbox.ts';
import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordBuildFailure, recordBuildSuccess } from '../../../src/releases/last-build.ts';
import { switchCurrent, snapshotPath } from '../../../src/releases/snapshots.ts';
import { createContentError } from '../../../src/yaml.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import { UNREAD } from '../../fixtures/source-server.ts';
import { serveFake, writeSnapshot } from '../fake-release.ts';

const HOUR_MS = 3_600_000;
const fake = await serveFake();
const first = fake.following.current().id;

const read = async (path: string) => {
  const { status, text, headers } = await fake.ask(path);
  expect(headers['cache-control']).toBe('no-store');
  return { status, body: JSON.parse(text) };
};

test('a release that is older than two runs wants attention, and takes no process out of a balancer', async () => {
  fake.clock.now_ms = FRIDAY_NOON_MS + 12 * HOUR_MS;
  expect((await read('/statusz')).body).toMatchObject({ status: 'ok', attention: [] });
  fake.clock.now_ms++;
  expect((await read('/statusz')).body).toMatchObject({
    status: 'attention',
    attention: [expect.stringMatching(/^release: .* older than two runs/)],
    age_seconds: 43_200,
    next_release: '2026-11-21T06:00:00-05:00',
  });
  expect((await read('/healthz')).body).toMatchObject({ status: 'ok', age_seconds: 43_200 });
  expect(await read('/livez')).toEqual({ status: 200, body: { status: 'alive' } });
  expect(await read('/readyz')).toEqual({
    status: 200,
    body: { status: 'ready', release: first, reasons: [] },
  });
});

test('a release that is refused wants attention while the one before serves; and why', async () => {
  const readAttention = async () => (await read('/statusz')).body.attention;
  const follow = (name: string): void => {
    switchCurrent(fake.layout, name);
    fake.following.check();
  };
  const second = writeSnapshot(fake.layout, 'Feria nueva');
  truncateSync(snapshotPath(fake.layout, second), 5000);
  follow(second);
  const reason = `Snapshot ${second} is damaged`;
  expect(await readAttention()).toEqual([`switch: ${second} was refused: ${reason}`]);
  expect((await read('/healthz')).body.refused).toEqual({ release: second, reason });
  expect((await fake.ask('/hoy')).status).toBe(200);
  expect((await read('/readyz')).status).toBe(200);
  follow(first);
  expect(await readAttention()).toEqual([]);
});

test('not ready where this process cannot serve: its inbox is gone, or it was told to end', async () => {
  const path = join(fake.layout.data_dir, 'inbox.db');
  const readReasons = async () => {
    const { status, body } = await read('/readyz');
    expect(status).toBe(body.reasons.length === 0 ? 200 : 503);
    return body.reasons;
  };
  renameSync(path, `${path}.aside`);
  expect(await readReasons()).toEqual([expect.stringMatching(/^inbox: /)]);
  expect((await read('/livez')).status).toBe(200);
  renameSync(`${path}.aside`, path);
  expect(await readReasons()).toEqual([]);
  fake.process.is_ending = true;
  expect(await readReasons()).toEqual(['process: it was told to end']);
  // No failure that the log has under an id, and nobody was refused anything.
  expect((await fake.ask('/readyz')).headers['x-request-id']).toBeUndefined();
  expect(fake.refused).not.toContain('busy');
  fake.process.is_ending = false;
});

test('names a source that is dead for two days, or lacks what it had; no other', async () => {
  const { inbox } = fake.service;
  if (inbox === null) throw new Error('There is an inbox');
  const put = (key: string, problem: string | null, failing_ms: number | null) =>
    saveSourceState(inbox, {
      ...UNREAD,
      key,
      url: '',
      problem,
      failing_ms,
      tried_ms: FRIDAY_NOON_MS,
    });
  await put('dead', 'not_found', fake.clock.now_ms - 48 * HOUR_MS);
  await put('late', 'not_found', fake.clock.now_ms - 47 * HOUR_MS);
  await put('void', 'emptied', fake.clock.now_ms);
  await put('well', null, null);
  const { attention, sources } = (await read('/statusz')).body;
  expect(attention.filter((line: string) => line.startsWith('source: '))).toEqual([
    expect.stringMatching(/^source: dead cannot be read since .*: not_found$/),
    expect.stringMatching(/^source: void lacks what it had\. .* pull void --gone$/),
  ]);
  expect(sources.length).toBe(4);
  await readRows(inbox, 'delete from sources');
});

test('names the files of content that are faulty, by path and line alone', async () => {
  const fault = { file: 'events/roto.yml', line: 3, field: 'price', message: 'x' };
  const faults = ['price', 'tags'].map((field) => ({ ...fault, field, is_left_out: true }));
  const success = { release: first, generated_at: '', summary: '' };
  recordBuildSuccess(fake.layout, { ...success, faults });
  const told: string[] = (await read('/statusz')).body.attention;
  const of_content = told.filter((line) => line.startsWith('content:'));
  expect(of_content).toEqual(['content: events/roto.yml:3 is faulty']);
  const named = { file: 'events/roto.yml', line: 3 };
  expect((await read('/healthz')).body).toMatchObject({
    ...{ content_faults: [named, named], last_release: success, last_failure: null },
  });
  // A full disk has nothing to do with that file; and nobody is told where it is.
  const { data_dir, last_build_file } = fake.layout;
  const full = new Error(`ENOSPC: open '${data_dir}/inbox.db'\nsecond line`);
  for (const [thrown, told_failure] of [
    [full, { file: null, line: null, reason: "ENOSPC: open 'DATA_DIR/inbox.db'" }],
    [
      createContentError([{ ...fault, file: 'zones.yml', line: 7 }]),
      { file: 'zones.yml', line: 7 },
    ],
  ] as const) {
    recordBuildFailure(fake.layout, '2026-11-20T18:00:00-05:00', thrown);
    expect((await read('/statusz')).body.last_failure).toMatchObject(told_failure);
  }
  writeFileSync(last_build_file, '{"success":');
  expect((await read('/healthz')).body).toMatchObject({ last_release: null, last_failure: null });
});
