// Following DATA_DIR/current. A candidate is opened in steps beside the release that serves, while the build still
// asks it; when it becomes current, every server only takes it.
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { toPublicReason } from '../../releases/last-build.ts';
import {
  findSound,
  type FoundSnapshot,
  isSound,
  isSoundCandidate,
  type Layout,
  readCurrent,
  toCandidateName,
  toCandidatePath,
  toSnapshotPath,
} from '../../releases/snapshots.ts';
import { isOfTown, readMeta, SCHEMA_VERSION } from '../../snapshot/meta.ts';
import { openSnapshotInSteps } from '../../snapshot/open.ts';
import {
  openRelease,
  type ReleaseRefusal,
  type ReleaseState,
  retire,
  toReleaseState,
} from '../http/request-context.ts';
import type { LoadedCode } from '../site-code.ts';

/** A release that would not open is tried again after this. */
const RETRY_MS = 10_000;

/** The snapshot to serve: the current one, or the newest sound one that this code reads. */
export const findServable = (layout: Layout): FoundSnapshot | null =>
  findSound(layout, ({ meta }) => meta.schema_version === SCHEMA_VERSION && isOfTown(meta));

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
export function followCurrent(
  layout: Layout,
  first: FoundSnapshot,
  code: LoadedCode,
  events: {
    readonly onSwitch: (from: string, to: string) => void;
    /** The release could not be opened; the one before goes on serving. */
    readonly onRefusal: (id: string, thrown: unknown) => void;
  },
) {
  let state = openRelease(first.name, first.path, code);
  let refused: (ReleaseRefusal & { readonly at_ms: number }) | null = null;
  let next: { readonly name: string; state: ReleaseState | null; opening?: Promise<void> } | null =
    null;
  const dropNext = (): void => {
    if (next?.state) retire(next.state);
    next = null;
  };
  /** Opens a candidate, in steps; closes one that is refused. */
  const prepare = async (name: string): Promise<void> => {
    if (name === next?.name) {
      // Refused where it is neither a candidate nor a snapshot.
      const paths = [toCandidatePath(layout, name), toSnapshotPath(layout, name)];
      if (!paths.some((path) => existsSync(path))) dropNext();
      return next?.opening;
    }
    if (name === state.id || !existsSync(toCandidatePath(layout, name))) return;
    dropNext();
    const own: typeof next = { name, state: null };
    next = own;
    own.opening = openAhead(own);
    return own.opening;
  };
  const openAhead = async (own: NonNullable<typeof next>): Promise<void> => {
    const { name } = own;
    try {
      if (!(await isSoundCandidate(layout, name))) return;
      const snapshot = await openSnapshotInSteps(toCandidatePath(layout, name));
      const opened = toReleaseState(name, snapshot, code);
      if (next === own) own.state = opened;
      else retire(opened);
    } catch {
      // It is opened again, and what is wrong with it said, when it is current.
    }
  };
  const open = (name: string): ReleaseState => {
    const opened = next?.name === name ? next.state : null;
    if (opened === null) {
      dropNext();
      if (!isSound(layout, name)) throw new Error(`Snapshot ${name} is damaged`);
      const meta = readMeta(toSnapshotPath(layout, name));
      if (meta && !isOfTown(meta))
        throw new Error('it is of another town.yml, for which this must be restarted');
      return openRelease(name, toSnapshotPath(layout, name), code);
    }
    next = null;
    return opened;
  };
  const check = (): void => {
    const name = readCurrent(layout);
    if (name === null || name === state.id) {
      refused = null;
      return;
    }
    if (name === refused?.release && performance.now() - refused.at_ms < RETRY_MS) return;
    try {
      const before = state;
      state = open(name);
      refused = null;
      retire(before);
      events.onSwitch(before.id, name);
    } catch (thrown) {
      if (name !== refused?.release) events.onRefusal(name, thrown);
      const reason = toPublicReason(layout, thrown);
      refused = { release: name, reason, at_ms: performance.now() };
    }
  };
  const { current_file, snapshots_dir } = layout;
  const watchers = [
    watchFolder(dirname(current_file), (file) => {
      if (file === basename(current_file)) check();
    }),
    watchFolder(snapshots_dir, (file) => {
      const name = toCandidateName(file);
      if (name !== null) void prepare(name);
    }),
  ];
  return {
    stop: (): void => {
      for (const watcher of watchers) watcher?.close();
    },
    current: (): ReleaseState => state,
    refusal: (): ReleaseRefusal | null => refused,
    check,
    prepare,
  };
}
