// Releases of several machines that share a PostgreSQL: who builds, and what all have of what was built. A machine serves
// from its own DATA_DIR, as one alone does; what is published is brought there.
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

const PART_BYTES = 1024 * 1024;
/** A process that works so long without a pause loses its lock. */
const IDLE_MS = 60_000;
const SNAPSHOTS = 'snapshots';
const ASSETS = 'assets';
/** What was asked of each link (gather-pictures.ts): the one file that changes. */
const OUTCOMES = `${PICTURES_FOLDER}/outcomes.json`;
/** Files of pages that no machine has used for so long go. */
const UNUSED_MS = 30 * 86_400_000;

const toShared = (name: string): string => `${SNAPSHOTS}/${name}.db`;

/**
 * A lock over all processes of all machines that share a store, waiting for it; gives the function that frees it, or null
 * where another keeps it.
 */
export async function acquireLock(
  { data_dir, database_url }: InboxConfig,
  name: LockName,
  patience_ms = 0,
): Promise<(() => void) | null> {
  if (database_url === null) {
    const { lock_file, chores_lock_file, sources_lock_file } = dataLayout(data_dir);
    const files = { release: lock_file, chores: chores_lock_file, sources: sources_lock_file };
    return tryAcquireLock(files[name], patience_ms);
  }
  const link = await (await import('../inbox/postgres-session.ts')).openPostgresSession(
    database_url,
    IDLE_MS,
  );
  if (await link.hold(name, patience_ms)) return link.end;
  link.end();
  return null;
}

/** Begins to build where machines share a store: all that is published is here then. Null where there is one machine. */
export async function startSharedBuild(inbox: Inbox, layout: DataLayout, now_ms: number) {
  if (inbox.kind === 'sqlite') return null;
  const number = await startBuildAttempt(inbox, now_ms);
  for (const folder of [SNAPSHOTS, PICTURES_FOLDER]) await fetchSharedFolder(inbox, layout, folder);
  await fetchCurrentRelease(inbox, layout);
  return number;
}

/** Lets a snapshot serve on all machines, with what `work` writes, or nothing of it; what is kept no longer here goes. */
export async function publishSharedBuild(
  inbox: Inbox,
  layout: DataLayout,
  { number, name }: { readonly number: number; readonly name: string },
  work: () => Promise<void>,
): Promise<void> {
  const { data_dir } = layout;
  const known = new Set([
    ...(await listSharedFiles(inbox, SNAPSHOTS)),
    ...(await listSharedFiles(inbox, PICTURES_FOLDER)),
  ]);
  const unused = new Set(listUnusedPictures(layout.pictures_dir));
  const isUnused = (path: string): boolean => unused.has(basename(dirname(path)));
  await put(inbox, data_dir, toShared(name));
  for (const path of listHere(layout, PICTURES_FOLDER))
    if (!known.has(path) && path !== OUTCOMES && !isUnused(path)) await put(inbox, data_dir, path);
  const gone = [...known].filter((path) => isUnused(path) || !existsSync(join(data_dir, path)));
  await publishRelease(inbox, { number, name, schema_version: SCHEMA_VERSION }, async () => {
    await work();
    if (existsSync(join(data_dir, OUTCOMES))) await put(inbox, data_dir, OUTCOMES);
    await deleteSharedFiles(inbox, gone);
  });
}

/** Afterwards all are told how it went. */
export async function finishSharedBuild(
  inbox: Inbox,
  { last_build_file }: DataLayout,
  number: number,
) {
  if (existsSync(last_build_file))
    await saveBuildReport(inbox, number, readFileSync(last_build_file, 'utf8'));
}

/** Makes current here what is published, where this code reads it; gives that. */
export async function fetchCurrentRelease(
  inbox: Inbox,
  layout: DataLayout,
): Promise<PublishedRelease | null> {
  const published = await getPublishedRelease(inbox);
  if (published?.schema_version !== SCHEMA_VERSION) return null;
  const { name } = published;
  if (!isSnapshotIntact(layout, name)) {
    await fetchCandidate(inbox, layout, name);
    // Another process of this machine may have been quicker.
    if (existsSync(candidatePath(layout, name))) promoteCandidate(layout, name);
  }
  if (getCurrentName(layout) !== name) switchCurrent(layout, name);
  return published;
}

/** Brings a snapshot as a candidate. Throws where it is not there, or not as it was made. */
export async function fetchCandidate(
  inbox: Inbox,
  layout: DataLayout,
  name: string,
): Promise<void> {
  const path = candidatePath(layout, name);
  if (!(await fetchSharedFile(inbox, layout.data_dir, toShared(name), path)))
    throw new Error(`Snapshot ${name} is not in the database`);
  if (await isCandidateIntact(layout, name)) return;
  rmSync(path, { force: true });
  throw new Error(`Snapshot ${name} is damaged in the database`);
}

/** Brings what is not here of a folder. */
export async function fetchSharedFolder(inbox: Inbox, { data_dir }: DataLayout, folder: string) {
  for (const path of await listSharedFiles(inbox, folder))
    if (path === OUTCOMES || !existsSync(join(data_dir, path)))
      await fetchSharedFile(inbox, data_dir, path);
}

/** Puts a file where it belongs below DATA_DIR, or at `target`; false where nobody has shared it. */
export async function fetchSharedFile(
  inbox: Inbox,
  data_dir: string,
  path: string,
  target = join(data_dir, path),
): Promise<boolean> {
  let bytes = await readSharedFilePart(inbox, path, 0);
  if (bytes === null) return false;
  mkdirSync(dirname(target), { recursive: true });
  // Two who ask for the same at once write apart.
  const beside = `${target}.${randomUUID()}.tmp`;
  const file = openSync(beside, 'w');
  try {
    for (let n = 1; bytes !== null; n++) {
      writeSync(file, bytes);
      bytes = await readSharedFilePart(inbox, path, n);
    }
  } catch (thrown) {
    rmSync(beside, { force: true });
    throw thrown;
  } finally {
    closeSync(file);
  }
  renameSync(beside, target);
  return true;
}

/** Files below a folder of DATA_DIR, by their paths there. */
function listHere({ data_dir }: DataLayout, folder: string): readonly string[] {
  if (!existsSync(join(data_dir, folder))) return [];
  return readdirSync(join(data_dir, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/(^|\/)\.|\.tmp$/.test(entry.name))
    .map(({ parentPath, name }) => relative(data_dir, join(parentPath, name)));
}

/** Shares what lies at a path below DATA_DIR, or elsewhere. */
async function put(inbox: Inbox, data_dir: string, path: string, at = join(data_dir, path)) {
  const file = openSync(at, 'r');
  try {
    const { size } = fstatSync(file);
    const read = (n: number): Buffer => {
      const part = Buffer.alloc(Math.min(PART_BYTES, size - n * PART_BYTES));
      readSync(file, part, 0, part.length, n * PART_BYTES);
      return part;
    };
    const count = Math.max(1, Math.ceil(size / PART_BYTES));
    await saveSharedFile(inbox, path, count, read, createClock(null)());
  } finally {
    closeSync(file);
  }
}

/**
 * Shares the files of this version's pages, by their addresses: whoever has a page of it and is sent to a machine of another
 * version gets them there, too. To be called once a day.
 */
export async function uploadAssets(
  inbox: Inbox,
  { data_dir }: DataLayout,
  assets: ReadonlyMap<string, string>,
): Promise<void> {
  const known = new Set(await listSharedFiles(inbox, ASSETS));
  const own = [...assets].filter(([address]) => sharedAssetPath(address) !== null);
  for (const [address, at] of own) {
    const path = sharedAssetPath(address) ?? '';
    if (!known.has(path)) await put(inbox, data_dir, path, at);
  }
  const now_ms = createClock(null)();
  await touchSharedFiles(
    inbox,
    own.map(([address]) => sharedAssetPath(address) ?? ''),
    now_ms,
  );
  await pruneSharedFiles(inbox, ASSETS, now_ms - UNUSED_MS);
}

/** Where below DATA_DIR a file of another version's pages lies; null of any other address. */
export const sharedAssetPath = (address: string): string | null =>
  /^\/_astro\/[\w-][\w.-]*$/.test(address) ? `${ASSETS}${address}` : null;
