// Following DATA_DIR/current. A candidate is opened in steps beside the release that serves, while the build still
// asks it; when it becomes current, every server only takes it.
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

/** A release that would not open is tried again after this. */
const RETRY_MS = 10_000;

/** The snapshot to serve: the current one, or the newest sound one that this code reads. */
export const findServableSnapshot = (layout: DataLayout): SnapshotFile | null =>
  findIntactSnapshot(
    layout,
    ({ meta }) => meta.schema_version === SCHEMA_VERSION && isOfThisTown(meta),
  );

/**
 * Calls `onChange` when a file of the folder is replaced, before any request that comes after that: of several
 * servers none gives a page of an older release to who has seen one of a newer. Null where the system cannot say so.
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

/** Opens a release and follows what is current from then on. Throws where the first cannot be opened. */
export function followCurrentRelease(
  layout: DataLayout,
  first: SnapshotFile,
  code: LoadedCode,
  events: {
    readonly onSwitch: (from: string, to: string) => void;
    /** The release could not be opened; the one before goes on serving. */
    readonly onRefusal: (id: string, thrown: unknown) => void;
  },
) {
  let state = openRelease(first.name, first.path, code);
  let refused: (ReleaseRejection & { readonly at_ms: number }) | null = null;
  let next: { readonly name: string; state: OpenRelease | null; opening?: Promise<void> } | null =
    null;
  const dropNext = (): void => {
    if (next?.state) retireRelease(next.state);
    next = null;
  };
  /** Opens a candidate, in steps; closes one that is refused. */
  const prepare = async (name: string): Promise<void> => {
    if (name === next?.name) {
      // Refused where it is neither a candidate nor a snapshot.
      const paths = [candidatePath(layout, name), snapshotPath(layout, name)];
      if (!paths.some((path) => existsSync(path))) dropNext();
      return next?.opening;
    }
    if (name === state.id || !existsSync(candidatePath(layout, name))) return;
    dropNext();
    const own: typeof next = { name, state: null };
    next = own;
    own.opening = openAhead(own);
    return own.opening;
  };
  const openAhead = async (own: NonNullable<typeof next>): Promise<void> => {
    const { name } = own;
    try {
      if (!(await isCandidateIntact(layout, name))) return;
      const snapshot = await openSnapshotInSteps(candidatePath(layout, name));
      const opened = createOpenRelease(name, snapshot, code);
      if (next === own) own.state = opened;
      else retireRelease(opened);
    } catch {
      // It is opened again, and what is wrong with it said, when it is current.
    }
  };
  const open = (name: string): OpenRelease => {
    const opened = next?.name === name ? next.state : null;
    if (opened === null) {
      dropNext();
      if (!isSnapshotIntact(layout, name)) throw new Error(`Snapshot ${name} is damaged`);
      const meta = readSnapshotMeta(snapshotPath(layout, name));
      if (meta && !isOfThisTown(meta))
        throw new Error('it is of another town.yml, for which this must be restarted');
      return openRelease(name, snapshotPath(layout, name), code);
    }
    next = null;
    return opened;
  };
  const check = (): void => {
    const name = getCurrentName(layout);
    if (name === null || name === state.id) {
      refused = null;
      return;
    }
    if (name === refused?.release && performance.now() - refused.at_ms < RETRY_MS) return;
    try {
      const before = state;
      state = open(name);
      refused = null;
      retireRelease(before);
      events.onSwitch(before.id, name);
    } catch (thrown) {
      if (name !== refused?.release) events.onRefusal(name, thrown);
      const reason = formatPublicReason(layout, thrown);
      refused = { release: name, reason, at_ms: performance.now() };
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
    current: (): OpenRelease => state,
    refusal: (): ReleaseRejection | null => refused,
    check,
    prepare,
  };
}
