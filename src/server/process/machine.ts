// A machine among others that share a PostgreSQL: which of them does what is done once, what another has published, and
// bringing that here. Its own DATA_DIR/current is what its processes follow.
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

/** After which silence PostgreSQL gives its locks to another machine. */
const IDLE_MS = 10_000;
/** What is scheduled waits so long for its pages; what was decided does not. */
const WARM_MS = 3_000;
/** What could not be brought is tried again after this. */
const RETRY_MS = 10_000;
const DAY_MS = 86_400_000;

interface MachineParts {
  readonly database_url: string;
  readonly inbox: Inbox;
  readonly layout: DataLayout;
  readonly log: Logger;
  readonly assets: ReadonlyMap<string, string>;
  readonly clock: () => number;
  /** Runs a command until another is run. */
  readonly run: (signal: AbortSignal) => RunCommand;
  /** Opens a candidate ahead. */
  readonly prepare: (name: string) => Promise<void>;
  /** Told when something here or elsewhere has changed. */
  readonly onNews: () => void;
}

export function createMachine(parts: MachineParts) {
  const { database_url, inbox, layout, log, assets, clock, run, prepare, onNews } = parts;
  let link: PostgresSession | null = null;
  let known: PublishedRelease | null | 'unknown' = 'unknown';
  let failed: (ReleaseRejection & { readonly at_ms: number }) | null = null;
  let report: string | null = null;
  // They were shared before this machine served anything.
  let shared_ms = performance.now();
  let warming = new AbortController();
  let is_stopped = false;

  const connect = async (): Promise<void> => {
    if (link?.isThere()) return;
    const was_there = link !== null;
    link = null;
    if (was_there) log.warn('the connection to PostgreSQL broke; another machine may build now');
    link = await openPostgresSession(database_url, IDLE_MS, onNews);
    if (is_stopped) link.end();
  };

  /** Brings what is published and makes it current here, warm where nobody waits for it. */
  const follow = async ({ name }: PublishedRelease): Promise<void> => {
    if (!isSnapshotIntact(layout, name)) {
      await fetchCandidate(inbox, layout, name);
      const path = candidatePath(layout, name);
      const before = findSnapshot(layout, getCurrentName(layout))?.meta.decision;
      await prepare(name);
      warming.abort();
      warming = new AbortController();
      const warmed = run(warming.signal)(['release', '--warm', name]);
      if (readSnapshotMeta(path)?.decision === before) await Promise.race([warmed, sleep(WARM_MS)]);
      promoteCandidate(layout, name);
    }
    // Another may have been published meanwhile.
    if ((await getPublishedRelease(inbox))?.name !== name) return;
    switchCurrent(layout, name);
    pruneSnapshots(layout, clock());
    await fetchSharedFolder(inbox, layout, PICTURES_FOLDER);
    prunePictures(layout.pictures_dir);
  };

  const tryToFollow = async (published: PublishedRelease): Promise<void> => {
    const { name: release } = published;
    if (failed?.release === release && performance.now() - failed.at_ms < RETRY_MS) return;
    try {
      await follow(published);
      failed = null;
    } catch (err) {
      log.error({ err, release }, 'a release could not be brought from PostgreSQL');
      failed = { release, reason: formatPublicReason(layout, err), at_ms: performance.now() };
    }
  };
  const isBehind = (published: PublishedRelease): boolean =>
    published.schema_version === SCHEMA_VERSION && getCurrentName(layout) !== published.name;

  const work = async (): Promise<void> => {
    await connect();
    known = await getPublishedRelease(inbox);
    const is_newer = (known?.schema_version ?? 0) > SCHEMA_VERSION;
    // Whoever cannot read what serves builds nothing, and leaves it to who can.
    if (!is_newer) await link?.hold('chores');
    else if (link?.has('chores')) link.end();
    const said = await getBuildReport(inbox);
    if (said !== null && said !== report) writeFileDurably(layout.last_build_file, said);
    report = said;
    if (performance.now() - shared_ms > DAY_MS) {
      shared_ms = performance.now();
      await uploadAssets(inbox, layout, assets);
    }
    if (known === null || !isBehind(known)) failed = null;
    else await tryToFollow(known);
  };
  let working: Promise<void> | null = null;
  let is_away = false;
  return {
    /** Does what is due, unless it is at it. To be called now and then, and with news. */
    look: (): void => {
      if (is_stopped) return;
      working ??= work()
        .then(
          () => {
            is_away = false;
          },
          (thrown: unknown) => {
            if (!is_away) log.error({ err: thrown }, 'PostgreSQL is away; what is here serves');
            is_away = true;
            known = 'unknown';
          },
        )
        .finally(() => {
          working = null;
        });
    },
    /** Whether this machine does what is done once. */
    isFirst: (): boolean => link?.has('chores') ?? false,
    readShared: (): SharedReleaseState => {
      if (known === 'unknown') return 'unknown';
      if (known === null || known.schema_version < SCHEMA_VERSION) return 'missing';
      if (known.schema_version === SCHEMA_VERSION && !isBehind(known)) return 'here';
      return failed === null ? 'unknown' : 'missing';
    },
    refusal: (): ReleaseRejection | null => {
      if (known === 'unknown' || known === null || known.schema_version <= SCHEMA_VERSION)
        return failed;
      const reason = `it is of schema ${known.schema_version}, and this program reads ${SCHEMA_VERSION}`;
      return { release: known.name, reason };
    },
    stop: async (): Promise<void> => {
      is_stopped = true;
      warming.abort();
      link?.end();
      await working;
    },
  };
}
