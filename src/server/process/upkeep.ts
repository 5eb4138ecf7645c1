// Upkeep of the inbox in the process that owns the schedule: what is private and due is forgotten.
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { forgetDue } from '../../desk/forget.ts';
import { openInbox } from '../../inbox/open.ts';

const HOUR_MS = 3_600_000;
/** The clock is polled, as for releases. */
const POLL_MS = 2_000;
/** Where this process serves too, a request waits no longer than for another writer. */
const PATIENCE_MS = 3_000;

/** Starts it; gives the function that ends it. */
export function startUpkeep(config: Config, clock: () => number, log: Logger): () => void {
  const inbox = openInbox(join(config.data_dir, 'inbox.db'), PATIENCE_MS);
  let forgotten_hour = Number.NaN;
  const check = (): void => {
    const now_ms = clock();
    const hour = Math.floor(now_ms / HOUR_MS);
    if (hour === forgotten_hour) return;
    forgotten_hour = hour;
    const count = forgetDue(inbox, now_ms);
    if (count > 0) log.info({ count }, 'private words were forgotten');
  };
  const guarded = (): void => {
    try {
      check();
    } catch (thrown) {
      log.error({ err: thrown }, 'the upkeep of the inbox failed');
    }
  };
  const timer = setInterval(guarded, POLL_MS);
  guarded();
  return () => {
    clearInterval(timer);
    inbox.close();
  };
}
