// Child processes: starts Astro's build, a release build or another server in a process that ends
// with this one.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnv } from '../config.ts';
import type { LogLine } from './build-log.ts';

const TIED_CHILD_SCRIPT = fileURLToPath(new URL('./tied-child.mjs', import.meta.url));
/**
 * Collects young objects after 8 MB and grows the heap by at most 40 %: builds take as long and
 * need 80 MB less.
 */
const BUILD_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];
/** POSIX niceness of builds, below the serving process. `awaited`: an operator waits for it. */
export const CHILD_NICENESS = { awaited: 5, unawaited: 10 } as const;

interface TiedChildOptions {
  readonly command: readonly [script: string, ...parts: string[]];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onLine: LogLine;
  readonly signal?: AbortSignal;
  /** Defaults to the niceness of this process. */
  readonly niceness?: number;
  /** Flags of Node; defaults to the flags of a build. */
  readonly flags?: readonly string[];
}

/** Starts a script as a tied child. @returns a promise of its exit code or signal. */
export function spawnTiedChild({
  command,
  env,
  onLine,
  niceness,
  flags = BUILD_FLAGS,
  ...options
}: TiedChildOptions) {
  const child = spawn(process.execPath, [...flags, TIED_CHILD_SCRIPT, ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // Limits malloc's heaps; the default of eight per core wastes memory.
    env: { MALLOC_ARENA_MAX: '2', ...childEnv(env) },
    ...options,
  });
  try {
    if (child.pid !== undefined && niceness !== undefined) setPriority(child.pid, niceness);
  } catch {
    // The process has already ended.
  }
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on('line', onLine);
  return new Promise<{ readonly code: number | null; readonly signal: string | null }>(
    (resolve) => {
      child.once('error', (error) => {
        // 'close' follows an abort, but not a failed start.
        if (child.pid === undefined) resolve({ code: null, signal: error.message });
      });
      child.once('close', (code, signal) => resolve({ code, signal }));
    },
  );
}
