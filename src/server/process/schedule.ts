// The schedule: a new release whenever one is due or requested, built beside the one that serves.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { formatTimestamp } from '../../domain/cancun-time.ts';
import { type Layout, readCurrent, toLayout, toReleasePaths } from '../../releases/layout.ts';
import { readLastBuild } from '../../releases/last-build.ts';
import { isLocked } from '../../releases/lock.ts';
import { readReleaseFacts } from '../../releases/release-facts.ts';
import { isReleaseRequested } from '../../releases/request-release.ts';
import { isOverdue, lastDueMs, nextDueMs } from '../../releases/schedule.ts';
import { spawnRelease } from '../../releases/spawn.ts';

/**
 * The clock is polled, not waited for: after sleep or a change of the clock the next check sees what
 * is due.
 */
const POLL_MS = 2_000;
/** A requested release that could not be built is not tried again before this. */
const REQUEST_RETRY_MS = 60_000;

/**
 * Starts the schedule; gives the function that ends it, and a build under way with it. `run_script`
 * runs a command by its name.
 */
export function startSchedule(
  config: Config,
  clock: () => number,
  log: Logger,
  run_script: string,
): () => void {
  const layout = toLayout(config.data_dir);
  const ending = new AbortController();
  let tried_ms = 0;
  let request_failed_at = Number.NEGATIVE_INFINITY;
  let is_busy = false;
  const check = async (): Promise<void> => {
    const now_ms = clock();
    const due_ms = lastDueMs(now_ms, config.rebuild_hours || 24);
    // One attempt for each due moment: an error in the content is not mended by trying again.
    const is_due = tried_ms !== due_ms && isReleaseDue(layout, now_ms, config.rebuild_hours);
    const is_requested =
      isReleaseRequested(layout) && performance.now() - request_failed_at > REQUEST_RETRY_MS;
    if ((!is_due && !is_requested) || isLocked(layout.lock_file)) return;
    if (is_due) tried_ms = due_ms;
    const is_built = await build({
      run_script,
      config,
      layout,
      now_ms,
      log,
      why: is_due ? 'due' : 'requested',
      signal: ending.signal,
    });
    if (!is_built && isReleaseRequested(layout)) request_failed_at = performance.now();
  };
  const guarded = async (): Promise<void> => {
    if (is_busy) return;
    is_busy = true;
    try {
      await check();
    } catch (thrown) {
      log.error({ err: thrown }, 'the schedule could not be checked');
    } finally {
      is_busy = false;
    }
  };
  const timer = setInterval(() => void guarded(), POLL_MS);
  void guarded();
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}

/**
 * Counted from the last build, not from what serves: a rollback is not undone before the next due
 * moment.
 */
function isReleaseDue(layout: Layout, now_ms: number, hours: number): boolean {
  if (hours === 0) return false;
  const built_ms = readLastBuild(layout).success?.generated_ms ?? readCurrentMs(layout);
  return built_ms !== null && isOverdue(built_ms, now_ms, hours);
}

function readCurrentMs(layout: Layout): number | null {
  const id = readCurrent(layout);
  return id === null
    ? null
    : readReleaseFacts(toReleasePaths(join(layout.releases_dir, id)).facts).generated_ms;
}

interface BuildOrder {
  readonly run_script: string;
  readonly config: Config;
  readonly layout: Layout;
  readonly now_ms: number;
  readonly log: Logger;
  readonly why: 'due' | 'requested';
  readonly signal: AbortSignal;
}

async function build({
  run_script,
  config,
  layout,
  now_ms,
  log,
  why,
  signal,
}: BuildOrder): Promise<boolean> {
  log.info({ why }, 'a new release is built');
  const lines: string[] = [];
  const is_built = await spawnRelease({
    run_script,
    layout,
    now_ms,
    is_pinned: config.clock_start !== null,
    is_urgent: false,
    say: (line) => lines.push(line),
    signal,
  });
  const next_ms = nextDueMs(now_ms, config.rebuild_hours);
  const next = next_ms === null ? null : formatTimestamp(next_ms);
  if (is_built) log.info({ lines, next }, 'a new release was built');
  else if (!signal.aborted)
    log.error({ lines, next }, 'no new release could be built, the one before goes on serving');
  return is_built;
}
