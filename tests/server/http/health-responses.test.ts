// /healthz, /livez, /readyz and /statusz: responses for operators, supervisors, load balancers and alerts.
import { saveSourceState } from '../../../src/inbox/followed-sources.ts';
import { queryRows } from '../../fixtures/inbox.ts';
import { renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordBuildFailure, recordBuildSuccess } from '../../../src/releases/last-build.ts';
import { switchCurrent, snapshotPath } from '../../../src/releases/snapshots.ts';
import { createContentError } from '../../../src/yaml.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import { UNREAD_STATE } from '../../fixtures/source-server.ts';
import { serveFake, writeSnapshot } from '../fake-release.ts';

const HOUR_MS = 3_600_000;
const fake = await serveFake();
const first = fake.follower.getRelease().id;

const read = async (path: string) => {
  const { status, text, headers } = await fake.ask(path);
  expect(headers['cache-control']).toBe('no-store');
  return { status, body: JSON.parse(text) };
};

test('a release older than two scheduled builds needs attention, but the process stays ready', async () => {
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

test('a rejected release needs attention and gives the reason, while the previous one stays live', async () => {
  const readAttention = async () => (await read('/statusz')).body.attention;
  const follow = (name: string): void => {
    switchCurrent(fake.layout, name);
    fake.follower.check();
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

test('a process is not ready if its inbox is missing or it is stopping', async () => {
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
  fake.process.is_stopping = true;
  expect(await readReasons()).toEqual(['process: stopping']);
  // Not an error with a request id in the log, and not counted as a rejected request.
  expect((await fake.ask('/readyz')).headers['x-request-id']).toBeUndefined();
  expect(fake.rejected).not.toContain('busy');
  fake.process.is_stopping = false;
});

test('names sources that failed for two days or lost their events, and no others', async () => {
  const { inbox } = fake.service;
  if (inbox === null) throw new Error('There is an inbox');
  const saveState = (key: string, problem: string | null, failing_ms: number | null) =>
    saveSourceState(inbox, {
      ...UNREAD_STATE,
      key,
      url: '',
      problem,
      failing_ms,
      tried_ms: FRIDAY_NOON_MS,
    });
  await saveState('dead', 'not_found', fake.clock.now_ms - 48 * HOUR_MS);
  await saveState('late', 'not_found', fake.clock.now_ms - 47 * HOUR_MS);
  await saveState('void', 'emptied', fake.clock.now_ms);
  await saveState('well', null, null);
  await saveState('odd', 'failed', fake.clock.now_ms);
  const { attention, sources } = (await read('/statusz')).body;
  expect(attention.filter((line: string) => line.startsWith('source: '))).toEqual([
    expect.stringMatching(
      /^source: dead cannot be read since .*: not_found\. Run npm run sources -- try dead$/,
    ),
    expect.stringMatching(/^source: odd breaks our reader\. The log says how/),
    expect.stringMatching(/^source: void lacks what it had\. .* pull void --gone$/),
  ]);
  expect(sources.length).toBe(5);
  await queryRows(inbox, 'delete from sources');
});

test('names a source with the sender of another one, and lists a weekly source all week', async () => {
  const { inbox } = fake.service;
  if (inbox === null) throw new Error('There is an inbox');
  const saveState = (key: string, owner: string, days_ago: number, every_days: number) =>
    saveSourceState(inbox, {
      ...{ ...UNREAD_STATE, key, url: '', senders: { 'smn.mx': owner } },
      tried_ms: fake.clock.now_ms - days_ago * 24 * HOUR_MS,
      next_ms: fake.clock.now_ms + (every_days - days_ago) * 24 * HOUR_MS,
    });
  await saveState('first', 'first', 5, 7);
  await saveState('later', 'first', 0, 1);
  await saveState('unfollowed', 'first', 9, 1);
  const { attention, sources } = (await read('/statusz')).body;
  expect(attention.filter((line: string) => line.startsWith('source: '))).toEqual([
    expect.stringMatching(/^source: later has alerts of a sender that first used first\. /),
  ]);
  expect(sources.map(({ key }: { key: string }) => key)).toEqual(['first', 'later']);
  await queryRows(inbox, 'delete from sources');
});

test('names a decision that waits for more than two minutes', async () => {
  const { inbox } = fake.service;
  if (inbox === null) throw new Error('There is an inbox');
  const at = '2026-11-20T12:00:00-05:00';
  await queryRows(
    inbox,
    `insert into decisions (at, editor, action, subject, weight, outcomes) values (?, 'ana', 'approve', '', 'agenda', '[]')`,
    at,
  );
  const readAttention = async () => (await read('/statusz')).body.attention;
  fake.clock.now_ms += 120_000;
  expect(await readAttention()).toEqual([]);
  fake.clock.now_ms += 1;
  expect(await readAttention()).toEqual([`decision: the one of ${at} is not published yet`]);
  await queryRows(inbox, 'delete from decisions');
});

test('an inbox that cannot be read needs attention, and is no error of /statusz', async () => {
  const { inbox } = fake.service;
  if (inbox === null) throw new Error('There is an inbox');
  await queryRows(inbox, 'alter table changes rename to lost');
  const { status, body } = await read('/statusz');
  await queryRows(inbox, 'alter table lost rename to changes');
  expect([status, body.attention]).toEqual([200, [expect.stringMatching(/^inbox: unreadable/)]]);
  expect(fake.issues.splice(0).length).toBeGreaterThan(0);
});

test('names content files with errors, only by path and line', async () => {
  const fault = { file: 'events/roto.yml', line: 3, field: 'price', message: 'x' };
  const faults = ['price', 'tags'].map((field) => ({ ...fault, field, is_left_out: true }));
  const success = { release: first, generated_at: '', summary: '' };
  recordBuildSuccess(fake.layout, { ...success, faults });
  const attention: string[] = (await read('/statusz')).body.attention;
  const content_lines = attention.filter((line) => line.startsWith('content:'));
  expect(content_lines).toEqual(['content: events/roto.yml:3 is faulty']);
  const published_fault = { file: 'events/roto.yml', line: 3 };
  expect((await read('/healthz')).body).toMatchObject({
    ...{
      content_faults: [published_fault, published_fault],
      last_release: success,
      last_failure: null,
    },
  });
  // An unrelated error does not name the file, and paths of the machine are not published.
  const { data_dir, last_build_file } = fake.layout;
  const full = new Error(`ENOSPC: open '${data_dir}/inbox.db'\nsecond line`);
  for (const [error, published_failure] of [
    [full, { file: null, line: null, reason: "ENOSPC: open 'DATA_DIR/inbox.db'" }],
    [
      createContentError([{ ...fault, file: 'zones.yml', line: 7 }]),
      { file: 'zones.yml', line: 7 },
    ],
  ] as const) {
    recordBuildFailure(fake.layout, '2026-11-20T18:00:00-05:00', error);
    expect((await read('/statusz')).body.last_failure).toMatchObject(published_failure);
  }
  writeFileSync(last_build_file, '{"success":');
  expect((await read('/healthz')).body).toMatchObject({ last_release: null, last_failure: null });
});
