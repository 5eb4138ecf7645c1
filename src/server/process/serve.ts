// One server process: opens the current release, answers until it is stopped, and sees to what is due.
import { LANGS } from '../../domain/lang.ts';
import { toSite } from '../../domain/site.ts';
import { createKeyLookup } from '../../inbox/api-keys.ts';
import { makeDataFolder } from '../../inbox/data-folder.ts';
import { readAgendaDecision } from '../../inbox/decisions.ts';
import { isHeld, tellMachines } from '../../inbox/link.ts';
import { openInbox, toInboxLocation, unlessFull } from '../../inbox/open.ts';
import { derive } from '../../inbox/secret.ts';
import { listFaults, readLastBuild } from '../../releases/last-build.ts';
import { isLocked, tryLock } from '../../releases/lock.ts';
import type { Say } from '../../releases/progress.ts';
import { bring, bringCurrent, shareAssets } from '../../releases/shared.ts';
import { type FoundSnapshot, toLayout } from '../../releases/snapshots.ts';
import { toReleasedEvents } from '../../snapshot/list-things.ts';
import { decodePath, toCanonicalPath } from '../../http/message.ts';
import { toReaderPath, toStatusPath, toUploadPath } from '../../i18n/paths.ts';
import { writeForReader } from '../../site/forms/reader.ts';
import { createHeavy } from '../heavy.ts';
import { createFrontServer } from '../http/front-server.ts';
import { readHealth } from '../http/health.ts';
import { createRefusalTally } from '../http/refusals.ts';
import type { ServiceContext } from '../http/request-context.ts';
import { createLimits } from '../limits.ts';
import { createPageStore } from '../page-store.ts';
import { loadOwnCode } from '../site-code.ts';
import { findTownChange } from '../../town.ts';
import { type BuildParts, createBuilder, runBuild } from './builder.ts';
import {
  createBackups,
  createFollowing,
  createRunCommand,
  createSourceDoor,
  createUpkeep,
} from './chores.ts';
import { findServable, followCurrent } from './follower.ts';
import { drain, listen } from './listen.ts';
import { createMachine } from './machine.ts';

const LOOK_MS = 1_000;
const VALKEY_AWAY = 'limits: VALKEY_URL is away, and each process counts for itself';
/** This process handles no other request while it waits for another writer of the inbox. */
const INBOX_PATIENCE_MS = 250;

export interface ServeOrder extends Omit<BuildParts, 'layout' | 'onSwitch'> {
  readonly say: Say;
}

/**
 * Makes sure of code and release, and listens; gives what ends it within five seconds. Throws one clear sentence
 * where it cannot begin.
 */
export async function serve(order: ServeOrder): Promise<() => Promise<void>> {
  const { config, clock, log, run_script, say } = order;
  process.on('unhandledRejection', (reason) =>
    log.error({ err: reason }, 'a promise was rejected that was not awaited'),
  );
  const layout = toLayout(config.data_dir);
  makeDataFolder(layout.snapshots_dir);
  const code = await loadOwnCode(config, say);
  await code.loadAll();
  const inbox = await openInbox(toInboxLocation(config), INBOX_PATIENCE_MS);
  inbox.warn = (sentence) => log.warn(sentence);
  const { database_url } = config;
  if (database_url !== null) {
    await shareAssets(inbox, layout, code.assets);
    await bringCurrent(inbox, layout).catch((thrown: unknown) =>
      log.error({ err: thrown }, 'what other machines serve could not be brought'),
    );
  }
  const first = await findFirst({ ...order, layout, onSwitch: () => {} }, say);
  const follower = followCurrent(layout, first, code, {
    onSwitch: (from, to) => log.info({ from, to }, 'release switched'),
    onRefusal: (id, thrown) =>
      log.error({ err: thrown, release: id }, 'release refused, the one before goes on serving'),
  });
  const site = toSite(config);
  const { rate_limit: address, rate_limit_key: key, valkey_url } = config;
  const limits = await createLimits(
    { address, key },
    valkey_url === null ? null : { valkey_url, log, secret: derive(inbox, 'limits', '') },
  );
  // Loaded where something is measured only: it takes 20 MB.
  const measured = config.metrics && (await import('../metrics.ts'));
  const metrics =
    measured &&
    (await measured.startMetrics(config, {
      ...{ clock, inbox },
      snapshot: () => follower.current().snapshot,
      health: () => readHealth({ state: follower.current(), now_ms: clock(), service }),
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
    machine === null ? isLocked(layout.lock_file) : isHeld(inbox, 'release');
  const builder = createBuilder({
    ...{ config, clock, log, layout, inbox, run_script, isBuilding, maker: code.maker },
    onSwitch: follower.check,
    onEnd: (is_well) => metrics?.countBuild(is_well),
    ...(machine && { readShared: machine.readShared }),
  });
  const run = createRunCommand(config, clock, run_script, ending.signal);
  const backUp = createBackups(config, log, run);
  const followSources = createFollowing(config, log, run, inbox);
  const upkeep = await createUpkeep({
    ...{ config, clock, log, run },
    readRelease: () => toReleasedEvents(follower.current().snapshot),
    writeForReader: (kind, reader) =>
      writeForReader({ ...follower.current(), now_ms: clock(), site }, kind, reader),
  });
  /** Of the processes of a machine, the one that has this lock; of several machines one has another. */
  let endChores: (() => void) | null = null;
  const isFirst = (): boolean => endChores !== null && (machine?.isFirst() ?? true);
  const lookForBuild = (): void => void builder.look(isFirst(), follower.refusal() !== null);
  let town_change = '';
  const look = (): void => {
    follower.check();
    if (town_change !== findTownChange()) {
      town_change = findTownChange();
      if (town_change !== '') log.warn(town_change);
    }
    endChores ??= tryLock(layout.chores_lock_file);
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
    pages: createPageStore(layout.pages_dir),
    ...createHeavy(config.calendars_allow, config.draft_model_url),
    onWritten: () => {
      lookForBuild();
      // Whoever is not told looks within a second.
      if (machine !== null && !isFirst()) tellMachines(inbox).catch(() => {});
    },
    bring:
      machine === null
        ? null
        : async (path) => (await unlessFull(() => bring(inbox, config.data_dir, path))) ?? false,
    listWorries: () => [
      ...(limits.isWhole() ? [] : [VALKEY_AWAY]),
      ...(town_change === '' ? [] : [`town: ${town_change}`]),
    ],
    sources: createSourceDoor(config, run),
    readReleaseNews: async () => {
      const last = readLastBuild(layout);
      const { success, failure } = last;
      return {
        is_wanted: (await readAgendaDecision(inbox)) !== follower.current().snapshot.decision,
        is_building: await isBuilding(),
        last: success && { at: success.generated_at, changes: success.changes ?? null },
        failure,
        faults: listFaults(last),
      };
    },
    take: limits.take,
    isLiveKey: createKeyLookup(inbox, clock),
    trusted_proxies: config.trust_proxy,
    lastBuild: () => readLastBuild(layout),
    refusal: () => follower.refusal() ?? machine?.refusal() ?? null,
    isEnding: () => ending.signal.aborted,
    onNote: (event, details) => log.info(details ?? {}, event),
    onError: (thrown, path, request_id) =>
      log.error({ request_id, path: toLoggedPath(path), err: thrown }, 'a request failed'),
  };
  const tally = createRefusalTally((refused) => log.warn({ refused }, 'requests were refused'));
  const server = createFrontServer({
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
    await Promise.all([drain(server), upkeep.stop(), machine?.stop(), metrics?.stop()]);
    endChores?.();
    limits.close();
    await inbox.close();
  };
}

/** The release to begin with, built where there is none. Throws where none can be had. */
async function findFirst(parts: BuildParts, say: Say): Promise<FoundSnapshot> {
  const found = findServable(parts.layout);
  if (found !== null) return found;
  say('There is no release that this version can serve yet: building one.');
  const is_built = await runBuild({ ...parts, say }, 'missing', new AbortController().signal);
  const built = is_built ? findServable(parts.layout) : null;
  if (built === null)
    throw new Error(
      'No release could be built, so there is nothing to serve. What must be mended stands above',
    );
  return built;
}

const MAX_PATH_LENGTH = 200;
const SECRET = [
  ...LANGS.flatMap((lang) => [toStatusPath('', lang), toReaderPath('', lang)]),
  toUploadPath(''),
];

/** The path of an address for the log, without its query; the secret part of one is cut off. */
export function toLoggedPath(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  // Secret in any spelling: encoded, with doubled slashes, in capitals.
  const plain = toCanonicalPath(decodePath(path) ?? path).toLowerCase();
  return SECRET.find((start) => plain.startsWith(start)) ?? path.slice(0, MAX_PATH_LENGTH);
}
