// Request benchmark: compares the throughput of a repeated request with a bare server that sends the same bytes, and the
// processor time per request of two server processes with one.
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as v from 'valibot';
import { type Figure, addFigure, createFigure, computeMedian } from './report.ts';
import {
  startProgram,
  findFreePort,
  createTown,
  type Program,
  PROJECT_DIR,
  runCommand,
  type LogLine,
  startService,
  type Town,
  waitUntilReady,
} from './service.ts';

const EVENTS = 2_000;
const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 20;
const REQUEST_PATH = '/api/v1/events';
const AUTOCANNON = join(PROJECT_DIR, 'node_modules', 'autocannon', 'autocannon.js');
/** Accept-Encoding of browsers. */
export const COMPRESSED = 'gzip, deflate, br, zstd';
/** `min_ratio`: target for the throughput relative to the bare server. */
const CASES = [
  { name: 'the same request, uncompressed', encoding: 'identity', min_ratio: 0.8 },
  { name: 'the same request, compressed', encoding: COMPRESSED, min_ratio: 0.75 },
] as const;
const MAX_CPU_RATIO = 1.1;
const formatRatio = (ratio: number): string => ratio.toFixed(2);

async function fetchBody(
  port: number,
  accept_encoding: string,
): Promise<{ bytes: Buffer; encoding: string }> {
  const headers = { 'accept-encoding': accept_encoding };
  const response = await new Promise<IncomingMessage>((done, fail) => {
    get({ host: '127.0.0.1', port, path: REQUEST_PATH, headers }, done).on('error', fail);
  });
  return { bytes: await buffer(response), encoding: response.headers['content-encoding'] ?? '' };
}

const LoadSchema = v.object({
  ...{ duration: v.number(), errors: v.number(), timeouts: v.number(), non2xx: v.number() },
  requests: v.object({ total: v.number() }),
});

/** Sends requests as fast as possible. @returns the throughput, and the processor time of `program` per request. */
export async function runLoad(
  program: Pick<Program, 'port' | 'cpuMicros'>,
  accept_encoding: string,
  seconds: number,
  servers = 1,
  path = REQUEST_PATH,
) {
  const before_us = program.cpuMicros();
  const { ended, output } = startProgram([
    ...[AUTOCANNON, '--json', '--no-progress', '-c', String(servers * CONNECTIONS)],
    ...['-d', String(seconds), '-H', `accept-encoding=${accept_encoding}`],
    `http://127.0.0.1:${program.port}${path}`,
  ]);
  const code = await ended;
  const json = /^\{.*\}$/m.exec(output())?.[0];
  if (code !== 0 || json === undefined) throw new Error(`autocannon failed: ${output()}`);
  const { requests, duration, errors, timeouts, non2xx } = v.parse(LoadSchema, JSON.parse(json));
  if (errors + timeouts + non2xx > 0)
    throw new Error(`${errors + timeouts + non2xx} requests failed, so the result is invalid`);
  const cpu_us = (program.cpuMicros() - before_us) / requests.total;
  return { total: requests.total, per_second: requests.total / duration, cpu_us };
}

async function measureCase(
  service: Program,
  folder: string,
  { name, encoding, min_ratio }: (typeof CASES)[number],
): Promise<Figure> {
  const body = await fetchBody(service.port, encoding);
  const file = join(folder, 'body');
  writeFileSync(file, body.bytes);
  const port = await findFreePort();
  const script = join(PROJECT_DIR, 'bench', 'constant-server.ts');
  const command = startProgram([script, file, String(port), body.encoding]);
  const baseline = await waitUntilReady(command, port);
  try {
    for (const program of [service, baseline]) await runLoad(program, encoding, 1);
    const ratios: number[] = [];
    const cpu_us: readonly [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const measured = await runLoad(service, encoding, SECONDS);
      const reference = await runLoad(baseline, encoding, SECONDS);
      ratios.push(measured.per_second / reference.per_second);
      cpu_us[0].push(measured.cpu_us);
      cpu_us[1].push(reference.cpu_us);
    }
    const size_kb = (body.bytes.length / 1024).toFixed(0);
    const label = `${name} (${size_kb} kB), relative to a bare server`;
    const details = `${ratios.map(formatRatio).join(' · ')}; CPU ${cpu_us.map((us) => Math.round(computeMedian(us))).join(' : ')} µs`;
    return createFigure([label, details], computeMedian(ratios), ['≥', min_ratio], formatRatio);
  } finally {
    await baseline.stop();
  }
}

/** Compares a service with one server process and one with two, by compressed responses as browsers request them. */
async function measureServers(town: Town): Promise<Figure> {
  const start = async (servers: number) => {
    // The same address for both, because another SITE_URL requires a new release.
    const SITE_URL = `http://127.0.0.1:${town.port}`;
    const env = { ...town.env, SITE_URL, SERVERS: String(servers) };
    const service = await startService({ ...town, port: await findFreePort(), env });
    // Warm up each server process for the same time, until its code is optimized.
    await runLoad(service, COMPRESSED, 6 * SECONDS * servers, servers);
    return { service, servers, micros: [] as number[] };
  };
  const services = [await start(1), await start(2)];
  for (let round = 0; round < 3 * ROUNDS; round++)
    for (const { service, servers, micros } of services)
      micros.push((await runLoad(service, COMPRESSED, SECONDS, servers)).cpu_us);
  for (const { service } of services) await service.stop();
  const [one = [], two = []] = services.map(({ micros }) => micros);
  const ratios = two.map((us, round) => us / (one[round] ?? Number.NaN));
  const name = 'processor time of a request with two servers, relative to one';
  const medians = [two, one].map((all_us) => Math.round(computeMedian(all_us))).join(' : ');
  const label = [name, `${medians} µs`] as const;
  return createFigure(label, computeMedian(ratios), ['≤', MAX_CPU_RATIO], formatRatio);
}

export async function measureRequests(folder: string, log: LogLine): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const town = await createTown(folder, EVENTS, { TRUST_PROXY: '0' });
  log(`Releasing ${town.name} and running ${ROUNDS} rounds of ${SECONDS} s`);
  await runCommand(town, 'release');
  const service = await startService(town);
  try {
    for (const test_case of CASES)
      addFigure(figures, log, await measureCase(service, folder, test_case));
  } finally {
    await service.stop();
  }
  addFigure(figures, log, await measureServers(town));
  return figures;
}
