// One server process: opens the current release, answers until it is stopped, and sees to what is due.
import { LANGS } from '../../domain/lang.ts';
import { createSite } from '../../domain/site.ts';
import { createApiKeyCheck } from '../../inbox/api-keys.ts';
import { ensureDataFolder } from '../../inbox/data-folder.ts';
import { getLastAgendaDecisionId } from '../../inbox/decisions.ts';
import { isLockHeld, notifyMachines } from '../../inbox/postgres-session.ts';
import { openInbox, inboxLocation, ignoreDiskFull } from '../../inbox/open.ts';
import { deriveBytes } from '../../inbox/secrets.ts';
import { listPublishedContentIssues, loadLastBuild } from '../../releases/last-build.ts';
import { isLocked, tryAcquireLock } from '../../releases/file-lock.ts';
import type { LogLine } from '../../releases/build-log.ts';
import { fetchSharedFile, fetchCurrentRelease, uploadAssets } from '../../releases/shared-files.ts';
import { type SnapshotFile, dataLayout } from '../../releases/snapshots.ts';
import { createReleasedEvents } from '../../snapshot/list-records.ts';
import { decodePath, canonicalizePath } from '../../http/message.ts';
import { newsletterPath, submissionStatusPath, uploadPath } from '../../i18n/paths.ts';
import { composeNewsletter } from '../../site/forms/newsletter.ts';
import { createWorkQueues } from '../work-queues.ts';
import { createHttpServer } from '../http/http-server.ts';
import { computeHealth } from '../http/health-responses.ts';
import { createRejectionCounter } from '../http/error-pages.ts';
import type { ServiceContext } from '../http/request-context.ts';
import { createRateLimiter } from '../rate-limits.ts';
import { createPageCache } from '../page-cache.ts';
import { loadCurrentCode } from '../load-site-code.ts';
import { describeTownChange } from '../../town.ts';
import {
  type BuildProcessOptions,
  createReleaseBuilder,
  runBuildProcess,
} from './release-builder.ts';
import {
  createBackupSchedule,
  createSourceSchedule,
  createRunCommand,
  createSourceReader,
  createMaintenance,
} from './maintenance.ts';
import { findServableSnapshot, followCurrentRelease } from './release-follower.ts';
import { drainServer, listen } from './listen.ts';
import { createMachine } from './machine.ts';

const LOOK_MS = 1_000;
const VALKEY_AWAY = 'limits: VALKEY_URL is away, and each process counts for itself';
/** This process handles no other request while it waits for another writer of the inbox. */
const INBOX_PATIENCE_MS = 250;

export interface ServeOptions extends Omit<BuildProcessOptions, 'layout' | 'onSwitch'> {
  readonly say: LogLine;
}

/**
 * Makes sure of code and release, and listens; gives what ends it within five seconds. Throws one clear sentence
 * where it cannot begin.
 */
export async function startServerProcess(order: ServeOptions): Promise<() => Promise<void>> {
  const { config, clock, log, run_script, say } = order;
  process.on('unhandledRejection', (reason) =>
    log.error({ err: reason }, 'a promise was rejected that was not awaited'),
  );
  const layout = dataLayout(config.data_dir);
  ensureDataFolder(layout.snapshots_dir);
  const code = await loadCurrentCode(config, say);
  await code.loadAll();
  const inbox = await openInbox(inboxLocation(config), INBOX_PATIENCE_MS);
  inbox.warn = (sentence) => log.warn(sentence);
  const { database_url } = config;
  if (database_url !== null) {
    await uploadAssets(inbox, layout, code.assets);
    await fetchCurrentRelease(inbox, layout).catch((thrown: unknown) =>
      log.error({ err: thrown }, 'what other machines serve could not be brought'),
    );
  }
  const first = await findFirst({ ...order, layout, onSwitch: () => {} }, say);
  const follower = followCurrentRelease(layout, first, code, {
    onSwitch: (from, to) => log.info({ from, to }, 'release switched'),
    onRefusal: (id, thrown) =>
      log.error({ err: thrown, release: id }, 'release refused, the one before goes on serving'),
  });
  const site = createSite(config);
  const { rate_limit: address, rate_limit_key: key, valkey_url } = config;
  const limits = await createRateLimiter(
    { address, key },
    valkey_url === null ? null : { valkey_url, log, secret: deriveBytes(inbox, 'limits', '') },
  );
  // Loaded where something is measured only: it takes 20 MB.
  const measured = config.metrics && (await import('../metrics.ts'));
  const metrics =
    measured &&
    (await measured.startMetrics(config, {
      ...{ clock, inbox },
      snapshot: () => follower.current().snapshot,
      health: () => computeHealth({ state: follower.current(), now_ms: clock(), service }),
      onError: (thrown) => log.error({ err: thrown }, 'the figures could not be read'),
    }));
  const ending = new AbortController();
  const machine =
    database_url === null
      ? null
      : createMachine({
          ...{ database_url, inbox, layout, log, clock, assets: code.assets },
          run: (signal) =>
            createRunCommand(config, clock, run_script, AbortSignal.any([signal, ending.signal])),
          prepare: follower.prepare,
          onNews: () => look(),
        });
  const isBuilding = async (): Promise<boolean> =>
    machine === null ? isLocked(layout.lock_file) : isLockHeld(inbox, 'release');
  const builder = createReleaseBuilder({
    ...{ config, clock, log, layout, inbox, run_script, isBuilding, maker: code.maker },
    onSwitch: follower.check,
    onEnd: (is_well) => metrics?.countBuild(is_well),
    ...(machine && { readShared: machine.readShared }),
  });
  const run = createRunCommand(config, clock, run_script, ending.signal);
  const backUp = createBackupSchedule(config, log, run);
  const followSources = createSourceSchedule(config, log, run, inbox);
  const upkeep = await createMaintenance({
    ...{ config, clock, log, run },
    readRelease: () => createReleasedEvents(follower.current().snapshot),
    writeForReader: (kind, reader) =>
      composeNewsletter({ ...follower.current(), now_ms: clock(), site }, kind, reader),
  });
  /** Of the processes of a machine, the one that has this lock; of several machines one has another. */
  let endChores: (() => void) | null = null;
  const isFirst = (): boolean => endChores !== null && (machine?.isFirst() ?? true);
  const lookForBuild = (): void => void builder.look(isFirst(), follower.refusal() !== null);
  let town_change = '';
  const look = (): void => {
    follower.check();
    if (town_change !== describeTownChange()) {
      town_change = describeTownChange();
      if (town_change !== '') log.warn(town_change);
    }
    endChores ??= tryAcquireLock(layout.chores_lock_file);
    if (endChores !== null) machine?.look();
    lookForBuild();
    if (!isFirst()) return;
    void backUp(clock());
    void followSources(clock());
    upkeep.check(clock());
  };
  const service: ServiceContext = {
    site,
    rebuild_hours: config.rebuild_hours,
    data_dir: config.data_dir,
    inbox,
    pages: createPageCache(layout.pages_dir),
    ...createWorkQueues(config.calendars_allow, config.draft_model_url),
    onWritten: () => {
      lookForBuild();
      // Whoever is not told looks within a second.
      if (machine !== null && !isFirst()) notifyMachines(inbox).catch(() => {});
    },
    bring:
      machine === null
        ? null
        : async (path) =>
            (await ignoreDiskFull(() => fetchSharedFile(inbox, config.data_dir, path))) ?? false,
    listWorries: () => [
      ...(limits.isWhole() ? [] : [VALKEY_AWAY]),
      ...(town_change === '' ? [] : [`town: ${town_change}`]),
    ],
    sources: createSourceReader(config, run),
    readReleaseNews: async () => {
      const last = loadLastBuild(layout);
      const { success, failure } = last;
      return {
        is_wanted: (await getLastAgendaDecisionId(inbox)) !== follower.current().snapshot.decision,
        is_building: await isBuilding(),
        last: success && { at: success.generated_at, changes: success.changes ?? null },
        failure,
        faults: listPublishedContentIssues(last),
      };
    },
    take: limits.take,
    isLiveKey: createApiKeyCheck(inbox, clock),
    trusted_proxies: config.trust_proxy,
    lastBuild: () => loadLastBuild(layout),
    refusal: () => follower.refusal() ?? machine?.refusal() ?? null,
    isEnding: () => ending.signal.aborted,
    onNote: (event, details) => log.info(details ?? {}, event),
    onError: (thrown, path, request_id) =>
      log.error({ request_id, path: redactPath(path), err: thrown }, 'a request failed'),
  };
  const tally = createRejectionCounter((refused) => log.warn({ refused }, 'requests were refused'));
  const server = createHttpServer({
    service,
    current: follower.current,
    clock,
    limits: config.trust_proxy > 0 ? { of_address: Infinity } : {},
    onAnswered: metrics?.count,
    onRefused: (kind) => {
      metrics?.refuse(kind);
      tally(kind);
    },
  });
  await listen(server, config);
  const timer = setInterval(look, LOOK_MS);
  look();
  return async () => {
    ending.abort();
    clearInterval(timer);
    builder.stop();
    follower.stop();
    await Promise.all([drainServer(server), upkeep.stop(), machine?.stop(), metrics?.stop()]);
    endChores?.();
    limits.close();
    await inbox.close();
  };
}

/** The release to begin with, built where there is none. Throws where none can be had. */
async function findFirst(parts: BuildProcessOptions, say: LogLine): Promise<SnapshotFile> {
  const found = findServableSnapshot(parts.layout);
  if (found !== null) return found;
  say('There is no release that this version can serve yet: building one.');
  const is_built = await runBuildProcess(
    { ...parts, say },
    'missing',
    new AbortController().signal,
  );
  const built = is_built ? findServableSnapshot(parts.layout) : null;
  if (built === null)
    throw new Error(
      'No release could be built, so there is nothing to serve. What must be mended stands above',
    );
  return built;
}

const MAX_PATH_LENGTH = 200;
const SECRET = [
  ...LANGS.flatMap((lang) => [submissionStatusPath('', lang), newsletterPath('', lang)]),
  uploadPath(''),
];

/** The path of an address for the log, without its query; the secret part of one is cut off. */
export function redactPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  // Secret in any spelling: encoded, with doubled slashes, in capitals.
  const plain = canonicalizePath(decodePath(path) ?? path).toLowerCase();
  return SECRET.find((start) => plain.startsWith(start)) ?? path.slice(0, MAX_PATH_LENGTH);
}
