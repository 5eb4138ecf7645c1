// When a server has a release built beside what it serves, with a command that only says how it was begun.
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
import { makeTestFolder } from '../../fixtures/folder.ts';
import { writeSnapshot } from '../fake-release.ts';

const HOUR_MS = 3_600_000;
let layout: DataLayout;
let inbox: Inbox;
let now_ms: number;
let ends: boolean[];
let switches: number;
let builder: ReleaseBuilder;
/** Told when a build begins. */
const info = vi.fn();
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  layout = dataLayout(makeTestFolder());
  mkdirSync(layout.snapshots_dir);
  inbox = await openInbox(join(layout.data_dir, 'inbox.db'));
  [now_ms, ends, switches] = [FRIDAY_NOON_MS, [], 0];
  info.mockClear();
});
afterEach(async () => {
  builder.stop();
  await inbox.close();
  vi.useRealTimers();
});

const toBegun = (): string => join(layout.data_dir, 'begun');
/** How builds were begun so far. */
const listBegun = (): string[] =>
  existsSync(toBegun()) ? readFileSync(toBegun(), 'utf8').split('\n').slice(0, -1) : [];

/** A builder whose command notes how it was begun, does `rest`, and is this version's. */
function create(rest = "console.log('  release x serves (1 s)')", hours = 6): void {
  const run_script = join(layout.data_dir, 'run.mjs');
  writeFileSync(
    run_script,
    `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(toBegun())}, process.argv.slice(2).join(' ') + '\\n');
    ${rest}`,
  );
  builder = createReleaseBuilder({
    config: loadConfig({ DATA_DIR: layout.data_dir, REBUILD_HOURS: String(hours) }),
    clock: () => now_ms,
    log: Object.assign(pino({ level: 'silent' }), { info }),
    ...{ layout, inbox, run_script, maker: 'this' },
    isBuilding: async () => false,
    onSwitch: () => {
      switches += 1;
    },
    onEnd: (is_well) => void ends.push(is_well),
  });
}

/** Lets a snapshot serve that knows what the desk decided so far. */
async function serve(made_by = 'this'): Promise<void> {
  const decision = await getLastAgendaDecisionId(inbox);
  switchCurrent(layout, writeSnapshot(layout, undefined, { now_ms, made_by, decision }));
}

const untilEnded = (count: number): Promise<void> =>
  expect.poll(() => ends.length, { interval: 10 }).toBe(count);

test('where nothing serves, and by whoever does what is done once', async () => {
  create();
  await builder.look(false);
  expect(listBegun()).toEqual([]);
  // One at a time.
  await Promise.all([builder.look(true), builder.look(true)]);
  await untilEnded(1);
  expect([ends, listBegun()]).toEqual([[true], ['release --for missing']]);
  expect(switches).toBeGreaterThan(0);
});

test('by other code once, where what should serve is refused, by the schedule at its hour, and else not', async () => {
  await serve('older code');
  create();
  await builder.look(true);
  await untilEnded(1);
  await builder.look(true);
  await serve();
  await builder.look(true);
  expect(listBegun()).toEqual(['release --for missing']);
  now_ms += 6 * HOUR_MS;
  await builder.look(true);
  await untilEnded(2);
  expect(listBegun().at(-1)).toBe('release --for due');
  await serve();
  vi.advanceTimersByTime(61_000);
  await builder.look(true);
  expect(listBegun()).toHaveLength(2);
  await builder.look(true, true);
  await untilEnded(3);
});

test('anew where what serves is of another town', async () => {
  const name = writeSnapshot(layout, undefined, { now_ms, made_by: 'this' });
  const db = new Database(snapshotPath(layout, name));
  db.exec(`update meta set value = 'of another' where key = 'town'`);
  db.close();
  switchCurrent(layout, name);
  expect(findServableSnapshot(layout)).toBeNull();
  create();
  await builder.look(true);
  await untilEnded(1);
  expect(listBegun()).toEqual(['release --for missing']);
});

test('after a decision; where nobody else does, by any server', async () => {
  await serve();
  create(undefined, 0);
  await publish(inbox);
  await builder.look(false);
  vi.advanceTimersByTime(2_000);
  // Somebody else has built; what was decided since is waited for anew.
  await serve();
  await publish(inbox, { title: 'Otra noche' });
  vi.advanceTimersByTime(2_000);
  await builder.look(false);
  vi.advanceTimersByTime(4_000);
  expect(info).not.toHaveBeenCalled();
  await builder.look(false);
  await untilEnded(1);
  expect(listBegun()).toEqual(['release --for decided']);
});

test('a failure is remembered, and tried again after its pause', async () => {
  create('process.exit(1)');
  await builder.look(true);
  await untilEnded(1);
  vi.advanceTimersByTime(59_000);
  await builder.look(true);
  expect([ends, listBegun().length]).toEqual([[false], 1]);
  vi.advanceTimersByTime(1_500);
  await builder.look(true);
  await untilEnded(2);
  expect(listBegun().length).toBe(2);
});

test('one that the system ended says so; one that this process ended says nothing', async () => {
  create("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)");
  await builder.look(true);
  await untilEnded(1);
  expect(loadLastBuild(layout).failure?.reason).toBe('The build was ended by SIGKILL');
  builder.stop();
  await builder.look(true);
  expect(listBegun().length).toBe(1);
});

test('pages may be made ahead while the next is built, and are given up for it', async () => {
  create("console.log('  release x serves (1 s)'); setInterval(() => {}, 1000)");
  await builder.look(true);
  await untilEnded(1);
  await publish(inbox);
  await serve();
  await publish(inbox, { title: 'Otra noche' });
  vi.advanceTimersByTime(11_000);
  await builder.look(true);
  await untilEnded(2);
  expect(ends).toEqual([true, true]);
});
