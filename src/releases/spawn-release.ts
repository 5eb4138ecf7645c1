// Building a release in a process of its own, so that whoever serves goes on serving.
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { writeFailure } from './last-build.ts';
import { type Layout, PROJECT_DIR } from './layout.ts';
import type { Say } from './progress.ts';
import { spawnTethered } from './spawn-tethered.ts';

/** Lower than whatever serves (POSIX niceness). */
const NICENESS = 10;

export interface ReleaseOrder {
  readonly layout: Layout;
  readonly now_ms: number;
  /** Whether the release must be made for `now_ms`, not for the real time. */
  readonly is_pinned: boolean;
  /** Whether somebody waits for it: at full speed then. */
  readonly is_urgent: boolean;
  /** Gets its lines. */
  readonly say: Say;
  readonly signal?: AbortSignal;
}

/** Builds a release. False where it failed: it has said why, and last-build.json says it too. */
export async function spawnRelease({
  layout,
  now_ms,
  is_pinned,
  is_urgent,
  say,
  signal,
}: ReleaseOrder): Promise<boolean> {
  const env = is_pinned ? { CLOCK_START: formatTimestamp(now_ms) } : {};
  const { child, ended } = spawnTethered({
    command: [join(PROJECT_DIR, 'scripts', 'run.mjs'), 'release'],
    cwd: process.cwd(),
    env,
    onLine: say,
    signal,
  });
  if (!is_urgent && child.pid !== undefined) lowerPriority(child.pid);
  const { code, signal: killer } = await ended;
  if (killer !== null && !signal?.aborted) {
    say(`The build was ended by ${killer}`);
    writeFailure(layout, formatTimestamp(now_ms), `The build was ended by ${killer}`);
  }
  return code === 0;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}
