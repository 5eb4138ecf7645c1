// Child processes that end with this one, however this one ends: Astro's build, a release, another server.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnv } from '../config.ts';
import type { LogLine } from './build-log.ts';

const TETHER = fileURLToPath(new URL('./tied-child.mjs', import.meta.url));
/** Young objects are collected after 8 MB, the heap grows by 40 % and no more: a build is as quick, and 80 MB smaller. */
const BUILD_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];
/** Of POSIX: below whatever serves, where somebody waits and where nobody does. */
export const CHILD_NICENESS = { awaited: 5, unawaited: 10 } as const;

interface Tethered {
  readonly command: readonly [script: string, ...parts: string[]];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: LogLine;
  readonly signal?: AbortSignal;
  /** As this process where it is not said. */
  readonly niceness?: number;
  /** Node's; those of a build where it is not said. */
  readonly flags?: readonly string[];
}

export function spawnTiedChild(order: Tethered) {
  const { command, env, onLine, niceness, flags = BUILD_FLAGS, ...options } = order;
  const child = spawn(process.execPath, [...flags, TETHER, ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // Heaps of malloc for all threads: there would be eight for each core.
    env: { MALLOC_ARENA_MAX: '2', ...childEnv(env) },
    ...options,
  });
  try {
    if (child.pid !== undefined && niceness !== undefined) setPriority(child.pid, niceness);
  } catch {
    // It has ended already.
  }
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on('line', onLine);
  return new Promise<{ readonly code: number | null; readonly signal: string | null }>(
    (resolve) => {
      child.once('error', (error) => {
        // An abort ends it too, and 'close' follows; what never started says nothing more.
        if (child.pid === undefined) resolve({ code: null, signal: error.message });
      });
      child.once('close', (code, signal) => resolve({ code, signal }));
    },
  );
}
