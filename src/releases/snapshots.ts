// Where snapshots lie on disk: DATA_DIR/snapshots/<digest>.db, and DATA_DIR/current, which names the
// one that serves.
import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PICTURES_FOLDER } from '../domain/pictures.ts';
import { readSnapshotMeta, type SnapshotMeta } from '../snapshot/snapshot-meta.ts';
import { syncFolder, writeFileDurably } from './durable-file.ts';

/** The folder of package.json. */
export const PROJECT_DIR = fileURLToPath(new URL('../../', import.meta.url));

/** The paths of all that lies in DATA_DIR, but for inbox.db and uploads.db. */
export const dataLayout = (data_dir: string) => ({
  data_dir,
  snapshots_dir: join(data_dir, 'snapshots'),
  /** A text file with the name of the snapshot that serves. */
  current_file: join(data_dir, 'current'),
  /** An empty SQLite file; the lock on it is that of builds. */
  lock_file: join(data_dir, 'release.lock'),
  /** The same for the one process that mails, forgets and backs up. */
  chores_lock_file: join(data_dir, 'chores.lock'),
  /** The same for the one process that asks sources. */
  sources_lock_file: join(data_dir, 'sources.lock'),
  pages_dir: join(data_dir, 'pages'),
  pictures_dir: join(data_dir, PICTURES_FOLDER),
  last_build_file: join(data_dir, 'last-build.json'),
});
export type DataLayout = Readonly<ReturnType<typeof dataLayout>>;

const ENDING = '.db';
const NAME = /^[\w-]{22}$/;
const READ_BYTES = 256 * 1024;

export const snapshotPath = ({ snapshots_dir }: DataLayout, name: string): string =>
  join(snapshots_dir, `${name}${ENDING}`);

/** A candidate lies there under its name until it serves: servers open it meanwhile, nobody else does. */
export const candidatePath = ({ snapshots_dir }: DataLayout, name: string): string =>
  join(snapshots_dir, `.${name}${ENDING}`);

export const candidateName = (file: string): string | null =>
  /^\.([\w-]{22})\.db$/.exec(file)?.[1] ?? null;

export function getCurrentName({ current_file }: DataLayout): string | null {
  try {
    const name = readFileSync(current_file, 'utf8').trim();
    return NAME.test(name) ? name : null;
  } catch {
    return null;
  }
}

export function switchCurrent({ current_file }: DataLayout, name: string): void {
  writeFileDurably(current_file, `${name}\n`);
}

/** Asks for a build: whoever finds no current snapshot makes one; what is open serves meanwhile. */
export function requestRelease({ current_file }: DataLayout): void {
  rmSync(current_file, { force: true });
}

/** Gives a finished file its name, the digest of its bytes; it does not serve yet. */
export function finalizeCandidate(layout: DataLayout, path: string): string {
  const name = digestFile(path);
  renameSync(path, candidatePath(layout, name));
  return name;
}

export function promoteCandidate(layout: DataLayout, name: string): void {
  renameSync(candidatePath(layout, name), snapshotPath(layout, name));
  syncFolder(layout.snapshots_dir);
}

/** Read through one small buffer: a snapshot as a whole would take its size in memory, and five times as long. */
function digestFile(path: string): string {
  const digest = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      digest.update(buffer.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return toName(digest);
}

const toName = (digest: Hash): string => digest.digest('base64url').slice(0, 22);

/** Whether a candidate is as it was made; read while the process does other things. */
export async function isCandidateIntact(layout: DataLayout, name: string): Promise<boolean> {
  const digest = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  await using file = await openFile(candidatePath(layout, name));
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES, at);
    if (bytesRead === 0) return toName(digest) === name;
    digest.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

export const isSnapshotIntact = (layout: DataLayout, name: string): boolean => {
  const path = snapshotPath(layout, name);
  return existsSync(path) && digestFile(path) === name;
};

export interface SnapshotFile {
  readonly name: string;
  readonly path: string;
  readonly meta: SnapshotMeta;
}

export function findSnapshot(layout: DataLayout, name: string | null): SnapshotFile | null {
  if (name === null) return null;
  const path = snapshotPath(layout, name);
  const meta = existsSync(path) ? readSnapshotMeta(path) : null;
  return meta && { name, path, meta };
}

export function listSnapshots(layout: DataLayout): readonly SnapshotFile[] {
  if (!existsSync(layout.snapshots_dir)) return [];
  return readdirSync(layout.snapshots_dir)
    .map((file) => basename(file, ENDING))
    .filter((name) => NAME.test(name))
    .flatMap((name) => findSnapshot(layout, name) ?? [])
    .sort((a, b) => b.meta.generated_ms - a.meta.generated_ms || toAge(b) - toAge(a));
}

const toAge = ({ path }: SnapshotFile): number =>
  lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

export function findIntactSnapshot(
  layout: DataLayout,
  isUsable: (found: SnapshotFile) => boolean = () => true,
): SnapshotFile | null {
  const isGood = (found: SnapshotFile): boolean =>
    isUsable(found) && isSnapshotIntact(layout, found.name);
  const current = findSnapshot(layout, getCurrentName(layout));
  if (current !== null && isGood(current)) return current;
  return listSnapshots(layout).find(isGood) ?? null;
}

/** Contents to go back to, and snapshots that a server may be opening still. */
const KEPT_CONTENTS = 5;
const KEPT_ANYHOW = 3;
/** What a killed build has left, and what writeFileDurably does. */
const LEFT_MS = 3_600_000;

/** Removes all but what serves or is about to, the newest snapshots, and the newest of each of the last contents. */
export function pruneSnapshots(
  layout: DataLayout,
  now_ms: number,
  next = getCurrentName(layout),
): void {
  const { data_dir, snapshots_dir } = layout;
  const all = listSnapshots(layout);
  const contents = [...Map.groupBy(all, ({ meta }) => meta.content_digest).values()];
  const newest = contents.slice(0, KEPT_CONTENTS).flatMap((made_of_it) => made_of_it.slice(0, 1));
  const used = [getCurrentName(layout), next].map((name) => snapshotPath(layout, name ?? ''));
  const found = [...newest, ...all.slice(0, KEPT_ANYHOW)];
  const kept = new Set([...used, ...found.map(({ path }) => path)]);
  for (const path of listPaths(snapshots_dir, /^[^.].*\.db$/))
    if (!kept.has(path)) rmSync(path, { force: true, recursive: true });
  for (const path of [...listPaths(snapshots_dir, /^\./), ...listPaths(data_dir, /\.\d+\.tmp$/)]) {
    const { mtimeMs = now_ms } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    if (now_ms - mtimeMs > LEFT_MS) rmSync(path, { force: true, recursive: true });
  }
}

const listPaths = (folder: string, names: RegExp): readonly string[] =>
  readdirSync(folder)
    .filter((name) => names.test(name))
    .map((name) => join(folder, name));
