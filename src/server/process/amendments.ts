// Watching what the desk decides over events: whatever it is, and whoever wrote it, the release that
// serves says it within seconds, while a build goes on as well (contract 14.9).
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { type Inbox, openInbox } from '../../inbox/open.ts';
import { listUndecided, readDecided } from '../../releases/amend-snapshot.ts';
import { type Layout, readCurrent, toLayout, toReleasePaths } from '../../releases/layout.ts';
import { requestRelease } from '../../releases/request-release.ts';
import { spawnAmendment } from '../../releases/spawn.ts';

const POLL_MS = 250;
/** An amendment that failed is tried again after this, and after twice as long each time; a whole release is asked for at once. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Where amendments are made, and for when. */
export interface AmendmentWatch {
  /** Amends at once where something is missing; resolves when it is done, or has failed. */
  readonly check: () => Promise<void>;
  readonly stop: () => void;
}

/** Begins to watch. `run_script` runs a command by its name; `onEnd` is told how each amendment ended. */
export function watchDecisions(
  config: Config,
  clock: () => number,
  log: Logger,
  run_script: string,
  onEnd: (is_well: boolean) => void = () => {},
): AmendmentWatch {
  const layout = toLayout(config.data_dir);
  const inbox = openInbox(join(config.data_dir, 'inbox.db'));
  // It only looks, and where this process serves too nobody waits for that.
  inbox.pragma('busy_timeout = 0');
  const ending = new AbortController();
  const isDue = createQuestion(layout, inbox);
  let is_busy = false;
  let failures = 0;
  let wait_until = 0;
  const check = async (): Promise<void> => {
    if (is_busy || performance.now() < wait_until) return;
    is_busy = true;
    try {
      if (!isDue(failures > 0)) return;
      const lines: string[] = [];
      const is_amended = await spawnAmendment({
        run_script,
        now_ms: clock(),
        is_pinned: config.clock_start !== null,
        say: (line) => lines.push(line),
        signal: ending.signal,
      });
      failures = is_amended ? 0 : failures + 1;
      if (!ending.signal.aborted) onEnd(is_amended);
      if (is_amended) log.info({ lines }, 'what the desk decided is in the release that serves');
      else if (!ending.signal.aborted)
        log.error({ lines }, 'what the desk decided is not served yet');
    } catch (thrown) {
      failures += 1;
      log.error({ err: thrown }, 'what the desk decided could not be looked up');
    } finally {
      is_busy = false;
      // A whole release says it too, and needs nothing of the one that serves.
      if (failures === 1 && !ending.signal.aborted) requestRelease(layout);
      if (failures > 0)
        wait_until =
          performance.now() + Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    }
  };
  const timer = setInterval(() => void check(), POLL_MS);
  return {
    check,
    stop: () => {
      clearInterval(timer);
      ending.abort();
      inbox.close();
    },
  };
}

/**
 * Whether the release that serves lacks a decision. It is looked up where another process has written
 * into the inbox since, where another release serves, or where it `must` be.
 */
function createQuestion(layout: Layout, inbox: Inbox): (must: boolean) => boolean {
  let known = '';
  return (must) => {
    const id = readCurrent(layout);
    const state = `${id} ${String(inbox.pragma('data_version', { simple: true }))}`;
    if (id === null || (state === known && !must)) return false;
    const { snapshot } = toReleasePaths(join(layout.releases_dir, id));
    const is_due = listUndecided(snapshot, readDecided(inbox)).length > 0;
    known = state;
    return is_due;
  };
}
