// Putting a backup back: into an empty place, or in the place of what is there, which is moved aside and
// never lost. What was forgotten since is forgotten again (contract 14.27).
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
import { isInUse } from '../inbox/backup.ts';
import { compact } from '../inbox/compact.ts';
import { makeDataFolder } from '../inbox/data-folder.ts';
import { type Inbox, inTransaction, openInbox } from '../inbox/open.ts';
import { insertMailStop, listMailStops } from '../inbox/letters.ts';
import { clearPrivate, listForgotten } from '../inbox/private.ts';
import { syncFolder } from '../releases/durable-file.ts';
import { requestRelease, toLayout } from '../releases/snapshots.ts';
import { type Backup, checkBackup, findNewest, PARTS, toBackupName } from './backups.ts';

/**
 * Puts it back and asks for a build; gives what was moved aside, as paths, and what was made good. Throws a
 * sentence, with nothing changed, where it cannot.
 */
export async function restoreBackup(order: {
  readonly backup: Backup;
  readonly data_dir: string;
  /** Filled where it is empty. */
  readonly content_dir: string;
  readonly now_ms: number;
}) {
  const { backup, data_dir, content_dir, now_ms } = order;
  await checkBackup(backup);
  const inbox_path = join(data_dir, PARTS.inbox);
  if (existsSync(inbox_path) && isInUse(inbox_path))
    throw new Error(
      `${inbox_path} is in use. Stop the service, and every other command, then restore again`,
    );
  makeDataFolder(data_dir);
  const work = mkdtempSync(join(data_dir, '.restoring-'));
  try {
    const good = bringUp(work, inbox_path, backup, now_ms);
    const ending = `.before-${toBackupName(now_ms)}`;
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

/** Copies a backup to `work`, up to what is known since: by the inbox in its place, and by the newest backup. */
function bringUp(work: string, inbox_path: string, backup: Backup, now_ms: number) {
  // One of an older version has its pictures in inbox.db.
  for (const name of [PARTS.inbox, PARTS.uploads])
    if (existsSync(join(backup.dir, name))) copyFileSync(join(backup.dir, name), join(work, name));
  const newest = findNewest(dirname(backup.dir)) ?? backup.dir;
  const newer = [inbox_path, join(newest, PARTS.inbox)].flatMap(
    (known, at) => openCopyOf(known, join(work, String(at))) ?? [],
  );
  const copy = openInbox(join(work, PARTS.inbox));
  try {
    const good = makeGood(copy, newer, now_ms);
    // Files without a journal beside them are what is put in place.
    for (const file of ['main', 'uploads']) copy.pragma(`${file}.journal_mode = delete`);
    return good;
  } finally {
    for (const inbox of [copy, ...newer]) inbox.close();
  }
}

/** In a folder of its own; null where there is none, or none that opens. */
function openCopyOf(path: string, folder: string): Inbox | null {
  if (!existsSync(path)) return null;
  const copy = join(folder, PARTS.inbox);
  mkdirSync(folder);
  copyFileSync(path, copy);
  try {
    return openInbox(copy);
  } catch {
    return null;
  }
}

/**
 * Does in `old` again what was done since for somebody's protection, as `newer` ones know it: what was
 * forgotten goes, revoked keys stay revoked, who wants no mail gets none. Everybody logs in anew. Gives references
 * that were forgotten, ids of keys, and how many want no mail.
 */
function makeGood(old: Inbox, newer: readonly Inbox[], now_ms: number) {
  const listNew = (list: (inbox: Inbox) => readonly string[]): readonly string[] => [
    ...new Set(newer.flatMap(list)).difference(new Set(list(old))),
  ];
  const done = inTransaction(old, () => {
    const forgotten = listNew(listForgotten).filter((reference) => clearPrivate(old, reference));
    const revoked = listNew(listRevoked).filter((id) => revokeKey(old, id, now_ms));
    const stops = listNew(listMailStops);
    for (const reader of stops) insertMailStop(old, reader);
    return { forgotten, revoked, mail_stops: stops.length };
  });
  compact(old);
  return done;
}

const listRevoked = (inbox: Inbox): readonly string[] =>
  listKeys(inbox).flatMap(({ id, revoked_at }) => (revoked_at === null ? [] : [id]));
