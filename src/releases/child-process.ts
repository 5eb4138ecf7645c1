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
  /** Receives the messages that the script sends to its parent (`process.send`). */
  readonly onMessage?: (message: unknown) => void;
  readonly signal?: AbortSignal;
  /**
   * The process is killed after this time; null for a process that runs until it is stopped.
   */
  readonly timeout_ms: number | null;
  /** Defaults to the niceness of this process. */
  readonly niceness?: number;
  /** Flags of Node; defaults to the flags of a build. */
  readonly flags?: readonly string[];
}

export interface ChildExit {
  readonly code: number | null;
  /** Name of the signal that ended it, or why it did not start; null if it exited. */
  readonly signal: string | null;
  /** It was killed because it exceeded its time limit. */
  readonly is_timeout: boolean;
}

/** Starts a script as a tied child. @returns a promise of how it ended. */
export function spawnTiedChild({
  command,
  env,
  onLine,
  onMessage,
  niceness,
  timeout_ms,
  flags = BUILD_FLAGS,
  ...options
}: TiedChildOptions) {
  const child = spawn(process.execPath, [...flags, TIED_CHILD_SCRIPT, ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...(onMessage ? ['ipc' as const] : [])],
    // Limits malloc's heaps; the default of eight per core wastes memory.
    env: { MALLOC_ARENA_MAX: '2', ...childEnv(env) },
    ...options,
  });
  try {
    if (child.pid !== undefined && niceness !== undefined) setPriority(child.pid, niceness);
  } catch {
    // The process has already ended.
  }
  if (onMessage) child.on('message', onMessage);
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on('line', onLine);
  return new Promise<ChildExit>((resolve) => {
    let is_timeout = false;
    const kill = (): void => {
      is_timeout = true;
      // A script that hangs may ignore other signals.
      child.kill('SIGKILL');
    };
    const timer = timeout_ms === null ? undefined : setTimeout(kill, timeout_ms);
    const end = (code: number | null, signal: string | null): void => {
      clearTimeout(timer);
      resolve({ code, signal, is_timeout });
    };
    child.once('error', (error) => {
      // 'close' follows an abort, but not a failed start.
      if (child.pid === undefined) end(null, error.message);
    });
    child.once('close', end);
  });
}
