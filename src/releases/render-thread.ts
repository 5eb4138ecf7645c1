// A thread of a build: renders the pages that it is given with the site's bundle, writes them with
// their compressed forms, and takes over from the release before what is made of the same.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { toContentType, toTag } from './file-facts.ts';
import { linkFile } from './link-files.ts';
import type { FileEntry } from './manifest.ts';
import { compressFile, isWorthCompressing, reuseCompressed } from './precompress.ts';
import {
  type Answer,
  type Made,
  OrderSchema,
  type Task,
  ThreadSettingsSchema,
} from './render-messages.ts';

/** What a bundle gives to a build (src/render.ts); what it calls its state is for itself alone. */
interface Bundle {
  readonly openState: (now_ms: number) => unknown;
  readonly listBuiltPaths: (state: unknown) => readonly string[];
  readonly digestAnswer: (state: unknown, path: string) => string | null;
  readonly render: (
    request: Request,
    locals: { readonly state: unknown; readonly visit: null },
  ) => Promise<Response>;
}
const PARTS = ['openState', 'listBuiltPaths', 'digestAnswer', 'render'] as const;
const isBundle = (module: object): module is Bundle =>
  PARTS.every((part) => typeof Reflect.get(module, part) === 'function');

async function loadBundle(entry: string): Promise<Bundle> {
  const module: object = await import(pathToFileURL(entry).href);
  if (isBundle(module)) return module;
  throw new Error('The bundle was not built with src/render.ts');
}

/** Only its path is read; a page's links are made from SITE_URL. */
const ANY_ORIGIN = 'http://localhost';

const { entry, client_dir, earlier_dir, now_ms } = v.parse(ThreadSettingsSchema, workerData);
const bundle = await loadBundle(entry);
const state = bundle.openState(now_ms);

const folders = new Set<string>();
/** Where a file of the site goes; its folder is there then. */
function toTarget(file: string): string {
  const target = join(client_dir, file);
  const folder = dirname(target);
  if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
  folders.add(folder);
  return target;
}

/** The file as it was, with its compressed forms. False where one is missing. */
async function takeOver({ file, encodings }: FileEntry): Promise<boolean> {
  if (earlier_dir === null) return false;
  const [source, target] = [join(earlier_dir, file), toTarget(file)];
  if (!(await reuseCompressed(target, source, encodings))) return false;
  linkFile(source, target);
  return true;
}

async function make({ path, earlier, made_of: known }: Task): Promise<Made> {
  const made_of = bundle.digestAnswer(state, path);
  if (earlier && made_of !== null && made_of === known && (await takeOver(earlier)))
    return { entry: earlier, made_of, is_new: false };
  const response = await bundle.render(new Request(new URL(encodeURI(path), ANY_ORIGIN)), {
    state,
    visit: null,
  });
  if (response.status !== 200) throw new Error(`site: ${path} answers ${response.status}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const tag = toTag(bytes);
  if (earlier?.tag === tag && (await takeOver(earlier)))
    return { entry: earlier, made_of, is_new: false };
  const is_page = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  return {
    entry: await write(`${path.slice(1)}${is_page ? '.html' : ''}`, path, bytes, tag),
    made_of,
    is_new: true,
  };
}

async function write(file: string, path: string, bytes: Buffer, tag: string): Promise<FileEntry> {
  const [target, type] = [toTarget(file), toContentType(file)];
  writeFileSync(target, bytes);
  const encodings = isWorthCompressing(type, bytes.length) ? await compressFile(target, bytes) : {};
  return { path, file, type, tag, size: bytes.length, encodings, last_modified_ms: now_ms };
}

async function answer(message: unknown): Promise<Answer> {
  const tasks = v.parse(OrderSchema, message);
  if (tasks === null) return { kind: 'paths', paths: [...bundle.listBuiltPaths(state)] };
  const made: Made[] = [];
  for (const task of tasks) made.push(await make(task));
  return { kind: 'made', made };
}

parentPort?.on('message', async (message: unknown) => {
  try {
    parentPort?.postMessage(await answer(message));
  } catch (thrown) {
    const words = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    parentPort?.postMessage({ kind: 'failed', message: words } satisfies Answer);
  }
});
