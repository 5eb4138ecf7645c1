// Following DATA_DIR/current: the next release is opened beside the one that serves, then takes its place.
import { statSync } from 'node:fs';
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
  let seen = '';
  const check = (): void => {
    // Each request of several servers comes by here: the file is read once it is another.
    const { ino = 0, mtimeMs = 0 } = statSync(layout.current_file, { throwIfNoEntry: false }) ?? {};
    if (refused === null && seen === `${ino} ${mtimeMs}`) return;
    seen = `${ino} ${mtimeMs}`;
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
  return {
    /** The release that serves; a request captures it once. */
    current: (): ReleaseState => state,
    /** The release that should serve and does not; null where all is well. */
    refusal: (): ReleaseRefusal | null => refused,
    /** Switches where another release is current. */
    check,
  };
}
