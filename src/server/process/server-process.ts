// Server process: opens the current release, serves requests until it is stopped, and every second
// checks for a new release, a due build and, in the primary process, due maintenance. The primary
// process is the one that holds the lock for tasks that only one process of the service may do.
import type { Server } from 'node:http';
import { LANGS } from '../../domain/lang.ts';
import { createSite } from '../../domain/site.ts';
import { createApiKeyCheck } from '../../inbox/api-keys.ts';
import { ensureDataFolder } from '../../inbox/data-folder.ts';
import { findLateDecision, getLastAgendaDecisionId } from '../../inbox/decisions.ts';
import { isLockHeld, notifyMachines } from '../../inbox/postgres-session.ts';
import { type Inbox, openInbox, inboxLocation, ignoreDiskFull } from '../../inbox/open.ts';
import { deriveBytes } from '../../inbox/secrets.ts';
import { listPublishedContentIssues, loadLastBuild } from '../../releases/last-build.ts';
import { isLocked, tryAcquireLock } from '../../releases/file-lock.ts';
import type { LogLine } from '../../releases/build-log.ts';
import { fetchSharedFile, fetchCurrentRelease, uploadAssets } from '../../releases/shared-files.ts';
import { type DataLayout, type SnapshotFile, dataLayout } from '../../releases/snapshots.ts';
import { createReleasedEvents } from '../../snapshot/list-records.ts';
import { decodePath, canonicalizePath } from '../../http/message.ts';
import { newsletterPath, submissionStatusPath, uploadPath } from '../../i18n/paths.ts';
import { composeNewsletter } from '../../site/forms/newsletter.ts';
import { createWorkQueues } from '../work-queues.ts';
import { createHttpServer } from '../http/http-server.ts';
import { computeHealth } from '../http/health-responses.ts';
import { createRejectionCounter } from '../http/error-pages.ts';
import type { ServiceContext } from '../http/request-context.ts';
import { type RateLimiter, createRateLimiter } from '../rate-limits.ts';
import { createPageCache } from '../page-cache.ts';
import { type LoadedCode, loadCurrentCode } from '../load-site-code.ts';
import type { Metrics } from '../metrics.ts';
import { describeTownChange } from '../../town.ts';
import {
  type BuildProcessOptions,
  createReleaseBuilder,
  runBuildProcess,
} from './release-builder.ts';
import {
  createBackupSchedule,
  createSourceSchedule,
  listBackupProblems,
  createRunCommand,
  createSourceReader,
  createMaintenance,
} from './maintenance.ts';
import { findServableSnapshot, followCurrentRelease } from './release-follower.ts';
import { drainServer, listen } from './listen.ts';
import { createMachine } from './machine.ts';
import { createTaskReport } from './task-report.ts';

/** Time between two checks for releases, builds and maintenance. */
const CHECK_INTERVAL_MS = 1_000;
/** Shown in /statusz while each process counts rate limits for itself. */
const VALKEY_WARNING = 'limits: VALKEY_URL is away, and each process counts for itself';
/** SQLite busy timeout: short, because waiting for a lock blocks all requests of this process. */
const INBOX_BUSY_TIMEOUT_MS = 250;

export interface ServeOptions extends Omit<BuildProcessOptions, 'layout' | 'onSwitch' | 'report'> {
  /** Prints a line for the operator at the terminal. */
  readonly printLine: LogLine;
}

/** Objects that the parts of a server process share. */
interface ProcessContext extends ServeOptions {
  readonly layout: DataLayout;
  readonly code: LoadedCode;
  readonly inbox: Inbox;
  readonly follower: ReturnType<typeof followCurrentRelease>;
  readonly task_report: ReturnType<typeof createTaskReport>;
  /** Aborted when the process stops. */
  readonly stopping: AbortController;
}

type DueTasks = Awaited<ReturnType<typeof createDueTasks>>;

/**
 * Starts a server process; builds code and release first if they are missing.
 * @returns a function that stops it within five seconds.
 * @throws with advice for the operator if it cannot start.
 */
export async function startServerProcess(options: ServeOptions): Promise<() => Promise<void>> {
  const context = await openProcessContext(options);
  const { config, inbox, follower, stopping } = context;
  const rate_limiter = await createProcessRateLimiter(context);
  let metrics: Metrics | null = null;
  const tasks = await createDueTasks(context, (is_successful) =>
    metrics?.countBuild(is_successful),
  );
  const service = createService(context, tasks, rate_limiter);
  metrics = await startProcessMetrics(context, service);
  const server = createProcessServer(context, service, metrics);
  await listen(server, config);
  const timer = setInterval(tasks.check, CHECK_INTERVAL_MS);
  tasks.check();
  return async () => {
    stopping.abort();
    clearInterval(timer);
    follower.stop();
    await Promise.all([drainServer(server), tasks.stop(), metrics?.stop()]);
    tasks.releaseLock();
    rate_limiter.close();
    await inbox.close();
  };
}

/**
 * Loads the code and opens the inbox and the release, which it fetches or builds if there is none.
 */
async function openProcessContext(options: ServeOptions): Promise<ProcessContext> {
  const { config, log, printLine } = options;
  process.on('unhandledRejection', (reason) =>
    log.error({ err: reason }, 'unhandled promise rejection'),
  );
  const layout = dataLayout(config.data_dir);
  ensureDataFolder(layout.snapshots_dir);
  const code = await loadCurrentCode(config, printLine);
  await code.loadAll();
  const inbox = await openInbox(inboxLocation(config), INBOX_BUSY_TIMEOUT_MS);
  inbox.warn = (message) => log.warn(message);
  if (config.database_url !== null) {
    await uploadAssets(inbox, layout, code.assets);
    await fetchCurrentRelease(inbox, layout).catch((error: unknown) =>
      log.error({ err: error }, 'fetching the release of other machines failed'),
    );
  }
  const task_report = createTaskReport(layout.failed_tasks_file, options.clock);
  const build_options = { ...options, layout, onSwitch: () => {}, report: task_report.report };
  const snapshot = await findOrBuildSnapshot(build_options, printLine);
  const follower = followCurrentRelease(layout, snapshot, code, {
    onSwitch: (from, to) => log.info({ from, to }, 'release switched'),
    onRejection: (id, error) =>
      log.error({ err: error, release: id }, 'release rejected; the previous one stays live'),
  });
  const stopping = new AbortController();
  return { ...options, layout, code, inbox, follower, task_report, stopping };
}

function createProcessRateLimiter({ config, log, inbox }: ProcessContext): Promise<RateLimiter> {
  const { rate_limit: address, rate_limit_key: key, valkey_url } = config;
  return createRateLimiter(
    { address, key },
    valkey_url === null ? null : { valkey_url, log, secret: deriveBytes(inbox, 'limits', '') },
  );
}

/**
 * Creates the checks that run every second: follow the current release, build if it is due, and, in
 * the primary process, the tasks that only one process may do.
 */
async function createDueTasks(
  context: ProcessContext,
  onBuildEnd: (is_successful: boolean) => void,
) {
  const { config, clock, log, run_script, layout, code, inbox, follower, stopping } = context;
  const { database_url } = config;
  const { report, clear: clearTaskReport } = context.task_report;
  const site = createSite(config);
  const machine =
    database_url === null
      ? null
      : createMachine({
          ...{ database_url, inbox, layout, log, report, clock, assets: code.assets },
          createCommandRunner: (signal) =>
            createRunCommand(config, clock, run_script, AbortSignal.any([signal, stopping.signal])),
          prepare: follower.prepare,
          onChange: () => check(),
        });
  const isBuilding = async (): Promise<boolean> =>
    machine === null ? isLocked(layout.lock_file) : isLockHeld(inbox, 'release');
  const builder = createReleaseBuilder({
    ...{ config, clock, log, report, layout, inbox, run_script, isBuilding, onBuildEnd },
    renderer_digest: code.renderer_digest,
    onSwitch: follower.check,
    ...(machine && { getSharedState: machine.getSharedState }),
  });
  const run = createRunCommand(config, clock, run_script, stopping.signal);
  const runDueBackup = createBackupSchedule(config, { log, report }, run);
  const fetchSourcesIfDue = createSourceSchedule(config, { log, report }, run, inbox);
  const maintenance = await createMaintenance({
    ...{ config, clock, log, report, run },
    getReleasedEvents: () => createReleasedEvents(follower.getRelease().snapshot),
    composeForSubscriber: (kind, subscriber) =>
      composeNewsletter({ ...follower.getRelease(), now_ms: clock(), site }, kind, subscriber),
  });
  // The primary process holds the file lock of its machine, and its machine holds the PostgreSQL
  // lock.
  let releasePrimaryLock: (() => void) | null = null;
  const isPrimary = (): boolean => releasePrimaryLock !== null && (machine?.isPrimary() ?? true);
  const checkForBuild = (): void =>
    void builder.check(isPrimary(), follower.getRejection() !== null);
  /** Warning that town.yml has changed since this process started; empty if it has not. */
  let town_change = '';
  const check = (): void => {
    follower.check();
    if (town_change !== describeTownChange()) {
      town_change = describeTownChange();
      if (town_change !== '') log.warn(town_change);
    }
    if (releasePrimaryLock === null) {
      releasePrimaryLock = tryAcquireLock(layout.primary_lock_file);
      if (releasePrimaryLock !== null) clearTaskReport();
    }
    if (releasePrimaryLock !== null) machine?.check();
    checkForBuild();
    if (!isPrimary()) return;
    void runDueBackup(clock());
    void fetchSourcesIfDue(clock());
    maintenance.check(clock());
  };
  return {
    check,
    checkForBuild,
    isPrimary,
    isBuilding,
    run,
    machine,
    getTownChange: (): string => town_change,
    stop: async (): Promise<void> => {
      builder.stop();
      await Promise.all([maintenance.stop(), machine?.stop()]);
    },
    releaseLock: (): void => releasePrimaryLock?.(),
  };
}

/** Creates the service that request handlers use. */
function createService(
  { config, clock, log, layout, inbox, follower, task_report, stopping }: ProcessContext,
  { checkForBuild, isPrimary, isBuilding, run, machine, getTownChange }: DueTasks,
  rate_limiter: RateLimiter,
): ServiceContext {
  return {
    site: createSite(config),
    rebuild_hours: config.rebuild_hours,
    data_dir: config.data_dir,
    inbox,
    getCachedPage: createPageCache(layout.pages_dir),
    ...createWorkQueues(config.calendars_allow, config.draft_model_url),
    onInboxWrite: () => {
      checkForBuild();
      // If this fails, the other machine notices within a second by its regular check.
      if (machine !== null && !isPrimary()) notifyMachines(inbox).catch(() => {});
    },
    fetchShared:
      machine === null
        ? null
        : async (path) =>
            (await ignoreDiskFull(() => fetchSharedFile(inbox, config.data_dir, path))) ?? false,
    listWarnings: () => [
      ...(rate_limiter.isConnected() ? [] : [VALKEY_WARNING]),
      ...(getTownChange() === '' ? [] : [`town: ${getTownChange()}`]),
      ...(machine?.listProblems() ?? []),
      ...listBackupProblems(config, clock()),
      ...task_report.listProblems(),
    ],
    sources: createSourceReader(config, log, run),
    getReleaseStatus: async () => {
      const last = loadLastBuild(layout);
      const { success, failure } = last;
      const { decision } = follower.getRelease().snapshot;
      return {
        is_pending: (await getLastAgendaDecisionId(inbox)) !== decision,
        late_since: await findLateDecision(inbox, decision, clock()),
        is_building: await isBuilding(),
        last: success && { at: success.generated_at, changes: success.changes ?? null },
        failure,
        faults: listPublishedContentIssues(last),
      };
    },
    consumeAllowance: rate_limiter.consumeAllowance,
    isLiveKey: createApiKeyCheck(inbox, clock),
    trusted_proxies: config.trust_proxy,
    getLastBuild: () => loadLastBuild(layout),
    getRejection: () => follower.getRejection() ?? machine?.getRejection() ?? null,
    isStopping: () => stopping.signal.aborted,
    logEvent: (event, details) => log.info(details ?? {}, event),
    onError: (error, path, request_id) =>
      log.error({ request_id, path: redactPath(path), err: error }, 'a request failed'),
  };
}

/** Starts the metrics server. @returns null if METRICS_PORT is not set. */
async function startProcessMetrics(
  { config, clock, log, inbox, follower }: ProcessContext,
  service: ServiceContext,
): Promise<Metrics | null> {
  if (config.metrics === null) return null;
  // Imported on demand, because it takes 20 MB of memory.
  const { startMetrics } = await import('../metrics.ts');
  return startMetrics(config, {
    ...{ clock, inbox },
    snapshot: () => follower.getRelease().snapshot,
    health: () => computeHealth({ release: follower.getRelease(), now_ms: clock(), service }),
    onError: (error) => log.error({ err: error }, 'reading the metrics failed'),
  });
}

/** Creates the HTTP server, which logs and counts rejected requests. */
function createProcessServer(
  { config, clock, log, follower }: ProcessContext,
  service: ServiceContext,
  metrics: Metrics | null,
): Server {
  const countForLog = createRejectionCounter((counts) =>
    log.warn({ rejected: counts }, 'requests were rejected'),
  );
  return createHttpServer({
    service,
    getRelease: follower.getRelease,
    clock,
    limits: config.trust_proxy > 0 ? { per_address: Infinity } : {},
    onResponse: metrics?.recordResponse,
    onRejected: (kind) => {
      metrics?.countRejection(kind);
      countForLog(kind);
    },
  });
}

/**
 * Finds the snapshot to start with, and builds one if there is none.
 * @throws if the build fails.
 */
async function findOrBuildSnapshot(
  options: BuildProcessOptions,
  printLine: LogLine,
): Promise<SnapshotFile> {
  const existing = findServableSnapshot(options.layout);
  if (existing !== null) return existing;
  printLine('There is no release that this version can serve yet: building one.');
  const is_built = await runBuildProcess(
    { ...options, printLine },
    'missing',
    new AbortController().signal,
  );
  const built = is_built ? findServableSnapshot(options.layout) : null;
  if (built === null)
    throw new Error('The build failed, so there is nothing to serve. Fix the errors above');
  return built;
}

const MAX_LOGGED_PATH_LENGTH = 200;
const SECRET_PREFIXES = [
  ...LANGS.flatMap((lang) => [submissionStatusPath('', lang), newsletterPath('', lang)]),
  uploadPath(''),
];

/**
 * Formats the path of a URL for the log: without the query, and without the secret part of a path.
 */
export function redactPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  // Recognize secret paths in any spelling: percent-encoded, with repeated slashes, in capitals.
  const normalized = canonicalizePath(decodePath(path) ?? path).toLowerCase();
  return (
    SECRET_PREFIXES.find((prefix) => normalized.startsWith(prefix)) ??
    path.slice(0, MAX_LOGGED_PATH_LENGTH)
  );
}
