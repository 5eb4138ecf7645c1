// Shared releases: stores the state that several machines share, in PostgreSQL only: build attempts (numbered builds;
// the newest published one is the current release) and files by their path in DATA_DIR, split into parts.
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { notifyMachines } from './postgres-session.ts';
import type { Inbox } from './open.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Older build attempts are deleted. */
const MAX_ATTEMPTS = 100;

/** Release that all machines serve, if their program supports its schema version. */
export interface PublishedRelease {
  /** Number of its build attempt. */
  readonly number: number;
  /** Name of its snapshot. */
  readonly name: string;
  readonly schema_version: number;
}

export async function getPublishedRelease(inbox: Inbox): Promise<PublishedRelease | null> {
  const row = await inbox.db
    .selectFrom('releases')
    .select(['number', 'digest', 'schema_version'])
    .where('digest', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return { number: row.number, name: row.digest ?? '', schema_version: row.schema_version ?? 0 };
}

/** Returns the report of the last build, as JSON of last-build.ts. */
export async function getBuildReport(inbox: Inbox): Promise<string | null> {
  const reports = inbox.db.selectFrom('releases').select('report').where('report', 'is not', null);
  return (await reports.orderBy('number', 'desc').limit(1).executeTakeFirst())?.report ?? null;
}

/** Saves the report of the build attempt with a number. */
export const saveBuildReport = async (
  inbox: Inbox,
  number: number,
  report: string,
): Promise<void> =>
  void (await inbox.db
    .updateTable('releases')
    .set({ report })
    .where('number', '=', number)
    .execute());

/**
 * Starts a build attempt and returns its number. From then on, older attempts cannot publish. The caller must hold the
 * `release` lock.
 */
export const startBuildAttempt = (inbox: Inbox, at_ms: number): Promise<number> =>
  inbox.transaction(async () => {
    const insert = inbox.db.insertInto('releases').values({ at_ms }).returning('number');
    const { number } = await insert.executeTakeFirstOrThrow();
    const current = (await getPublishedRelease(inbox))?.number ?? 0;
    const old = inbox.db.deleteFrom('releases').where('number', '<', number - MAX_ATTEMPTS);
    await old.where('number', '<>', current).execute();
    return number;
  });

/**
 * Makes a snapshot the current release and runs `work`, in one transaction. Starting and publishing attempts both take
 * the writers' lock, so that one of two competing machines always sees the other.
 * @throws Error if another machine has started a newer attempt.
 */
export const publishRelease = (
  inbox: Inbox,
  { number, name, schema_version }: PublishedRelease,
  work: () => Promise<void>,
): Promise<void> =>
  inbox.transaction(async () => {
    const newer = inbox.db.selectFrom('releases').select('number').where('number', '>', number);
    if ((await newer.limit(1).executeTakeFirst()) !== undefined)
      throw new Error('Release not published: another machine has started a newer build');
    await work();
    await inbox.db
      .updateTable('releases')
      .set({ digest: name, schema_version })
      .where('number', '=', number)
      .execute();
    await notifyMachines(inbox);
  });

/** Unsets the current release, so that the next build starts from the current inbox. */
export const clearReleases = async (inbox: Inbox): Promise<void> =>
  void (await inbox.db.updateTable('releases').set({ digest: null }).execute());

/** Lists the paths of complete files below a folder. */
export async function listSharedFiles(inbox: Inbox, folder: string): Promise<readonly string[]> {
  const files = inbox.db.selectFrom('release_files').select('path').where('n', '=', 0);
  // In ASCII, `0` is the character after `/`.
  const below_folder = files.where('path', '>=', `${folder}/`).where('path', '<', `${folder}0`);
  return (await below_folder.orderBy('path').execute()).map(({ path }) => path);
}

/** Saves a file in parts, replacing one with the same path. Part 0 is written last and marks the file as complete. */
export async function saveSharedFile(
  inbox: Inbox,
  path: string,
  part_count: number,
  readPart: (part_number: number) => Buffer,
  used_ms: number,
): Promise<void> {
  for (let part_number = part_count - 1; part_number >= 0; part_number--) {
    const row = { path, n: part_number, bytes: await compress(readPart(part_number)), used_ms };
    const insert = inbox.db.insertInto('release_files').values(row);
    await insert
      .onConflict((conflict) => conflict.columns(['path', 'n']).doUpdateSet(row))
      .execute();
  }
}

/** Reads the bytes of one part. @returns null after the last part. */
export async function readSharedFilePart(
  inbox: Inbox,
  path: string,
  part_number: number,
): Promise<Buffer | null> {
  const parts = inbox.db.selectFrom('release_files').select('bytes').where('path', '=', path);
  const row = await parts.where('n', '=', part_number).executeTakeFirst();
  return row === undefined ? null : decompress(row.bytes);
}

/** Records that a machine uses files, so that pruneSharedFiles does not delete them. */
export async function touchSharedFiles(inbox: Inbox, paths: readonly string[], used_ms: number) {
  const update = inbox.db.updateTable('release_files').set({ used_ms });
  await update.where('path', 'in', paths).execute();
}

export async function deleteSharedFiles(inbox: Inbox, paths: readonly string[]): Promise<void> {
  await inbox.db.deleteFrom('release_files').where('path', 'in', paths).execute();
}

/** Deletes the files below a folder that were last used before `before_ms`. */
export async function pruneSharedFiles(
  inbox: Inbox,
  folder: string,
  before_ms: number,
): Promise<void> {
  const unused = inbox.db.deleteFrom('release_files').where('used_ms', '<', before_ms);
  await unused.where('path', '>=', `${folder}/`).where('path', '<', `${folder}0`).execute();
}
