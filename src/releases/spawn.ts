// Child processes that end with this one, however this one ends: Astro's build, and a whole release
// built beside what serves.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { toChildEnv } from '../config.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { writeFailure } from './last-build.ts';
import type { Layout } from './layout.ts';
import type { Say } from './progress.ts';

const TETHER = fileURLToPath(new URL('./tethered.mjs', import.meta.url));

/**
 * What keeps a build small (docs/performance.md): young objects are collected after 16 MB, not after 64, a heap is
 * collected when it has doubled, not when it is as large as four, and it may collect by itself before its threads
 * begin. A first release of 10,000 events takes a fifth less memory with that, in the same time.
 */
export const BUILD_FLAGS = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=100',
  '--expose-gc',
] as const;

/** Heaps of malloc for all threads: each keeps what its thread once freed, and there would be eight for each core. */
export const FEW_HEAPS = { MALLOC_ARENA_MAX: '2' } as const;

export interface Tethered {
  /** A script, absolute, and its arguments. */
  readonly command: readonly [script: string, ...parts: string[]];
  readonly cwd: string;
  /** Added to this process's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes each line of both outputs. */
  readonly onLine: Say;
  readonly signal?: AbortSignal | undefined;
  /** Whether nobody waits for it: it goes behind whatever serves then. */
  readonly is_low?: boolean;
  /** Whether it reads what it is told. */
  readonly is_told?: boolean;
}

/** How a child ended: its exit code, or the signal that ended it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A child under way. */
export interface Spawned {
  /** Told once it has ended and all its lines are passed on. */
  readonly ended: Promise<Ending>;
  /** Writes a line to it, where it reads any. */
  readonly tell: (line: string) => void;
  /** Puts it behind whatever serves. */
  readonly lower: () => void;
}

/** Starts it. Throws nothing: a start that fails is an ending too. */
export function spawnTethered({
  command,
  cwd,
  env,
  onLine,
  signal,
  is_low = false,
  is_told = false,
}: Tethered): Spawned {
  const child = spawn(process.execPath, [...BUILD_FLAGS, TETHER, ...command], {
    cwd,
    stdio: [is_told ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
    // All that a build is started with, or it would start itself anew, without its tether.
    env: { ...FEW_HEAPS, ...toChildEnv(env) },
    ...(signal ? { signal } : {}),
  });
  const lower = (): void => {
    if (child.pid !== undefined) lowerPriority(child.pid);
  };
  if (is_low) lower();
  // One that has ended already is told of by its ending.
  child.stdin?.on('error', () => {});
  const listen = (stream: NodeJS.ReadableStream | null): void => {
    if (stream) createInterface({ input: stream }).on('line', onLine);
  };
  listen(child.stdout);
  listen(child.stderr);
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error) => {
      // An abort ends it too, and 'close' follows; what never started says nothing more.
      if (child.pid === undefined) resolve({ code: null, signal: error.message });
    });
    child.once('close', (code, name) => resolve({ code, signal: name }));
  });
  return { ended, lower, tell: (line) => void child.stdin?.write(`${line}\n`) };
}

/** Lower than whatever serves (POSIX niceness). */
const NICENESS = 10;

export interface ReleaseOrder {
  /** The script that runs a command by its name, absolute. */
  readonly run_script: string;
  readonly layout: Layout;
  readonly now_ms: number;
  /** Whether the release must be made for `now_ms`, not for the real time. */
  readonly is_pinned: boolean;
  /** Whether somebody waits for it: at full speed then. */
  readonly is_urgent: boolean;
  /** Whether it waits, before it serves, for the service that takes over. */
  readonly is_take_over?: boolean;
  /** Takes its lines. */
  readonly say: Say;
  readonly signal?: AbortSignal | undefined;
}

/** Builds a release. False where it failed: it has said why, and last-build.json says it too. */
export async function spawnRelease({
  run_script,
  layout,
  now_ms,
  is_pinned,
  is_urgent,
  is_take_over = false,
  say,
  signal,
}: ReleaseOrder): Promise<boolean> {
  const env = is_pinned ? { CLOCK_START: formatTimestamp(now_ms) } : {};
  const { ended } = spawnTethered({
    command: [run_script, 'release', ...(is_take_over ? ['--take-over'] : [])],
    cwd: process.cwd(),
    env,
    onLine: say,
    signal,
    is_low: !is_urgent,
  });
  return tellEnding(await ended, { layout, now_ms, say, signal });
}

/** Whether a build ended well; one that was killed could not say so itself. */
export function tellEnding(
  { code, signal: killer }: Ending,
  { layout, now_ms, say, signal }: Pick<ReleaseOrder, 'layout' | 'now_ms' | 'say' | 'signal'>,
): boolean {
  if (killer !== null && !signal?.aborted) {
    say(`The build was ended by ${killer}`);
    writeFailure(layout, formatTimestamp(now_ms), `The build was ended by ${killer}`);
  }
  return code === 0;
}

/**
 * Lays what the desk has decided over the release that serves, at full speed, for somebody waits. False
 * where it failed: it has said why.
 */
export async function spawnAmendment({
  run_script,
  now_ms,
  is_pinned,
  say,
  signal,
}: Pick<ReleaseOrder, 'run_script' | 'now_ms' | 'is_pinned' | 'say' | 'signal'>): Promise<boolean> {
  const env = is_pinned ? { CLOCK_START: formatTimestamp(now_ms) } : {};
  const command = [run_script, 'amend'] as const;
  const { ended } = spawnTethered({ command, cwd: process.cwd(), env, onLine: say, signal });
  return (await ended).code === 0;
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It has ended already.
  }
}
