// One serving process: follows the current release and responds until it is stopped.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { toSite } from '../../domain/site.ts';
import { createKeyLookup } from '../../inbox/api-keys.ts';
import { openInbox } from '../../inbox/open.ts';
import { createIntake } from '../../pictures/intake.ts';
import { createPainter } from '../../pictures/painter.ts';
import { createPosterStore } from '../../pictures/poster-store.ts';
import { digestMakers } from '../../releases/digests.ts';
import { readLastBuild } from '../../releases/last-build.ts';
import { toLayout, toReleasePaths } from '../../releases/layout.ts';
import { mayFollow, readOwner } from '../../releases/owner.ts';
import { readReleaseFacts } from '../../releases/release-facts.ts';
import { readReleaseNews, requestRelease } from '../../releases/request-release.ts';
import { createQueues } from '../http/admit.ts';
import { createCalendarDoor } from '../http/calendar-door.ts';
import { CONNECTION_LIMITS } from '../http/connections.ts';
import { onceForwarded } from '../http/forwarded.ts';
import { createFrontServer } from '../http/front-server.ts';
import { createRefusalTally } from '../http/refusals.ts';
import { openRelease, type ReleaseState } from '../http/release-state.ts';
import type { ServiceContext } from '../http/request-context.ts';
import { createBundleLoader } from '../http/site-bundle.ts';
import { createRateCounter } from '../http/rates.ts';
import { createUploadDoor } from '../http/uploads.ts';
import type { ReadFigures } from '../metrics/gather.ts';
import { toConnectionLimit } from './descriptors.ts';
import { followCurrent, type Following } from './follow-current.ts';
import { drain, listen } from './listen.ts';
import { toLoggedPath } from './log.ts';
import { createSharedCount } from './shared-count.ts';
import { smokeTestSwitch } from './smoke-candidate.ts';

/** A process that serves. */
export interface Serving {
  /** Ends within five seconds. */
  readonly stop: () => Promise<void>;
  /** What is measured; nothing where nothing is. */
  readonly readFigures: ReadFigures;
}

/**
 * This process handles no other request while it waits for a writer, so it waits before, at the gate
 * (inbox-gate.ts); this is for two that came through it at once: a write takes milliseconds, a busy disk more.
 */
const INBOX_PATIENCE_MS = 250;

/** How a process serves. */
interface ServingOptions {
  /** Whether requests are counted together with other processes. */
  readonly is_shared: boolean;
  /** The name of the service that it belongs to. */
  readonly service: string;
  /** Called where a proxy stands in front and TRUST_PROXY is 0. */
  readonly tellForwarded: () => void;
}

/** Opens the current release and listens. */
export async function serve(
  config: Config,
  clock: () => number,
  log: Logger,
  { is_shared, service: name, tellForwarded }: ServingOptions,
): Promise<Serving> {
  logRejections(log);
  const layout = toLayout(config.data_dir);
  const site = toSite(config);
  const inbox = openInbox(join(config.data_dir, 'inbox.db'));
  inbox.pragma(`busy_timeout = ${INBOX_PATIENCE_MS}`);
  let following: Following | null = null;
  let is_ending = false;
  const service: ServiceContext = {
    site,
    rebuild_hours: config.rebuild_hours,
    inbox,
    paint: createPainter(createPosterStore(layout.posters_dir)),
    uploads: createUploadDoor(createIntake()),
    calendars: createCalendarDoor(config.calendars_allow),
    queues: createQueues(),
    requestRelease: () => requestRelease(layout),
    readReleaseNews: () => readReleaseNews(layout),
    access: {
      site,
      count: createRateCounter(
        { address: config.rate_limit, key: config.rate_limit_key },
        is_shared ? createSharedCount() : null,
      ),
      isLiveKey: createKeyLookup(inbox, clock),
      trusted_proxies: config.trust_proxy,
    },
    watch: {
      lastBuild: () => readLastBuild(layout),
      refusal: () => following?.refusal() ?? null,
      isEnding: () => is_ending,
      replacedBy: () => {
        const owner = readOwner(layout);
        return owner === null || owner.service === name || !owner.is_ready ? null : owner.port;
      },
    },
    onNote: (event, details) => log.info(details ?? {}, event),
    onError: (thrown, path, request_id) =>
      log.error({ request_id, path: toLoggedPath(path), err: thrown }, 'a request failed'),
  };
  const loadBundle = createBundleLoader();
  const open = async (id: string): Promise<ReleaseState> =>
    smokeTestSwitch(await openRelease(join(layout.releases_dir, id), loadBundle), service, clock());
  const made_with = digestMakers(config);
  const isOurs = (id: string): boolean => {
    const { facts } = toReleasePaths(join(layout.releases_dir, id));
    // One that cannot be read is refused, and why is said, when it is opened.
    return !existsSync(facts) || mayFollow(layout, made_with, readReleaseFacts(facts));
  };
  const followed = await followCurrent(layout, open, isOurs, {
    onSwitch: (from, to) => log.info({ from, to }, 'release switched'),
    onRefusal: (id, thrown) =>
      log.error({ err: thrown, release: id }, 'release refused, the one before goes on serving'),
  });
  following = followed;
  const measures =
    config.metrics === null
      ? null
      : // Loaded where it is wanted only.
        (await import('../metrics/serving-figures.ts')).measureServing(
          service,
          followed.current,
          clock,
        );
  const tally = createRefusalTally((refused) => log.warn({ refused }, 'requests were refused'));
  const server = createFrontServer({
    service,
    meter: measures?.meter,
    current: followed.current,
    clock,
    limits: {
      all: toConnectionLimit(CONNECTION_LIMITS.all),
      ...(config.trust_proxy > 0 ? { of_address: null } : {}),
    },
    onRefused: (kind) => {
      measures?.meter.refuse(kind);
      tally(kind);
    },
    ...(log.isLevelEnabled('debug')
      ? {
          onResponse: ({ path, ...line }) =>
            log.debug({ ...line, path: toLoggedPath(path) }, 'answered'),
        }
      : {}),
  });
  onceForwarded(server, config.trust_proxy, tellForwarded);
  await listen(server, config);
  return {
    readFigures: measures?.readFigures ?? (async () => []),
    stop: async () => {
      is_ending = true;
      followed.stop();
      await drain(server);
      inbox.close();
    },
  };
}

/**
 * A promise that was rejected without being awaited, as a page may leave behind when another part of
 * it fails, is logged; the process goes on.
 */
function logRejections(log: Logger): void {
  process.on('unhandledRejection', (reason) =>
    log.error({ err: reason }, 'a promise was rejected that was not awaited'),
  );
}
