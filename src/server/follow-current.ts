// Following data/current: the next release is opened and probed beside the one that serves, then takes its place.
import { readCurrent } from '../releases/current.ts';
import type { Layout } from '../releases/layout.ts';
import { type ReleaseState, retire } from './release-state.ts';

const POLL_MS = 500;
/** A release that would not open is tried again after this. */
const RETRY_MS = 10_000;

export interface Following {
  /** The release that serves now; a request captures it once. */
  readonly current: () => ReleaseState;
  readonly stop: () => void;
}

export interface FollowEvents {
  readonly onSwitch: (from: string, to: string) => void;
  /** The release could not be opened, or answered wrongly; what served goes on. */
  readonly onRefusal: (id: string, thrown: unknown) => void;
}

/** Opens the current release and follows. `open` gives a state that is fit to serve, or throws. */
export async function followCurrent(layout: Layout, open: (id: string) => Promise<ReleaseState>, events: FollowEvents): Promise<Following> {
  const first = readCurrent(layout);
  if (first === null) throw new Error('There is no release to serve. Run "npm run release"');
  let state = await open(first);
  let is_busy = false;
  let refused = { id: '', at_ms: 0 };
  const look = async (): Promise<void> => {
    const id = readCurrent(layout);
    if (id === null || id === state.id || is_busy) return;
    if (id === refused.id && performance.now() - refused.at_ms < RETRY_MS) return;
    is_busy = true;
    try {
      const next = await open(id);
      const before = state;
      state = next;
      retire(before);
      events.onSwitch(before.id, id);
    } catch (thrown) {
      if (id !== refused.id) events.onRefusal(id, thrown);
      refused = { id, at_ms: performance.now() };
    } finally {
      is_busy = false;
    }
  };
  const timer = setInterval(() => void look(), POLL_MS);
  return { current: () => state, stop: () => clearInterval(timer) };
}
