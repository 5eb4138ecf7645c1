// The tables of what machines share, in PostgreSQL only: attempts to build, of which the newest that came to something is
// current; and files by their path in DATA_DIR, in parts.
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { notifyMachines } from './postgres-session.ts';
import type { Inbox } from './open.ts';

const pack = promisify(zstdCompress);
const unpack = promisify(zstdDecompress);

/** Attempts that are remembered. */
const MOST_ATTEMPTS = 100;

/** A release that serves on all machines that can read it. */
export interface PublishedRelease {
  readonly number: number;
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

/** How the last build went, in the words of whoever made it (last-build.ts). */
export async function getBuildReport(inbox: Inbox): Promise<string | null> {
  const reports = inbox.db.selectFrom('releases').select('report').where('report', 'is not', null);
  return (await reports.orderBy('number', 'desc').limit(1).executeTakeFirst())?.report ?? null;
}

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

/** The number of a new attempt: from now on no older one publishes. Whoever asks has the lock of builds. */
export const startBuildAttempt = (inbox: Inbox, at_ms: number): Promise<number> =>
  inbox.transaction(async () => {
    const begun = inbox.db.insertInto('releases').values({ at_ms }).returning('number');
    const { number } = await begun.executeTakeFirstOrThrow();
    const current = (await getPublishedRelease(inbox))?.number ?? 0;
    const old = inbox.db.deleteFrom('releases').where('number', '<', number - MOST_ATTEMPTS);
    await old.where('number', '<>', current).execute();
    return number;
  });

/**
 * Lets a snapshot serve everywhere, with what `work` writes, or does nothing of it. Throws a sentence where another machine
 * has begun an attempt since: that waits for whoever writes, as this does, so one of the two has seen the other.
 */
export const publishRelease = (
  inbox: Inbox,
  { number, name, schema_version }: PublishedRelease,
  work: () => Promise<void>,
): Promise<void> =>
  inbox.transaction(async () => {
    const newer = inbox.db.selectFrom('releases').select('number').where('number', '>', number);
    if ((await newer.limit(1).executeTakeFirst()) !== undefined)
      throw new Error('Another machine builds releases by now. This one was not published');
    await work();
    await inbox.db
      .updateTable('releases')
      .set({ digest: name, schema_version })
      .where('number', '=', number)
      .execute();
    await notifyMachines(inbox);
  });

/** Nothing is current: the next build is of what is in the inbox now. */
export const clearReleases = async (inbox: Inbox): Promise<void> =>
  void (await inbox.db.updateTable('releases').set({ digest: null }).execute());

/** Paths of files that are whole, below a folder. */
export async function listSharedFiles(inbox: Inbox, folder: string): Promise<readonly string[]> {
  const files = inbox.db.selectFrom('release_files').select('path').where('n', '=', 0);
  const rows = await files.where('path', '>=', `${folder}/`).where('path', '<', `${folder}0`);
  return (await rows.orderBy('path').execute()).map(({ path }) => path);
}

/** Adds a file in the place of what is at its path; the first part last, so that what has it is whole. */
export async function saveSharedFile(
  inbox: Inbox,
  path: string,
  count: number,
  read: (n: number) => Buffer,
  used_ms: number,
): Promise<void> {
  for (let n = count - 1; n >= 0; n--) {
    const row = { path, n, bytes: await pack(read(n)), used_ms };
    const added = inbox.db.insertInto('release_files').values(row);
    await added
      .onConflict((conflict) => conflict.columns(['path', 'n']).doUpdateSet(row))
      .execute();
  }
}

/** The bytes of a part; null behind the last. */
export async function readSharedFilePart(
  inbox: Inbox,
  path: string,
  n: number,
): Promise<Buffer | null> {
  const parts = inbox.db.selectFrom('release_files').select('bytes').where('path', '=', path);
  const row = await parts.where('n', '=', n).executeTakeFirst();
  return row === undefined ? null : unpack(row.bytes);
}

export async function touchSharedFiles(inbox: Inbox, paths: readonly string[], used_ms: number) {
  const used = inbox.db.updateTable('release_files').set({ used_ms });
  await used.where('path', 'in', paths).execute();
}

export async function deleteSharedFiles(inbox: Inbox, paths: readonly string[]): Promise<void> {
  await inbox.db.deleteFrom('release_files').where('path', 'in', paths).execute();
}

export async function pruneSharedFiles(
  inbox: Inbox,
  folder: string,
  before_ms: number,
): Promise<void> {
  const unused = inbox.db.deleteFrom('release_files').where('used_ms', '<', before_ms);
  await unused.where('path', '>=', `${folder}/`).where('path', '<', `${folder}0`).execute();
}
