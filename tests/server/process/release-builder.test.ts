// Release builder: starts builds when they are due, with a fake command that only records its arguments.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { getLastAgendaDecisionId } from '../../../src/inbox/decisions.ts';
import { type Inbox, openInbox } from '../../../src/inbox/open.ts';
import { loadLastBuild } from '../../../src/releases/last-build.ts';
import {
  type DataLayout,
  switchCurrent,
  dataLayout,
  snapshotPath,
} from '../../../src/releases/snapshots.ts';
import {
  type ReleaseBuilder,
  createReleaseBuilder,
} from '../../../src/server/process/release-builder.ts';
import { findServableSnapshot } from '../../../src/server/process/release-follower.ts';
import { publish } from '../../fixtures/approved.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import { createTestFolder } from '../../fixtures/folder.ts';
import { writeSnapshot } from '../fake-release.ts';

const HOUR_MS = 3_600_000;
let layout: DataLayout;
let inbox: Inbox;
let now_ms: number;
let results: boolean[];
let switches: number;
let reported: unknown[];
let builder: ReleaseBuilder;
/** Called when a build starts. */
const info = vi.fn();
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  layout = dataLayout(createTestFolder());
  mkdirSync(layout.snapshots_dir);
  inbox = await openInbox(join(layout.data_dir, 'inbox.db'));
  [now_ms, results, switches, reported] = [FRIDAY_NOON_MS, [], 0, []];
  info.mockClear();
});
afterEach(async () => {
  builder.stop();
  await inbox.close();
  vi.useRealTimers();
});

const commandsFile = (): string => join(layout.data_dir, 'commands');
/** Lists the arguments of all builds so far. */
const listCommands = (): string[] =>
  existsSync(commandsFile()) ? readFileSync(commandsFile(), 'utf8').split('\n').slice(0, -1) : [];

/** Creates a builder whose command records its arguments and then runs `rest`. */
function create(
  rest = "process.send({ type: 'live' })",
  hours = 6,
  build_timeout_ms = 60_000,
): void {
  const run_script = join(layout.data_dir, 'run.mjs');
  writeFileSync(
    run_script,
    `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(commandsFile())}, process.argv.slice(2).join(' ') + '\\n');
    ${rest}`,
  );
  builder = createReleaseBuilder({
    config: loadConfig({ DATA_DIR: layout.data_dir, REBUILD_HOURS: String(hours) }),
    clock: () => now_ms,
    log: Object.assign(pino({ level: 'silent' }), { info }),
    ...{ layout, inbox, run_script, renderer_digest: 'this' },
    build_timeout_ms,
    report: (...words) => void reported.push(words),
    isBuilding: async () => false,
    onSwitch: () => {
      switches += 1;
    },
    onBuildEnd: (is_successful) => void results.push(is_successful),
  });
}

/** Makes a snapshot current that contains all decisions so far. */
async function publishSnapshot(made_by = 'this'): Promise<void> {
  const decision = await getLastAgendaDecisionId(inbox);
  switchCurrent(layout, writeSnapshot(layout, undefined, { now_ms, made_by, decision }));
}

const untilEnded = (count: number): Promise<void> =>
  expect.poll(() => results.length, { interval: 10 }).toBe(count);

test('builds if there is no release, and only in the primary process', async () => {
  create();
  await builder.check(false);
  expect(listCommands()).toEqual([]);
  // Only one build at a time.
  await Promise.all([builder.check(true), builder.check(true)]);
  await untilEnded(1);
  expect([results, listCommands()]).toEqual([[true], ['release --for missing']]);
  expect(switches).toBeGreaterThan(0);
});

test('builds once for other code, at scheduled times and for a rejected release, but not otherwise', async () => {
  await publishSnapshot('older code');
  create();
  await builder.check(true);
  await untilEnded(1);
  await builder.check(true);
  await publishSnapshot();
  await builder.check(true);
  expect(listCommands()).toEqual(['release --for missing']);
  now_ms += 6 * HOUR_MS;
  await builder.check(true);
  await untilEnded(2);
  expect(listCommands().at(-1)).toBe('release --for due');
  await publishSnapshot();
  vi.advanceTimersByTime(61_000);
  await builder.check(true);
  expect(listCommands()).toHaveLength(2);
  await builder.check(true, true);
  await untilEnded(3);
});

test('builds if the release belongs to another town', async () => {
  const name = writeSnapshot(layout, undefined, { now_ms, made_by: 'this' });
  const db = new Database(snapshotPath(layout, name));
  db.exec(`update meta set value = 'of another' where key = 'town'`);
  db.close();
  switchCurrent(layout, name);
  expect(findServableSnapshot(layout)).toBeNull();
  create();
  await builder.check(true);
  await untilEnded(1);
  expect(listCommands()).toEqual(['release --for missing']);
});

test('builds a decision in any process if no other one does in time', async () => {
  await publishSnapshot();
  create(undefined, 0);
  await publish(inbox);
  await builder.check(false);
  vi.advanceTimersByTime(2_000);
  // Another process has built a release, so the takeover time starts again for later decisions.
  await publishSnapshot();
  await publish(inbox, { title: 'Otra noche' });
  vi.advanceTimersByTime(2_000);
  await builder.check(false);
  vi.advanceTimersByTime(4_000);
  expect(info).not.toHaveBeenCalled();
  await builder.check(false);
  await untilEnded(1);
  expect(listCommands()).toEqual(['release --for decided']);
});

test('retries a failed build after a pause', async () => {
  create('process.exit(1)');
  await builder.check(true);
  await untilEnded(1);
  vi.advanceTimersByTime(59_000);
  await builder.check(true);
  expect([results, listCommands().length]).toEqual([[false], 1]);
  vi.advanceTimersByTime(1_500);
  await builder.check(true);
  await untilEnded(2);
  expect(listCommands().length).toBe(2);
});

test('records a build that the system killed, but not one that this process stopped', async () => {
  create("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)");
  await builder.check(true);
  await untilEnded(1);
  expect(loadLastBuild(layout).failure?.reason).toBe('The build was killed by SIGKILL');
  builder.stop();
  await builder.check(true);
  expect(listCommands().length).toBe(1);
});

test('stops a build that hangs, even if it ignores signals, and records why', async () => {
  create("process.on('SIGTERM', () => {}); for (;;);", 6, 500);
  await builder.check(true);
  await untilEnded(1);
  expect(results).toEqual([false]);
  expect(loadLastBuild(layout).failure?.reason).toBe(
    'The build took longer than 0.5 s and was stopped',
  );
});

test('stops and reports a warm-up that hangs, and the release stays live', async () => {
  create("process.send({ type: 'live' }); setInterval(() => {}, 1000)", 6, 6_000);
  await builder.check(true);
  await untilEnded(1);
  expect(results).toEqual([true]);
  await expect
    .poll(() => reported)
    .toEqual([['warm-up', 'it took longer than 6.0 s and was stopped']]);
  expect(loadLastBuild(layout).failure).toBeNull();
});

test('a line of the log is only text: a release goes live by its message', async () => {
  create("console.log('  release x serves (1 s)'); setTimeout(() => process.exit(1), 300)");
  await builder.check(true);
  await untilEnded(1);
  expect(results).toEqual([false]);
});

test('a new build stops the warm-up of the previous one', async () => {
  create("process.send({ type: 'live' }); setInterval(() => {}, 1000)");
  await builder.check(true);
  await untilEnded(1);
  await publish(inbox);
  await publishSnapshot();
  await publish(inbox, { title: 'Otra noche' });
  vi.advanceTimersByTime(11_000);
  await builder.check(true);
  await untilEnded(2);
  expect(results).toEqual([true, true]);
});
