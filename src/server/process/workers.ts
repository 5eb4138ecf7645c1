// The serving processes under their primary: started, replaced when one dies, tried again with pauses when one
// cannot begin, ended together.
import cluster from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { askWorkers } from '../metrics/gather.ts';
import { FORWARDED, warnOfProxy } from './proxy-warning.ts';
import type { Serving } from './serve.ts';
import { shareCounter } from './shared-count.ts';

const REPLACE_AFTER_MS = 1000;
/** One that could not begin is tried again after this, and after twice as long each time. */
const LONGEST_PAUSE_MS = 30_000;
/** So often each, where none listens: then there is nothing to serve with. */
const MOST_FAILURES = 3;
/** One that has not begun by then never does. */
const BEGIN_MS = 60_000;
/** A little more than a worker takes at most. */
const LONGEST_MS = 7000;

/** One serving process after the other. */
interface Slot {
  is_listening: boolean;
  /** Processes in a row that could not begin. */
  failures: number;
}

/**
 * Starts `count` workers whose clocks stand `clock_offset_ms` from the real time; resolves when each of
 * them listens or could not begin, and one does. Throws where none can; where that is so later, this process
 * ends with 1. `run_script` runs a command by its name, `service` names this one.
 */
export async function startWorkers(
  count: number,
  clock_offset_ms: number,
  log: Logger,
  run_script: string,
  service: string,
): Promise<Serving> {
  shareCounter();
  cluster.setupPrimary({ exec: run_script, args: ['start'] });
  const env = { CLOCK_OFFSET_MS: String(Math.round(clock_offset_ms)), SERVICE: service };
  const slots = Array.from({ length: count }, (): Slot => ({ is_listening: false, failures: 0 }));
  let is_ending = false;
  let is_forwarded = false;
  const takeMessage = (message: unknown): void => {
    if (message !== FORWARDED || is_forwarded) return;
    is_forwarded = true;
    warnOfProxy(log);
  };
  const begun = Promise.withResolvers<void>();
  let is_begun = false;
  const judge = (): void => {
    const serves = slots.some(({ is_listening }) => is_listening);
    if (serves && slots.every(({ is_listening, failures }) => is_listening || failures > 0)) {
      is_begun = true;
      begun.resolve();
    } else if (!serves && slots.every(({ failures }) => failures >= MOST_FAILURES)) {
      is_ending = true;
      begun.reject(new Error('No serving process could begin. What must be mended stands above'));
      if (!is_begun) return;
      log.fatal('no process serves, and none can begin');
      process.exit(1);
    }
  };
  const start = (slot: Slot): void => {
    if (is_ending) return;
    const worker = cluster.fork(env);
    worker.on('message', takeMessage);
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), BEGIN_MS);
    worker.once('listening', () => {
      clearTimeout(timer);
      Object.assign(slot, { is_listening: true, failures: 0 });
      judge();
    });
    worker.once('exit', (code, signal) => {
      clearTimeout(timer);
      if (is_ending) return;
      const how = { worker_pid: worker.process.pid, code, signal };
      if (slot.is_listening) log.error(how, 'a serving process died and is replaced');
      else log.error({ ...how, failures: ++slot.failures }, 'a serving process could not begin');
      slot.is_listening = false;
      setTimeout(() => start(slot), toPauseMs(slot));
      judge();
    });
  };
  for (const slot of slots) start(slot);
  await begun.promise;
  return {
    readFigures: askWorkers,
    stop: async () => {
      is_ending = true;
      await endWorkers();
    },
  };
}

const toPauseMs = ({ failures }: Slot): number =>
  Math.min(REPLACE_AFTER_MS * 2 ** Math.max(0, failures - 1), LONGEST_PAUSE_MS);

/** Tells all of them to end, and ends those that do not. */
async function endWorkers(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  for (const worker of workers) worker.process.kill('SIGTERM');
  const timer = setTimeout(() => {
    for (const worker of workers) worker.process.kill('SIGKILL');
  }, LONGEST_MS);
  await Promise.all(
    workers.filter((worker) => !worker.isDead()).map((worker) => once(worker, 'exit')),
  );
  clearTimeout(timer);
}
