// Machine: coordinates machines that share a PostgreSQL. One of them holds the lock for tasks that are done once;
// each fetches the published release and makes it current in its own DATA_DIR, which its processes follow.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PICTURES_FOLDER } from '../../domain/pictures.ts';
import { type PostgresSession, openPostgresSession } from '../../inbox/postgres-session.ts';
import type { Inbox } from '../../inbox/open.ts';
import {
  type PublishedRelease,
  getPublishedRelease,
  getBuildReport,
} from '../../inbox/shared-releases.ts';
import { prunePictures } from '../../pictures/fetch-pictures.ts';
import { writeFileDurably } from '../../releases/durable-file.ts';
import { formatPublicReason } from '../../releases/last-build.ts';
import { fetchCandidate, fetchSharedFolder, uploadAssets } from '../../releases/shared-files.ts';
import {
  findSnapshot,
  isSnapshotIntact,
  promoteCandidate,
  type DataLayout,
  pruneSnapshots,
  getCurrentName,
  switchCurrent,
  candidatePath,
} from '../../releases/snapshots.ts';
import { readSnapshotMeta, SCHEMA_VERSION } from '../../snapshot/snapshot-meta.ts';
import type { ReleaseRejection } from '../http/request-context.ts';
import type { SharedReleaseState } from './release-builder.ts';
import type { RunCommand } from './maintenance.ts';

/** PostgreSQL releases the locks of a machine that is silent for this long. */
const LOCK_TIMEOUT_MS = 10_000;
/** A scheduled release waits this long for its warm-up before it goes live; a decided one does not wait. */
const WARM_UP_WAIT_MS = 3_000;
/** A release that could not be fetched is retried after this time. */
const RETRY_MS = 10_000;
const DAY_MS = 86_400_000;

interface MachineOptions {
  readonly database_url: string;
  readonly inbox: Inbox;
  readonly layout: DataLayout;
  readonly log: Logger;
  readonly assets: ReadonlyMap<string, string>;
  readonly clock: () => number;
  /** Creates a function that runs commands until the signal aborts them. */
  readonly run: (signal: AbortSignal) => RunCommand;
  /** Opens a candidate before it goes live. */
  readonly prepare: (name: string) => Promise<void>;
  /** Called if another machine, or a task of this one, changed something. */
  readonly onChange: () => void;
}

export function createMachine(options: MachineOptions) {
  const { database_url, inbox, layout, log, assets, clock, run, prepare, onChange } = options;
  let session: PostgresSession | null = null;
  let published: PublishedRelease | null | 'unknown' = 'unknown';
  let fetch_failure: (ReleaseRejection & { readonly at_ms: number }) | null = null;
  let build_report: string | null = null;
  // The assets were uploaded at the start of this process.
  let assets_uploaded_ms = performance.now();
  let warm_up = new AbortController();
  let is_stopped = false;

  const connect = async (): Promise<void> => {
    if (session?.isConnected()) return;
    const was_connected = session !== null;
    session = null;
    if (was_connected)
      log.warn('the connection to PostgreSQL broke; another machine may build now');
    session = await openPostgresSession(database_url, LOCK_TIMEOUT_MS, onChange);
    if (is_stopped) session.close();
  };

  /** Fetches the published release, warms its pages and makes it current on this machine. */
  const followPublished = async ({ name }: PublishedRelease): Promise<void> => {
    if (!isSnapshotIntact(layout, name)) {
      await fetchCandidate(inbox, layout, name);
      const path = candidatePath(layout, name);
      const current_decision = findSnapshot(layout, getCurrentName(layout))?.meta.decision;
      await prepare(name);
      warm_up.abort();
      warm_up = new AbortController();
      const warm_up_end = run(warm_up.signal)(['release', '--warm', name]);
      // Without a new decision, the release is a scheduled one.
      if (readSnapshotMeta(path)?.decision === current_decision)
        await Promise.race([warm_up_end, sleep(WARM_UP_WAIT_MS)]);
      promoteCandidate(layout, name);
    }
    // Another release may have been published in the meantime.
    if ((await getPublishedRelease(inbox))?.name !== name) return;
    switchCurrent(layout, name);
    pruneSnapshots(layout, clock());
    await fetchSharedFolder(inbox, layout, PICTURES_FOLDER);
    prunePictures(layout.pictures_dir);
  };

  const tryToFollow = async (target: PublishedRelease): Promise<void> => {
    const { name: release } = target;
    if (fetch_failure?.release === release && performance.now() - fetch_failure.at_ms < RETRY_MS)
      return;
    try {
      await followPublished(target);
      fetch_failure = null;
    } catch (err) {
      log.error({ err, release }, 'fetching a release from PostgreSQL failed');
      fetch_failure = {
        release,
        reason: formatPublicReason(layout, err),
        at_ms: performance.now(),
      };
    }
  };
  const isBehind = (target: PublishedRelease): boolean =>
    target.schema_version === SCHEMA_VERSION && getCurrentName(layout) !== target.name;

  const runDueTasks = async (): Promise<void> => {
    await connect();
    published = await getPublishedRelease(inbox);
    const is_newer = (published?.schema_version ?? 0) > SCHEMA_VERSION;
    // A machine whose code cannot read the published release must not build, and leaves the lock to newer ones.
    if (!is_newer) await session?.acquireLock('chores');
    else if (session?.holdsLock('chores')) session.close();
    const report = await getBuildReport(inbox);
    if (report !== null && report !== build_report)
      writeFileDurably(layout.last_build_file, report);
    build_report = report;
    if (performance.now() - assets_uploaded_ms > DAY_MS) {
      assets_uploaded_ms = performance.now();
      await uploadAssets(inbox, layout, assets);
    }
    if (published === null || !isBehind(published)) fetch_failure = null;
    else await tryToFollow(published);
  };
  let running: Promise<void> | null = null;
  let is_unreachable = false;
  return {
    /** Runs due tasks unless they are running. Call it regularly, and after a notification. */
    check: (): void => {
      if (is_stopped) return;
      running ??= runDueTasks()
        .then(
          () => {
            is_unreachable = false;
          },
          (error: unknown) => {
            if (!is_unreachable)
              log.error({ err: error }, 'PostgreSQL is unreachable; the local release stays live');
            is_unreachable = true;
            published = 'unknown';
          },
        )
        .finally(() => {
          running = null;
        });
    },
    /** Returns true if this machine does the tasks that are done once. */
    isPrimary: (): boolean => session?.holdsLock('chores') ?? false,
    getSharedState: (): SharedReleaseState => {
      if (published === 'unknown') return 'unknown';
      if (published === null || published.schema_version < SCHEMA_VERSION) return 'missing';
      if (published.schema_version === SCHEMA_VERSION && !isBehind(published)) return 'here';
      return fetch_failure === null ? 'unknown' : 'missing';
    },
    getRejection: (): ReleaseRejection | null => {
      if (
        published === 'unknown' ||
        published === null ||
        published.schema_version <= SCHEMA_VERSION
      )
        return fetch_failure;
      const reason = `it is of schema ${published.schema_version}, and this program reads ${SCHEMA_VERSION}`;
      return { release: published.name, reason };
    },
    stop: async (): Promise<void> => {
      is_stopped = true;
      warm_up.abort();
      session?.close();
      await running;
    },
  };
}
