// The schedule: a new release whenever one is due or requested, built beside the one that serves.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { formatTimestamp } from '../../domain/cancun-time.ts';
import {
  type Attempts,
  findCause,
  NO_ATTEMPTS,
  toPauseMs,
  type Wishes,
} from '../../releases/attempts.ts';
import { type Layout, readCurrent, toLayout, toReleasePaths } from '../../releases/layout.ts';
import { listFaults, readLastBuild } from '../../releases/last-build.ts';
import { isLocked } from '../../releases/lock.ts';
import { readReleaseFacts } from '../../releases/release-facts.ts';
import { isReleaseRequested } from '../../releases/request-release.ts';
import { isOverdue, lastDueMs, nextDueMs } from '../../releases/schedule.ts';
import { type Builder, createBuilder } from '../../releases/builder.ts';
import { createExpectation, type Expectation } from './expect-release.ts';

/**
 * The clock is polled, not waited for: after sleep or a change of the clock the next check sees what
 * is due.
 */
const POLL_MS = 100;

/**
 * Starts the schedule; gives the function that ends it, and a build under way with it. `run_script`
 * runs a command by its name; `onEnd` is told how each build ended.
 */
export function startSchedule(
  config: Config,
  clock: () => number,
  log: Logger,
  run_script: string,
  onEnd: (is_well: boolean) => void = () => {},
): () => void {
  const layout = toLayout(config.data_dir);
  const ending = new AbortController();
  const builder = createBuilder(run_script);
  const expectation = createExpectation(config.data_dir);
  let attempts: Attempts = NO_ATTEMPTS;
  let is_busy = false;
  const check = async (): Promise<void> => {
    expect(builder, expectation, log);
    const now_ms = clock();
    const wishes = readWishes(layout, now_ms, config.rebuild_hours);
    const why = findCause(attempts, wishes, performance.now());
    if (why === null || isLocked(layout.lock_file)) return;
    const { failures } = wishes.has_failed || wishes.due_ms !== null ? attempts : NO_ATTEMPTS;
    const due_ms = wishes.due_ms ?? attempts.due_ms;
    const order = { builder, config, layout, now_ms, log, why, failures };
    const is_built = await build({ ...order, signal: ending.signal });
    if (!ending.signal.aborted) onEnd(is_built);
    attempts = { failures: is_built ? 0 : failures + 1, ended_ms: performance.now(), due_ms };
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
    builder.dismiss();
    expectation.stop();
  };
}

/** Begins a build ahead, or ends it, where it is time. */
function expect(builder: Builder, { look }: Expectation, log: Logger): void {
  const what = look();
  if (what === 'dismiss') builder.dismiss();
  if (what === 'prepare')
    builder.prepare((line) => log.info({ line }, 'a build is ahead of the wish for it'));
}

/**
 * Counted from the last build, not from what serves: a rollback is not undone before the next due
 * moment.
 */
function readWishes(layout: Layout, now_ms: number, hours: number): Wishes {
  const { success, failure } = readLastBuild(layout);
  const built_ms = hours === 0 ? null : (success?.generated_ms ?? readCurrentMs(layout));
  return {
    due_ms:
      built_ms !== null && isOverdue(built_ms, now_ms, hours) ? lastDueMs(now_ms, hours) : null,
    is_requested: isReleaseRequested(layout),
    has_failed: failure !== null,
  };
}

function readCurrentMs(layout: Layout): number | null {
  const id = readCurrent(layout);
  return id === null
    ? null
    : readReleaseFacts(toReleasePaths(join(layout.releases_dir, id)).facts).generated_ms;
}

interface BuildOrder {
  readonly builder: Builder;
  readonly config: Config;
  readonly layout: Layout;
  readonly now_ms: number;
  readonly log: Logger;
  readonly why: NonNullable<ReturnType<typeof findCause>>;
  /** Attempts that failed before it. */
  readonly failures: number;
  readonly signal: AbortSignal;
}

async function build({
  builder,
  config,
  layout,
  now_ms,
  log,
  why,
  failures,
  signal,
}: BuildOrder): Promise<boolean> {
  log.info({ why, stood_by: builder.isPrepared() }, 'a new release is built');
  const lines: string[] = [];
  const is_built = await builder.build({
    layout,
    now_ms,
    is_pinned: config.clock_start !== null,
    // Somebody at the desk waits for it.
    is_urgent: why === 'requested',
    say: (line) => lines.push(line),
    signal,
  });
  const next_ms = nextDueMs(now_ms, config.rebuild_hours);
  const next = next_ms === null ? null : formatTimestamp(next_ms);
  const faults = listFaults(readLastBuild(layout));
  if (faults.length > 0) log.warn({ faults }, 'files of content are faulty');
  if (is_built) log.info({ lines, next }, 'a new release was built');
  else if (!signal.aborted) {
    const again = formatTimestamp(now_ms + toPauseMs(failures + 1));
    const words = 'no new release could be built, the one before goes on serving';
    log.error({ lines, next, again }, words);
  }
  return is_built;
}
