// The schedule at work: a new release whenever one is due, built beside what serves.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { readCurrent } from '../releases/current.ts';
import { toLayout, toReleasePaths } from '../releases/layout.ts';
import { readReleaseFacts } from '../releases/release-facts.ts';
import { isOverdue, lastDueMs } from '../releases/schedule.ts';
import { spawnRelease } from '../releases/spawn-release.ts';
import type { Logger } from './log.ts';

const LOOK_MS = 15_000;

/** Begins to watch; gives the function that ends it, and a build under way with it. */
export function keepRebuilding(config: Config, clock: () => number, log: Logger): () => void {
  if (config.rebuild_hours === 0) return () => {};
  const layout = toLayout(config.data_dir);
  const ending = new AbortController();
  let tried_ms = 0;
  const look = async (): Promise<void> => {
    const now_ms = clock();
    const id = readCurrent(layout);
    if (id === null || tried_ms === lastDueMs(now_ms, config.rebuild_hours)) return;
    const { generated_ms } = readReleaseFacts(toReleasePaths(join(layout.releases_dir, id)).facts);
    if (!isOverdue(generated_ms, now_ms, config.rebuild_hours)) return;
    // One attempt for each due moment: a fault in the content is not mended by trying again.
    tried_ms = lastDueMs(now_ms, config.rebuild_hours);
    log.info({ release: id }, 'a new release is due');
    const lines: string[] = [];
    const is_built = await spawnRelease(now_ms, config.clock_start !== null, false, (line) => lines.push(line), ending.signal);
    if (is_built) log.info({ lines }, 'a new release was built');
    else if (!ending.signal.aborted) log.error({ lines }, 'no new release could be built, the one before goes on serving');
  };
  const guarded = (): void => void look().catch((thrown: unknown) => log.error({ err: thrown }, 'the schedule could not be looked at'));
  const timer = setInterval(guarded, LOOK_MS);
  guarded();
  return () => {
    clearInterval(timer);
    ending.abort();
  };
}
