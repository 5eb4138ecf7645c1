// Metrics: serves /metrics of one process for Prometheus, on a separate port that must not be
// proxied. Contains no data about clients or the content of requests.
import { statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { findNewestBackupMs } from '../backup/backups.ts';
import type { Config } from '../config.ts';
import { countReviewQueue } from '../desk/review-queue.ts';
import type { Inbox } from '../inbox/open.ts';
import { getMailHealth } from '../inbox/outbox.ts';
import type { ServiceHealth } from '../domain/health.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import type { RejectedRequestKind } from './http/error-pages.ts';
import { drainServer, listen } from './process/listen.ts';

const DURATION_BUCKETS_S = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Class of work of a request, set by the handler that does it. */
export interface RequestWork {
  route: 'page_file' | 'page_rendered' | 'api' | 'ics' | 'mcp' | 'form' | 'desk' | 'other';
}

/** Sources of the gauges, which are read for each request to /metrics. */
interface MetricSources {
  readonly clock: () => number;
  readonly inbox: Inbox;
  readonly snapshot: () => Snapshot;
  readonly health: () => ServiceHealth;
  readonly onError: (error: unknown) => void;
}

export type Metrics = NonNullable<Awaited<ReturnType<typeof startMetrics>>>;

/**
 * Starts the metrics server; server process N listens on METRICS_PORT + N. Call once per process.
 * @returns null if METRICS_PORT is not set.
 */
export async function startMetrics(config: Config, sources: MetricSources) {
  const { metrics: address } = config;
  if (address === null) return null;
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const durations = new Histogram({
    name: 'hoy_request_duration_seconds',
    help: 'From receiving the request headers to handing over the response, by status class.',
    labelNames: ['route', 'status'],
    buckets: DURATION_BUCKETS_S,
    registers,
  });
  const rejections = new Counter({
    name: 'hoy_refused_total',
    help: 'Rejected requests by kind, including aborted requests, slow readers and excess connections.',
    labelNames: ['kind'],
    registers,
  });
  const builds = new Counter({
    name: 'hoy_release_runs_total',
    help: 'Builds started by this process, by result.',
    labelNames: ['end'],
    registers,
  });
  for (const end of ['well', 'failed']) builds.inc({ end }, 0);
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    try {
      await updateGauges(register, config, sources);
      const text = await register.metrics();
      response.setHeader('content-type', register.contentType).end(text);
    } catch (error) {
      sources.onError(error);
      response.writeHead(500).end('The metrics could not be read; the log says why.\n');
    }
  });
  await listen(server, { ...address, port: address.port + config.server_index });
  return {
    recordResponse: (route: RequestWork['route'], status: number, duration_ms: number): void =>
      durations.observe({ route, status: `${Math.floor(status / 100)}xx` }, duration_ms / 1000),
    countRejection: (kind: RejectedRequestKind): void => rejections.inc({ kind }),
    countBuild: (is_successful: boolean): void =>
      builds.inc({ end: is_successful ? 'well' : 'failed' }),
    stop: (): Promise<void> => drainServer(server),
  };
}

async function updateGauges(
  register: Registry,
  { data_dir, backup_dir }: Config,
  { clock, inbox, snapshot, health }: MetricSources,
): Promise<void> {
  const replaceGauge = <Label extends string>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ) => {
    register.removeSingleMetric(name);
    return new Gauge({ name, help, labelNames, registers: [register] });
  };
  const setGauge = (name: string, help: string, value: number): void =>
    replaceGauge(name, help).set(value);
  const now_ms = clock();
  const ageInSeconds = (ms: number): number => Math.max(0, (now_ms - ms) / 1000);
  const { generated_ms, is_stale, refusal, failure, faults } = health();
  const backup_ms = backup_dir === null ? null : findNewestBackupMs(backup_dir);
  const backup_age = backup_ms === null ? Infinity : ageInSeconds(backup_ms);
  const faulty_files = new Set(faults.map(({ file }) => file));
  const { bavail, blocks, bsize } = statfsSync(data_dir);
  const { failed } = await getMailHealth(inbox, now_ms);
  setGauge(
    'hoy_release_age_seconds',
    'Age of the data of the live release.',
    ageInSeconds(generated_ms),
  );
  setGauge(
    'hoy_release_stale',
    '1 if the live release is older than two scheduled builds.',
    Number(is_stale),
  );
  setGauge(
    'hoy_release_refused',
    '1 if the current release was rejected.',
    Number(refusal !== null),
  );
  setGauge('hoy_release_failing', '1 if the last build failed.', Number(failure !== null));
  setGauge('hoy_content_faults', 'Content files with errors in the last build.', faulty_files.size);
  setGauge('hoy_mail_failed', 'Emails that were given up in the last days.', failed);
  setGauge(
    'hoy_backup_age_seconds',
    'Age of the newest backup in BACKUP_DIR; +Inf if there is none.',
    backup_age,
  );
  setGauge('hoy_disk_free_bytes', 'Free space on the disk with DATA_DIR.', bavail * bsize);
  setGauge('hoy_disk_size_bytes', 'Size of the disk with DATA_DIR.', blocks * bsize);
  const items = replaceGauge('hoy_queue_items', 'Items in the review queue.', 'group');
  const oldest = replaceGauge('hoy_queue_oldest_seconds', 'Age of the oldest item.', 'group');
  for (const { group, count, oldest_ms } of await countReviewQueue(inbox, snapshot(), now_ms)) {
    items.set({ group }, count);
    oldest.set({ group }, oldest_ms / 1000);
  }
}
