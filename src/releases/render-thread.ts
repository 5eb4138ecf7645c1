// A thread of a build: renders the pages that it is given with the site's bundle, stores them with
// their compressed forms, and takes over from the release before what is made of the same.
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import type { Touched } from '../snapshot/find-touched.ts';
import { toContentType, toTag } from './file-facts.ts';
import { isStored, storeBytes } from './file-store.ts';
import { type FileEntry, isHeld, readManifest } from './manifest.ts';
import { compress, compressBeside } from './precompress.ts';
import {
  type Answer,
  AS_BEFORE,
  type Comparison,
  type Made,
  QuestionSchema,
  type Task,
  ThreadSettingsSchema,
} from './render-messages.ts';

/** What a bundle gives to a build (src/render.ts); what it calls its state is for itself alone. */
interface Bundle {
  readonly openState: (snapshot_path: string, now_ms: number) => unknown;
  readonly listBuiltPaths: (state: unknown) => readonly string[];
  readonly digestAnswer: (state: unknown, path: string) => string | null;
  readonly holdsUntil: (state: unknown, path: string) => number | null;
  readonly toWaysIn: (state: unknown) => string;
  readonly holdsExactly: (state: unknown, path: string, ways_before: string) => boolean;
  readonly isUntouched: (state: unknown, path: string, touched: Touched) => boolean;
  readonly listMentioned: (state: unknown, path: string) => readonly string[] | null;
  readonly readDataAt: (state: unknown, path: string) => Buffer | null;
  readonly render: (
    request: Request,
    locals: { readonly state: unknown; readonly visit: null },
  ) => Promise<Response>;
}
const PARTS = [
  'openState',
  'listBuiltPaths',
  'digestAnswer',
  'listMentioned',
  'holdsUntil',
  'toWaysIn',
  'holdsExactly',
  'isUntouched',
  'readDataAt',
  'render',
] as const;
const isBundle = (module: object): module is Bundle =>
  PARTS.every((part) => typeof Reflect.get(module, part) === 'function');

async function loadBundle(entry: string): Promise<Bundle> {
  const module: object = await import(pathToFileURL(entry).href);
  if (isBundle(module)) return module;
  throw new Error('The bundle was not built with src/render.ts');
}

/** Only its path is read; a page's links are made from SITE_URL. */
const ANY_ORIGIN = 'http://localhost';

const { entry, store_dir } = v.parse(ThreadSettingsSchema, workerData);
const bundle = await loadBundle(entry);

/** The snapshot as pages ask it, and what is known of the release before. */
interface OpenedBy extends Comparison {
  readonly state: unknown;
  readonly now_ms: number;
}
let opened: OpenedBy | null = null;

/** What nothing is taken over by. */
const NOTHING_KNOWN: Comparison = { is_same: false, touched: null, ways_before: '' };

function readOpened(): OpenedBy {
  if (opened === null) throw new Error('A rendering thread was asked before it had a snapshot');
  return opened;
}

/** The file of this instant: how long it holds, another release cannot know. */
const toHeld = ({ holds_until_ms: _, ...entry }: FileEntry, until_ms: number | null): FileEntry =>
  until_ms === null ? entry : { ...entry, holds_until_ms: until_ms };

/** Whether a file of the release before holds still, by a snapshot that says the same of what it is about. */
const isTrueStill = (
  { state, now_ms, is_same, touched, ways_before }: OpenedBy,
  earlier: FileEntry,
): boolean =>
  isHeld(earlier, now_ms) &&
  bundle.holdsExactly(state, earlier.path, ways_before) &&
  (is_same || (touched !== null && bundle.isUntouched(state, earlier.path, touched)));

interface Rendered {
  readonly type: string;
  readonly bytes: Buffer;
}

/** A page that is not taken over as it was. */
interface RenderedPage extends Rendered, Omit<Made, 'entry' | 'is_new'> {
  readonly tag: string;
  /** Epoch ms; null where only another release changes it. */
  readonly until_ms: number | null;
}

/** What is taken over, or rendered anew. */
async function find(
  by: OpenedBy,
  { path, earlier, made_of: known }: Task,
): Promise<Made | typeof AS_BEFORE | RenderedPage> {
  const { state } = by;
  if (earlier && isTrueStill(by, earlier)) return AS_BEFORE;
  // One after the other: the bundle keeps what it found last.
  const made_of = bundle.digestAnswer(state, path);
  const events = bundle.listMentioned(state, path);
  const until_ms = bundle.holdsUntil(state, path);
  if (earlier && made_of !== null && made_of === known)
    return { entry: toHeld(earlier, until_ms), made_of, events, is_new: false };
  const { type, bytes } = await render(state, path);
  const tag = toTag(bytes);
  if (earlier?.tag === tag && earlier.type === type)
    return { entry: toHeld(earlier, until_ms), made_of, events, is_new: false };
  return { tag, type, bytes, made_of, events, until_ms };
}

async function store(
  { now_ms }: OpenedBy,
  path: string,
  { tag, type, bytes, made_of, events, until_ms }: RenderedPage,
): Promise<Made> {
  const stored = storeBytes(store_dir, tag, bytes, await compressBeside(type, bytes));
  const entry = { path, type, ...stored, last_modified_ms: now_ms };
  return { entry: toHeld(entry, until_ms), made_of, events, is_new: true };
}

/** One after the other; while two that are large are compressed, the next is rendered. */
async function make(
  by: OpenedBy,
  tasks: readonly Task[],
): Promise<readonly (Made | typeof AS_BEFORE)[]> {
  const making: (Promise<Made> | Made | typeof AS_BEFORE)[] = [];
  for (const task of tasks) {
    const found = await find(by, task);
    // All of them at once would need memory for each.
    await making.at(-2);
    const is_rendered = found !== AS_BEFORE && 'bytes' in found;
    making.push(is_rendered ? store(by, task.path, found) : found);
  }
  return Promise.all(making);
}

async function render(state: unknown, path: string): Promise<Rendered> {
  const data = bundle.readDataAt(state, path);
  if (data !== null) return { type: toContentType(path), bytes: data };
  const request = new Request(new URL(encodeURI(path), ANY_ORIGIN));
  const response = await bundle.render(request, { state, visit: null });
  if (response.status !== 200) throw new Error(`site: ${path} answers ${response.status}`);
  return { type: toType(path, response), bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Does all that is done for a page but to store it. */
async function tryOut({ state }: OpenedBy, path: string): Promise<void> {
  bundle.digestAnswer(state, path);
  bundle.listMentioned(state, path);
  bundle.holdsUntil(state, path);
  const { type, bytes } = await render(state, path);
  compress(type, bytes);
}

/** What Astro sends a page as; anything else by its name. */
const toType = (path: string, { headers }: Response): string =>
  toContentType(headers.get('content-type')?.startsWith('text/html') ? `${path}.html` : path);

async function answer(message: unknown): Promise<Answer> {
  const question = v.parse(QuestionSchema, message);
  switch (question.kind) {
    case 'look': {
      const files = [...(await readManifest(question.manifest)).values()];
      return { kind: 'look', whole: files.filter((file) => isStored(store_dir, file)) };
    }
    case 'open': {
      const { snapshot, now_ms } = question.from;
      opened = { ...NOTHING_KNOWN, now_ms, state: bundle.openState(snapshot, now_ms) };
      return { kind: 'open' };
    }
    case 'compare':
      opened = { ...readOpened(), ...question.comparison };
      return { kind: 'compare' };
    case 'list': {
      const { state } = readOpened();
      const paths = [...bundle.listBuiltPaths(state)];
      return { kind: 'list', paths, ways_in: bundle.toWaysIn(state) };
    }
    case 'make': {
      const made = await make(readOpened(), question.tasks);
      return { kind: 'make', made };
    }
    case 'try':
      for (const path of question.paths) await tryOut(readOpened(), path);
      return { kind: 'try' };
    case 'end':
      flushCompileCache();
      return { kind: 'end' };
  }
}

parentPort?.on('message', async (message: unknown) => {
  try {
    parentPort?.postMessage(await answer(message));
  } catch (thrown) {
    const words = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    parentPort?.postMessage({ kind: 'failed', message: words } satisfies Answer);
  }
});
