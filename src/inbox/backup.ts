// A copy of the inbox while it is in use: whole, consistent, checked, and put in its place only
// then.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Inbox } from './open.ts';
import { sweep } from './sweep.ts';

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
export const openCopy = (path: string): Inbox =>
  new Database(path, { readonly: true, fileMustExist: true });

/**
 * Copies to `path`; throws where something is there already, where there is no such folder, or
 * where the copy does not pass SQLite's own check.
 */
export async function backupInbox(inbox: Inbox, path: string): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} is there already. Name a file that is not`);
  if (!existsSync(dirname(path)))
    throw new Error(`There is no folder ${dirname(path)}. Make it, or name another`);
  const beside = `${path}.part`;
  rmSync(beside, { force: true });
  // For this user alone, as the file it is made of.
  writeFileSync(beside, '', { mode: 0o600 });
  await inbox.backup(beside);
  const copy = new Database(beside);
  try {
    // One file without a journal beside it is what one carries away.
    copy.pragma('journal_mode = delete');
    // What was erased a moment ago is not carried away.
    sweep(copy);
    const verdict: unknown = copy.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok') throw new Error(`The copy is damaged (${String(verdict)})`);
  } finally {
    copy.close();
  }
  renameSync(beside, path);
}
