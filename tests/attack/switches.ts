// Releases and rollbacks under load on every surface, an event called off among them: no request fails, no
// answer is of two releases, and what is called off stays so.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeStatus } from '../../src/desk/override.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { toLayout } from '../../src/releases/layout.ts';
import { isLocked } from '../../src/releases/lock.ts';
import { isReleaseRequested } from '../../src/releases/request-release.ts';
import { runCommand, type ServerSettings, startServer } from '../fixtures/built-server.ts';
import { copyFixture } from '../fixtures/changing-content.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import {
  beginLoad,
  CALLED_OFF,
  isCalledOff,
  type Load,
  toEditionTime,
  toRollbackTime,
} from '../fixtures/release-load.ts';
import type { Finding, Say } from './finding.ts';
import { until } from './release-kills.ts';

/** How often. */
export interface Switches {
  readonly releases: number;
  /** After every so many releases; the last of them too. */
  readonly rollbacks: number;
}

/** Of ten editions, the one while which the event is called off, so that a rollback right after has to keep that, and the one while which it is put on again. */
const [OFF, ON] = [5, 9];
/** Into the build, by which it has read the inbox or is about to. */
const INTO_MS = 1_000;
/** What is served is seen by then, on a busy machine too. */
const SEEN_MS = 30_000;
/** What the service builds by itself after a decision is done. */
const SETTLED_MS = 120_000;
/** A cancellation is on every surface (contract 14.9). */
const MOST_LATE_MS = 5_000;
const BUSY = 'Another process is building';
const DESK = { editor: 'ana', now_ms: FRIDAY_NOON_MS } as const;

/** Serves an own copy of the small town with two processes, and lets releases come and go. */
export async function trySwitches(
  settings: ServerSettings & { readonly content_dir: string },
  { releases, rollbacks }: Switches,
  say: Say,
): Promise<Finding & { readonly load: Load; readonly last: string }> {
  const setEdition = copyFixture(settings.content_dir);
  setEdition(0);
  const env = { ...settings.env, WORKERS: '2' };
  const run = async (command: 'release' | 'rollback', edition: number): Promise<void> => {
    const clock_start = (command === 'release' ? toEditionTime : toRollbackTime)(edition);
    const { code, output } = await runCommand(command, [], { ...settings, env, clock_start });
    // After an event was called off, the service builds by itself what counts it.
    if (output.includes(BUSY)) return run(command, edition);
    if (code !== 0) throw new Error(`${command} of ${edition} ended with ${code}: ${output}`);
  };
  const server = await startServer({ ...settings, env });
  const inbox = openInbox(join(settings.data_dir, 'inbox.db'));
  const layout = toLayout(settings.data_dir);
  const late_ms: (number | null)[] = [];
  const readEvent = async () => (await server.get(`/api/v1/events/${CALLED_OFF}`)).text();
  let is_off = false;
  // Otherwise the service builds the next edition too, and a rollback leads from one of them to the other.
  const hasSettled = async (): Promise<boolean> =>
    isCalledOff(await readEvent()) === is_off &&
    !isLocked(layout.publish_lock_file) &&
    !isReleaseRequested(layout) &&
    !isLocked(layout.lock_file);
  try {
    const id = /"id":"(ev_\w+)"/.exec(await readEvent());
    const running = beginLoad(server);
    const decide = (edition: number): void => {
      if (edition % 10 === OFF) {
        changeStatus(inbox, DESK, id?.[1] ?? '', 'cancel', 'Llueve.');
        is_off = true;
        running.watchOff();
      } else if (edition % 10 === ON) {
        late_ms.push(running.endWatch());
        changeStatus(inbox, DESK, id?.[1] ?? '', 'restore', 'Ya no llueve.');
        is_off = false;
      }
    };
    for (let edition = 1; edition <= releases; edition++) {
      if (!(await until(hasSettled, SETTLED_MS))) throw new Error(`${edition - 1} does not settle`);
      setEdition(edition);
      const built = run('release', edition);
      await Promise.race([built, sleep(INTO_MS)]);
      decide(edition);
      await built;
      // A rollback may be quicker than a look at what is new.
      await until(() => running.hasSeen(edition), SEEN_MS);
      if (edition % Math.floor(releases / rollbacks) === 0) await run('rollback', edition);
      if (edition % 5 === 0) say(`  ${edition} of ${releases} releases`);
    }
    let last = '';
    const readLast = async () => (await server.get('/api/v1/events/feria-diaria-es')).text();
    const serving = releases % Math.floor(releases / rollbacks) === 0 ? releases - 1 : releases;
    await until(async () => {
      last = await readLast();
      return last.includes(`Edición ${serving} de`);
    }, SEEN_MS);
    const load = await running.end();
    return { ...toFinding({ releases, rollbacks }, load, late_ms), load, last };
  } finally {
    inbox.close();
    await server.stop();
  }
}

function toFinding(
  { releases, rollbacks }: Switches,
  load: Load,
  late_ms: readonly (number | null)[],
): Finding {
  const latest_ms = Math.round(Math.max(0, ...late_ms.map((one) => one ?? 0)));
  const never = late_ms.filter((one) => one === null).length;
  const all = Array.from({ length: releases + 1 }, (_, edition) => edition);
  const unseen = all.filter((edition) => !load.editions.has(edition));
  return {
    what: `${releases} releases and ${rollbacks} rollbacks under load on every surface`,
    figures: `${load.asked} answers, ${load.issues.length} failed, mixed or of a cancelled event alive${load.issues.slice(0, 3).map((issue) => ` (${issue})`)}; ${all.length - unseen.length} of ${all.length} editions seen; called off ${late_ms.length} times, everywhere within ${latest_ms} ms${never > 0 ? `, ${never} times NOT` : ''}`,
    is_held:
      load.issues.length === 0 &&
      never === 0 &&
      unseen.length === 0 &&
      load.editions.size === all.length,
    is_in_time: latest_ms <= MOST_LATE_MS,
  };
}
