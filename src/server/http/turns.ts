// Work that takes its turn: so much of it at once, one sender after the other, each piece begun when whatever
// was ready before it has been seen to, so that a reader of a kept page never waits for more than one.

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

/** What waits is done within seconds. */
const RETRY_SECONDS = 5;

/** A queue of its own. */
export function createTurns({ at_once, of_one, of_all }: TurnLimits): TakeTurn {
  const waiting = new Map<string, (() => void)[]>();
  let [running, queued, is_called] = [0, 0, false];
  const begin = (): void => {
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
