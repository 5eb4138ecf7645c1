// Putting a backup back: into an empty place, or in the place of what is there, which is moved aside and
// never lost.
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isInUse } from '../inbox/backup.ts';
import { makeDataFolder } from '../inbox/data-folder.ts';
import { type Inbox, openInbox } from '../inbox/open.ts';
import { countRows } from '../inbox/received.ts';
import { syncFolder } from '../releases/durable-file.ts';
import type { Layout } from '../releases/layout.ts';
import { requestRelease } from '../releases/request-release.ts';
import { type Backup, listBackups, PARTS, toBackupName } from './backup-folder.ts';
import { checkBackup } from './check-backup.ts';
import { makeGood, type MadeGood } from './forgotten-since.ts';

/** What is put back where. */
export interface RestoreOrder {
  readonly backup: Backup;
  readonly layout: Layout;
  readonly content_dir: string;
  /** Whether content is put back though there is some. */
  readonly with_content: boolean;
  readonly now_ms: number;
}

/** What was done. */
export interface Restored extends MadeGood {
  /** What was there and was moved aside, as paths. */
  readonly aside: readonly string[];
  readonly is_content_restored: boolean;
  /** Submissions and decisions that the inbox before had beyond the backup; null where there was none that opens. */
  readonly lost: { readonly submissions: number; readonly decisions: number } | null;
}

/** Puts it back. Throws a sentence, with nothing changed, where it cannot. */
export function restoreBackup(order: RestoreOrder): Restored {
  const { backup, layout, content_dir, with_content, now_ms } = order;
  checkBackup(backup);
  const inbox_path = join(layout.data_dir, PARTS.inbox);
  if (existsSync(inbox_path) && isInUse(inbox_path))
    throw new Error(
      `${inbox_path} is in use. Stop the service, and every other command, then restore again`,
    );
  makeDataFolder(layout.data_dir);
  const work = mkdtempSync(join(layout.data_dir, '.restoring-'));
  try {
    const path = join(work, PARTS.inbox);
    copyFileSync(join(backup.dir, PARTS.inbox), path);
    const { good, lost } = bringUp(path, inbox_path, backup, work, now_ms);
    const ending = `.before-${toBackupName(now_ms)}`;
    const aside: string[] = [];
    const moveAside = (from: string): void => {
      if (!existsSync(from)) return;
      renameSync(from, from + ending);
      aside.push(from + ending);
    };
    // What a damaged file leaves beside it.
    for (const end of ['-wal', '-shm']) moveAside(inbox_path + end);
    if (existsSync(inbox_path)) {
      // There is no moment without the file: a service that begins would make an empty one.
      linkSync(inbox_path, inbox_path + ending);
      aside.push(inbox_path + ending);
    }
    renameSync(path, inbox_path);
    syncFolder(layout.data_dir);
    const settings = join(backup.dir, PARTS.settings);
    if (existsSync(settings) && !existsSync(layout.settings_file))
      cpSync(settings, layout.settings_file);
    const is_content_restored = with_content || isEmpty(content_dir);
    if (is_content_restored) {
      if (!isEmpty(content_dir)) moveAside(content_dir);
      makeDataFolder(dirname(content_dir));
      cpSync(join(backup.dir, PARTS.content), content_dir, { recursive: true });
    }
    // What serves was made of something else.
    requestRelease(layout);
    return { ...good, lost, aside, is_content_restored };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const isEmpty = (dir: string): boolean => !existsSync(dir) || readdirSync(dir).length === 0;

/** The copy brought up to what is known since: by the inbox in its place, and by the newest backup. */
function bringUp(
  path: string,
  inbox_path: string,
  backup: Backup,
  work: string,
  now_ms: number,
): { readonly good: MadeGood; readonly lost: Restored['lost'] } {
  const [newest] = listBackups(dirname(backup.dir));
  const is_newer = newest !== undefined && newest.list.made_ms > backup.list.made_ms;
  const before = openCopyOf(inbox_path, work, 'before.db');
  const newer = is_newer ? openCopyOf(join(newest.dir, PARTS.inbox), work, 'newer.db') : null;
  const copy = openInbox(path);
  try {
    const known = [before, newer].filter((inbox) => inbox !== null);
    const good = makeGood(copy, known, now_ms);
    // One file without a journal beside it is what is put in place.
    copy.pragma('journal_mode = delete');
    return { good, lost: before && countLost(before, backup) };
  } finally {
    for (const inbox of [copy, before, newer]) inbox?.close();
  }
}

/** Null where there is none, or none that opens. */
function openCopyOf(path: string, work: string, name: string): Inbox | null {
  if (!existsSync(path)) return null;
  const copy = join(work, name);
  copyFileSync(path, copy);
  try {
    return openInbox(copy);
  } catch {
    return null;
  }
}

function countLost(before: Inbox, { list }: Backup): Restored['lost'] {
  const rows = countRows(before);
  return {
    submissions: Math.max(0, rows.submissions - list.rows.submissions),
    decisions: Math.max(0, rows.decisions - list.rows.decisions),
  };
}
