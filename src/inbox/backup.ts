// A copy of an inbox and its pictures while they are in use, as two files of SQLite wherever it lies: whole, consistent,
// without a byte of what was erased; and back, from the files into PostgreSQL.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { chunk } from './ledger.ts';
import { type Inbox, isPostgresUrl, openInbox } from './open.ts';
import { clearReleases } from './shared-releases.ts';
import type { Tables } from './tables.ts';

const FILES = ['inbox.db', 'uploads.db'] as const;

/** Works the journal beside a file into it. Throws where anybody else has it open. */
export const checkpointJournal = (path: string): void =>
  withFile(path, (file) => void file.pragma('journal_mode = delete'));

/** Whether anybody has an inbox open; a file that is none is in nobody's use, nor one that is not there. */
export async function isInboxInUse(location: string): Promise<boolean> {
  if (isPostgresUrl(location)) {
    const inbox = await openInbox(location);
    return isShared(inbox).finally(() => inbox.close());
  }
  if (!existsSync(location)) return false;
  try {
    checkpointJournal(location);
    return false;
  } catch (thrown) {
    return thrown instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(thrown.code);
  }
}

async function isShared({ db }: Inbox): Promise<boolean> {
  const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend'`.execute(db);
  return (rows[0]?.others ?? 0) > 0;
}

/** Two files without a journal, for this user alone. Throws where one is there, or fails SQLite's own check. */
export async function backupInbox(location: string, folder: string): Promise<void> {
  // Brought to this version first.
  if (!isPostgresUrl(location)) await (await openInbox(location)).close();
  const copies = FILES.map((name) => join(folder, name));
  const there = copies.find(existsSync);
  if (there !== undefined) throw new Error(`${there} is there already. Name a file that is not`);
  if (isPostgresUrl(location)) {
    await copyInbox(location, join(folder, 'inbox.db'));
    copies.forEach(checkpointJournal);
  } else {
    // Pictures later, so that none of what was copied is missing.
    for (const name of FILES) copyFile(join(dirname(location), name), join(folder, name));
    withFile(join(folder, 'inbox.db'), forgetSessions);
  }
  for (const copy of copies) withFile(copy, check);
}

/** Copies an inbox in a file to PostgreSQL, in the place of what is there, which is written to a folder first. */
export async function importIntoPostgres(
  url: string,
  path: string,
  before: string,
): Promise<readonly string[]> {
  mkdirSync(before, { mode: 0o700 });
  await backupInbox(url, before);
  await copyInbox(path, url);
  return [before];
}

/** In the order in which one needs the other. Nobody comes in by a copy: it has no sessions. */
const COPIED = [
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
const COUNTED = ['changes', 'decisions', 'batches', 'letters', 'login_attempts'];

/** All rows of one into the other, in one transaction on either side, in place of all that was there. */
async function copyInbox(from_location: string, to_location: string): Promise<void> {
  const [from, to] = [await openInbox(from_location), await openInbox(to_location)];
  const copy = async (): Promise<void> => {
    for (const table of ['session', 'verification', 'uploads', ...COPIED.toReversed()] as const)
      await to.db.deleteFrom(table).execute();
    for (const table of COPIED) {
      const rows = await from.db.selectFrom(table).selectAll().execute();
      for (const part of chunk(rows)) await to.db.insertInto(table).values(part).execute();
    }
    // One by one: together they may be larger than memory.
    for (const { id } of await from.db.selectFrom('uploads').select('id').execute()) {
      const picture = from.db.selectFrom('uploads').selectAll().where('id', '=', id);
      const rows = await picture.execute();
      await to.db.insertInto('uploads').values(rows).execute();
    }
    if (to.kind === 'postgres') {
      // What serves knows of what is gone.
      await clearReleases(to);
      for (const table of COUNTED)
        await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 0) + 1, false)
          from ${sql.table(table)}`.execute(to.db);
    }
  };
  const copied = from.read(() => to.transaction(copy));
  await copied.finally(() => Promise.all([from.close(), to.close()]));
}

function copyFile(from: string, path: string): void {
  writeFileSync(path, '', { mode: 0o600 });
  withFile(from, (file) => void file.prepare('vacuum into ?').run(path));
}

/** Nobody comes in by a backup: it would have sessions as browsers have them. */
function forgetSessions(copy: Database.Database): void {
  copy.pragma('secure_delete = on');
  copy.exec('delete from session; delete from verification');
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
