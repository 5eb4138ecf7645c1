// Shared releases: lets several machines with one PostgreSQL serve the same release. Locks builds,
// uploads the files of a release to the database, publishes it, and downloads the files to the
// DATA_DIR of each machine. A build attempt is a numbered build by any machine; only the newest
// attempt may publish.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { createClock } from '../clock.ts';
import { PICTURES_FOLDER } from '../domain/pictures.ts';
import type { LockName } from '../inbox/postgres-session.ts';
import type { Inbox, InboxConfig } from '../inbox/open.ts';
import {
  startBuildAttempt,
  deleteSharedFiles,
  pruneSharedFiles,
  listSharedFiles,
  publishRelease,
  type PublishedRelease,
  saveBuildReport,
  saveSharedFile,
  getPublishedRelease,
  readSharedFilePart,
  touchSharedFiles,
} from '../inbox/shared-releases.ts';
import { listUnusedPictures } from '../pictures/fetch-pictures.ts';
import { SCHEMA_VERSION } from '../snapshot/snapshot-meta.ts';
import { tryAcquireLock } from './file-lock.ts';
import {
  isSnapshotIntact,
  isCandidateIntact,
  promoteCandidate,
  type DataLayout,
  getCurrentName,
  switchCurrent,
  candidatePath,
  dataLayout,
} from './snapshots.ts';

/** Files are stored in the database in parts of this size. */
const PART_BYTES = 1024 * 1024;
/** A process that blocks its event loop for this time loses its locks. */
const SESSION_IDLE_MS = 60_000;
const SNAPSHOTS = 'snapshots';
const ASSETS = 'assets';
/** Results of picture downloads (fetch-pictures.ts): the only shared file that changes. */
const OUTCOMES_PATH = `${PICTURES_FOLDER}/outcomes.json`;
/** Time after which assets that no machine uses are deleted. */
const ASSET_RETENTION_MS = 30 * 86_400_000;

/** Returns the path of a snapshot below DATA_DIR, and so in the database. */
const sharedSnapshotPath = (name: string): string => `${SNAPSHOTS}/${name}.db`;

/**
 * Acquires a lock across all processes (`release`: builds; `chores`: tasks of the primary process;
 * `sources`: source fetching), and with PostgreSQL across all machines, waiting up to `timeout_ms`.
 * @returns the function that releases it, or null on a timeout.
 */
export async function acquireLock(
  { data_dir, database_url }: InboxConfig,
  name: LockName,
  timeout_ms = 0,
): Promise<(() => void) | null> {
  if (database_url === null) {
    const { lock_file, primary_lock_file, sources_lock_file } = dataLayout(data_dir);
    const files = { release: lock_file, chores: primary_lock_file, sources: sources_lock_file };
    return tryAcquireLock(files[name], timeout_ms);
  }
  const { openPostgresSession } = await import('../inbox/postgres-session.ts');
  const session = await openPostgresSession(database_url, SESSION_IDLE_MS);
  if (await session.acquireLock(name, timeout_ms)) return session.close;
  session.close();
  return null;
}

/**
 * Starts a build attempt on one of several machines: downloads all published files.
 * @returns the attempt's number; null for a single machine with SQLite.
 */
export async function startSharedBuild(inbox: Inbox, layout: DataLayout, now_ms: number) {
  if (inbox.kind === 'sqlite') return null;
  const number = await startBuildAttempt(inbox, now_ms);
  for (const folder of [SNAPSHOTS, PICTURES_FOLDER]) await fetchSharedFolder(inbox, layout, folder);
  await fetchCurrentRelease(inbox, layout);
  return number;
}

/**
 * Uploads the files of a release and publishes it to all machines, with the writes of
 * `saveInTransaction` in the same transaction. Deletes shared files that no longer exist here.
 */
export async function publishSharedBuild(
  inbox: Inbox,
  layout: DataLayout,
  { number, name }: { readonly number: number; readonly name: string },
  saveInTransaction: () => Promise<void>,
): Promise<void> {
  const { data_dir } = layout;
  const shared_paths = new Set([
    ...(await listSharedFiles(inbox, SNAPSHOTS)),
    ...(await listSharedFiles(inbox, PICTURES_FOLDER)),
  ]);
  const unused_pictures = new Set(listUnusedPictures(layout.pictures_dir));
  const isUnused = (path: string): boolean => unused_pictures.has(basename(dirname(path)));
  await uploadFile(inbox, data_dir, sharedSnapshotPath(name));
  for (const path of listLocalFiles(layout, PICTURES_FOLDER))
    if (!shared_paths.has(path) && path !== OUTCOMES_PATH && !isUnused(path))
      await uploadFile(inbox, data_dir, path);
  const obsolete = [...shared_paths].filter(
    (path) => isUnused(path) || !existsSync(join(data_dir, path)),
  );
  await publishRelease(inbox, { number, name, schema_version: SCHEMA_VERSION }, async () => {
    await saveInTransaction();
    if (existsSync(join(data_dir, OUTCOMES_PATH))) await uploadFile(inbox, data_dir, OUTCOMES_PATH);
    await deleteSharedFiles(inbox, obsolete);
  });
}

/** Saves the build report (last-build.json) for all machines, after a success or failure. */
export async function finishSharedBuild(
  inbox: Inbox,
  { last_build_file }: DataLayout,
  number: number,
) {
  if (existsSync(last_build_file))
    await saveBuildReport(inbox, number, readFileSync(last_build_file, 'utf8'));
}

/**
 * Downloads the published release and makes it current on this machine.
 * @returns null if none is published or this program does not support its schema version.
 */
export async function fetchCurrentRelease(
  inbox: Inbox,
  layout: DataLayout,
): Promise<PublishedRelease | null> {
  const published = await getPublishedRelease(inbox);
  if (published?.schema_version !== SCHEMA_VERSION) return null;
  const { name } = published;
  if (!isSnapshotIntact(layout, name)) {
    await fetchCandidate(inbox, layout, name);
    // Another process of this machine may have promoted it meanwhile.
    if (existsSync(candidatePath(layout, name))) promoteCandidate(layout, name);
  }
  if (getCurrentName(layout) !== name) switchCurrent(layout, name);
  return published;
}

/** Downloads a snapshot as a candidate. @throws Error if it is missing or damaged. */
export async function fetchCandidate(
  inbox: Inbox,
  layout: DataLayout,
  name: string,
): Promise<void> {
  const path = candidatePath(layout, name);
  if (!(await fetchSharedFile(inbox, layout.data_dir, sharedSnapshotPath(name), path)))
    throw new Error(`Snapshot ${name} is not in the database`);
  if (await isCandidateIntact(layout, name)) return;
  rmSync(path, { force: true });
  throw new Error(`Snapshot ${name} is damaged in the database`);
}

/** Downloads the files of a folder that are missing here. */
export async function fetchSharedFolder(inbox: Inbox, { data_dir }: DataLayout, folder: string) {
  for (const path of await listSharedFiles(inbox, folder))
    if (path === OUTCOMES_PATH || !existsSync(join(data_dir, path)))
      await fetchSharedFile(inbox, data_dir, path);
}

/** Downloads a file to its path below DATA_DIR, or `target`. @returns false if it is not shared. */
export async function fetchSharedFile(
  inbox: Inbox,
  data_dir: string,
  path: string,
  target = join(data_dir, path),
): Promise<boolean> {
  let bytes = await readSharedFilePart(inbox, path, 0);
  if (bytes === null) return false;
  mkdirSync(dirname(target), { recursive: true });
  // Concurrent downloads of the same file need separate temporary files.
  const temporary_path = `${target}.${randomUUID()}.tmp`;
  const file = openSync(temporary_path, 'w');
  try {
    for (let part_number = 1; bytes !== null; part_number++) {
      writeSync(file, bytes);
      bytes = await readSharedFilePart(inbox, path, part_number);
    }
  } catch (thrown) {
    rmSync(temporary_path, { force: true });
    throw thrown;
  } finally {
    closeSync(file);
  }
  renameSync(temporary_path, target);
  return true;
}

/** Lists the files below a folder of DATA_DIR, with paths relative to DATA_DIR. */
function listLocalFiles({ data_dir }: DataLayout, folder: string): readonly string[] {
  if (!existsSync(join(data_dir, folder))) return [];
  return readdirSync(join(data_dir, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(^|\/)\.|\.tmp$/.test(entry.name))
    .map(({ parentPath, name }) => relative(data_dir, join(parentPath, name)));
}

/** Uploads the file at a path below DATA_DIR, or at `source`, in parts. */
async function uploadFile(
  inbox: Inbox,
  data_dir: string,
  path: string,
  source = join(data_dir, path),
) {
  const file = openSync(source, 'r');
  try {
    const { size } = fstatSync(file);
    const readPart = (part_number: number): Buffer => {
      const offset = part_number * PART_BYTES;
      const part = Buffer.alloc(Math.min(PART_BYTES, size - offset));
      readSync(file, part, 0, part.length, offset);
      return part;
    };
    const part_count = Math.max(1, Math.ceil(size / PART_BYTES));
    await saveSharedFile(inbox, path, part_count, readPart, createClock(null)());
  } finally {
    closeSync(file);
  }
}

/**
 * Uploads the assets (style sheets, scripts) of this version's pages, so that machines of another
 * version can serve them: a load balancer may send the asset requests of a page there. Call it once
 * a day.
 */
export async function uploadAssets(
  inbox: Inbox,
  { data_dir }: DataLayout,
  assets: ReadonlyMap<string, string>,
): Promise<void> {
  const shared_paths = new Set(await listSharedFiles(inbox, ASSETS));
  const our_assets = [...assets].flatMap(([url_path, source]) => {
    const path = sharedAssetPath(url_path);
    return path === null ? [] : [{ path, source }];
  });
  for (const { path, source } of our_assets)
    if (!shared_paths.has(path)) await uploadFile(inbox, data_dir, path, source);
  const now_ms = createClock(null)();
  await touchSharedFiles(
    inbox,
    our_assets.map(({ path }) => path),
    now_ms,
  );
  await pruneSharedFiles(inbox, ASSETS, now_ms - ASSET_RETENTION_MS);
}

/** Returns the path below DATA_DIR of an asset; null if the URL path is not one of an asset. */
export const sharedAssetPath = (url_path: string): string | null =>
  /^\/_astro\/[\w-][\w.-]*$/.test(url_path) ? `${ASSETS}${url_path}` : null;
