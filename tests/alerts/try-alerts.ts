// The alerts tried: promtool reads the rules and runs their tests, then a real Prometheus scrapes a
// real service and rings when that is gone.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { findFreePort, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const run = promisify(execFile);
const RULES_DIR = resolve(import.meta.dirname, '..', '..', 'docs', 'prometheus');
/** Nothing here waits longer. */
const MOST_MS = 30_000;

type Say = (line: string) => void;

/** Whether the rules are sound, the figures arrive and an alert rings. */
export async function tryAlerts(prometheus: string, say: Say): Promise<boolean> {
  const promtool = prometheus.replace(/prometheus$/, 'promtool');
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts-test.yml'],
  ]) {
    const { stdout } = await run(promtool, args, { cwd: RULES_DIR, timeout: MOST_MS });
    say(stdout.trim());
  }
  const folder = mkdtempSync(join(tmpdir(), 'hoy-alerts-'));
  const metrics_port = await findFreePort();
  say('Building a small release and starting the service, some 30 s');
  const server = await startServer({
    data_dir: join(folder, 'data'),
    content_dir: FIXTURE_DIR,
    env: { METRICS_PORT: String(metrics_port), WORKERS: '2' },
  });
  const watcher = await startPrometheus(prometheus, folder, metrics_port);
  try {
    const figures = await waitFor(watcher, 'count({job="hoy"})', (value) => value > 100);
    say(`  ${told(figures !== null)} ${figures ?? 0} figures arrive`);
    for (let at = 0; at < 20; at++) await (await server.get('/hoy')).text();
    const asked = 'sum(hoy_request_duration_seconds_count{route="page_file"})';
    const counted = await waitFor(watcher, asked, (value) => value >= 20);
    say(`  ${told(counted !== null)} the 20 requests for a page are counted`);
    const up = await waitFor(watcher, 'sum(hoy_workers{state="answering"})', (n) => n === 2);
    say(`  ${told(up !== null)} both serving processes answer`);
    await server.stop();
    const rings = await waitFor(watcher, 'count(ALERTS{alertname="HoyDown"})', (n) => n === 1);
    say(`  ${told(rings !== null)} HoyDown rings once the service is stopped`);
    return [figures, counted, up, rings].every((value) => value !== null);
  } finally {
    await server.stop();
    watcher.child.kill('SIGKILL');
    await sleep(200);
    rmSync(folder, { recursive: true, force: true });
  }
}

const told = (is_met: boolean): string => (is_met ? 'ok  ' : 'MISS');

interface Watcher {
  readonly child: ChildProcess;
  readonly origin: string;
}

async function startPrometheus(
  program: string,
  folder: string,
  metrics_port: number,
): Promise<Watcher> {
  const port = await findFreePort();
  const read = (name: string): string => readFileSync(join(RULES_DIR, name), 'utf8');
  writeFileSync(join(folder, 'alerts.yml'), read('alerts.yml'));
  // As it is given to operators, but quicker.
  const settings = read('prometheus.yml')
    .replaceAll('30s', '1s')
    .replaceAll('9464', `${metrics_port}`);
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, settings);
  const child = spawn(
    program,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  return { child, origin: `http://127.0.0.1:${port}` };
}

const AnswerSchema = v.object({
  data: v.object({ result: v.array(v.object({ value: v.tuple([v.number(), v.string()]) })) }),
});

/** The value of a query once it `is` what is waited for; null where it does not become that. */
async function waitFor(
  { origin }: Watcher,
  query: string,
  is: (value: number) => boolean,
): Promise<number | null> {
  const until_ms = performance.now() + MOST_MS;
  while (performance.now() < until_ms) {
    try {
      const url = `${origin}/api/v1/query?${new URLSearchParams({ query })}`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      const { data } = v.parse(AnswerSchema, await answer.json());
      const value = Number(data.result[0]?.value[1] ?? Number.NaN);
      if (is(value)) return value;
    } catch {
      // It has not begun to listen.
    }
    await sleep(500);
  }
  return null;
}
