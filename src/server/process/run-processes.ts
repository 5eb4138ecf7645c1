// The process that npm start starts: serves, with as many others on the same port as SERVERS says.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { pagePath } from '../../i18n/paths.ts';
import { spawnTiedChild } from '../../releases/child-process.ts';
import { isLocked } from '../../releases/file-lock.ts';
import { dataLayout } from '../../releases/snapshots.ts';
import { describeTownChange } from '../../town.ts';
import { assertAddressFree, CAN_SHARE_PORT, onTermination } from './listen.ts';
import { clockEnv } from './release-builder.ts';
import { startServerProcess, type ServeOptions } from './server-process.ts';

const RESTART_MS = 1_000;

/**
 * Serves until it is stopped. `run_script` runs a command by its name. Throws one clear sentence where it
 * cannot begin.
 */
export async function runProcesses(config: Config, run_script: string): Promise<void> {
  const { clock_start, host, port, server_index, servers } = config;
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const clock = createClock(clock_start);
  // Nothing in it says who sent a request, and nothing in it is secret.
  const log = pino({
    level: config.log_level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  // From the first moment on: process 1 of a container is never ended by a signal that it does not take.
  let end = async (): Promise<void> => {};
  onTermination(() => void end().then(() => process.exit(0)));
  const order = { config, clock, log, run_script, say };
  if (server_index > 0) {
    end = await startServerProcess(order);
    return;
  }
  if (clock_start !== null)
    say(
      `ATTENTION: CLOCK_START is set. The clock runs from ${clock_start}; every "today" is counted from there.`,
    );
  if (servers > 1 && config.valkey_url === null)
    say(
      `ATTENTION: ${servers} servers, and VALKEY_URL is not set: each counts for itself, so limits hold for each alone.`,
    );
  // Another start of the same service may be there: this one joins it, and that one can be ended.
  const { chores_lock_file } = dataLayout(config.data_dir);
  const is_joining = CAN_SHARE_PORT && existsSync(chores_lock_file) && isLocked(chores_lock_file);
  if (!is_joining) {
    await assertAddressFree(config);
    if (config.metrics !== null) await assertAddressFree(config.metrics);
  }
  const stop = await startServerProcess(order);
  const ending = new AbortController();
  const others = Array.from({ length: servers - 1 }, (_, at) =>
    keepServer(order, at + 1, ending.signal),
  );
  end = async () => {
    ending.abort();
    await Promise.all([stop(), ...others]);
  };
  // Where a person on this machine looks, whatever the site is called outside.
  const is_here = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  const url = `http://${is_here ? 'localhost' : host}:${port}`;
  say(`Listo: ${url}${pagePath('today', 'es')}   (English: ${url}${pagePath('today', 'en')})`);
}

async function keepServer(
  { config, clock, log, run_script, say }: ServeOptions,
  index: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // It would be of another town than the others.
    if (describeTownChange() !== '') {
      await sleep(RESTART_MS);
      continue;
    }
    const ended = await spawnTiedChild({
      command: [run_script, 'start'],
      env: { SERVER_INDEX: String(index), ...clockEnv(config, clock()) },
      onLine: say,
      signal,
      flags: process.execArgv,
    });
    if (signal.aborted) return;
    log.error({ index, ...ended }, 'a server ended and is begun again');
    await sleep(RESTART_MS);
  }
}
