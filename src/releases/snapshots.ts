// Data folder: knows the paths of all files in DATA_DIR, and manages the snapshot files. A snapshot
// is named after the digest of its bytes. A new one is first a candidate,
// DATA_DIR/snapshots/.<name>.db; promoteCandidate renames it to DATA_DIR/snapshots/<name>.db, and
// switchCurrent makes it live by writing its name to DATA_DIR/current.
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

/** Returns the paths of all files in DATA_DIR except inbox.db and uploads.db. */
export const dataLayout = (data_dir: string) => ({
  data_dir,
  snapshots_dir: join(data_dir, 'snapshots'),
  /** Text file with the name of the live snapshot. */
  current_file: join(data_dir, 'current'),
  /** File lock of builds (file-lock.ts): an empty SQLite file. */
  lock_file: join(data_dir, 'release.lock'),
  /** File lock of the primary process, which sends mail, erases data, makes backups and builds. */
  primary_lock_file: join(data_dir, 'chores.lock'),
  /** File lock of the process that fetches followed sources. */
  sources_lock_file: join(data_dir, 'sources.lock'),
  /** Page cache. */
  pages_dir: join(data_dir, 'pages'),
  /** Pictures of events, fetched and re-encoded. */
  pictures_dir: join(data_dir, PICTURES_FOLDER),
  /** Last success and failure of a build (last-build.ts). */
  last_build_file: join(data_dir, 'last-build.json'),
  /** Tasks beside the server that failed (task-report.ts). */
  failed_tasks_file: join(data_dir, 'failed-tasks.json'),
});
export type DataLayout = Readonly<ReturnType<typeof dataLayout>>;

const EXTENSION = '.db';
const NAME_PATTERN = /^[\w-]{22}$/;
const READ_BUFFER_BYTES = 256 * 1024;

export const snapshotPath = ({ snapshots_dir }: DataLayout, name: string): string =>
  join(snapshots_dir, `${name}${EXTENSION}`);

/** Returns the path of a candidate; listSnapshots ignores names that start with a dot. */
export const candidatePath = ({ snapshots_dir }: DataLayout, name: string): string =>
  join(snapshots_dir, `.${name}${EXTENSION}`);

/** Returns the snapshot name of a candidate's file name; null for any other file. */
export const candidateName = (file: string): string | null =>
  /^\.([\w-]{22})\.db$/.exec(file)?.[1] ?? null;

/** Returns the name of the live snapshot; null if there is none. */
export function getCurrentName({ current_file }: DataLayout): string | null {
  try {
    const name = readFileSync(current_file, 'utf8').trim();
    return NAME_PATTERN.test(name) ? name : null;
  } catch {
    return null;
  }
}

/** Makes a snapshot live: server processes notice the change of the file and switch to it. */
export function switchCurrent({ current_file }: DataLayout, name: string): void {
  writeFileDurably(current_file, `${name}\n`);
}

/**
 * Requests a release by deleting DATA_DIR/current: a server process that finds no current snapshot
 * builds one. Servers keep serving the snapshot that they have open.
 */
export function requestRelease({ current_file }: DataLayout): void {
  rmSync(current_file, { force: true });
}

/** Renames a finished file to a candidate, and returns its name: the digest of its bytes. */
export function finalizeCandidate(layout: DataLayout, path: string): string {
  const name = digestFile(path);
  renameSync(path, candidatePath(layout, name));
  return name;
}

/** Renames a candidate to a snapshot, which may then become current. */
export function promoteCandidate(layout: DataLayout, name: string): void {
  renameSync(candidatePath(layout, name), snapshotPath(layout, name));
  syncFolder(layout.snapshots_dir);
}

/** Digests a file in parts: loading it whole needs its size in memory and five times as long. */
function digestFile(path: string): string {
  const digest = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
      digest.update(buffer.subarray(0, size));
  } finally {
    closeSync(file);
  }
  return formatName(digest);
}

const formatName = (digest: Hash): string => digest.digest('base64url').slice(0, 22);

/** Verifies the digest of a candidate, without blocking the event loop. */
export async function isCandidateIntact(layout: DataLayout, name: string): Promise<boolean> {
  const digest = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);
  await using file = await openFile(candidatePath(layout, name));
  for (let offset = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, READ_BUFFER_BYTES, offset);
    if (bytesRead === 0) return formatName(digest) === name;
    digest.update(buffer.subarray(0, bytesRead));
    offset += bytesRead;
  }
}

/** Tells if a snapshot exists and its bytes have the digest in its name. Blocks the event loop. */
export const isSnapshotIntact = (layout: DataLayout, name: string): boolean => {
  const path = snapshotPath(layout, name);
  return existsSync(path) && digestFile(path) === name;
};

/** Snapshot that can be read. */
export interface SnapshotFile {
  readonly name: string;
  readonly path: string;
  /** Its build: time, schema version, digest of the content, last decision. */
  readonly meta: SnapshotMeta;
}

/** Returns the snapshot with a name; null if it is missing or unreadable. */
export function findSnapshot(layout: DataLayout, name: string | null): SnapshotFile | null {
  if (name === null) return null;
  const path = snapshotPath(layout, name);
  const meta = existsSync(path) ? readSnapshotMeta(path) : null;
  return meta && { name, path, meta };
}

/** Lists readable snapshots, newest first. */
export function listSnapshots(layout: DataLayout): readonly SnapshotFile[] {
  if (!existsSync(layout.snapshots_dir)) return [];
  return readdirSync(layout.snapshots_dir)
    .map((file) => basename(file, EXTENSION))
    .filter((name) => NAME_PATTERN.test(name))
    .flatMap((name) => findSnapshot(layout, name) ?? [])
    .sort((a, b) => b.meta.generated_ms - a.meta.generated_ms || modifiedMs(b) - modifiedMs(a));
}

const modifiedMs = ({ path }: SnapshotFile): number =>
  lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Finds the current snapshot, or the newest other one if it is damaged or not usable.
 * @param isUsable Further condition, for example that this program can read its schema version.
 */
export function findIntactSnapshot(
  layout: DataLayout,
  isUsable: (snapshot: SnapshotFile) => boolean = () => true,
): SnapshotFile | null {
  const isUsableAndIntact = (snapshot: SnapshotFile): boolean =>
    isUsable(snapshot) && isSnapshotIntact(layout, snapshot.name);
  const current = findSnapshot(layout, getCurrentName(layout));
  if (current !== null && isUsableAndIntact(current)) return current;
  return listSnapshots(layout).find(isUsableAndIntact) ?? null;
}

/** Number of content versions of which a snapshot is retained, as targets of rollbacks. */
const RETAINED_CONTENTS = 5;
/** Newest snapshots that are retained in any case, because a server may still open them. */
const RETAINED_NEWEST = 3;
/** Age after which temporary files of a killed build or of writeFileDurably are deleted. */
const ABORTED_AFTER_MS = 3_600_000;

/**
 * Deletes all snapshots except the current and the next one, the newest ones, and the newest one of
 * each of the last content versions; also deletes old temporary files.
 * @param next_name The snapshot that is about to become current.
 */
export function pruneSnapshots(
  layout: DataLayout,
  now_ms: number,
  next_name = getCurrentName(layout),
): void {
  const { data_dir, snapshots_dir } = layout;
  const all_snapshots = listSnapshots(layout);
  const by_content = [...Map.groupBy(all_snapshots, ({ meta }) => meta.content_digest).values()];
  const rollback_targets = by_content
    .slice(0, RETAINED_CONTENTS)
    .flatMap((snapshots) => snapshots.slice(0, 1));
  const used = [getCurrentName(layout), next_name].map((name) => snapshotPath(layout, name ?? ''));
  const recent = [...rollback_targets, ...all_snapshots.slice(0, RETAINED_NEWEST)];
  const retained = new Set([...used, ...recent.map(({ path }) => path)]);
  for (const path of listPaths(snapshots_dir, /^[^.].*\.db$/))
    if (!retained.has(path)) rmSync(path, { force: true, recursive: true });
  for (const path of [...listPaths(snapshots_dir, /^\./), ...listPaths(data_dir, /\.\d+\.tmp$/)]) {
    const { mtimeMs = now_ms } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    if (now_ms - mtimeMs > ABORTED_AFTER_MS) rmSync(path, { force: true, recursive: true });
  }
}

const listPaths = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
