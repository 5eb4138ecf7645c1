// Building a release in a process of its own, so that whoever serves goes on serving.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toChildEnv } from '../config.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { PROJECT_DIR } from './layout.ts';
import type { Say } from './progress.ts';

/** Lower than whatever serves (POSIX niceness). */
const NICENESS = 10;

/** Builds a release for the instant `now_ms`; `say` gets its lines. False where it failed: it has said why. */
export async function spawnRelease(now_ms: number, is_pinned: boolean, is_urgent: boolean, say: Say, signal?: AbortSignal): Promise<boolean> {
  const child = spawn(process.execPath, [join(PROJECT_DIR, 'scripts', 'run.mjs'), 'release'], {
    cwd: process.cwd(), stdio: ['ignore', 'pipe', 'pipe'], signal,
    env: toChildEnv(is_pinned ? { CLOCK_START: formatTimestamp(now_ms) } : {}),
  });
  if (!is_urgent && child.pid !== undefined) setPriority(child.pid, NICENESS);
  createInterface({ input: child.stdout }).on('line', say);
  createInterface({ input: child.stderr }).on('line', say);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  return code === 0;
}
