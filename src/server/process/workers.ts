// The serving processes under their primary: started, replaced when one dies, ended together.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { shareCounter } from '../http/authorize.ts';
import { askWorkers } from '../metrics/gather.ts';
import { FORWARDED, warnOfProxy } from './proxy-warning.ts';
import type { Serving } from './serve.ts';

const REPLACE_AFTER_MS = 1000;
/** A little more than a worker takes at most. */
const LONGEST_MS = 7000;

/**
 * Starts `count` workers whose clocks stand `clock_offset_ms` from the real time; resolves when all
 * of them listen. `run_script` runs a command by its name.
 */
export async function startWorkers(
  count: number,
  clock_offset_ms: number,
  log: Logger,
  run_script: string,
): Promise<Serving> {
  shareCounter();
  cluster.setupPrimary({ exec: run_script, args: ['start'] });
  let is_up = false;
  let is_ending = false;
  let is_forwarded = false;
  const takeMessage = (message: unknown): void => {
    if (message !== FORWARDED || is_forwarded) return;
    is_forwarded = true;
    warnOfProxy(log);
  };
  const start = (): Worker => {
    const worker = cluster.fork({ CLOCK_OFFSET_MS: String(Math.round(clock_offset_ms)) });
    worker.on('message', takeMessage);
    worker.once('exit', (code, signal) => {
      if (is_ending || !is_up) return;
      log.error(
        { worker_pid: worker.process.pid, code, signal },
        'a serving process died and is replaced',
      );
      setTimeout(() => {
        if (!is_ending) start();
      }, REPLACE_AFTER_MS);
    });
    return worker;
  };
  await Promise.all(Array.from({ length: count }, () => untilListening(start())));
  is_up = true;
  return {
    readFigures: askWorkers,
    stop: async () => {
      is_ending = true;
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      for (const worker of workers) worker.process.kill('SIGTERM');
      const timer = setTimeout(() => {
        for (const worker of workers) worker.process.kill('SIGKILL');
      }, LONGEST_MS);
      await Promise.all(
        workers.filter((worker) => !worker.isDead()).map((worker) => once(worker, 'exit')),
      );
      clearTimeout(timer);
    },
  };
}

async function untilListening(worker: Worker): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    worker.once('listening', () => resolve());
    worker.once('exit', () =>
      reject(new Error('A serving process could not begin. What must be mended stands above')),
    );
  });
}
