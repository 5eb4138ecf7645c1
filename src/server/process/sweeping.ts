// What erased words left in the file of the inbox is swept out soon after, in a process of its own, for it
// takes as long as the inbox is large (contract 14.26).
import type { Logger } from 'pino';
import type { Inbox } from '../../inbox/open.ts';
import { isUnswept } from '../../inbox/sweep.ts';
import { spawnTethered } from '../../releases/spawn.ts';

/** However much is erased, and whether it can be done or not: not more often than this. */
const PAUSE_MS = 10 * 60_000;

export interface Sweeper {
  /** Starts it where something was erased, unless one was started a short while ago. To be called now and then. */
  readonly check: () => void;
  /** Ends one under way: it is done again then. */
  readonly stop: () => void;
}

/** `run_script` runs a command by its name. */
export function createSweeper(inbox: Inbox, log: Logger, run_script: string): Sweeper {
  const ending = new AbortController();
  let wait_until = 0;
  const run = async (): Promise<void> => {
    const lines: string[] = [];
    const { ended } = spawnTethered({
      command: [run_script, 'review', 'sweep'],
      cwd: process.cwd(),
      env: {},
      onLine: (line) => lines.push(line),
      signal: ending.signal,
      is_low: true,
    });
    const { code } = await ended;
    if (code === 0) log.info('what was erased was swept out of the inbox');
    else if (!ending.signal.aborted)
      log.error({ lines }, 'what was erased could not be swept out of the inbox');
  };
  return {
    check: () => {
      if (performance.now() < wait_until || !isUnswept(inbox)) return;
      wait_until = performance.now() + PAUSE_MS;
      void run();
    },
    stop: () => ending.abort(),
  };
}
