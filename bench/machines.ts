// Three machines on a PostgreSQL with a synchronous standby, Redis and HAProxy, killed in turn while others read, send in and
// decide: nothing that was acknowledged is lost, no reader notices. And what a request costs with one, two and three.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHaproxy } from '../tests/fixtures/haproxy.ts';
import { startRedis } from '../tests/fixtures/redis.ts';
import { ask, comeIn, says, send } from './desk.ts';
import { startPair } from './postgres-pair.ts';
import { type Figure, note, toFigure, toMedian, toRange, toSeconds } from './report.ts';
import { load, ZIPPED } from './requests.ts';
import {
  beginCommand,
  type Command,
  findFreePort,
  makeTown,
  type Program,
  readCpuMicros,
  type Say,
  type Town,
  until,
  untilReady,
} from './service.ts';

const EVENTS = 60;
const KILLS = 300;
const [READERS, READ_PAUSE_MS, SEND_PAUSE_MS] = [4, 50, 500];
const PATHS = ['/hoy', '/en/today', '/hoy.md', '/api/v1/events?date=weekend', '/api/v1/notices'];
const [SPREAD_MS, WRITING_MS, START_MS] = [5_000, 10_000, 10_000];
const SETTLED_MS = 60_000;
const [MOST_CPU, ROUNDS] = [1.1, 6];
/** Of a page nobody counts anything; of a list, Valkey does. */
const SHARED_PATHS = ['/hoy', '/api/v1/events'];

interface Machine extends Town {
  service: Program | null;
  command: Command | null;
}

/**
 * Three machines behind a proxy, their first release built; `town` is how they are reached from outside. Alone, each
 * has an inbox and limits of its own.
 */
async function startMachines(folder: string, more: Town['env'], is_alone = false) {
  const [pair, redis] = [await startPair(), await startRedis()];
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()];
  const proxy = await startHaproxy(ports, pair.ports);
  const env = {
    ...(!is_alone && { DATABASE_URL: proxy.url, VALKEY_URL: redis.url }),
    // Whoever asks here says what address they are of; the proxy adds its own.
    ...{ SITE_URL: `http://127.0.0.1:${proxy.port}`, TRUST_PROXY: '2', LOG_LEVEL: 'info', ...more },
  };
  const made = await makeTown(folder, EVENTS, env);
  const toMachine = (port: number, at: number): Machine => ({
    ...{ ...made, port, data_dir: join(folder, `machine-${at}`), service: null, command: null },
  });
  const machines = ports.map(toMachine);
  /** Gives how long it took until it serves, milliseconds. */
  const start = async (machine: Machine): Promise<number> => {
    const begun_ms = performance.now();
    machine.command = beginCommand(machine, 'start');
    machine.service = await untilReady(machine.command, machine.port);
    return performance.now() - begun_ms;
  };
  for (const machine of machines) await start(machine);
  const stop = async (): Promise<void> => {
    for (const { service } of machines) await service?.stop();
    await proxy.stop();
    await redis.kill();
    await pair.stop();
  };
  return { pair, redis, proxy, machines, start, stop, town: { ...made, port: proxy.port } };
}
type Machines = Awaited<ReturnType<typeof startMachines>>;

/** Readers and senders who go on until they are ended. */
function beginTraffic({ port }: Town) {
  const traffic = { read: 0, refused: 0, sent: 0, sent_ms: 0 };
  const [issues, references]: [string[], string[]] = [[], []];
  let is_on = true;
  const read = async (reader: number): Promise<void> => {
    for (let at = reader; is_on; at++, traffic.read++) {
      const path = PATHS[at % PATHS.length] ?? '/';
      const status = await ask(port, path).then((answer) => answer.status, String);
      if (status !== 200) issues.push(`${path}: ${status}`);
      await sleep(READ_PAUSE_MS);
    }
  };
  const write = async (): Promise<void> => {
    for (; is_on; traffic.sent++) {
      const receipt = await send(port, traffic.sent).catch(() => null);
      if (receipt === null) traffic.refused++;
      else references.push(receipt.reference);
      if (receipt !== null) traffic.sent_ms = performance.now();
      await sleep(SEND_PAUSE_MS);
    }
  };
  const all = Promise.all([...Array.from({ length: READERS }, (_, at) => read(at)), write()]);
  const end = async (): Promise<void> => {
    is_on = false;
    await all;
  };
  return { traffic, issues, references, end };
}

/** One event after another is called off by an editor who comes through the proxy; once all are, they are put on again. */
async function openDesk({ town, machines }: Machines) {
  const press = await comeIn(town);
  const { text } = await ask(town.port, '/api/v1/events?limit=100&status=published');
  const ids = [...text.matchAll(/"id":"(ev_\w+)"/g)].map(([, id = '']) => id);
  let [id, decided, acknowledged] = ['', 0, 0];
  const isSaid = async ({ port }: Town, state: 'off' | 'there' = 'off'): Promise<boolean> =>
    says(state, await ask(port, `/api/v1/events/${id}`));
  /** Decides, and again where nobody said that it was taken; gives when it was. */
  const decide = async (does: 'cancel' | 'restore'): Promise<number> => {
    for (let tries = 0; ; tries++)
      try {
        const fields = { does, date: 'all', reason: 'Se prueba.' };
        const at_ms = await press(`/revision/editar/${id}`, fields);
        acknowledged++;
        return at_ms;
      } catch (thrown) {
        // What failed may stand all the same.
        if (/ 4\d\d to/.test(String(thrown)) && tries > 0) return performance.now();
        if (tries > 60) throw thrown;
        await sleep(500);
      }
  };
  return {
    acknowledged: (): number => acknowledged,
    /** Calls off the next event; gives when that was taken. */
    decide: async (): Promise<number> => {
      if (decided > 0 && decided % ids.length === 0) {
        for (id of ids) await decide('restore');
        await until(() => isSaid(town, 'there'), 200, SETTLED_MS);
      }
      id = ids[decided++ % ids.length] ?? '';
      return decide('cancel');
    },
    /** Until all that run say it: after how long the first, and the last after the first. Null where one never does. */
    untilSaid: async (from_ms: number) => {
      const running = machines.filter(({ service }) => service !== null);
      const waits = running.map((machine) => until(() => isSaid(machine), 50, SETTLED_MS));
      const saying = waits.map(async (wait) => ((await wait) === null ? null : performance.now()));
      const said = (await Promise.all(saying)).flatMap((at_ms) => at_ms ?? []);
      if (said.length < running.length) return null;
      const first_ms = Math.min(...said);
      return { first_ms: first_ms - from_ms, spread_ms: Math.max(...said) - first_ms };
    },
  };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Whoever has the lock of builds. */
const HOLDER = `select l.pid, split_part(application_name, ' ', 2)::int as process
  from pg_locks l join pg_stat_activity using (pid) where objid = 4810722 and granted`;

/** Decides, and does something to whoever builds it, so long after they had the lock; gives who, and when it was decided. */
async function strikeBuilder(
  { pair }: Machines,
  desk: Desk,
  signal: NodeJS.Signals,
  after_ms: number,
) {
  const decided_ms = await desk.decide();
  const find = async () => (await pair.ask(HOLDER))[0];
  await until(async () => (await find()) !== undefined, 20, 8_000);
  await sleep(after_ms);
  const builder = Number((await find())?.process);
  if (builder > 0) process.kill(builder, signal);
  return { builder, decided_ms };
}

const TARGETS = ['machine', 'builder', 'primary', 'redis'] as const;

/** The primary is gone: the other takes over, and the gone one begins anew behind it. Gives until somebody may write. */
async function failOver({ pair, proxy }: Machines, sentAfter: (ms: number) => Promise<unknown>) {
  await pair.kill();
  await sleep(500);
  const { writes, gone } = await pair.promote();
  const name = (port: number): string => (port === pair.ports[0] ? 'one' : 'two');
  await proxy.tell(`disable server postgres/${name(gone)}`);
  await proxy.tell(`enable server postgres/${name(writes)}`);
  const promoted_ms = performance.now();
  await sentAfter(promoted_ms);
  const writing_ms = performance.now() - promoted_ms;
  await pair.follow();
  return writing_ms;
}

export async function tryMachines(folder: string, kills: number, say: Say, env: Town['env'] = {}) {
  const all = await startMachines(folder, env);
  const { machines, redis, pair, town, start } = all;
  const desk = await openDesk(all);
  const { traffic, issues, references, end } = beginTraffic(town);
  const took: Record<'first' | 'spread' | 'killed' | 'writing' | 'fresh', number[]> = {
    ...{ first: [], spread: [], killed: [], writing: [], fresh: [] },
  };
  const counts = Object.fromEntries(TARGETS.map((target) => [target, 0]));
  const sentAfter = async (from_ms: number): Promise<void> => {
    if ((await until(async () => traffic.sent_ms > from_ms, 20, SETTLED_MS)) === null)
      issues.push('nothing was taken in within a minute');
  };
  const see = async (from_ms: number, is_killed = true): Promise<void> => {
    const said = await desk.untilSaid(from_ms);
    if (said === null) return void issues.push('a decision is not on all machines');
    took.spread.push(said.spread_ms);
    took[is_killed ? 'killed' : 'first'].push(said.first_ms + said.spread_ms);
  };
  const deeds: Readonly<Record<(typeof TARGETS)[number], () => Promise<void>>> = {
    machine: async () => {
      const machine = machines[Math.floor(Math.random() * machines.length)];
      if (!machine) return;
      const is_fresh = Math.random() < 0.5;
      const decided = desk.decide();
      await sleep(Math.random() * 1_000);
      await machine.service?.stop('SIGKILL');
      machine.service = null;
      await see(await decided);
      if (is_fresh) rmSync(machine.data_dir, { recursive: true, force: true });
      const started_ms = await start(machine);
      if (is_fresh) took.fresh.push(started_ms);
    },
    builder: async () => {
      await see((await strikeBuilder(all, desk, 'SIGKILL', Math.random() * 1_500)).decided_ms);
    },
    primary: async () => {
      took.writing.push(await failOver(all, sentAfter));
      await see(await desk.decide());
    },
    redis: async () => {
      await redis.kill();
      await see(await desk.decide(), false);
      await redis.begin();
    },
  };
  for (let at = 0; at < kills; at++) {
    const target = TARGETS[at % TARGETS.length] ?? 'redis';
    await deeds[target]();
    counts[target] = (counts[target] ?? 0) + 1;
    await see(await desk.decide(), false);
    say(`  ${at + 1} of ${kills} kills (${target}), ${traffic.read} read, ${issues.length} amiss`);
  }
  await trySleeper(all, desk, issues);
  await end();
  const kept = new Set(
    (await pair.ask('select reference from changes')).map((row) => row.reference),
  );
  const lost = references.filter((reference) => !kept.has(reference));
  const [row] = await pair.ask(
    "select count(*)::int as decided from decisions where action in ('cancel', 'restore')",
  );
  const undecided = Math.max(0, desk.acknowledged() - Number(row?.decided));
  await all.stop();
  const figures: Figure[] = [];
  const which = TARGETS.map((target) => `${counts[target]} × ${target}`).join(', ');
  const tell = (
    what: string,
    details: string,
    value: number,
    bound: number,
    how: (value: number) => string = String,
  ) => note(figures, say, toFigure([what, details], value, ['≤', bound], how));
  const many = `${references.length} acknowledged of ${traffic.sent} sent in, ${desk.acknowledged()} decisions`;
  tell(`acknowledged and lost in ${kills} kills (${which})`, many, lost.length + undecided, 0);
  const told = [`of ${traffic.read}`, ...issues.slice(0, 5)].join('; ');
  tell(
    'reads failed behind the proxy, decisions that never came, two builders',
    told,
    issues.length,
    0,
  );
  for (const [what, all_ms, bound] of [
    ['between the first machine that says a decision and the last', took.spread, SPREAD_MS],
    ['from a promotion until somebody may write', took.writing, WRITING_MS],
    ['from an empty data folder until it serves', took.fresh, START_MS],
    [
      'from a cancellation until all machines say it, nothing ended meanwhile',
      took.first,
      SPREAD_MS,
    ],
    ['the same, with a kill in it', took.killed, SETTLED_MS],
  ] as const)
    if (all_ms.length > 0) {
      const each = `${all_ms.length} ×, the middle ${toSeconds(toMedian(all_ms))}, ${toRange(all_ms)}`;
      tell(what, each, Math.max(...all_ms), bound, toSeconds);
    }
  return figures;
}

/** One that builds is stopped until another has built: when it goes on, it publishes nothing, and says so. */
async function trySleeper(all: Machines, desk: Desk, issues: string[]): Promise<void> {
  const { pair, machines } = all;
  // One that was done before the signal came is no sleeper.
  let struck = await strikeBuilder(all, desk, 'SIGSTOP', 100);
  while (!(struck.builder > 0)) struck = await strikeBuilder(all, desk, 'SIGSTOP', 100);
  const { builder, decided_ms } = struck;
  const [own] = await pair.ask('select max(number) as number from releases');
  await pair.ask(`select pg_terminate_backend(pid) from (${HOLDER}) holder`);
  if ((await desk.untilSaid(decided_ms)) === null) issues.push('nobody else builds');
  process.kill(builder, 'SIGCONT');
  const isTold = async (): Promise<boolean> =>
    machines.some(({ command }) => command?.output().includes('Another machine builds releases'));
  if ((await until(isTold)) === null) issues.push('the one that was stopped does not say so');
  const [row] = await pair.ask(`select digest from releases where number = ${own?.number}`);
  if (row?.digest !== null) issues.push('the one that was stopped has published');
}

interface Cost {
  readonly micros: readonly number[];
  readonly proxy: number;
}
type Costs = Readonly<Record<string, Cost>>;

/** What a request costs all machines together where the proxy sends to one, two and three of them, microseconds. */
async function measureCosts(folder: string, is_alone: boolean): Promise<Costs> {
  const { proxy, machines, stop } = await startMachines(folder, {}, is_alone);
  const cpuMicros = (): number =>
    machines.reduce((sum, { service }) => sum + (service?.cpuMicros() ?? 0), 0);
  const own = { port: proxy.port, cpuMicros };
  const costs: [string, Cost][] = [];
  for (const path of SHARED_PATHS) {
    const [micros, of_proxy]: [number[][], number[]] = [[[], [], []], []];
    // Until the code of each is as fast as it gets.
    for (const { service } of machines) if (service) await load(service, ZIPPED, 8, 1, path);
    for (let round = 0; round < ROUNDS; round++)
      for (const [at, each] of micros.entries()) {
        for (const [index, name] of ['a', 'b', 'c'].entries())
          await proxy.tell(`${index <= at ? 'enable' : 'disable'} server machines/${name}`);
        const before_us = readCpuMicros(proxy.pid);
        const { cpu_us, total } = await load(own, ZIPPED, 3, at + 1, path);
        each.push(cpu_us);
        of_proxy.push((readCpuMicros(proxy.pid) - before_us) / total);
      }
    costs.push([path, { micros: micros.map(toMedian), proxy: toMedian(of_proxy) }]);
  }
  await stop();
  return Object.fromEntries(costs);
}

/**
 * Machines that share PostgreSQL and Valkey beside as many that share nothing, on the same processors under the same
 * load: that three cost more than one here is that they and the load have two processors' caches between them.
 */
async function measureShare(folder: string, say: Say): Promise<readonly Figure[]> {
  const shared = await measureCosts(join(folder, 'shared'), false);
  const alone = await measureCosts(join(folder, 'alone'), true);
  const figures: Figure[] = [];
  for (const path of SHARED_PATHS) {
    const [one, other] = [shared[path], alone[path]];
    if (!one || !other) continue;
    const toGrowth = ({ micros: [first = 1, ...more] }: Cost) => more.map((us) => us / first);
    const growth = toGrowth(other);
    const value = Math.max(...toGrowth(one).map((times, at) => times / (growth[at] ?? 1)));
    const [here, there] = [one, other].map(({ micros }) => micros.map(Math.round).join(' : '));
    const each = `one, two, three: ${here} µs beside ${there} µs; HAProxy ${Math.round(one.proxy)} µs`;
    const what = `processor time of ${path} with two and three machines beside one, beside the same where they share nothing`;
    note(
      figures,
      say,
      toFigure([what, each], value, ['≤', MOST_CPU], (x) => x.toFixed(2)),
    );
  }
  return figures;
}

export async function measureMachines(folder: string, say: Say, times?: number) {
  const shared = await measureShare(join(folder, 'share'), say);
  return [...shared, ...(await tryMachines(join(folder, 'kills'), times ?? KILLS, say))];
}
