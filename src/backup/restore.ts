// Restore: replaces the inbox with a backup. Existing files are moved aside, never deleted, and data that was erased
// after the backup is erased again (contract 14.26).
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { listApiKeys, revokeApiKey } from '../inbox/api-keys.ts';
import { importIntoPostgres, checkpointJournal, isInboxInUse } from '../inbox/backup.ts';
import { compactStore, erasePrivateColumns, listErasedReferences } from '../inbox/erase.ts';
import { ensureDataFolder } from '../inbox/data-folder.ts';
import { type Inbox, isPostgresUrl, openInbox, inboxLocation } from '../inbox/open.ts';
import { insertUnsubscription, listUnsubscriptions } from '../inbox/outbox.ts';
import { deleteFormerSubscribers } from '../inbox/subscribers.ts';
import { syncFolder } from '../releases/durable-file.ts';
import { requestRelease, dataLayout } from '../releases/snapshots.ts';
import {
  type Backup,
  type BackupSources,
  verifyBackup,
  findNewestBackup,
  BACKUP_FILES,
  formatBackupName,
} from './backups.ts';

/**
 * Restores a backup and requests a release. Content is restored only if the content folder is missing or empty.
 * @returns the paths of moved files, and the erasures and revocations that were applied again.
 * @throws Error, with nothing changed, if the backup is damaged or the inbox in use.
 */
export async function restoreBackup(
  options: BackupSources & { readonly backup: Backup; readonly now_ms: number },
) {
  const { backup, data_dir, content_dir, database_url, now_ms } = options;
  await verifyBackup(backup);
  const location = inboxLocation({ data_dir, database_url });
  if (await isInboxInUse(location))
    throw new Error(
      `${database_url === null ? location : 'The database of DATABASE_URL'} is in use. Stop the service and all other commands, then restore again`,
    );
  ensureDataFolder(data_dir);
  const work_dir = mkdtempSync(join(data_dir, '.restoring-'));
  try {
    const reapplied = await prepareCopy(work_dir, location, backup, now_ms);
    const suffix = `.before-${formatBackupName(now_ms)}`;
    const moved =
      database_url === null
        ? replaceFiles(work_dir, data_dir, suffix)
        : await importIntoPostgres(
            database_url,
            join(work_dir, BACKUP_FILES.inbox),
            join(data_dir, `inbox${suffix}`),
          );
    syncFolder(data_dir);
    const is_content_restored = !existsSync(content_dir) || readdirSync(content_dir).length === 0;
    if (is_content_restored)
      cpSync(join(backup.dir, BACKUP_FILES.content), content_dir, { recursive: true });
    requestRelease(dataLayout(data_dir));
    return { ...reapplied, moved, is_content_restored };
  } finally {
    rmSync(work_dir, { recursive: true, force: true });
  }
}

/** Moves the prepared files to DATA_DIR. @returns the new paths of the replaced files. */
function replaceFiles(work_dir: string, data_dir: string, suffix: string): readonly string[] {
  const moved: string[] = [];
  for (const name of [BACKUP_FILES.uploads, BACKUP_FILES.inbox]) {
    const path = join(data_dir, name);
    // A damaged database may leave its journal behind.
    const existing = [`${path}-wal`, `${path}-shm`, path].filter(existsSync);
    // The database file is linked, not moved, so that it always exists: a starting service would create an empty one.
    for (const file of existing) {
      const moveAside = file === path ? linkSync : renameSync;
      moveAside(file, file + suffix);
    }
    renameSync(join(work_dir, name), path);
    moved.push(...existing.map((file) => file + suffix));
  }
  return moved;
}

/**
 * Copies a backup to `work_dir` and applies later erasures and revocations of the current inbox and newest backup.
 * Files of these are opened as copies, in the folders `0` and `1`, because opening an inbox migrates it.
 * @throws Error if this program cannot use the version of one of them.
 */
async function prepareCopy(work_dir: string, location: string, backup: Backup, now_ms: number) {
  for (const name of [BACKUP_FILES.inbox, BACKUP_FILES.uploads])
    if (existsSync(join(backup.dir, name)))
      copyFileSync(join(backup.dir, name), join(work_dir, name));
  const newest = findNewestBackup(dirname(backup.dir)) ?? backup.dir;
  const copy = await openInbox(join(work_dir, BACKUP_FILES.inbox));
  const newer: Inbox[] = [];
  try {
    if (isPostgresUrl(location)) newer.push(await openInbox(location));
    else newer.push(...(await openCopyOf(location, join(work_dir, '0'))));
    newer.push(...(await openCopyOf(join(newest, BACKUP_FILES.inbox), join(work_dir, '1'))));
    return await reapplyErasuresAndRevocations(copy, newer, now_ms);
  } finally {
    for (const inbox of [copy, ...newer]) await inbox.close();
    // Only the database files are moved to DATA_DIR, so merge their journals.
    for (const name of [BACKUP_FILES.inbox, BACKUP_FILES.uploads])
      checkpointJournal(join(work_dir, name));
  }
}

/**
 * Opens a copy of an inbox in its own folder. @returns an empty list if the file is missing or damaged.
 * @throws Error if this program cannot use its version: its erasures must not be ignored.
 */
async function openCopyOf(path: string, folder: string): Promise<readonly Inbox[]> {
  if (!existsSync(path)) return [];
  const copy = join(folder, BACKUP_FILES.inbox);
  mkdirSync(folder);
  copyFileSync(path, copy);
  try {
    return [await openInbox(copy)];
  } catch (thrown) {
    // Errors of SQLite are causes.
    if (thrown instanceof Error && thrown.cause !== undefined) return [];
    throw thrown;
  }
}

/**
 * Applies to `old` the erasures, key revocations and unsubscriptions that `newer` inboxes have.
 * @returns the erased references, the ids of revoked keys and the number of unsubscriptions.
 */
async function reapplyErasuresAndRevocations(old: Inbox, newer: readonly Inbox[], now_ms: number) {
  const listNew = async (list: (inbox: Inbox) => Promise<readonly string[]>) => {
    const current = new Set((await Array.fromAsync(newer, list)).flat());
    return [...current.difference(new Set(await list(old)))];
  };
  const reapplied = await old.transaction(async () => {
    const erased: string[] = [];
    for (const reference of await listNew(listErasedReferences))
      if (await erasePrivateColumns(old, reference)) erased.push(reference);
    const revoked: string[] = [];
    for (const id of await listNew(listRevokedKeys))
      if (await revokeApiKey(old, id, now_ms)) revoked.push(id);
    const unsubscribed = await listNew(listUnsubscriptions);
    for (const recipient of unsubscribed) await insertUnsubscription(old, recipient);
    // Subscribers of the backup who unsubscribed after it.
    await deleteFormerSubscribers(old);
    return { erased, revoked, unsubscribed_count: unsubscribed.length };
  });
  await compactStore(old);
  return reapplied;
}

const listRevokedKeys = async (inbox: Inbox): Promise<readonly string[]> =>
  (await listApiKeys(inbox)).flatMap(({ id, revoked_at }) => (revoked_at === null ? [] : [id]));
