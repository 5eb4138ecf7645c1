// Inbox backup: copies a live inbox and its uploads from SQLite or PostgreSQL into two SQLite files, consistently and
// without erased bytes, and imports such files into PostgreSQL.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { chunk } from './ledger.ts';
import { type Inbox, isPostgresUrl, openInbox } from './open.ts';
import { clearReleases } from './shared-releases.ts';
import type { Tables } from './tables.ts';

/** Files of an inbox in SQLite: the tables, and the uploaded pictures. */
const INBOX_FILES = ['inbox.db', 'uploads.db'] as const;

/** Merges the write-ahead log of a SQLite file into it and removes it. @throws SqliteError if it is open elsewhere. */
export const checkpointJournal = (path: string): void =>
  withFile(path, (file) => void file.pragma('journal_mode = delete'));

/**
 * Tells if another process has the inbox open.
 * @param location As for openInbox. False for a missing file or one that is not a SQLite database.
 */
export async function isInboxInUse(location: string): Promise<boolean> {
  if (isPostgresUrl(location)) {
    const inbox = await openInbox(location);
    return hasOtherClients(inbox).finally(() => inbox.close());
  }
  if (!existsSync(location)) return false;
  try {
    checkpointJournal(location);
    return false;
  } catch (thrown) {
    return thrown instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(thrown.code);
  }
}

async function hasOtherClients({ db }: Inbox): Promise<boolean> {
  const { rows } = await sql<{
    client_count: number;
  }>`select count(*) as client_count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`.execute(db);
  return (rows[0]?.client_count ?? 0) > 0;
}

/**
 * Writes inbox.db and uploads.db into a folder, without journals and readable by this user only.
 * @throws Error if a file exists already or fails SQLite's integrity check.
 */
export async function backupInbox(location: string, folder: string): Promise<void> {
  // Opening migrates the file to the current version before it is copied.
  if (!isPostgresUrl(location)) await (await openInbox(location)).close();
  const copies = INBOX_FILES.map((name) => join(folder, name));
  const existing = copies.find(existsSync);
  if (existing !== undefined) throw new Error(`${existing} already exists. Name another folder`);
  if (isPostgresUrl(location)) {
    await copyInbox(location, join(folder, 'inbox.db'));
    // Merge their journals, because only the database files belong to the backup.
    copies.forEach(checkpointJournal);
  } else {
    // Uploads last, so that every upload that the inbox copy refers to is included.
    for (const name of INBOX_FILES) copyFile(join(dirname(location), name), join(folder, name));
    withFile(join(folder, 'inbox.db'), deleteSessions);
  }
  for (const copy of copies) withFile(copy, assertIntegrity);
}

/**
 * Replaces the inbox in PostgreSQL with the one in a SQLite file.
 * @param url Address of the PostgreSQL database.
 * @param path Path of the SQLite file.
 * @param backup_dir Folder, created here, into which the replaced inbox is backed up first.
 * @returns the paths of the backups: only that folder.
 */
export async function importIntoPostgres(
  url: string,
  path: string,
  backup_dir: string,
): Promise<readonly string[]> {
  mkdirSync(backup_dir, { mode: 0o700 });
  await backupInbox(url, backup_dir);
  await copyInbox(path, url);
  return [backup_dir];
}

/** Copied tables, in the order of their foreign keys. Without sessions: a copy must not grant access. */
const COPIED_TABLES = [
  'revisions',
  'slugs',
  'histories',
  'secrets',
  'api_keys',
  'changes',
  'decisions',
  'batches',
  'sources',
  'submission_senders',
  'letters',
  'readers',
  'mail_stops',
  'login_attempts',
  'user',
  'account',
  'twoFactor',
] as const satisfies readonly (keyof Tables)[];
/** Tables with a numeric id, whose sequence continues after the copied rows. */
const TABLES_WITH_SEQUENCE = ['changes', 'decisions', 'batches', 'letters', 'login_attempts'];

/** Replaces all rows of an inbox with the rows of another, in one transaction on each side. */
async function copyInbox(source_location: string, target_location: string): Promise<void> {
  const [source, target] = [await openInbox(source_location), await openInbox(target_location)];
  const copyAllTables = async (): Promise<void> => {
    // Sessions and sign-in codes, which are deleted but not copied, reference editors.
    for (const table of [
      'session',
      'verification',
      'uploads',
      ...COPIED_TABLES.toReversed(),
    ] as const)
      await target.db.deleteFrom(table).execute();
    for (const table of COPIED_TABLES) {
      const rows = await source.db.selectFrom(table).selectAll().execute();
      for (const part of chunk(rows)) await target.db.insertInto(table).values(part).execute();
    }
    // Copy pictures one at a time: together they may be larger than memory.
    for (const { id } of await source.db.selectFrom('uploads').select('id').execute()) {
      const picture = source.db.selectFrom('uploads').selectAll().where('id', '=', id);
      const rows = await picture.execute();
      await target.db.insertInto('uploads').values(rows).execute();
    }
    if (target.kind === 'postgres') {
      // The current release was built from the replaced rows.
      await clearReleases(target);
      for (const table of TABLES_WITH_SEQUENCE)
        await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
          from ${sql.table(table)}`.execute(target.db);
    }
  };
  const copying = source.read(() => target.transaction(copyAllTables));
  await copying.finally(() => Promise.all([source.close(), target.close()]));
}

/** Copies a live SQLite file. `vacuum into` writes a consistent copy without the bytes of deleted rows. */
function copyFile(source_path: string, copy_path: string): void {
  writeFileSync(copy_path, '', { mode: 0o600 });
  withFile(source_path, (file) => void file.prepare('vacuum into ?').run(copy_path));
}

/** Deletes sessions from a copy, so that a stolen backup contains no valid session. */
function deleteSessions(copy: Database.Database): void {
  copy.pragma('secure_delete = on');
  copy.exec('delete from session; delete from verification');
}

function assertIntegrity(copy: Database.Database): void {
  const result: unknown = copy.pragma('integrity_check', { simple: true });
  if (result !== 'ok') throw new Error(`The copy is damaged (${String(result)})`);
}

/** Runs `work` on an existing SQLite file, without waiting for locks. */
function withFile(path: string, work: (file: Database.Database) => void): void {
  const file = new Database(path, { fileMustExist: true, timeout: 0 });
  try {
    work(file);
  } finally {
    file.close();
  }
}
