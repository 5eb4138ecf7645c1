// Machine: lets several machines that share a PostgreSQL serve the same release. One of them, the
// primary machine, holds a lock and does the tasks that only one may do: builds, backups and
// maintenance. It publishes each release in PostgreSQL; every machine fetches the published release
// and makes it current in its own DATA_DIR, which its server processes watch.
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
import type { ReportTask } from './task-report.ts';

/** PostgreSQL releases the locks of a machine that is silent for this long. */
const LOCK_TIMEOUT_MS = 10_000;
/**
 * A scheduled release waits this long for its warm-up before it goes live; a release because of an
 * editor's decision does not wait.
 */
const WARM_UP_WAIT_MS = 3_000;
/** A release that could not be fetched is retried after this time. */
const RETRY_MS = 10_000;
const DAY_MS = 86_400_000;
/** Lock of the machine that does the tasks that only one machine may do. */
const PRIMARY_LOCK = 'chores';

interface MachineOptions {
  readonly database_url: string;
  readonly inbox: Inbox;
  readonly layout: DataLayout;
  readonly log: Logger;
  readonly report: ReportTask;
  /** Files of this version's pages (style sheets, scripts), by URL path. */
  readonly assets: ReadonlyMap<string, string>;
  readonly clock: () => number;
  /** Creates a function that runs commands until the signal aborts them. */
  readonly createCommandRunner: (signal: AbortSignal) => RunCommand;
  /** Lets this process open a candidate, so that it can switch to it at once when it goes live. */
  readonly prepare: (name: string) => Promise<void>;
  /** Called if another machine reports a change, such as a new release or decision. */
  readonly onChange: () => void;
}

/**
 * Creates the part of a server process that keeps its machine in step with the others. Call `check`
 * regularly.
 */
export function createMachine(options: MachineOptions) {
  const {
    database_url,
    inbox,
    layout,
    log,
    report,
    assets,
    clock,
    createCommandRunner,
    prepare,
    onChange,
  } = options;
  let session: PostgresSession | null = null;
  /**
   * Null if no release is published; 'unknown' before the first query and while PostgreSQL is
   * unreachable.
   */
  let published: PublishedRelease | null | 'unknown' = 'unknown';
  /** Failure to fetch the published release, until it succeeds; `at_ms` is on a monotonic clock. */
  let fetch_failure: (ReleaseRejection & { readonly at_ms: number }) | null = null;
  /** Content of last-build.json that the machine with the last build shared. */
  let build_report: string | null = null;
  // The assets were uploaded at the start of this process.
  let assets_uploaded_ms = performance.now();
  let warm_up = new AbortController();
  let is_stopped = false;

  /** Opens the session with PostgreSQL if it is not connected. */
  const connect = async (): Promise<void> => {
    if (session?.isConnected()) return;
    const was_connected = session !== null;
    session = null;
    if (was_connected) log.warn('the connection to PostgreSQL broke, and its locks were released');
    session = await openPostgresSession(database_url, LOCK_TIMEOUT_MS, onChange);
    if (is_stopped) session.close();
  };

  /** Fetches the published release, warms its pages and makes it current on this machine. */
  const adoptRelease = async ({ name }: PublishedRelease): Promise<void> => {
    if (!isSnapshotIntact(layout, name)) {
      await fetchCandidate(inbox, layout, name);
      const path = candidatePath(layout, name);
      const current_decision = findSnapshot(layout, getCurrentName(layout))?.meta.decision;
      await prepare(name);
      warm_up.abort();
      warm_up = new AbortController();
      const runCommand = createCommandRunner(warm_up.signal);
      const warm_up_end = runCommand(['release', '--warm', name]).then((result) => {
        if (result === null) return;
        if (result.problem !== null) log.error(result, 'the warm-up of a release failed');
        report('warm-up', result.problem);
      });
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

  /** Adopts the published release, or records why it failed. Pauses after a failure. */
  const tryToAdoptRelease = async (published_release: PublishedRelease): Promise<void> => {
    const { name: release } = published_release;
    if (fetch_failure?.release === release && performance.now() - fetch_failure.at_ms < RETRY_MS)
      return;
    try {
      await adoptRelease(published_release);
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
  /** Returns true if this program can read the published release, but it is not current here. */
  const isBehind = ({ name, schema_version }: PublishedRelease): boolean =>
    schema_version === SCHEMA_VERSION && getCurrentName(layout) !== name;

  /** Competes for the lock, shares the build report and the assets, and adopts a new release. */
  const runDueTasks = async (): Promise<void> => {
    await connect();
    published = await getPublishedRelease(inbox);
    const is_newer = (published?.schema_version ?? 0) > SCHEMA_VERSION;
    // A machine whose code cannot read the published release must not build, and leaves the lock to
    // newer ones. Closing the session releases the lock; the next round connects again.
    if (!is_newer) await session?.acquireLock(PRIMARY_LOCK);
    else if (session?.holdsLock(PRIMARY_LOCK)) session.close();
    const report = await getBuildReport(inbox);
    if (report !== null && report !== build_report)
      writeFileDurably(layout.last_build_file, report);
    build_report = report;
    if (performance.now() - assets_uploaded_ms > DAY_MS) {
      assets_uploaded_ms = performance.now();
      await uploadAssets(inbox, layout, assets);
    }
    if (published === null || !isBehind(published)) fetch_failure = null;
    else await tryToAdoptRelease(published);
  };
  let running: Promise<void> | null = null;
  /** Why this machine does not keep in step, for /statusz; null if it does. */
  let problem: string | null = null;
  return {
    /** Runs due tasks unless they are running. Call it regularly, and after a notification. */
    check: (): void => {
      if (is_stopped) return;
      running ??= runDueTasks()
        .then(
          () => {
            problem = null;
          },
          (error: unknown) => {
            if (problem === null)
              log.error({ err: error }, 'following releases failed; the local one stays live');
            problem = formatPublicReason(layout, error);
            published = 'unknown';
          },
        )
        .finally(() => {
          running = null;
        });
    },
    /** Returns true if this machine does the tasks that only one machine may do. */
    isPrimary: (): boolean => session?.holdsLock(PRIMARY_LOCK) ?? false,
    /**
     * Returns the state of the published release, which decides if this machine may or must build
     * one.
     */
    getSharedState: (): SharedReleaseState => {
      if (published === 'unknown') return 'unknown';
      if (published === null || published.schema_version < SCHEMA_VERSION) return 'build_needed';
      if (published.schema_version === SCHEMA_VERSION && !isBehind(published)) return 'current';
      // Still being fetched, or of a newer program. A release that cannot be fetched must be
      // replaced.
      return fetch_failure === null ? 'unknown' : 'build_needed';
    },
    /**
     * Returns why the published release is not live here, for /healthz; null if it is, or if there
     * is none.
     */
    getRejection: (): ReleaseRejection | null => {
      if (published === 'unknown' || published === null) return fetch_failure;
      if (published.schema_version <= SCHEMA_VERSION) return fetch_failure;
      const reason = `it is of schema ${published.schema_version}, and this program reads ${SCHEMA_VERSION}`;
      return { release: published.name, reason };
    },
    /** Lists for /statusz why releases of other machines do not arrive here. */
    listProblems: (): readonly string[] =>
      problem === null ? [] : [`sharing: releases do not arrive: ${problem}`],
    /** Aborts the warm-up and ends the session, which releases the lock. */
    stop: async (): Promise<void> => {
      is_stopped = true;
      warm_up.abort();
      session?.close();
      await running;
    },
  };
}
