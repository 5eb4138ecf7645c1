// Parsing in a worker: parses files of strangers in a thread with a limit of time and memory, one
// after another, so that no file can block the server (contract 14.56).
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Parsers, ParseTask } from './parse-worker.ts';

/** Limits of a parser. */
interface ParseLimits {
  /** Processor time for a file, which a busy machine does not shorten. */
  readonly parse_ms: number;
  /** Time for the start of the thread. */
  readonly start_ms: number;
  /** Time until an unused thread ends. */
  readonly idle_ms: number;
  /** Heap of the thread. */
  readonly memory_mb: number;
  /** Files that may wait for their turn. */
  readonly waiting: number;
}
export const PARSE_LIMITS: ParseLimits = {
  parse_ms: 2_000,
  start_ms: 20_000,
  idle_ms: 30_000,
  memory_mb: 128,
  waiting: 24,
};

/** `too_complex`: the file exceeded a limit; `busy`: too many files are waiting. */
export interface ParseRefusal {
  readonly problem: 'too_complex' | 'busy';
}
type ParserName = keyof Parsers;
type Outcome<P extends ParserName> = ReturnType<Parsers[P]> | ParseRefusal;

/** A thread that is ready for files, and the timer that ends it. */
interface ParseThread {
  readonly worker: Worker;
  readonly idle_timer: NodeJS.Timeout;
}

/**
 * Creates a function that parses a file with one of PARSERS in a thread, which it starts when
 * needed. Results are copied between threads: a Buffer becomes a Uint8Array.
 */
export function createThreadedParser(limits: ParseLimits) {
  let waiting_count = 0;
  let previous: Promise<unknown> = Promise.resolve();
  let thread: ParseThread | null = null;

  const endThread = async (worker: Worker): Promise<void> => {
    if (thread?.worker === worker) {
      clearTimeout(thread.idle_timer);
      thread = null;
    }
    await worker.terminate();
  };
  /** Returns the thread, started if necessary; null if it does not start in time. */
  const useThread = async (): Promise<Worker | null> => {
    if (thread !== null) {
      thread.idle_timer.refresh();
      return thread.worker;
    }
    const worker = startWorker(limits.memory_mb);
    worker.once('exit', () => void endThread(worker));
    if ((await nextMessage(worker, limits.start_ms)) !== 'ready') {
      await worker.terminate();
      return null;
    }
    const idle_timer = setTimeout(() => void endThread(worker), limits.idle_ms).unref();
    thread = { worker, idle_timer };
    return worker;
  };
  const parse = async <P extends ParserName>(task: ParseTask): Promise<Outcome<P>> => {
    const worker = await useThread();
    if (worker === null) return { problem: 'busy' };
    worker.postMessage(task);
    const message = await nextMessage(worker, limits.parse_ms * MAX_SLOWNESS, (signal) =>
      useUpProcessorTime(worker, limits.parse_ms, signal),
    );
    if (message !== null) return (message as { readonly result: ReturnType<Parsers[P]> }).result;
    await endThread(worker);
    return { problem: 'too_complex' };
  };
  return async <P extends ParserName>(
    parser: P,
    ...args: Parameters<Parsers[P]>
  ): Promise<Outcome<P>> => {
    if (waiting_count >= limits.waiting) return { problem: 'busy' };
    waiting_count += 1;
    const outcome = previous.then(() => parse<P>({ parser, args }));
    previous = outcome.catch(() => null);
    try {
      return await outcome;
    } finally {
      waiting_count -= 1;
    }
  };
}

export const parseInWorker = createThreadedParser(PARSE_LIMITS);

function startWorker(memory_mb: number): Worker {
  const worker = new Worker(new URL('./parse-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memory_mb, maxYoungGenerationSizeMb: 16 },
  });
  // An error also ends the thread, which nextMessage notices.
  worker.on('error', () => {});
  // Neither an idle thread nor its timer keeps a process alive.
  worker.unref();
  return worker;
}

/** Even on a busy machine a file takes at most this many times its processor time. */
const MAX_SLOWNESS = 5;
const POLL_MS = 50;

/** Waits until a thread has used this much more processor time. */
async function useUpProcessorTime(
  worker: Worker,
  limit_ms: number,
  signal: AbortSignal,
): Promise<null> {
  const before = await worker.cpuUsage();
  for (;;) {
    await wait(POLL_MS, null, { signal });
    const { user, system } = await worker.cpuUsage(before);
    if (user + system >= limit_ms * 1_000) return null;
  }
}

/**
 * Waits for a message.
 * @param waitForLimit Resolves when the thread has reached a further limit.
 * @returns null if the thread ends or a limit is reached.
 */
async function nextMessage(
  worker: Worker,
  limit_ms: number,
  waitForLimit?: (signal: AbortSignal) => Promise<null>,
): Promise<unknown> {
  const abort = new AbortController();
  const { signal } = abort;
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([message]) => message as unknown),
      once(worker, 'exit', { signal }).then(() => null),
      wait(limit_ms, null, { signal }),
      ...(waitForLimit ? [waitForLimit(signal)] : []),
    ]);
  } catch {
    return null;
  } finally {
    abort.abort();
  }
}
