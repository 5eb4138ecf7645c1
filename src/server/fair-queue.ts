// The queue before whatever is heavy: so much of it at once, one sender after the other, and no more inside or
// waiting than there is room for.

export interface QueueLimits {
  readonly at_once: number;
  /** Begun or waiting, of one sender and of all. */
  readonly of_one: number;
  readonly of_all: number;
}

/** Thrown where there is no more room: for this sender (429), or for anybody (503). */
export class QueueFullError extends Error {
  readonly status: 429 | 503;
  /** What waits is done by then. */
  readonly retry_seconds = 5;
  constructor(status: 429 | 503) {
    super(`Too much waits (${status})`);
    this.status = status;
  }
}

/** Runs a sender's work in its turn. Throws what the work throws, and QueueFullError. */
export type RunInTurn = <T>(sender: string, work: () => Promise<T>) => Promise<T>;

/** For how long whoever comes goes first. */
const LONGEST_DEFERRED_MS = 100;

/**
 * Work begins when nobody new has come for a moment, by `countArrivals`: Node lets in one connection for each
 * round of its loop, and with a page made in each a reader would wait for as many pages as there are connections.
 */
export function createFairQueue(
  { at_once, of_one, of_all }: QueueLimits,
  countArrivals: () => number = () => 0,
): RunInTurn {
  const waiting = new Map<string, (() => void)[]>();
  /** Begun or waiting, by sender. */
  const inside = new Map<string, number>();
  let [all, running, is_called] = [0, 0, false];
  let [arrived, deferred_since_ms] = [0, 0];
  const begin = (): void => {
    const seen = arrived;
    arrived = countArrivals();
    if (arrived !== seen && performance.now() - deferred_since_ms < LONGEST_DEFERRED_MS) {
      setImmediate(begin);
      return;
    }
    is_called = false;
    const [sender, works] = waiting.entries().next().value ?? ['', []];
    const work = running < at_once ? works.shift() : undefined;
    if (work === undefined) return;
    // Whoever has more stands behind the others.
    waiting.delete(sender);
    if (works.length > 0) waiting.set(sender, works);
    running++;
    work();
    call();
  };
  const call = (): void => {
    if (is_called || waiting.size === 0 || running >= at_once) return;
    is_called = true;
    deferred_since_ms = performance.now();
    setImmediate(begin);
  };
  const leave = (sender: string): void => {
    running--;
    all--;
    const left = (inside.get(sender) ?? 1) - 1;
    if (left > 0) inside.set(sender, left);
    else inside.delete(sender);
    call();
  };
  return (sender, work) => {
    const own = inside.get(sender) ?? 0;
    if (own >= of_one) return Promise.reject(new QueueFullError(429));
    if (all >= of_all) return Promise.reject(new QueueFullError(503));
    inside.set(sender, own + 1);
    all++;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(sender, [...(waiting.get(sender) ?? []), resolve]);
    call();
    return promise.then(work).finally(() => leave(sender));
  };
}
