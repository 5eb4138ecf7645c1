// Whether somebody will ask for a release soon: an editor decides something, and then wants to see it. A build
// stands by from the first decision until none has come for a while.
import { join } from 'node:path';
import { readLastDecision } from '../../inbox/decisions.ts';
import { openInbox } from '../../inbox/open.ts';

/** After the last decision. */
const STANDS_BY_MS = 15 * 60_000;
/** What a build that stands by takes, and what should be left of it. */
const LEAST_MEMORY = 1024 ** 3;

export interface Expectation {
  /** What to do with the build that stands by: to be asked every moment. */
  readonly look: () => 'prepare' | 'dismiss' | null;
  readonly stop: () => void;
}

/** `readMemory`: the bytes that are left to this process. */
export function createExpectation(
  data_dir: string,
  readMemory: () => number = () => process.availableMemory(),
): Expectation {
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  // It only looks, and where this process serves too nobody waits for that.
  inbox.pragma('busy_timeout = 0');
  let last = readLastDecision(inbox);
  let until_ms: number | null = null;
  return {
    look: () => {
      const before = last;
      last = readLastDecision(inbox);
      if (last !== before && readMemory() >= LEAST_MEMORY) {
        until_ms = performance.now() + STANDS_BY_MS;
        return 'prepare';
      }
      if (until_ms === null || performance.now() < until_ms) return null;
      until_ms = null;
      return 'dismiss';
    },
    stop: () => inbox.close(),
  };
}
