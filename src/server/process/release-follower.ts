// Release follower: watches DATA_DIR/current and switches to the current release. A candidate is
// opened in steps while the build still smoke-tests it, so that the switch itself is immediate.
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { formatPublicReason } from '../../releases/last-build.ts';
import {
  findIntactSnapshot,
  type SnapshotFile,
  isSnapshotIntact,
  isCandidateIntact,
  type DataLayout,
  getCurrentName,
  candidateName,
  candidatePath,
  snapshotPath,
} from '../../releases/snapshots.ts';
import { isOfThisTown, readSnapshotMeta, SCHEMA_VERSION } from '../../snapshot/snapshot-meta.ts';
import { openSnapshotInSteps } from '../../snapshot/open-snapshot.ts';
import {
  openRelease,
  type ReleaseRejection,
  type OpenRelease,
  retireRelease,
  createOpenRelease,
} from '../http/request-context.ts';
import type { LoadedCode } from '../load-site-code.ts';

/** A release that could not be opened is retried after this time. */
const RETRY_MS = 10_000;

/**
 * Finds the snapshot to serve: the current one, or the newest intact one that this code can read.
 */
export const findServableSnapshot = (layout: DataLayout): SnapshotFile | null =>
  findIntactSnapshot(
    layout,
    ({ meta }) => meta.schema_version === SCHEMA_VERSION && isOfThisTown(meta),
  );

/**
 * Watches a folder for replaced files. `onChange` is called before any later request is handled, so
 * that no server process shows an older release to a visitor who has seen a newer one.
 * @returns null if the system does not support it.
 */
function watchFolder(folder: string, onChange: (file: string) => void): FSWatcher | null {
  try {
    const watcher = watch(folder, (_, file) => {
      if (file !== null) onChange(file);
    });
    return watcher.on('error', () => watcher.close()).unref();
  } catch {
    return null;
  }
}

/**
 * Opens a release and follows the current one from then on.
 * @throws if the first release cannot be opened.
 */
export function followCurrentRelease(
  layout: DataLayout,
  first_snapshot: SnapshotFile,
  code: LoadedCode,
  events: {
    readonly onSwitch: (from: string, to: string) => void;
    /** Called if the new release cannot be opened; the previous one stays live. */
    readonly onRejection: (id: string, error: unknown) => void;
  },
) {
  let release = openRelease(first_snapshot.name, first_snapshot.path, code);
  /** The current release, if it could not be opened; `at_ms` is on a monotonic clock. */
  let rejection: (ReleaseRejection & { readonly at_ms: number }) | null = null;
  /** Candidate that is opened in advance; its `release` is null until it is open. */
  let candidate: {
    readonly name: string;
    release: OpenRelease | null;
    opening?: Promise<void>;
  } | null = null;
  const dropCandidate = (): void => {
    if (candidate?.release) retireRelease(candidate.release);
    candidate = null;
  };
  /** Opens a candidate in steps; closes the previous one if it was rejected. */
  const prepare = async (name: string): Promise<void> => {
    if (name === candidate?.name) {
      // A candidate that was rejected by the build has neither file.
      const paths = [candidatePath(layout, name), snapshotPath(layout, name)];
      if (!paths.some((path) => existsSync(path))) dropCandidate();
      return candidate?.opening;
    }
    if (name === release.id || !existsSync(candidatePath(layout, name))) return;
    dropCandidate();
    const new_candidate: typeof candidate = { name, release: null };
    candidate = new_candidate;
    new_candidate.opening = openCandidate(new_candidate);
    return new_candidate.opening;
  };
  const openCandidate = async (target: NonNullable<typeof candidate>): Promise<void> => {
    const { name } = target;
    try {
      if (!(await isCandidateIntact(layout, name))) return;
      const snapshot = await openSnapshotInSteps(candidatePath(layout, name));
      const opened = createOpenRelease(name, snapshot, code);
      if (candidate === target) target.release = opened;
      else retireRelease(opened);
    } catch {
      // If it becomes current, it is opened again and the error is reported.
    }
  };
  /** Returns the prepared candidate, or opens the snapshot now. */
  const open = (name: string): OpenRelease => {
    const opened = candidate?.name === name ? candidate.release : null;
    if (opened === null) {
      dropCandidate();
      if (!isSnapshotIntact(layout, name)) throw new Error(`Snapshot ${name} is damaged`);
      const meta = readSnapshotMeta(snapshotPath(layout, name));
      if (meta && !isOfThisTown(meta))
        throw new Error('it was built with another town.yml; restart the service');
      return openRelease(name, snapshotPath(layout, name), code);
    }
    candidate = null;
    return opened;
  };
  /** Switches to the current release, if it has changed. */
  const check = (): void => {
    const name = getCurrentName(layout);
    if (name === null || name === release.id) {
      rejection = null;
      return;
    }
    if (name === rejection?.release && performance.now() - rejection.at_ms < RETRY_MS) return;
    try {
      const previous = release;
      release = open(name);
      rejection = null;
      retireRelease(previous);
      events.onSwitch(previous.id, name);
    } catch (error) {
      if (name !== rejection?.release) events.onRejection(name, error);
      const reason = formatPublicReason(layout, error);
      rejection = { release: name, reason, at_ms: performance.now() };
    }
  };
  const { current_file, snapshots_dir } = layout;
  const watchers = [
    watchFolder(dirname(current_file), (file) => {
      if (file === basename(current_file)) check();
    }),
    watchFolder(snapshots_dir, (file) => {
      const name = candidateName(file);
      if (name !== null) void prepare(name);
    }),
  ];
  return {
    stop: (): void => {
      for (const watcher of watchers) watcher?.close();
    },
    getRelease: (): OpenRelease => release,
    getRejection: (): ReleaseRejection | null => rejection,
    check,
    prepare,
  };
}
