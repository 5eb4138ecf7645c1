// A child process that ends with this one, however this one ends; its lines are handed on, its end
// awaited.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toChildEnv } from '../config.ts';
import { PROJECT_DIR } from './layout.ts';
import type { Say } from './progress.ts';

const TETHER = join(PROJECT_DIR, 'scripts', 'tethered.mjs');

export interface Tethered {
  /** A script, absolute, and its arguments. */
  readonly command: readonly [script: string, ...parts: string[]];
  readonly cwd: string;
  /** Added to this process's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Gets each line of both outputs. */
  readonly onLine: Say;
  readonly signal?: AbortSignal | undefined;
}

/** How a child ended: its exit code, or the signal that ended it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Starts it; `ended` is told once it has ended and all its lines are handed on. Throws nothing: a
 * start that fails is an ending too.
 */
export function spawnTethered({ command, cwd, env, onLine, signal }: Tethered): {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
} {
  const child = spawn(process.execPath, [TETHER, ...command], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: toChildEnv(env),
    ...(signal ? { signal } : {}),
  });
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
  return { child, ended };
}
