// A copy of an inbox and its pictures while they are in use, as two files of SQLite wherever it lies: whole, consistent,
// without a byte of what was erased.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { copyInbox, isShared } from './copy.ts';
import { isPostgres, openInbox } from './open.ts';

/** Works the journal beside a file into it. Throws where anybody else has it open. */
export const foldJournal = (path: string): void =>
  withFile(path, (file) => void file.pragma('journal_mode = delete'));

/** Whether anybody has an inbox open; a file that is none is in nobody's use, nor one that is not there. */
export async function isInUse(location: string): Promise<boolean> {
  if (isPostgres(location)) {
    const inbox = await openInbox(location);
    return isShared(inbox).finally(() => inbox.close());
  }
  if (!existsSync(location)) return false;
  try {
    foldJournal(location);
    return false;
  } catch (thrown) {
    return thrown instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(thrown.code);
  }
}

/**
 * Copies an inbox to a folder, for this user alone, as two files without a journal. Throws where one is there
 * already, or where a copy does not pass SQLite's own check.
 */
export async function backupInbox(location: string, folder: string): Promise<void> {
  // Brought to this version first.
  if (!isPostgres(location)) await (await openInbox(location)).close();
  const copies = ['inbox.db', 'uploads.db'].map((name) => join(folder, name));
  const there = copies.find(existsSync);
  if (there !== undefined) throw new Error(`${there} is there already. Name a file that is not`);
  if (isPostgres(location)) await copyOut(location, join(folder, 'inbox.db'));
  // Pictures later, so that none of what was copied is missing.
  else
    for (const copy of copies)
      copyFile(join(dirname(location), basename(copy)), copy, copy === copies[0]);
  for (const copy of copies) withFile(copy, check);
}

/** Copies an inbox in a file to PostgreSQL, in the place of what is there, which is written to a folder first. */
export async function copyIn(
  url: string,
  path: string,
  before: string,
): Promise<readonly string[]> {
  mkdirSync(before, { mode: 0o700 });
  await backupInbox(url, before);
  const [from, to] = [await openInbox(path), await openInbox(url)];
  await copyInbox(from, to).finally(() => Promise.all([from.close(), to.close()]));
  return [before];
}

async function copyOut(location: string, path: string): Promise<void> {
  const [from, to] = [await openInbox(location), await openInbox(path)];
  await copyInbox(from, to).finally(() => Promise.all([from.close(), to.close()]));
  for (const name of ['inbox.db', 'uploads.db']) foldJournal(join(dirname(path), name));
}

function copyFile(from: string, path: string, has_sessions: boolean): void {
  writeFileSync(path, '', { mode: 0o600 });
  withFile(from, (file) => void file.prepare('vacuum into ?').run(path));
  if (!has_sessions) return;
  // Nobody comes in by a backup: it would have sessions as browsers have them.
  withFile(path, (copy) => {
    copy.pragma('secure_delete = on');
    copy.exec('delete from session; delete from verification');
  });
}

function check(copy: Database.Database): void {
  const verdict: unknown = copy.pragma('integrity_check', { simple: true });
  if (verdict !== 'ok') throw new Error(`The copy is damaged (${String(verdict)})`);
}

function withFile(path: string, work: (file: Database.Database) => void): void {
  const file = new Database(path, { fileMustExist: true, timeout: 0 });
  try {
    work(file);
  } finally {
    file.close();
  }
}
