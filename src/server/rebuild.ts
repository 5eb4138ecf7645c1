// The schedule at work: a new release whenever one is due or asked for, built beside what serves.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { readCurrent } from '../releases/current.ts';
import { type Layout, toLayout, toReleasePaths } from '../releases/layout.ts';
import { readLockHolder } from '../releases/lock.ts';
import { readReleaseFacts } from '../releases/release-facts.ts';
import { isReleaseRequested } from '../releases/request-release.ts';
import { isOverdue, lastDueMs } from '../releases/schedule.ts';
import { spawnRelease } from '../releases/spawn-release.ts';
import type { Logger } from './log.ts';

/** Often enough that who presses "publish now" sees something happen. */
const LOOK_MS = 2_000;

/** Begins to watch; gives the function that ends it, and a build under way with it. */
export function keepRebuilding(config: Config, clock: () => number, log: Logger): () => void {
  const layout = toLayout(config.data_dir);
  const ending = new AbortController();
  let tried_ms = 0;
  let is_busy = false;
  const look = async (): Promise<void> => {
    const now_ms = clock();
    const due_ms = lastDueMs(now_ms, config.rebuild_hours || 24);
    // One attempt for each due moment: a fault in the content is not mended by trying again.
    const is_due = tried_ms !== due_ms && isReleaseDue(layout, now_ms, config.rebuild_hours);
    if (!is_due && !isReleaseRequested(layout)) return;
    if (readLockHolder(layout.lock_file) !== null) return;
    if (is_due) tried_ms = due_ms;
    await build(config, now_ms, log, is_due ? 'due' : 'requested', ending.signal);
  };
  const guarded = async (): Promise<void> => {
    if (is_busy) return;
    is_busy = true;
    try {
      await look();
    } catch (thrown) {
      log.error({ err: thrown }, 'the schedule could not be looked at');
    } finally {
      is_busy = false;
    }
  };
  const timer = setInterval(() => void guarded(), LOOK_MS);
  void guarded();
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}

function isReleaseDue(layout: Layout, now_ms: number, hours: number): boolean {
  const id = readCurrent(layout);
  if (id === null || hours === 0) return false;
  return isOverdue(readReleaseFacts(toReleasePaths(join(layout.releases_dir, id)).facts).generated_ms, now_ms, hours);
}

async function build(config: Config, now_ms: number, log: Logger, why: string, signal: AbortSignal): Promise<void> {
  log.info({ why }, 'a new release is built');
  const lines: string[] = [];
  const is_built = await spawnRelease(now_ms, config.clock_start !== null, false, (line) => lines.push(line), signal);
  if (is_built) log.info({ lines }, 'a new release was built');
  else if (!signal.aborted) log.error({ lines }, 'no new release could be built, the one before goes on serving');
}
