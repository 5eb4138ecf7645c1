// Putting a backup back: into an empty place, or in the place of what is there, which is moved aside and
// never lost. What was forgotten since is forgotten again (contract 14.26).
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
import { deleteSubscribersWhoLeft } from '../inbox/subscribers.ts';
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
 * Puts it back and asks for a build; gives what was moved aside, as paths, and what was made good. Throws a
 * sentence, with nothing changed, where it cannot.
 */
export async function restoreBackup(
  order: BackupSources & { readonly backup: Backup; readonly now_ms: number },
) {
  const { backup, data_dir, content_dir, database_url, now_ms } = order;
  await verifyBackup(backup);
  const location = inboxLocation({ data_dir, database_url });
  if (await isInboxInUse(location))
    throw new Error(
      `${database_url === null ? location : 'The database of DATABASE_URL'} is in use. Stop the service, and every other command, then restore again`,
    );
  ensureDataFolder(data_dir);
  const work = mkdtempSync(join(data_dir, '.restoring-'));
  try {
    const good = await bringUp(work, location, backup, now_ms);
    const ending = `.before-${formatBackupName(now_ms)}`;
    const before = join(data_dir, `inbox${ending}`);
    const aside =
      database_url === null
        ? putInPlace(work, data_dir, ending)
        : await importIntoPostgres(database_url, join(work, BACKUP_FILES.inbox), before);
    syncFolder(data_dir);
    const is_content_restored = !existsSync(content_dir) || readdirSync(content_dir).length === 0;
    if (is_content_restored)
      cpSync(join(backup.dir, BACKUP_FILES.content), content_dir, { recursive: true });
    requestRelease(dataLayout(data_dir));
    return { ...good, aside, is_content_restored };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function putInPlace(work: string, data_dir: string, ending: string): readonly string[] {
  const aside: string[] = [];
  for (const name of [BACKUP_FILES.uploads, BACKUP_FILES.inbox]) {
    const path = join(data_dir, name);
    // What a damaged file leaves beside it goes too.
    const here = [`${path}-wal`, `${path}-shm`, path].filter(existsSync);
    // There is no moment without a file: a service that begins would make an empty one.
    for (const from of here) (from === path ? linkSync : renameSync)(from, from + ending);
    renameSync(join(work, name), path);
    aside.push(...here.map((from) => from + ending));
  }
  return aside;
}

/** Copies a backup to `work`, up to what is known since: by the inbox in its place, and by the newest backup. */
async function bringUp(work: string, location: string, backup: Backup, now_ms: number) {
  // One of an older version has its pictures in inbox.db.
  for (const name of [BACKUP_FILES.inbox, BACKUP_FILES.uploads])
    if (existsSync(join(backup.dir, name))) copyFileSync(join(backup.dir, name), join(work, name));
  const newest = findNewestBackup(dirname(backup.dir)) ?? backup.dir;
  const newer = [
    isPostgresUrl(location)
      ? await openInbox(location)
      : await openCopyOf(location, join(work, '0')),
    await openCopyOf(join(newest, BACKUP_FILES.inbox), join(work, '1')),
  ].filter((known) => known !== null);
  const copy = await openInbox(join(work, BACKUP_FILES.inbox));
  try {
    return await reapplyErasuresAndRevocations(copy, newer, now_ms);
  } finally {
    for (const inbox of [copy, ...newer]) await inbox.close();
    // Files without a journal beside them are what is put in place.
    for (const name of [BACKUP_FILES.inbox, BACKUP_FILES.uploads])
      checkpointJournal(join(work, name));
  }
}

/** In a folder of its own; null where there is none, or none that opens. */
async function openCopyOf(path: string, folder: string): Promise<Inbox | null> {
  if (!existsSync(path)) return null;
  const copy = join(folder, BACKUP_FILES.inbox);
  mkdirSync(folder);
  copyFileSync(path, copy);
  try {
    return await openInbox(copy);
  } catch {
    return null;
  }
}

/**
 * Does in `old` again what was done since for somebody's protection, as `newer` ones know it: what was
 * forgotten goes, revoked keys stay revoked, who wants no mail gets none. Everybody logs in anew. Gives references
 * that were forgotten, ids of keys, and how many want no mail.
 */
async function reapplyErasuresAndRevocations(old: Inbox, newer: readonly Inbox[], now_ms: number) {
  const listNew = async (list: (inbox: Inbox) => Promise<readonly string[]>) => {
    const known = new Set((await Array.fromAsync(newer, list)).flat());
    return [...known.difference(new Set(await list(old)))];
  };
  const done = await old.transaction(async () => {
    const forgotten: string[] = [];
    for (const reference of await listNew(listErasedReferences))
      if (await erasePrivateColumns(old, reference)) forgotten.push(reference);
    const revoked: string[] = [];
    for (const id of await listNew(listRevoked))
      if (await revokeApiKey(old, id, now_ms)) revoked.push(id);
    const stops = await listNew(listUnsubscriptions);
    for (const reader of stops) await insertUnsubscription(old, reader);
    await deleteSubscribersWhoLeft(old);
    return { forgotten, revoked, mail_stops: stops.length };
  });
  await compactStore(old);
  return done;
}

const listRevoked = async (inbox: Inbox): Promise<readonly string[]> =>
  (await listApiKeys(inbox)).flatMap(({ id, revoked_at }) => (revoked_at === null ? [] : [id]));
