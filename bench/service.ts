// Service under test: runs `npm start` and the other commands on a separate town, and measures the processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { childEnv } from '../src/config.ts';
import { writeTown } from './town/write-town.ts';

export const PROJECT_DIR = resolve(import.meta.dirname, '..');
/** Site code of this version, reused by the next run. */
const BUNDLES_DIR = join(tmpdir(), 'hoy-bench-code');
/** First day of the services' clock. */
export const TODAY = '2026-11-20';
const WAIT_TIMEOUT_MS = 30_000;

export type LogLine = (line: string) => void;

/** Content, data and settings on which a service is started repeatedly. */
export interface Town {
  readonly name: string;
  readonly content_dir: string;
  readonly data_dir: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

/** Creates a generated town with a number of events below `folder`, or uses the content of the project. */
export async function createTown(
  folder: string,
  events: number | 'real',
  env: Town['env'] = {},
): Promise<Town> {
  const [data_dir, out] = [join(folder, `data-${events}`), join(folder, `content-${events}`)];
  mkdirSync(data_dir, { recursive: true });
  const [port, real] = [await findFreePort(), join(PROJECT_DIR, 'content')];
  if (events === 'real') return { name: 'the real town', content_dir: real, data_dir, port, env };
  writeTown({ events, seed: 1, anchor: Temporal.PlainDate.from(TODAY), out, content_dir: real });
  return { name: `${events.toLocaleString('en')} events`, content_dir: out, data_dir, port, env };
}

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port');
  return address.port;
}

const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(join(PROJECT_DIR, 'package.json'), 'utf8')),
);

/** A child process, running or ended. */
export interface Command {
  readonly child: ChildProcess;
  /** Returns stdout and stderr so far. */
  readonly output: () => string;
  /** Exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** Starts Node with arguments, in the folder of the project. */
export function startProgram(args: readonly string[], env: Town['env'] = {}): Command {
  const child = spawn(process.execPath, [...args], { cwd: PROJECT_DIR, env: childEnv(env) });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, output: () => output, ended };
}

/** Starts the command of `npm run NAME`, without npm. */
export function startCommand(town: Town, name: string, ...args: readonly string[]): Command {
  const words = (scripts[name] ?? '').replace(/^(exec )?node /, '').split(' ');
  return startProgram([...words, ...args], {
    ...{ NODE_ENV: 'production', ENV_FILE: '', HOST: '127.0.0.1', PORT: String(town.port) },
    ...{ CONTENT_DIR: town.content_dir, DATA_DIR: town.data_dir, BUNDLES_DIR },
    ...{ SITE_URL: `http://127.0.0.1:${town.port}`, TRUST_PROXY: '1', RATE_LIMIT: '1000000' },
    ...{ REBUILD_HOURS: '0', PICTURES: '0', SERVERS: '1', LOG_LEVEL: 'warn' },
    // The clock continues across processes, because releases are distinguished by their time.
    CLOCK_START: new Date(Date.parse(`${TODAY}T17:00Z`) + performance.now()).toISOString(),
    ...town.env,
  });
}

/** Runs a command to its end. @returns its output. @throws Error with the output if it fails. */
export async function runCommand(
  town: Town,
  name: string,
  ...args: readonly string[]
): Promise<string> {
  const { ended, output } = startCommand(town, name, ...args);
  const code = await ended;
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with ${code}:\n${output()}`);
  return output();
}

/** Running server, and measurements of its process and children. */
export interface Program {
  readonly port: number;
  /** Processor time since the start, in microseconds. */
  readonly cpuMicros: () => number;
  /** Memory of each process in megabytes, the main one first; shared pages are divided (Pss). */
  readonly memoriesMb: () => readonly number[];
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/** Waits for the line `Listo:` of a ready server. @throws Error with the output if it ends before. */
export async function waitUntilReady(command: Command, port: number): Promise<Program> {
  const { child, output, ended } = command;
  while (!/^Listo:/m.test(output())) {
    if (child.exitCode !== null) throw new Error(`Ended with ${child.exitCode}:\n${output()}`);
    await sleep(10);
  }
  const sumOverProcesses = (measure: (pid: number) => number): number =>
    listProcessTree(child.pid ?? 0).reduce((sum, pid) => sum + measure(pid), 0);
  return {
    port,
    cpuMicros: () => sumOverProcesses(readCpuMicros),
    memoriesMb: () => listProcessTree(child.pid ?? 0).map(readMemoryMb),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}

export const startService = (town: Town): Promise<Program> =>
  waitUntilReady(startCommand(town, 'start'), town.port);

/** Reads a file of a process in /proc. Empty if the process has ended. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
/** Reads the numbers of proc_pid_stat(5) from its field 3 on: [1] parent, [11] user, [12] system. */
const readStat = (pid: number): readonly number[] =>
  Array.from(
    readProc(pid, 'stat')
      .replace(/^.*\) /s, '')
      .split(' '),
    Number,
  );
/** Reads the processor time of a process since its start, in microseconds. */
export const readCpuMicros = (pid: number): number => {
  const [user = 0, system = 0] = readStat(pid).slice(11);
  return (user + system) * 10_000; // Linux reports 100 ticks per second.
};
const readMemoryMb = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readProc(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;

/** Lists a process and all its descendants. */
function listProcessTree(root: number): readonly number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = pids.map((pid) => [pid, readStat(pid)[1]] as const);
  const add = (pid: number): number[] => [
    pid,
    ...parents.flatMap(([child, parent]) => (parent === pid ? add(child) : [])),
  ];
  return add(root);
}

/** Polls a condition, whose errors count as false. @returns the elapsed milliseconds, or null on a timeout. */
export async function waitFor(
  condition: () => Promise<boolean>,
  pause_ms = 20,
  timeout_ms = WAIT_TIMEOUT_MS,
): Promise<number | null> {
  const begun_ms = performance.now();
  while (performance.now() - begun_ms < timeout_ms) {
    if (await condition().catch(() => false)) return performance.now() - begun_ms;
    await sleep(pause_ms);
  }
  return null;
}
