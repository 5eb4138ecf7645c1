// Server processes: the main process of npm start serves requests and starts SERVERS - 1 other
// processes on the same port.
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

/** Pause before a server process that ended is started again. */
const RESTART_MS = 1_000;

/**
 * Serves until the process is stopped.
 * @param run_script The script that runs a command by its name.
 * @throws with advice for the operator if it cannot start.
 */
export async function runProcesses(config: Config, run_script: string): Promise<void> {
  const { clock_start, host, port, server_index, servers } = config;
  const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
  const clock = createClock(clock_start);
  // The log contains no data about clients, and no secrets.
  const log = pino({
    level: config.log_level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
  // Registered first: process 1 of a container ignores signals that it does not handle.
  let stop = async (): Promise<void> => {};
  onTermination(() => void stop().then(() => process.exit(0)));
  const options = { config, clock, log, run_script, printLine };
  if (server_index > 0) {
    stop = await startServerProcess(options);
    return;
  }
  if (clock_start !== null)
    printLine(
      `ATTENTION: CLOCK_START is set. The clock starts at ${clock_start}, so "today" is not the real date.`,
    );
  if (servers > 1 && config.valkey_url === null)
    printLine(
      `ATTENTION: ${servers} servers, but VALKEY_URL is not set: each counts rate limits for itself.`,
    );
  // If the service is already running, this instance joins it on the port, so that the old one can
  // be stopped.
  const { primary_lock_file } = dataLayout(config.data_dir);
  const is_joining = CAN_SHARE_PORT && existsSync(primary_lock_file) && isLocked(primary_lock_file);
  if (!is_joining) {
    await assertAddressFree(config);
    if (config.metrics !== null) await assertAddressFree(config.metrics);
  }
  const stopServer = await startServerProcess(options);
  const stopping = new AbortController();
  const other_processes = Array.from({ length: servers - 1 }, (_, index) =>
    superviseServer(options, index + 1, stopping.signal),
  );
  stop = async () => {
    stopping.abort();
    await Promise.all([stopServer(), ...other_processes]);
  };
  // A local URL that works in a browser on this machine, independent of SITE_URL.
  const is_local = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  const url = `http://${is_local ? 'localhost' : host}:${port}`;
  printLine(
    `Listo: ${url}${pagePath('today', 'es')}   (English: ${url}${pagePath('today', 'en')})`,
  );
}

/** Runs another server process, and restarts it when it exits. */
async function superviseServer(
  { config, clock, log, run_script, printLine }: ServeOptions,
  index: number,
  signal: AbortSignal,
): Promise<void> {
  for (let starts = 0; !signal.aborted; ) {
    // If town.yml has changed, the new process would serve another town than the others.
    if (describeTownChange() !== '') {
      await sleep(RESTART_MS);
      continue;
    }
    const exited = spawnTiedChild({
      command: [run_script, 'start'],
      env: { SERVER_INDEX: String(index), ...clockEnv(config, clock()) },
      onLine: printLine,
      signal,
      timeout_ms: null,
      flags: process.execArgv,
    });
    if (starts > 0) log.info({ index, starts }, 'a server process was started again');
    starts += 1;
    const exit = await exited;
    if (signal.aborted) return;
    log.error({ index, ...exit }, 'a server process exited');
    await sleep(RESTART_MS);
  }
}
