// Following DATA_DIR/current: the next release is opened beside the one that serves, then takes its place.
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { toPublicReason } from '../../releases/last-build.ts';
import {
  findSound,
  type FoundSnapshot,
  isSound,
  type Layout,
  readCurrent,
  toSnapshotPath,
} from '../../releases/snapshots.ts';
import { SCHEMA_VERSION } from '../../snapshot/meta.ts';
import {
  openRelease,
  type ReleaseRefusal,
  type ReleaseState,
  retire,
} from '../http/request-context.ts';
import type { LoadedCode } from '../site-code.ts';

/** A release that would not open is tried again after this. */
const RETRY_MS = 10_000;

/** The snapshot to serve: the current one, or the newest sound one that this code reads. */
export const findServable = (layout: Layout): FoundSnapshot | null =>
  findSound(layout, ({ meta }) => meta.schema_version === SCHEMA_VERSION);

/**
 * Calls `onChange` when a file is replaced, before any request that comes after that: of several servers none gives
 * a page of an older release to who has seen one of a newer. Null where the system cannot say so.
 */
function watchFile(file: string, onChange: () => void): FSWatcher | null {
  try {
    const watcher = watch(dirname(file), (_, name) => {
      if (name === basename(file)) onChange();
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
  const check = (): void => {
    const name = readCurrent(layout);
    if (name === null || name === state.id) {
      refused = null;
      return;
    }
    if (name === refused?.release && performance.now() - refused.at_ms < RETRY_MS) return;
    try {
      if (!isSound(layout, name)) throw new Error(`Snapshot ${name} is damaged`);
      const before = state;
      state = openRelease(name, toSnapshotPath(layout, name), code);
      refused = null;
      retire(before);
      events.onSwitch(before.id, name);
    } catch (thrown) {
      if (name !== refused?.release) events.onRefusal(name, thrown);
      const reason = toPublicReason(layout, thrown);
      refused = { release: name, reason, at_ms: performance.now() };
    }
  };
  const watcher = watchFile(layout.current_file, check);
  return {
    /** Ends the watching; what is current then goes on serving. */
    stop: (): void => watcher?.close(),
    /** The release that serves; a request captures it once. */
    current: (): ReleaseState => state,
    /** The release that should serve and does not; null where all is well. */
    refusal: (): ReleaseRefusal | null => refused,
    /** Switches where another release is current. */
    check,
  };
}
