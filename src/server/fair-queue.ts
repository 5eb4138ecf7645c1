// Fair queue: limits the concurrency of expensive tasks and serves senders in turn, with a limit
// per sender and in total.

export interface QueueLimits {
  /** Tasks that run at the same time. */
  readonly concurrency: number;
  /** Running and waiting tasks per sender. */
  readonly per_sender: number;
  /** Running and waiting tasks in total. */
  readonly total: number;
}

/** Thrown if the queue is full for this sender (429) or in total (503). */
export class QueueFullError extends Error {
  readonly status: 429 | 503;
  /** By then the waiting tasks are usually done. */
  readonly retry_seconds = 5;
  constructor(status: 429 | 503) {
    super(`The queue is full (${status})`);
    this.status = status;
  }
}

/** Runs a task in its sender's turn. @throws QueueFullError, and errors of the task. */
export type RunInTurn = <T>(sender: string, task: () => Promise<T>) => Promise<T>;

/** Tasks start after this time even if requests keep arriving. */
const MAX_DEFERRED_MS = 100;

/**
 * Creates a queue. A task starts once no request has arrived for one round of the event loop: Node
 * accepts one connection per round, so with a page rendered in each round, a visitor would wait for
 * as many pages as there are connections.
 * @param countArrivals Number of requests so far.
 */
export function createFairQueue(
  { concurrency, per_sender, total }: QueueLimits,
  countArrivals: () => number = () => 0,
): RunInTurn {
  /** Functions that start the waiting tasks, by sender, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
  /** Running and waiting tasks by sender. */
  const counts = new Map<string, number>();
  let [accepted_count, running_count, is_scheduled] = [0, 0, false];
  let [arrivals, deferred_since_ms] = [0, 0];
  const startNext = (): void => {
    const previous_arrivals = arrivals;
    arrivals = countArrivals();
    if (arrivals !== previous_arrivals && performance.now() - deferred_since_ms < MAX_DEFERRED_MS) {
      setImmediate(startNext);
      return;
    }
    is_scheduled = false;
    const [sender, tasks] = waiting.entries().next().value ?? ['', []];
    const start = running_count < concurrency ? tasks.shift() : undefined;
    if (start === undefined) return;
    // A sender with more tasks goes to the end of the line.
    waiting.delete(sender);
    if (tasks.length > 0) waiting.set(sender, tasks);
    running_count++;
    start();
    scheduleNext();
  };
  const scheduleNext = (): void => {
    if (is_scheduled || waiting.size === 0 || running_count >= concurrency) return;
    is_scheduled = true;
    deferred_since_ms = performance.now();
    setImmediate(startNext);
  };
  const endTask = (sender: string): void => {
    running_count--;
    accepted_count--;
    const remaining = (counts.get(sender) ?? 1) - 1;
    if (remaining > 0) counts.set(sender, remaining);
    else counts.delete(sender);
    scheduleNext();
  };
  return (sender, task) => {
    const sender_count = counts.get(sender) ?? 0;
    if (sender_count >= per_sender) return Promise.reject(new QueueFullError(429));
    if (accepted_count >= total) return Promise.reject(new QueueFullError(503));
    counts.set(sender, sender_count + 1);
    accepted_count++;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(sender, [...(waiting.get(sender) ?? []), resolve]);
    scheduleNext();
    return promise.then(task).finally(() => endTask(sender));
  };
}
