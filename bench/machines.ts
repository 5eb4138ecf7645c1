// Machines benchmark: runs three machines on PostgreSQL with a synchronous standby, Redis and HAProxy, and kills them in
// turn during requests, submissions and decisions. Acknowledged data must survive and no request may fail. Also measures
// the processor time of a request with one, two and three machines.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHaproxy } from '../tests/fixtures/haproxy.ts';
import { startRedis } from '../tests/fixtures/redis.ts';
import { request, logIn, showsState, submitEvent } from './desk.ts';
import { startPostgresPair } from './postgres-pair.ts';
import {
  type Figure,
  addFigure,
  createFigure,
  computeMedian,
  formatRange,
  formatSeconds,
} from './report.ts';
import { runLoad, COMPRESSED } from './requests.ts';
import {
  startCommand,
  type Command,
  findFreePort,
  createTown,
  type Program,
  readCpuMicros,
  type LogLine,
  type Town,
  waitFor,
  waitUntilReady,
} from './service.ts';

const EVENTS = 60;
const KILLS = 300;
const [VISITORS, READ_PAUSE_MS, SUBMIT_PAUSE_MS] = [4, 50, 500];
const PATHS = ['/hoy', '/en/today', '/hoy.md', '/api/v1/events?date=weekend', '/api/v1/notices'];
/** Targets: delay between machines, time until writes work after a failover, start with an empty data folder. */
const [MAX_SPREAD_MS, MAX_FAILOVER_MS, MAX_START_MS] = [5_000, 10_000, 10_000];
const SETTLE_TIMEOUT_MS = 60_000;
const [MAX_CPU_RATIO, ROUNDS] = [1.1, 6];
/** A page without rate limit, and a list that is counted in Valkey. */
const MEASURED_PATHS = ['/hoy', '/api/v1/events'];

/** A machine: a town with its own data folder. */
interface Machine extends Town {
  /** Null before the start and while it is killed. */
  service: Program | null;
  /** Its last process; null before the start. */
  command: Command | null;
}

/**
 * Starts three machines behind a proxy, with a first release. The returned `town` has the proxy's port.
 * @param is_independent Each machine has its own SQLite inbox and limits.
 */
async function startMachines(folder: string, more_env: Town['env'], is_independent = false) {
  const [pair, redis] = [await startPostgresPair(), await startRedis()];
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  const proxy = await startHaproxy(ports, pair.ports);
  const env = {
    ...(!is_independent && { DATABASE_URL: proxy.url, VALKEY_URL: redis.url }),
    // Two proxies: the client sets X-Forwarded-For itself, and HAProxy adds its address.
    ...{
      SITE_URL: `http://127.0.0.1:${proxy.port}`,
      TRUST_PROXY: '2',
      LOG_LEVEL: 'info',
      ...more_env,
    },
  };
  const base = await createTown(folder, EVENTS, env);
  const createMachine = (port: number, index: number): Machine => ({
    ...{ ...base, port, data_dir: join(folder, `machine-${index}`), service: null, command: null },
  });
  const machines = ports.map(createMachine);
  /** Starts a machine. @returns the milliseconds until it serves. */
  const start = async (machine: Machine): Promise<number> => {
    const begun_ms = performance.now();
    machine.command = startCommand(machine, 'start');
    machine.service = await waitUntilReady(machine.command, machine.port);
    return performance.now() - begun_ms;
  };
  for (const machine of machines) await start(machine);
  const stop = async (): Promise<void> => {
    for (const { service } of machines) await service?.stop();
    await proxy.stop();
    await redis.kill();
    await pair.stop();
  };
  return { pair, redis, proxy, machines, start, stop, town: { ...base, port: proxy.port } };
}
type Machines = Awaited<ReturnType<typeof startMachines>>;

/** Starts visitors and a sender that continue until `stop` is called. */
function startTraffic({ port }: Town) {
  // `acknowledged_ms`: time of the last acknowledged submission.
  const traffic = { read_count: 0, submit_count: 0, acknowledged_ms: 0 };
  const [issues, references]: [string[], string[]] = [[], []];
  let is_running = true;
  const read = async (visitor: number): Promise<void> => {
    for (let index = visitor; is_running; index++, traffic.read_count++) {
      const path = PATHS[index % PATHS.length] ?? '/';
      const status = await request(port, path).then((response) => response.status, String);
      if (status !== 200) issues.push(`${path}: ${status}`);
      await sleep(READ_PAUSE_MS);
    }
  };
  const submit = async (): Promise<void> => {
    for (; is_running; traffic.submit_count++) {
      const receipt = await submitEvent(port, traffic.submit_count).catch(() => null);
      if (receipt !== null) {
        references.push(receipt.reference);
        traffic.acknowledged_ms = performance.now();
      }
      await sleep(SUBMIT_PAUSE_MS);
    }
  };
  const clients = Promise.all([
    ...Array.from({ length: VISITORS }, (_, visitor) => read(visitor)),
    submit(),
  ]);
  const stop = async (): Promise<void> => {
    is_running = false;
    await clients;
  };
  return { traffic, issues, references, stop };
}

/** Logs in through the proxy as an editor who cancels one event after another, and restores all once none is left. */
async function openDesk({ town, machines }: Machines) {
  const submitForm = await logIn(town);
  const { text } = await request(town.port, '/api/v1/events?limit=100&status=published');
  const ids = [...text.matchAll(/"id":"(ev_\w+)"/g)].map(([, id = '']) => id);
  let [id, cancel_count, acknowledged] = ['', 0, 0];
  const hasState = async (
    { port }: Town,
    state: 'cancelled' | 'published' = 'cancelled',
  ): Promise<boolean> => showsState(state, await request(port, `/api/v1/events/${id}`));
  /** Submits a decision, repeatedly until it is acknowledged. @returns the time of the click. */
  const decide = async (does: 'cancel' | 'restore'): Promise<number> => {
    for (let tries = 0; ; tries++)
      try {
        const fields = { does, date: 'all', reason: 'Se prueba.' };
        const clicked_ms = await submitForm(`/revision/editar/${id}`, fields);
        acknowledged++;
        return clicked_ms;
      } catch (thrown) {
        // A failed attempt may have been stored: then a repeated one is rejected with 4xx.
        if (/ 4\d\d to/.test(String(thrown)) && tries > 0) return performance.now();
        if (tries > 60) throw thrown;
        await sleep(500);
      }
  };
  return {
    acknowledged: (): number => acknowledged,
    /** Cancels the next event. @returns the time of the acknowledged click. */
    cancelNext: async (): Promise<number> => {
      if (cancel_count > 0 && cancel_count % ids.length === 0) {
        for (id of ids) await decide('restore');
        await waitFor(() => hasState(town, 'published'), 200, SETTLE_TIMEOUT_MS);
      }
      id = ids[cancel_count++ % ids.length] ?? '';
      return decide('cancel');
    },
    /**
     * Waits until all running machines show the cancellation.
     * @returns the delay of the first machine, and from the first to the last; null if one never shows it.
     */
    waitForMachines: async (from_ms: number) => {
      const running = machines.filter(({ service }) => service !== null);
      const times = running.map(async (machine) => {
        const waited_ms = await waitFor(() => hasState(machine), 50, SETTLE_TIMEOUT_MS);
        return waited_ms === null ? null : performance.now();
      });
      const updated = (await Promise.all(times)).flatMap((time_ms) => time_ms ?? []);
      if (updated.length < running.length) return null;
      const first_ms = Math.min(...updated);
      return { first_ms: first_ms - from_ms, spread_ms: Math.max(...updated) - first_ms };
    },
  };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Selects the session and process that hold the lock of builds (src/inbox/postgres-session.ts). */
const LOCK_HOLDER = `select l.pid, split_part(application_name, ' ', 2)::int as process
  from pg_locks l join pg_stat_activity using (pid) where objid = 4810722 and granted`;

/**
 * Makes a decision and sends a signal to the process that builds its release, some time after it got the lock.
 * @returns the process (not positive if it had ended) and the time of the decision.
 */
async function signalBuilder(
  { pair }: Machines,
  desk: Desk,
  signal: NodeJS.Signals,
  after_ms: number,
) {
  const decided_ms = await desk.cancelNext();
  const findHolder = async () => (await pair.query(LOCK_HOLDER))[0];
  await waitFor(async () => (await findHolder()) !== undefined, 20, 8_000);
  await sleep(after_ms);
  const builder = Number((await findHolder())?.process);
  if (builder > 0) process.kill(builder, signal);
  return { builder, decided_ms };
}

/** Kinds of process to kill, in turn. */
const TARGETS = ['machine', 'builder', 'primary', 'redis'] as const;

/**
 * Kills the primary, promotes the standby and starts the former primary as its standby.
 * @returns the milliseconds from the promotion until submissions are accepted.
 */
async function failOver(
  { pair, proxy }: Machines,
  waitForSubmission: (from_ms: number) => Promise<unknown>,
) {
  await pair.kill();
  await sleep(500);
  const { primary, former_primary } = await pair.promote();
  const name = (port: number): string => (port === pair.ports[0] ? 'one' : 'two');
  await proxy.sendCommand(`disable server postgres/${name(former_primary)}`);
  await proxy.sendCommand(`enable server postgres/${name(primary)}`);
  const promoted_ms = performance.now();
  await waitForSubmission(promoted_ms);
  const failover_ms = performance.now() - promoted_ms;
  await pair.startStandby();
  return failover_ms;
}

/** Durations in milliseconds, by measurement; `createDurationFigures` describes them. */
type Durations = Record<'undisturbed' | 'spread' | 'killed' | 'failover' | 'empty_start', number[]>;

/** Kills machines, builders, the primary database and Redis in turn, under traffic. */
export async function testMachines(
  folder: string,
  kills: number,
  log: LogLine,
  env: Town['env'] = {},
) {
  const all = await startMachines(folder, env);
  const { machines, redis, town, start } = all;
  const desk = await openDesk(all);
  const { traffic, issues, references, stop } = startTraffic(town);
  const durations: Durations = {
    ...{ undisturbed: [], spread: [], killed: [], failover: [], empty_start: [] },
  };
  const counts = Object.fromEntries(TARGETS.map((target) => [target, 0]));
  const waitForSubmission = async (from_ms: number): Promise<void> => {
    const isAccepted = async () => traffic.acknowledged_ms > from_ms;
    if ((await waitFor(isAccepted, 20, SETTLE_TIMEOUT_MS)) === null)
      issues.push('no submission was accepted within a minute');
  };
  const measureSpread = async (from_ms: number, is_killed = true): Promise<void> => {
    const delays = await desk.waitForMachines(from_ms);
    if (delays === null) return void issues.push('a decision is not on all machines');
    durations.spread.push(delays.spread_ms);
    durations[is_killed ? 'killed' : 'undisturbed'].push(delays.first_ms + delays.spread_ms);
  };
  const killTarget: Readonly<Record<(typeof TARGETS)[number], () => Promise<void>>> = {
    machine: async () => {
      const machine = machines[Math.floor(Math.random() * machines.length)];
      if (!machine) return;
      const is_empty_start = Math.random() < 0.5;
      const decided_ms = desk.cancelNext();
      await sleep(Math.random() * 1_000);
      await machine.service?.stop('SIGKILL');
      machine.service = null;
      await measureSpread(await decided_ms);
      if (is_empty_start) rmSync(machine.data_dir, { recursive: true, force: true });
      const start_ms = await start(machine);
      if (is_empty_start) durations.empty_start.push(start_ms);
    },
    builder: async () => {
      const { decided_ms } = await signalBuilder(all, desk, 'SIGKILL', Math.random() * 1_500);
      await measureSpread(decided_ms);
    },
    primary: async () => {
      durations.failover.push(await failOver(all, waitForSubmission));
      await measureSpread(await desk.cancelNext());
    },
    redis: async () => {
      await redis.kill();
      await measureSpread(await desk.cancelNext(), false);
      await redis.startAgain();
    },
  };
  for (let index = 0; index < kills; index++) {
    const target = TARGETS[index % TARGETS.length] ?? 'redis';
    await killTarget[target]();
    counts[target] = (counts[target] ?? 0) + 1;
    await measureSpread(await desk.cancelNext(), false);
    log(
      `  ${index + 1} of ${kills} kills (${target}), ${traffic.read_count} requests, ${issues.length} issues`,
    );
  }
  await testSuspendedBuilder(all, desk, issues);
  await stop();
  const lost_count = await countLost(all, references, desk.acknowledged());
  await all.stop();
  const kill_counts = TARGETS.map((target) => `${counts[target]} × ${target}`).join(', ');
  const figures: Figure[] = [];
  const add = (figure: Figure): void => addFigure(figures, log, figure);
  add(
    createFigure(
      [
        `acknowledged data lost in ${kills} kills (${kill_counts})`,
        `${references.length} acknowledged of ${traffic.submit_count} submissions, ${desk.acknowledged()} decisions`,
      ],
      lost_count,
      ['≤', 0],
      String,
    ),
  );
  add(
    createFigure(
      [
        'failed requests behind the proxy, missing decisions, concurrent builders',
        [`of ${traffic.read_count}`, ...issues.slice(0, 5)].join('; '),
      ],
      issues.length,
      ['≤', 0],
      String,
    ),
  );
  for (const figure of createDurationFigures(durations)) add(figure);
  return figures;
}

/** Counts acknowledged submissions and decisions that are missing in the database. */
async function countLost(
  { pair }: Machines,
  references: readonly string[],
  decision_count: number,
): Promise<number> {
  const stored = new Set(
    (await pair.query('select reference from changes')).map((row) => row.reference),
  );
  const [row] = await pair.query(
    "select count(*)::int as stored from decisions where action in ('cancel', 'restore')",
  );
  const lost_decisions = Math.max(0, decision_count - Number(row?.stored));
  return references.filter((reference) => !stored.has(reference)).length + lost_decisions;
}

const createDurationFigures = (durations: Durations): readonly Figure[] =>
  (
    [
      ['from the first machine that shows a decision to the last', durations.spread, MAX_SPREAD_MS],
      ['from a promotion until submissions are accepted', durations.failover, MAX_FAILOVER_MS],
      ['from an empty data folder until the machine serves', durations.empty_start, MAX_START_MS],
      [
        'from a cancellation until all machines show it, without a kill',
        durations.undisturbed,
        MAX_SPREAD_MS,
      ],
      [
        'from a cancellation until all machines show it, with a kill',
        durations.killed,
        SETTLE_TIMEOUT_MS,
      ],
    ] as const
  ).flatMap(([name, all_ms, max_ms]) => {
    if (all_ms.length === 0) return [];
    const median = formatSeconds(computeMedian(all_ms));
    const details = `${all_ms.length} ×, median ${median}, ${formatRange(all_ms)}`;
    return [createFigure([name, details], Math.max(...all_ms), ['≤', max_ms], formatSeconds)];
  });

/** Suspends a builder until another machine has built. When it resumes, it must not publish, and must log that. */
async function testSuspendedBuilder(all: Machines, desk: Desk, issues: string[]): Promise<void> {
  const { pair, machines } = all;
  // Retry if the build ended before the signal.
  let suspended = await signalBuilder(all, desk, 'SIGSTOP', 100);
  while (!(suspended.builder > 0)) suspended = await signalBuilder(all, desk, 'SIGSTOP', 100);
  const { builder, decided_ms } = suspended;
  const [attempt] = await pair.query('select max(number) as number from releases');
  await pair.query(`select pg_terminate_backend(pid) from (${LOCK_HOLDER}) holder`);
  if ((await desk.waitForMachines(decided_ms)) === null)
    issues.push('no other machine builds after a builder was suspended');
  process.kill(builder, 'SIGCONT');
  const isLogged = async (): Promise<boolean> =>
    machines.some(({ command }) =>
      command?.output().includes('another machine has started a newer build'),
    );
  if ((await waitFor(isLogged)) === null)
    issues.push('the suspended builder did not log that another machine builds');
  const [row] = await pair.query(`select digest from releases where number = ${attempt?.number}`);
  if (row?.digest !== null) issues.push('the suspended builder has published');
}

/** Processor time per request in microseconds. */
interface RequestCost {
  /** Sum over all machines, with one, two and three of them. */
  readonly machines_us: readonly number[];
  readonly proxy_us: number;
}
type CostsByPath = Readonly<Record<string, RequestCost>>;

/** Measures the costs of requests, with the proxy sending them to one, two and three machines. */
async function measureCosts(folder: string, is_independent: boolean): Promise<CostsByPath> {
  const { proxy, machines, stop } = await startMachines(folder, {}, is_independent);
  const cpuMicros = (): number =>
    machines.reduce((sum, { service }) => sum + (service?.cpuMicros() ?? 0), 0);
  const all_machines = { port: proxy.port, cpuMicros };
  const costs: [string, RequestCost][] = [];
  for (const path of MEASURED_PATHS) {
    const [machines_us, proxy_us]: [number[][], number[]] = [[[], [], []], []];
    // Warm up each machine until its code is optimized.
    for (const { service } of machines) if (service) await runLoad(service, COMPRESSED, 8, 1, path);
    for (let round = 0; round < ROUNDS; round++)
      for (const [last_index, results] of machines_us.entries()) {
        for (const [index, name] of ['a', 'b', 'c'].entries())
          await proxy.sendCommand(
            `${index <= last_index ? 'enable' : 'disable'} server machines/${name}`,
          );
        const before_us = readCpuMicros(proxy.pid);
        const { cpu_us, total } = await runLoad(all_machines, COMPRESSED, 3, last_index + 1, path);
        results.push(cpu_us);
        proxy_us.push((readCpuMicros(proxy.pid) - before_us) / total);
      }
    costs.push([
      path,
      { machines_us: machines_us.map(computeMedian), proxy_us: computeMedian(proxy_us) },
    ]);
  }
  await stop();
  return Object.fromEntries(costs);
}

/**
 * Measures the cost of sharing: compares machines that share PostgreSQL and Valkey with independent ones, on the same
 * processors under the same load. The comparison is needed because three machines always cost more than one here: they
 * and the load generator compete for the caches of two processors.
 */
async function measureSharingCost(folder: string, log: LogLine): Promise<readonly Figure[]> {
  const shared_costs = await measureCosts(join(folder, 'shared'), false);
  const independent_costs = await measureCosts(join(folder, 'alone'), true);
  const figures: Figure[] = [];
  for (const path of MEASURED_PATHS) {
    const [shared, independent] = [shared_costs[path], independent_costs[path]];
    if (!shared || !independent) continue;
    const computeGrowth = ({ machines_us: [first = 1, ...more] }: RequestCost) =>
      more.map((us) => us / first);
    const independent_growth = computeGrowth(independent);
    const ratios = computeGrowth(shared).map(
      (growth, index) => growth / (independent_growth[index] ?? 1),
    );
    const [shared_us, independent_us] = [shared, independent].map(({ machines_us }) =>
      machines_us.map(Math.round).join(' : '),
    );
    const details = `one, two, three: ${shared_us} µs, independent: ${independent_us} µs; HAProxy ${Math.round(shared.proxy_us)} µs`;
    const name = `growth of the processor time of ${path} from one to two and three machines, relative to independent machines`;
    const label = [name, details] as const;
    addFigure(
      figures,
      log,
      createFigure(label, Math.max(...ratios), ['≤', MAX_CPU_RATIO], (ratio) => ratio.toFixed(2)),
    );
  }
  return figures;
}

export async function measureMachines(folder: string, log: LogLine, times?: number) {
  const sharing = await measureSharingCost(join(folder, 'share'), log);
  return [...sharing, ...(await testMachines(join(folder, 'kills'), times ?? KILLS, log))];
}
