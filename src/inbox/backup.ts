// A copy of the inbox and its pictures while they are in use: whole, consistent, without a byte of what was erased.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Inbox } from './open.ts';
import { deleteAllSessions } from './sessions.ts';

/** Whether another connection has an inbox open; a file that is none is in nobody's use. */
export function isInUse(path: string): boolean {
  try {
    const file = new Database(path, { timeout: 0 });
    try {
      // Refused while anybody else has it open; else its journal is worked into it.
      file.pragma('journal_mode = delete');
      return false;
    } finally {
      file.close();
    }
  } catch (thrown) {
    return thrown instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(thrown.code);
  }
}

/** Opens a copy that this code has just made, to be read; the file stays as it is. */
const openCopy = (path: string): Inbox =>
  new Database(path, { readonly: true, fileMustExist: true });

/**
 * Copies to a folder, for this user alone, as two files without a journal. Throws where one is there already, or
 * where a copy does not pass SQLite's own check.
 */
export function backupInbox(inbox: Inbox, folder: string): void {
  const path = join(folder, 'inbox.db');
  copyFile(inbox, 'main', path);
  dropSessions(path);
  // Later, so that no picture of what was copied is missing.
  copyFile(inbox, 'uploads', join(folder, 'uploads.db'));
}

/** Nobody comes in by a backup: it would have sessions as browsers have them. */
function dropSessions(path: string): void {
  const copy = new Database(path);
  try {
    copy.pragma('secure_delete = on');
    deleteAllSessions(copy);
  } finally {
    copy.close();
  }
}

function copyFile(inbox: Inbox, file: 'main' | 'uploads', path: string): void {
  if (existsSync(path)) throw new Error(`${path} is there already. Name a file that is not`);
  writeFileSync(path, '', { mode: 0o600 });
  inbox.prepare(`vacuum ${file} into ?`).run(path);
  const copy = openCopy(path);
  try {
    const verdict: unknown = copy.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok') throw new Error(`The copy is damaged (${String(verdict)})`);
  } finally {
    copy.close();
  }
}
