// The process that npm start starts: it makes sure of a release, runs the schedule and starts the
// serving processes.
import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { shiftClock, startClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { toPagePath } from '../../i18n/paths.ts';
import { createDuties } from './duties.ts';
import { ensureRelease } from './first-release.ts';
import { answerFigures } from '../metrics/gather.ts';
import { createRunCounters, type RunCounters } from '../metrics/primary-figures.ts';
import { checkAddress, endWithNpm, onceTerminated } from './listen.ts';
import { createLog } from './log.ts';
import { beginToOwn, type Claimant, keepOwning } from './ownership.ts';
import { serve, type Serving } from './serve.ts';
import { tellForwarded, warnOfProxy } from './proxy-warning.ts';
import { startWorkers } from './workers.ts';

/**
 * Serves until it is stopped. `run_script` runs a command by its name: workers and builds are started
 * with it. Throws one clear sentence where it cannot begin.
 */
export async function run(config: Config, run_script: string): Promise<void> {
  return cluster.isPrimary ? runPrimary(config, run_script) : runWorker(config);
}

async function runPrimary(config: Config, run_script: string): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const clock = startClock(config.clock_start);
  const log = createLog(config);
  // From the first moment on: process 1 of a container is never ended by a signal that it does not take.
  let end = async (): Promise<void> => {};
  onceTerminated(() => void end().then(() => process.exit(0)));
  endWithNpm(config);
  if (config.clock_start !== null) {
    say(
      `ATTENTION: CLOCK_START is set. The clock runs from ${config.clock_start}; every "today" is counted from there.`,
    );
    log.warn({ clock_start: config.clock_start }, 'CLOCK_START is set: this is not the real time');
  }
  await checkAddress(config);
  if (config.metrics !== null) await checkAddress(config.metrics);
  const claimant = { config, clock, run_script, service: randomUUID(), say };
  const free = await beginToOwn(claimant);
  await ensureRelease(config, clock, say, run_script);
  const counters = createRunCounters();
  const duties = createDuties(config, clock, log, run_script, counters);
  // What was decided while nothing served, before anything does.
  await duties.catchUp();
  const serving = await beginToServe(claimant, log);
  const endMetrics = await beginMetrics(config, log, clock, serving, counters);
  duties.begin();
  const ownership = keepOwning(claimant, free, duties, log);
  end = async () => {
    await Promise.all([serving.stop(), ownership.stop(), endMetrics()]);
  };
  say(
    `Listo: ${toShownUrl(config)}${toPagePath('today', 'es')}   (English: ${toShownUrl(config)}${toPagePath('today', 'en')})`,
  );
}

/** In this process where one is enough, or in others. */
const beginToServe = (
  { config, clock, run_script, service }: Claimant,
  log: Logger,
): Promise<Serving> =>
  config.workers === 1
    ? serve(config, clock, log, {
        is_shared: false,
        service,
        tellForwarded: () => warnOfProxy(log),
      })
    : startWorkers(config.workers, clock() - startClock(null)(), log, run_script, service);

/** Gives the function that ends it; nothing is loaded where nothing is measured. */
async function beginMetrics(
  config: Config,
  log: Logger,
  clock: () => number,
  serving: Serving,
  counters: RunCounters,
): Promise<() => Promise<void>> {
  if (config.metrics === null) return async () => {};
  const { startMetrics } = await import('../metrics/start-metrics.ts');
  return startMetrics(config, config.metrics, log, clock, serving.readFigures, counters);
}

/** Where a person on this machine looks, whatever the site is called outside. */
const toShownUrl = ({ host, port }: Config): string =>
  `http://${['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host) ? 'localhost' : host}:${port}`;

async function runWorker(config: Config): Promise<void> {
  const log = createLog(config);
  const clock = shiftClock(config.clock_offset_ms ?? 0);
  const service = config.service ?? '';
  const serving = await serve(config, clock, log, { is_shared: true, service, tellForwarded });
  answerFigures(serving.readFigures);
  onceTerminated(() => void serving.stop().then(() => process.exit(0)));
}
