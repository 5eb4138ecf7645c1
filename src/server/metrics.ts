// /metrics of one server process as Prometheus reads it, on a port of its own that no proxy leads to. Nothing in
// it says who asked, or for what.
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

const BOUNDS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Which class of work a request turned out to be; whoever does the work says it. */
export interface RequestWork {
  route: 'page_file' | 'page_rendered' | 'api' | 'ics' | 'mcp' | 'form' | 'desk' | 'other';
}

interface MetricSources {
  readonly clock: () => number;
  readonly inbox: Inbox;
  readonly snapshot: () => Snapshot;
  readonly health: () => ServiceHealth;
  readonly onError: (thrown: unknown) => void;
}

export type Metrics = NonNullable<Awaited<ReturnType<typeof startMetrics>>>;

/** Listens, the further servers each a port above; null without METRICS_PORT. Once a process. */
export async function startMetrics(config: Config, sources: MetricSources) {
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
  const refused = new Counter({
    name: 'hoy_refused_total',
    help: 'What was refused, by kind; also what no status tells: cut off, not read in time, one connection too many.',
    labelNames: ['kind'],
    registers,
  });
  const builds = new Counter({
    name: 'hoy_release_runs_total',
    help: 'Builds that this process began, by how they ended.',
    labelNames: ['end'],
    registers,
  });
  for (const end of ['well', 'failed']) builds.inc({ end }, 0);
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    try {
      await readGauges(register, config, sources);
      const text = await register.metrics();
      response.setHeader('content-type', register.contentType).end(text);
    } catch (thrown) {
      sources.onError(thrown);
      response.writeHead(500).end('The figures could not be read; the log says why.\n');
    }
  });
  await listen(server, { ...address, port: address.port + config.server_index });
  return {
    count: (route: RequestWork['route'], status: number, duration_ms: number): void =>
      durations.observe({ route, status: `${Math.floor(status / 100)}xx` }, duration_ms / 1000),
    /** One that was refused; also what no answer tells, as a reader who does not read. */
    refuse: (kind: RejectedRequestKind): void => refused.inc({ kind }),
    countBuild: (is_well: boolean): void => builds.inc({ end: is_well ? 'well' : 'failed' }),
    stop: (): Promise<void> => drainServer(server),
  };
}

async function readGauges(
  register: Registry,
  { data_dir, backup_dir }: Config,
  { clock, inbox, snapshot, health }: MetricSources,
): Promise<void> {
  const toGauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => {
    register.removeSingleMetric(name);
    return new Gauge({ name, help, labelNames, registers: [register] });
  };
  const set = (name: string, help: string, value: number): void => toGauge(name, help).set(value);
  const now_ms = clock();
  const toAge = (ms: number): number => Math.max(0, (now_ms - ms) / 1000);
  const { generated_ms, is_stale, refusal, failure, faults } = health();
  const backup_ms = backup_dir === null ? null : findNewestBackupMs(backup_dir);
  const backup_age = backup_ms === null ? Infinity : toAge(backup_ms);
  const faulty = new Set(faults.map(({ file }) => file));
  const { bavail, blocks, bsize } = statfsSync(data_dir);
  const { failed } = await getMailHealth(inbox, now_ms);
  set(
    'hoy_release_age_seconds',
    'Since the sources of what serves were read.',
    toAge(generated_ms),
  );
  set(
    'hoy_release_stale',
    '1 where that is older than two runs of the schedule.',
    Number(is_stale),
  );
  set('hoy_release_refused', '1 where what should serve was refused.', Number(refusal !== null));
  set('hoy_release_failing', '1 where the last build came to nothing.', Number(failure !== null));
  set('hoy_content_faults', 'Files of content that it could not take.', faulty.size);
  set('hoy_mail_failed', 'Letters that were given up in the last days.', failed);
  set('hoy_backup_age_seconds', 'Since the newest of BACKUP_DIR; +Inf for never.', backup_age);
  set('hoy_disk_free_bytes', 'Free on the disk that holds DATA_DIR.', bavail * bsize);
  set('hoy_disk_size_bytes', 'The size of that disk.', blocks * bsize);
  const items = toGauge('hoy_queue_items', 'What waits for a decision of the desk.', 'group');
  const oldest = toGauge('hoy_queue_oldest_seconds', 'How long the oldest has waited.', 'group');
  for (const { group, count, oldest_ms } of await countReviewQueue(inbox, snapshot(), now_ms)) {
    items.set({ group }, count);
    oldest.set({ group }, oldest_ms / 1000);
  }
}
