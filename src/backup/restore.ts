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
import { listKeys, revokeKey } from '../inbox/api-keys.ts';
import { copyIn, foldJournal, isInUse } from '../inbox/backup.ts';
import { compact, clearPrivate, listForgotten } from '../inbox/erase.ts';
import { makeDataFolder } from '../inbox/data-folder.ts';
import { type Inbox, isPostgres, openInbox, toInboxLocation } from '../inbox/open.ts';
import { insertMailStop, listMailStops } from '../inbox/letters.ts';
import { removeLeft } from '../inbox/readers.ts';
import { syncFolder } from '../releases/durable-file.ts';
import { requestRelease, toLayout } from '../releases/snapshots.ts';
import {
  type Backup,
  type BackupSources,
  checkBackup,
  findNewest,
  PARTS,
  toBackupName,
} from './backups.ts';

/**
 * Puts it back and asks for a build; gives what was moved aside, as paths, and what was made good. Throws a
 * sentence, with nothing changed, where it cannot.
 */
export async function restoreBackup(
  order: BackupSources & { readonly backup: Backup; readonly now_ms: number },
) {
  const { backup, data_dir, content_dir, database_url, now_ms } = order;
  await checkBackup(backup);
  const location = toInboxLocation({ data_dir, database_url });
  if (await isInUse(location))
    throw new Error(
      `${database_url === null ? location : 'The database of DATABASE_URL'} is in use. Stop the service, and every other command, then restore again`,
    );
  makeDataFolder(data_dir);
  const work = mkdtempSync(join(data_dir, '.restoring-'));
  try {
    const good = await bringUp(work, location, backup, now_ms);
    const ending = `.before-${toBackupName(now_ms)}`;
    const before = join(data_dir, `inbox${ending}`);
    const aside =
      database_url === null
        ? putInPlace(work, data_dir, ending)
        : await copyIn(database_url, join(work, PARTS.inbox), before);
    syncFolder(data_dir);
    const is_content_restored = !existsSync(content_dir) || readdirSync(content_dir).length === 0;
    if (is_content_restored)
      cpSync(join(backup.dir, PARTS.content), content_dir, { recursive: true });
    requestRelease(toLayout(data_dir));
    return { ...good, aside, is_content_restored };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function putInPlace(work: string, data_dir: string, ending: string): readonly string[] {
  const aside: string[] = [];
  for (const name of [PARTS.uploads, PARTS.inbox]) {
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
  for (const name of [PARTS.inbox, PARTS.uploads])
    if (existsSync(join(backup.dir, name))) copyFileSync(join(backup.dir, name), join(work, name));
  const newest = findNewest(dirname(backup.dir)) ?? backup.dir;
  const newer = [
    isPostgres(location) ? await openInbox(location) : await openCopyOf(location, join(work, '0')),
    await openCopyOf(join(newest, PARTS.inbox), join(work, '1')),
  ].filter((known) => known !== null);
  const copy = await openInbox(join(work, PARTS.inbox));
  try {
    return await makeGood(copy, newer, now_ms);
  } finally {
    for (const inbox of [copy, ...newer]) await inbox.close();
    // Files without a journal beside them are what is put in place.
    for (const name of [PARTS.inbox, PARTS.uploads]) foldJournal(join(work, name));
  }
}

/** In a folder of its own; null where there is none, or none that opens. */
async function openCopyOf(path: string, folder: string): Promise<Inbox | null> {
  if (!existsSync(path)) return null;
  const copy = join(folder, PARTS.inbox);
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
async function makeGood(old: Inbox, newer: readonly Inbox[], now_ms: number) {
  const listNew = async (list: (inbox: Inbox) => Promise<readonly string[]>) => {
    const known = new Set((await Array.fromAsync(newer, list)).flat());
    return [...known.difference(new Set(await list(old)))];
  };
  const done = await old.transaction(async () => {
    const forgotten: string[] = [];
    for (const reference of await listNew(listForgotten))
      if (await clearPrivate(old, reference)) forgotten.push(reference);
    const revoked: string[] = [];
    for (const id of await listNew(listRevoked))
      if (await revokeKey(old, id, now_ms)) revoked.push(id);
    const stops = await listNew(listMailStops);
    for (const reader of stops) await insertMailStop(old, reader);
    await removeLeft(old);
    return { forgotten, revoked, mail_stops: stops.length };
  });
  await compact(old);
  return done;
}

const listRevoked = async (inbox: Inbox): Promise<readonly string[]> =>
  (await listKeys(inbox)).flatMap(({ id, revoked_at }) => (revoked_at === null ? [] : [id]));
