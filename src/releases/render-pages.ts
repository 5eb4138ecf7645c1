// Every page that a release has ready, rendered by as many threads as they are worth and the machine has processors.
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import type { Earlier } from './collect-files.ts';
import type { FileEntry } from './manifest.ts';
import {
  type Answer,
  AnswerSchema,
  AS_BEFORE,
  type AnswerTo,
  type Comparison,
  type Made,
  type Opened,
  type Question,
  type Task,
  type ThreadSettings,
} from './render-messages.ts';

/** Pages that a thread is given at a time: few enough that all end together. */
const AT_A_TIME = 32;
/** The same where most are as they were: what this thread does meanwhile keeps nobody waiting. */
const LOOKED_AT_A_TIME = 256;
const MOST_AT_A_TIME = 1024;
/** A thread that is back before this, for its pages are as they were, is given twice as many. */
const SOON_MS = 50;
/** Pages that are tried: enough of each kind. */
const TRIED = 64;
/** Pages for which a thread is begun: it takes half a second to load the bundle. */
const WORTH_A_THREAD = 750;
const THREAD = new URL('./render-thread.mjs', import.meta.url);
/** Where this process keeps what this version of V8 compiles: below what it was told. */
const compiled = getCompileCacheDir();
const COMPILE_CACHE = compiled === undefined ? null : dirname(compiled);

export interface RenderOrder extends Comparison {
  /** What the release before had, by path; null where nothing can be taken over. */
  readonly earlier: Earlier | null;
  /** What each of its pages was made of; empty where another code made it. */
  readonly made_of: ReadonlyMap<string, string>;
  readonly onPage: (done: number, of: number) => void;
  /** Called once every thread that is ready has pages to render. */
  readonly onBegun: () => void;
}

/** What was rendered, and the categories and zones that it names as having something ahead. */
export interface Rendered {
  readonly made: readonly Made[];
  readonly ways_in: string;
}

export interface Renderer {
  /** The files of a release's list that are whole, found while nothing is rendered yet. Rejects where it cannot be read. */
  readonly look: (manifest: string) => Promise<readonly FileEntry[]>;
  /** Opens a snapshot; the threads are busy until it resolves. */
  readonly open: (from: Opened) => Promise<void>;
  /**
   * Renders all pages of the snapshot that is open into the store, but for what is taken over, in the order of the
   * bundle's list. Throws where one cannot be rendered, with its path.
   */
  readonly render: (order: RenderOrder) => Promise<Rendered>;
  /**
   * Renders some pages of a snapshot into nothing, so that V8 has compiled what it needs; ends early where
   * `isOver`. Throws where one cannot be rendered: the threads are then of no use.
   */
  readonly tryOut: (from: Opened, isOver: () => boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A thread that answers one question after the other. Rejects where it fails or ends. */
function startThread(settings: ThreadSettings) {
  const worker = new Worker(THREAD, {
    workerData: { ...settings, compile_cache: COMPILE_CACHE },
  });
  const failed = new Promise<never>((_, reject) => {
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A rendering thread ended with ${code}`)));
  });
  failed.catch(() => {});
  let last: Promise<unknown> = Promise.resolve();
  const ask = <Q extends Question>(question: Q): Promise<AnswerTo<Q['kind']>> => {
    const answer = last.then(() => askNow(question));
    last = answer.catch(() => {});
    return answer;
  };
  const askNow = async <Q extends Question>(question: Q): Promise<AnswerTo<Q['kind']>> => {
    const answered = once(worker, 'message');
    worker.postMessage(question);
    const [message]: unknown[] = await Promise.race([answered, failed]);
    const answer = v.parse(AnswerSchema, message);
    if (answer.kind === 'failed') throw new Error(answer.message);
    if (!isAnswerTo(question, answer)) throw new Error('A thread answered what it was not asked');
    return answer;
  };
  /** What it compiled is kept, where it still answers. */
  const stop = async (): Promise<void> => {
    await ask({ kind: 'end' }).catch(() => {});
    await worker.terminate();
  };
  return { ask, stop };
}
type Thread = ReturnType<typeof startThread>;

const isAnswerTo = <Q extends Question>(
  { kind }: Q,
  answer: Answer,
): answer is AnswerTo<Q['kind']> => answer.kind === kind;

const countThreads = (pages: number): number =>
  Math.max(1, Math.min(Math.ceil(pages / WORTH_A_THREAD), availableParallelism()));

/**
 * Starts threads, which load the bundle while the snapshot is still made: as many as `pages` pages, which the
 * release before had, are worth.
 */
export function startRenderer(settings: ThreadSettings, pages: number): Renderer {
  const start = (): Thread => startThread(settings);
  let listed: Listed | null = null;
  const threads = Array.from({ length: countThreads(pages) }, start);
  return {
    look: async (manifest) => {
      const answer = await threads.at(-1)?.ask({ kind: 'look', manifest });
      return answer?.whole ?? [];
    },
    open: async (from) => {
      listed = await openAll(threads, from);
    },
    render: (order) => {
      if (listed === null) throw new Error('Nothing is open that could be rendered');
      return render(threads, start, listed, order);
    },
    tryOut: (from, isOver) => tryOut(threads, from, isOver),
    stop: async () => void (await Promise.all(threads.map(({ stop }) => stop()))),
  };
}

/** A snapshot that is open, and what is to be rendered of it. */
interface Listed extends Pick<AnswerTo<'list'>, 'paths' | 'ways_in'> {
  readonly from: Opened;
}

async function openAll(threads: readonly Thread[], from: Opened): Promise<Listed> {
  const [first, ...others] = threads.map(async (thread, at) => {
    await thread.ask({ kind: 'open', from });
    return at === 0 ? thread.ask({ kind: 'list' }) : null;
  });
  const list = await first;
  await Promise.all(others);
  if (!list) throw new Error('There is no thread that could render');
  return { from, paths: list.paths, ways_in: list.ways_in };
}

async function render(
  threads: Thread[],
  start: () => Thread,
  { from: opened, paths, ways_in }: Listed,
  order: RenderOrder,
): Promise<Rendered> {
  const { earlier, is_same, touched, ways_before, onPage, onBegun } = order;
  const comparison = { is_same, touched, ways_before };
  const compare = (thread: Thread) => thread.ask({ kind: 'compare', comparison });
  await Promise.all(threads.map(compare));
  const begin = async (): Promise<Thread> => {
    const thread = start();
    threads.push(thread);
    await thread.ask({ kind: 'open', from: opened });
    await compare(thread);
    return thread;
  };
  const made: Made[] = [];
  let next = 0;
  const work = async (thread: Thread): Promise<void> => {
    let count = next === 0 || earlier === null ? AT_A_TIME : LOOKED_AT_A_TIME;
    while (next < paths.length) {
      const from = next;
      next += count;
      const tasks = paths.slice(from, from + count).map((path) => toTask(order, path));
      const begun_ms = performance.now();
      const answer = await thread.ask({ kind: 'make', tasks });
      const is_soon = performance.now() - begun_ms < SOON_MS;
      count = is_soon ? Math.min(2 * count, MOST_AT_A_TIME) : AT_A_TIME;
      for (const [at, one] of answer.made.entries()) made[from + at] = toMade(one, tasks[at]);
      onPage(Math.min(next, paths.length), paths.length);
    }
  };
  const more = Array.from({ length: Math.max(0, countThreads(paths.length) - threads.length) });
  const working = [...threads.map(work), ...more.map(async () => work(await begin()))];
  onBegun();
  await Promise.all(working);
  return { made, ways_in };
}

async function tryOut(
  threads: readonly Thread[],
  from: Opened,
  isOver: () => boolean,
): Promise<void> {
  await Promise.all(
    threads.map(async (thread) => {
      await thread.ask({ kind: 'open', from });
      const { paths } = await thread.ask({ kind: 'list' });
      const step = Math.max(1, Math.floor(paths.length / TRIED));
      for (let at = 0; at < paths.length && !isOver(); at += step)
        await thread.ask({ kind: 'try', paths: paths.slice(at, at + 1) });
    }),
  );
}

function toMade(one: Made | typeof AS_BEFORE, task: Task | undefined): Made {
  if (one !== AS_BEFORE) return one;
  if (!task?.earlier) throw new Error('A thread took over what there was not');
  return { entry: task.earlier, made_of: task.made_of, events: AS_BEFORE, is_new: false };
}

const toTask = ({ earlier, made_of }: RenderOrder, path: string): Task => ({
  path,
  earlier: earlier?.get(path) ?? null,
  made_of: made_of.get(path) ?? null,
});
