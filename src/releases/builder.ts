// Who builds the releases of a service: a process of its own for each. One can be begun ahead and stands by
// (stand-by.ts), so that whoever asks for a release does not wait for its code to load.
import {
  type ReleaseOrder,
  type Spawned,
  spawnRelease,
  spawnTethered,
  tellEnding,
} from './spawn.ts';
import type { Say } from './progress.ts';
import { OTHER_CODE, toOrderLine } from './stand-by.ts';

export interface Builder {
  /** Begins a process that stands by, unless one does; `say` takes its lines until it has an order. */
  readonly prepare: (say: Say) => void;
  /** Ends the one that stands by. */
  readonly dismiss: () => void;
  readonly isPrepared: () => boolean;
  /** As spawnRelease, by the process that stands by where there is one. */
  readonly build: (order: Omit<ReleaseOrder, 'run_script'>) => Promise<boolean>;
}

/** A process that stands by, or builds. */
interface Ready extends Spawned {
  readonly end: () => void;
  /** Who takes its lines from now on. */
  readonly sayTo: (say: Say) => void;
}

/** `run_script` runs a command by its name. */
export function createBuilder(run_script: string): Builder {
  let ready: Ready | null = null;
  const prepare = (say: Say): void => {
    if (ready !== null) return;
    const begun = begin(run_script, say);
    ready = begun;
    void begun.ended.then(() => {
      if (ready === begun) ready = null;
    });
  };
  return {
    prepare,
    isPrepared: () => ready !== null,
    dismiss: () => {
      ready?.end();
      ready = null;
    },
    build: async (order) => {
      const taken = ready;
      ready = null;
      const is_built = taken === null ? null : await buildWith(taken, order);
      return is_built ?? spawnRelease({ ...order, run_script });
    },
  };
}

function begin(run_script: string, say: Say): Ready {
  const ending = new AbortController();
  let take = say;
  const spawned = spawnTethered({
    command: [run_script, 'release', '--stand-by'],
    cwd: process.cwd(),
    env: {},
    onLine: (line) => take(line),
    signal: ending.signal,
    is_told: true,
  });
  return {
    ...spawned,
    end: () => ending.abort(),
    sayTo: (other) => {
      take = other;
    },
  };
}

/** Whether it built it; null where it has other code by now, and did nothing. */
async function buildWith(
  ready: Ready,
  order: Omit<ReleaseOrder, 'run_script'>,
): Promise<boolean | null> {
  const { now_ms, is_pinned, is_urgent, say, signal } = order;
  ready.sayTo(say);
  if (signal?.aborted) ready.end();
  signal?.addEventListener('abort', ready.end, { once: true });
  if (!is_urgent) ready.lower();
  ready.tell(toOrderLine({ now_ms: is_pinned ? now_ms : null }));
  const ending = await ready.ended;
  signal?.removeEventListener('abort', ready.end);
  return ending.code === OTHER_CODE ? null : tellEnding(ending, order);
}
