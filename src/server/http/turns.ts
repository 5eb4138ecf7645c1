// Work that takes its turn: so much of it at once, one sender after the other, each piece begun when nobody new
// has come for a moment: Node lets in one connection for each round of its loop, so that with a page made in
// each round a reader would wait for as many pages as there are connections before the own.

/** How much of it there may be. */
export interface TurnLimits {
  readonly at_once: number;
  /** Waiting, of one sender and of all. */
  readonly of_one: number;
  readonly of_all: number;
}

/** Thrown where too much waits already: of this sender (429), or of all (503). */
export class TurnRefused extends Error {
  readonly status: 429 | 503;
  readonly retry_seconds: number;
  constructor(status: 429 | 503, retry_seconds: number) {
    super(`Too much waits (${status})`);
    this.status = status;
    this.retry_seconds = retry_seconds;
  }
}

/** Runs a sender's work in its turn. Throws what the work throws, and TurnRefused. */
export type TakeTurn = <T>(sender: string, work: () => Promise<T>) => Promise<T>;

/** For how long whoever comes goes first. */
const LONGEST_DEFERRED_MS = 100;
/** What waits is done within seconds. */
const RETRY_SECONDS = 5;

/** A queue of its own; `countArrivals`: how many have come so far, to this process. */
export function createTurns(
  { at_once, of_one, of_all }: TurnLimits,
  countArrivals: () => number = () => 0,
): TakeTurn {
  const waiting = new Map<string, (() => void)[]>();
  let [running, queued, is_called] = [0, 0, false];
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
    queued--;
    running++;
    work();
    call();
  };
  const call = (): void => {
    if (is_called || queued === 0 || running >= at_once) return;
    is_called = true;
    deferred_since_ms = performance.now();
    setImmediate(begin);
  };
  return (sender, work) => {
    const own = waiting.get(sender) ?? [];
    if (own.length >= of_one) return Promise.reject(new TurnRefused(429, RETRY_SECONDS));
    if (queued >= of_all) return Promise.reject(new TurnRefused(503, RETRY_SECONDS));
    return new Promise((resolve, reject) => {
      own.push(() => {
        work()
          .then(resolve, reject)
          .finally(() => {
            running--;
            call();
          });
      });
      waiting.set(sender, own);
      queued++;
      call();
    });
  };
}
