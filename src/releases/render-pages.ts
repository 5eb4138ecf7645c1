// Every page that a release has ready, rendered by as many threads as they are worth and the machine has processors.
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { toChildEnv } from '../config.ts';
import type { Earlier } from './collect-files.ts';
import {
  AnswerSchema,
  type Answer,
  type Made,
  type Task,
  type ThreadSettings,
} from './render-messages.ts';

/** Pages that a thread is given at a time: few enough that all end together. */
const AT_A_TIME = 32;
/** Pages for which a thread is begun: it takes half a second to load the bundle. */
const WORTH_A_THREAD = 750;
const THREAD = new URL('./render-thread.ts', import.meta.url);

export interface RenderOrder extends ThreadSettings {
  /** The snapshot that pages say. */
  readonly snapshot: string;
  /** What the release before had, by path; null where nothing can be taken over. */
  readonly earlier: Earlier | null;
  /** What each of its pages was made of; empty where another code made it. */
  readonly made_of: ReadonlyMap<string, string>;
  readonly onPage: (done: number, of: number) => void;
}

/** A thread that answers one order at a time. Rejects where it fails or ends. */
function startThread({ snapshot, ...order }: RenderOrder) {
  const { entry, store_dir, is_same, touched, ways_before, now_ms } = order;
  const settings: ThreadSettings = { entry, store_dir, is_same, touched, ways_before, now_ms };
  const worker = new Worker(THREAD, {
    workerData: settings,
    env: toChildEnv({ SNAPSHOT_PATH: snapshot }),
  });
  const failed = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A rendering thread ended with ${code}`)));
  });
  failed.catch(() => {});
  const ask = async (tasks: readonly Task[] | null): Promise<Answer> => {
    const answered = once(worker, 'message');
    worker.postMessage(tasks);
    const [message]: unknown[] = await Promise.race([answered, failed]);
    const answer = v.parse(AnswerSchema, message);
    if (answer.kind === 'failed') throw new Error(answer.message);
    return answer;
  };
  return { ask, stop: () => worker.terminate() };
}

/**
 * Renders all of them into the store, but for what is taken over, in the order of the bundle's
 * list; `ways_in`: the categories and zones that they name as having something ahead. Throws where one
 * cannot be rendered, with its path.
 */
export async function renderPages(
  order: RenderOrder,
): Promise<{ readonly made: readonly Made[]; readonly ways_in: string }> {
  const first = startThread(order);
  const threads = [first];
  try {
    const listed = await first.ask(null);
    if (listed.kind !== 'paths') throw new Error('A thread answered what it was not asked');
    const { paths, ways_in } = listed;
    const wanted = Math.ceil(paths.length / WORTH_A_THREAD);
    while (threads.length < Math.min(wanted, availableParallelism()))
      threads.push(startThread(order));
    const made: Made[] = [];
    let next = 0;
    const work = async ({ ask }: (typeof threads)[number]): Promise<void> => {
      while (next < paths.length) {
        const from = next;
        next += AT_A_TIME;
        const tasks = paths.slice(from, from + AT_A_TIME).map((path) => toTask(order, path));
        const answer = await ask(tasks);
        if (answer.kind !== 'made') throw new Error('A thread answered what it was not asked');
        for (const [at, one] of answer.made.entries()) made[from + at] = one;
        order.onPage(Math.min(next, paths.length), paths.length);
      }
    };
    await Promise.all(threads.map(work));
    return { made, ways_in };
  } finally {
    await Promise.all(threads.map(({ stop }) => stop()));
  }
}

const toTask = ({ earlier, made_of }: RenderOrder, path: string): Task => ({
  path,
  earlier: earlier?.get(path) ?? null,
  made_of: made_of.get(path) ?? null,
});
