// A repeated question, in turn with a bare server that sends the same bytes; and the processor time of a
// request with two servers beside that with one.
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { type Figure, note, toFigure, toMedian } from './report.ts';
import {
  beginProgram,
  findFreePort,
  makeTown,
  type Program,
  PROJECT_DIR,
  run,
  type Say,
  startService,
  type Town,
  untilReady,
} from './service.ts';

const EVENTS = 2_000;
const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 20;
const QUESTION = '/api/v1/events';
const AUTOCANNON = join(PROJECT_DIR, 'node_modules', 'autocannon', 'autocannon.js');
export const ZIPPED = 'gzip, deflate, br, zstd';
const CASES = [
  { what: 'the same question, as it is', coding: 'identity', least: 0.8 },
  { what: 'the same question, compressed', coding: ZIPPED, least: 0.75 },
] as const;
const MOST_CPU = 1.1;
const toRatio = (ratio: number): string => ratio.toFixed(2);

async function ask(port: number, coding: string): Promise<{ bytes: Buffer; coding: string }> {
  const headers = { 'accept-encoding': coding };
  const response = await new Promise<IncomingMessage>((done, fail) => {
    get({ host: '127.0.0.1', port, path: QUESTION, headers }, done).on('error', fail);
  });
  return { bytes: await buffer(response), coding: response.headers['content-encoding'] ?? '' };
}

const LoadSchema = v.object({
  ...{ duration: v.number(), errors: v.number(), timeouts: v.number(), non2xx: v.number() },
  requests: v.object({ total: v.number() }),
});

/** Asks as fast as it is answered; gives what that cost `program` for each request. */
export async function load(
  program: Pick<Program, 'port' | 'cpuMicros'>,
  coding: string,
  seconds: number,
  servers = 1,
  path = QUESTION,
) {
  const before_us = program.cpuMicros();
  const { ended, output } = beginProgram([
    ...[AUTOCANNON, '--json', '--no-progress', '-c', String(servers * CONNECTIONS)],
    ...['-d', String(seconds), '-H', `accept-encoding=${coding}`],
    `http://127.0.0.1:${program.port}${path}`,
  ]);
  const code = await ended;
  const said = /^\{.*\}$/m.exec(output())?.[0];
  if (code !== 0 || said === undefined) throw new Error(`autocannon failed: ${output()}`);
  const { requests, duration, errors, timeouts, non2xx } = v.parse(LoadSchema, JSON.parse(said));
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${errors + timeouts + non2xx} requests failed: nothing was measured`);
  const cpu_us = (program.cpuMicros() - before_us) / requests.total;
  return { total: requests.total, per_second: requests.total / duration, cpu_us };
}

async function measureCase(
  ours: Program,
  folder: string,
  { what, coding, least }: (typeof CASES)[number],
): Promise<Figure> {
  const answer = await ask(ours.port, coding);
  const file = join(folder, 'body');
  writeFileSync(file, answer.bytes);
  const port = await findFreePort();
  const script = join(PROJECT_DIR, 'bench', 'constant-server.ts');
  const bare = await untilReady(beginProgram([script, file, String(port), answer.coding]), port);
  try {
    for (const one of [ours, bare]) await load(one, coding, 1);
    const ratios: number[] = [];
    const cpu_us: readonly [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const mine = await load(ours, coding, SECONDS);
      const yardstick = await load(bare, coding, SECONDS);
      ratios.push(mine.per_second / yardstick.per_second);
      cpu_us[0].push(mine.cpu_us);
      cpu_us[1].push(yardstick.cpu_us);
    }
    const name = `${what} (${(answer.bytes.length / 1024).toFixed(0)} kB), beside a bare server`;
    const each = `${ratios.map(toRatio).join(' · ')}; CPU ${cpu_us.map((us) => Math.round(toMedian(us))).join(' : ')} µs`;
    return toFigure([name, each], toMedian(ratios), ['≥', least], toRatio);
  } finally {
    await bare.stop();
  }
}

/** A service of one server and one of two, asked in turn for what browsers ask: a compressed answer. */
async function measureServers(town: Town): Promise<Figure> {
  const start = async (servers: number) => {
    // The same address for both: a release of another's settings is made anew.
    const SITE_URL = `http://127.0.0.1:${town.port}`;
    const env = { ...town.env, SITE_URL, SERVERS: String(servers) };
    const service = await startService({ ...town, port: await findFreePort(), env });
    // Each server as often as the one, until its code is as fast as it gets.
    await load(service, ZIPPED, 6 * SECONDS * servers, servers);
    return { service, servers, micros: [] as number[] };
  };
  const all = [await start(1), await start(2)];
  for (let round = 0; round < 3 * ROUNDS; round++)
    for (const { service, servers, micros } of all)
      micros.push((await load(service, ZIPPED, SECONDS, servers)).cpu_us);
  for (const { service } of all) await service.stop();
  const [one = [], two = []] = all.map(({ micros }) => micros);
  const ratios = two.map((us, round) => us / (one[round] ?? Number.NaN));
  const name = 'processor time of a request with two servers, beside one';
  const each = [two, one].map((all_us) => Math.round(toMedian(all_us))).join(' : ');
  return toFigure([name, `${each} µs`], toMedian(ratios), ['≤', MOST_CPU], toRatio);
}

export async function measureRequests(folder: string, say: Say): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const town = await makeTown(folder, EVENTS, { TRUST_PROXY: '0' });
  say(`Releasing ${town.name} and asking it for ${ROUNDS} rounds of ${SECONDS} s`);
  await run(town, 'release');
  const service = await startService(town);
  try {
    for (const each of CASES) note(figures, say, await measureCase(service, folder, each));
  } finally {
    await service.stop();
  }
  note(figures, say, await measureServers(town));
  return figures;
}
