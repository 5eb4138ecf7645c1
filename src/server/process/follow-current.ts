// Following data/current: the next release is opened and tested beside the one that serves, then
// takes its place.
import { type Layout, readCurrent } from '../../releases/layout.ts';
import { toPublicReason } from '../../releases/last-build.ts';
import type { ReleaseRefusal } from '../http/health.ts';
import { type ReleaseState, retire } from '../http/release-state.ts';

const POLL_MS = 100;
/** A release that would not open is tried again after this. */
const RETRY_MS = 10_000;
/** Stands where data/current names none. */
const NO_RELEASE = 'none';

/** Which release serves. */
export interface Following {
  /** The release that serves now; a request captures it once. */
  readonly current: () => ReleaseState;
  /**
   * The release that should serve and does not, for it was refused, or `none` where none is named;
   * null where all is well.
   */
  readonly refusal: () => ReleaseRefusal | null;
  readonly stop: () => void;
}

/** What the log is told. */
export interface FollowEvents {
  readonly onSwitch: (from: string, to: string) => void;
  /** The release could not be opened, or failed its tests; the one before goes on serving. */
  readonly onRefusal: (id: string, thrown: unknown) => void;
}

/**
 * Opens the current release and follows those that are `isOurs`. `open` gives a state that is fit to serve, or
 * throws.
 */
export async function followCurrent(
  layout: Layout,
  open: (id: string) => Promise<ReleaseState>,
  isOurs: (id: string) => boolean,
  events: FollowEvents,
): Promise<Following> {
  const first = readCurrent(layout);
  if (first === null) throw new Error('There is no release to serve. Run "npm run release"');
  let state = await open(first);
  let is_busy = false;
  let refused: (ReleaseRefusal & { readonly at_ms: number }) | null = null;
  const refuse = (id: string, thrown: unknown): void => {
    if (id !== refused?.release) events.onRefusal(id, thrown);
    refused = { release: id, reason: toPublicReason(layout, thrown), at_ms: performance.now() };
  };
  const check = async (): Promise<void> => {
    if (is_busy) return;
    const id = readCurrent(layout);
    if (id === null)
      return refuse(NO_RELEASE, new Error('data/current is missing or names no release'));
    if (id === state.id) refused = null;
    if (
      id === state.id ||
      (id === refused?.release && performance.now() - refused.at_ms < RETRY_MS)
    )
      return;
    is_busy = true;
    try {
      if (!isOurs(id)) return;
      const next = await open(id);
      const before = state;
      state = next;
      refused = null;
      retire(before);
      events.onSwitch(before.id, id);
    } catch (thrown) {
      refuse(id, thrown);
    } finally {
      is_busy = false;
    }
  };
  const timer = setInterval(() => void check(), POLL_MS);
  return { current: () => state, refusal: () => refused, stop: () => clearInterval(timer) };
}
