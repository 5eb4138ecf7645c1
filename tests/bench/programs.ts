// Programs of the benchmark: started, watched from outside, ended. What they use is what the system
// says of them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toChildEnv } from '../../src/config.ts';
import { PROJECT_DIR } from '../../src/releases/layout.ts';

/** Clock ticks of /proc a second, on every Linux there is. */
const TICKS = 100;

export interface Program {
  readonly port: number;
  /** Processor time so far in microseconds; NaN where the system does not say. */
  readonly cpuMicros: () => number;
  /**
   * Memory in megabytes that it has for itself (heap, buffers), and with the pages of files that
   * processes share; NaN where the system does not say.
   */
  readonly memoryMb: () => { readonly own: number; readonly resident: number };
  readonly stop: () => Promise<void>;
}

const read = <T>(look: () => T, otherwise: T): T => {
  try {
    return look();
  } catch {
    return otherwise;
  }
};

export const readStatusMb = (pid: number | undefined, field: string): number =>
  read(
    () =>
      Number(
        new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
      ) / 1024,
    Number.NaN,
  );

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  path: string = process.execPath,
): ChildProcess {
  return spawn(path, [...args], {
    cwd: PROJECT_DIR,
    env: toChildEnv(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A program that is not Node, and so does not say when it answers. */
interface Foreign {
  readonly path: string;
  readonly isReady: () => Promise<boolean>;
}

/**
 * Starts a program that says `Listo:` when it answers, or a foreign one. Throws with what it said where
 * it ends before.
 */
export async function startProgram(
  args: readonly string[],
  port: number,
  env: Readonly<Record<string, string>> = {},
  foreign: Foreign | null = null,
): Promise<Program> {
  const child = start(args, env, foreign?.path);
  let said = '';
  await new Promise<void>((done, fail) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('Listo:')) done();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('close', (code) =>
      fail(new Error(`${args.join(' ')} ended with ${code}:\n${said}`)),
    );
    if (foreign !== null) void untilReady(foreign, child).then(done, fail);
  });
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  return {
    port,
    cpuMicros: () => read(() => (ticks() * 1_000_000) / TICKS, Number.NaN),
    memoryMb: () => ({
      own: readStatusMb(child.pid, 'RssAnon'),
      resident: readStatusMb(child.pid, 'VmRSS'),
    }),
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}

async function untilReady({ isReady }: Foreign, child: ChildProcess): Promise<void> {
  while (!(await isReady())) if (child.exitCode !== null) return;
}

/** Runs a program to its end; gives what it printed. */
export async function runProgram(args: readonly string[]): Promise<string> {
  const child = start(args, {});
  let [out, said] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code]: unknown[] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${said}`);
  return out;
}

/** A program's file in this folder. */
export const toFile = (name: string): string => join(import.meta.dirname, name);
