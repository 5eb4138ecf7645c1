// /metrics of one server process as Prometheus reads it, on a port of its own that no proxy leads to. Nothing in
// it says who asked, or for what.
import { statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { findNewestMs } from '../backup/backups.ts';
import type { Config } from '../config.ts';
import { countQueue } from '../desk/queue.ts';
import type { Health } from '../domain/health.ts';
import type { Inbox } from '../inbox/open.ts';
import { readMailHealth } from '../inbox/outbox.ts';
import { countReceived } from '../inbox/received.ts';
import type { Delivery } from '../mail/server.ts';
import type { LastBuild } from '../releases/last-build.ts';
import type { Snapshot } from '../snapshot/open.ts';
import type { RefusalKind } from './http/refusals.ts';
import { drain, listen } from './process/listen.ts';

const PATH = '/metrics';
const BOUNDS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const PLAIN = {
  hoy_release_age_seconds: 'Since the sources of what serves were read.',
  hoy_release_stale: '1 where that is older than two runs of the schedule.',
  hoy_release_refused: '1 where what should serve was refused.',
  hoy_release_failing: '1 where the last build came to nothing.',
  hoy_release_build_seconds: 'How long the last took that came out.',
  hoy_content_faults: 'Files of content that it could not take.',
  hoy_mail_waiting: 'Letters that wait to be sent.',
  hoy_mail_failed: 'Letters that were given up in the last days.',
  hoy_backup_age_seconds: 'Since the newest of BACKUP_DIR; +Inf for never.',
  hoy_disk_free_bytes: 'Free on the disk that holds DATA_DIR.',
  hoy_disk_size_bytes: 'The size of that disk.',
} as const;

/** Which class of work a request turned out to be; whoever does the work says it. */
export interface Work {
  route: 'page_file' | 'page_rendered' | 'api' | 'ics' | 'mcp' | 'form' | 'desk' | 'other';
}

/** Counts requests of one process. */
export interface RequestMeter {
  /** One request that was answered, and how long that took. */
  readonly count: (route: Work['route'], status: number, duration_ms: number) => void;
  /** One that was refused, by its kind; also what no answer tells, as a reader who does not read. */
  readonly refuse: (kind: RefusalKind) => void;
}

/** What the figures are read from at each scrape. */
interface MetricSources {
  readonly clock: () => number;
  readonly inbox: Inbox;
  readonly snapshot: () => Snapshot;
  readonly health: () => Health;
  readonly lastBuild: () => LastBuild;
  /** Told where the figures cannot be read. */
  readonly onError: (thrown: unknown) => void;
}

/** What this process counts while it runs. */
export interface Metrics {
  readonly meter: RequestMeter;
  readonly countBuild: (is_well: boolean) => void;
  readonly countLetter: (kind: Delivery['kind']) => void;
  readonly stop: () => Promise<void>;
}

/** Listens, the process of `index` so many ports above METRICS_PORT; null without one. Once a process. */
export async function startMetrics(
  config: Config,
  index: number,
  sources: MetricSources,
): Promise<Metrics | null> {
  const { metrics: address } = config;
  if (address === null) return null;
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const durations = new Histogram({
    name: 'hoy_request_duration_seconds',
    help: 'From the whole head of a request to the handing over of its answer, by class of status.',
    labelNames: ['route', 'status'],
    buckets: BOUNDS_S,
    registers,
  });
  const toCounter = <Label extends string>(name: string, label: Label, help: string) =>
    new Counter({ name, help, labelNames: [label], registers });
  const refused = toCounter(
    'hoy_refused_total',
    'kind',
    'What was refused, by kind; also what no status tells: cut off, not read in time, one connection too many.',
  );
  const builds = toCounter(
    'hoy_release_runs_total',
    'end',
    'Builds that this process began, by how they ended.',
  );
  const letters = toCounter(
    'hoy_letters_total',
    'end',
    'Letters given to the mail server, by what came of it: sent, later, never, down.',
  );
  for (const end of ['well', 'failed']) builds.inc({ end }, 0);
  const readGauges = createGauges(register, config, sources);
  const server = createServer(async (request, response) => {
    const end = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(text);
    };
    if (request.method !== 'GET' || request.url !== PATH)
      return end(404, `Only GET ${PATH} is answered here.\n`);
    try {
      readGauges();
      end(200, await register.metrics(), Registry.PROMETHEUS_CONTENT_TYPE);
    } catch (thrown) {
      sources.onError(thrown);
      end(500, 'The figures could not be read; the log says why.\n');
    }
  });
  await listen(server, { ...address, port: address.port + index });
  return {
    meter: {
      count: (route, status, duration_ms) =>
        durations.observe({ route, status: `${Math.floor(status / 100)}xx` }, duration_ms / 1000),
      refuse: (kind) => refused.inc({ kind }),
    },
    countBuild: (is_well) => builds.inc({ end: is_well ? 'well' : 'failed' }),
    countLetter: (end) => letters.inc({ end }),
    stop: () => drain(server),
  };
}

/** Gives the function that sets them all. */
function createGauges(
  register: Registry,
  { data_dir, backup_dir }: Config,
  { clock, inbox, snapshot, health, lastBuild }: MetricSources,
): () => void {
  const toGauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [register] });
  const plain = Object.entries(PLAIN).map(([name, help]) => [name, toGauge(name, help)] as const);
  const items = toGauge('hoy_queue_items', 'What waits for a decision of the desk.', 'group');
  const oldest = toGauge('hoy_queue_oldest_seconds', 'How long the oldest has waited.', 'group');
  const received = new Counter({
    name: 'hoy_submissions_total',
    help: 'Submissions and corrections that were ever taken in, by the way they came.',
    labelNames: ['channel'],
    registers: [register],
  });
  return () => {
    const now_ms = clock();
    const toAge = (ms: number): number => Math.max(0, (now_ms - ms) / 1000);
    const { generated_ms, is_stale, refusal, failure, faults } = health();
    const mail = readMailHealth(inbox, now_ms);
    const backup_ms = backup_dir === null ? null : findNewestMs(backup_dir);
    const { bavail, blocks, bsize } = statfsSync(data_dir);
    const values: Readonly<Record<string, number>> = {
      hoy_release_age_seconds: toAge(generated_ms),
      hoy_release_stale: Number(is_stale),
      hoy_release_refused: Number(refusal !== null),
      hoy_release_failing: Number(failure !== null),
      hoy_release_build_seconds: lastBuild().success?.changes?.duration_s ?? 0,
      hoy_content_faults: new Set(faults.map(({ file }) => file)).size,
      hoy_mail_waiting: mail.waiting,
      hoy_mail_failed: mail.failed,
      hoy_backup_age_seconds: backup_ms === null ? Infinity : toAge(backup_ms),
      hoy_disk_free_bytes: bavail * bsize,
      hoy_disk_size_bytes: blocks * bsize,
    } satisfies Record<keyof typeof PLAIN, number>;
    for (const [name, gauge] of plain) gauge.set(values[name] ?? 0);
    for (const { group, count, oldest_ms } of countQueue(inbox, snapshot(), now_ms)) {
      items.set({ group }, count);
      oldest.set({ group }, oldest_ms / 1000);
    }
    received.reset();
    for (const { channel, count } of countReceived(inbox)) received.inc({ channel }, count);
  };
}
