// The inbox in SQLite: data/inbox.db, and beside it uploads.db with the pictures that were sent in, opened as one.
import { closeSync, existsSync, openSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteDialect,
  SqliteDriver,
  sql,
  type TransactionSettings,
} from 'kysely';
import * as v from 'valibot';
import { ensureDataFolder } from './data-folder.ts';
import {
  type DatabaseEngine,
  isStoreNewer,
  listMigrations,
  OLDEST_COMPATIBLE_VERSION,
  loadMigrationSql,
  wrapDialect,
  STORE_VERSION,
} from './database-engine.ts';

/** What SQLite's codes mean for whoever must mend it. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_(NOTADB|CORRUPT)/,
    'is damaged, or is no inbox. Stop the service, move it aside and put a backup in its place (docs/operations.md, Backup and restore)',
  ],
  [
    /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/,
    'cannot be opened and written by this user. See to DATA_DIR and whose it is',
  ],
  [/^SQLITE_(FULL|IOERR)/, 'cannot be written: its disk is full, or fails. Free space'],
  [/^SQLITE_(BUSY|LOCKED)/, 'is being written by another program. Try again when that is done'],
];
/** What it says where another program has it to itself; where the disk takes no more. */
const BUSY = /^SQLITE_(BUSY|LOCKED)/;
const NOT_STORED = /^SQLITE_(FULL|IOERR|READONLY)/;

/** SQLite's name for a database without a file. */
const IN_MEMORY = ':memory:';

function createDialect(database: Database.Database): Dialect {
  const driver = new SqliteDriver({ database });
  // Whoever begins a transaction will write: it waits for its turn before it has looked, not after.
  driver.beginTransaction = async (
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ) => {
    const how = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(how));
  };
  const rollback = driver.rollbackTransaction.bind(driver);
  // A full disk has rolled it back already.
  driver.rollbackTransaction = async (connection) => {
    if (database.inTransaction) await rollback(connection);
  };
  return wrapDialect(new SqliteDialect({ database }), driver, (thrown) => {
    if (!(thrown instanceof Database.SqliteError)) return null;
    if (BUSY.test(thrown.code)) return 'inbox_busy';
    return NOT_STORED.test(thrown.code) ? 'not_stored' : null;
  });
}

export function openSqliteEngine(
  path: string,
  patience_ms: number,
  opening_ms: number,
): DatabaseEngine {
  const file = withSentence(path, () => open(path, opening_ms));
  return {
    kind: 'sqlite',
    dialect: createDialect(file),
    migrate: async () => {
      const uploads_path = path === IN_MEMORY ? path : join(dirname(path), 'uploads.db');
      withSentence(uploads_path, () => attachUploads(file, uploads_path));
      withSentence(path, () => migrate(file));
      file.pragma(`busy_timeout = ${patience_ms}`);
    },
    setWaiting: async (db, is_waiting) => {
      await sql`pragma busy_timeout = ${sql.lit(is_waiting ? patience_ms : 0)}`.execute(db);
    },
    hasRoom: (bytes) => {
      if (file.memory) return true;
      const { bavail, bsize } = statfsSync(dirname(path));
      return bavail * bsize > bytes;
    },
    isThere: () => file.memory || existsSync(path),
    // Where SQLite moves rows from page to page, their old bytes stay in the unused part of a page, and
    // secure_delete does not reach them. Only writing the file anew does, and emptying its journal.
    compact: async (db) => {
      // The rows wait in memory: a file of SQLite's own would have their bytes, too.
      await sql`pragma temp_store = memory`.execute(db);
      await sql`vacuum`.execute(db);
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      return rows[0]?.busy === 0;
    },
    close: async () => {
      if (file.open) file.close();
    },
  };
}

function withSentence<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    const sentence = SENTENCES.find(([known]) => known.test(code))?.[1];
    throw sentence === undefined ? thrown : new Error(`${path} ${sentence}`, { cause: thrown });
  }
}

/** It holds private addresses and password hashes. SQLite gives the journal the same rights. */
function makeFile(path: string): void {
  ensureDataFolder(dirname(path));
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

function open(path: string, patience_ms: number): Database.Database {
  if (path !== IN_MEMORY) makeFile(path);
  const file = new Database(path, { timeout: patience_ms });
  try {
    setUp(file, 'main');
    file.pragma('foreign_keys = on');
    return file;
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

function setUp(file: Database.Database, schema: 'main' | 'uploads'): void {
  file.pragma(`${schema}.journal_mode = wal`);
  // Every commit is on disk before it returns: what was acknowledged survives a power cut.
  file.pragma(`${schema}.synchronous = full`);
  // What is deleted is gone, not only out of sight; what moved before, compacting sees to.
  file.pragma(`${schema}.secure_delete = on`);
}

/** Pictures lie in a file of their own, so that the inbox stays small enough to be written anew after an erasure. */
function attachUploads(file: Database.Database, path: string): void {
  if (path !== IN_MEMORY) makeFile(path);
  file.prepare('attach ? as uploads').run(path);
  setUp(file, 'uploads');
  file.exec(loadMigrationSql('uploads.sql').replace('uploads (', 'uploads.uploads ('));
  movePictures(file);
}

/** From an older version, before a migration drops them there: a power cut leaves them in both files. */
function movePictures(file: Database.Database): void {
  if (!file.prepare("select 1 from main.sqlite_schema where name = 'upload_uses'").get()) return;
  file.exec(`insert or ignore into uploads.uploads
    select id, sender, iif(
      exists (select 1 from upload_uses u where u.id = p.id and u.ended_ms is null), null,
      coalesce((select max(u.ended_ms) from upload_uses u where u.id = p.id), p.at_ms)
    ), width, height, bytes from main.uploads p`);
}

/** The version is the file's `user_version`, the oldest reader its `application_id`. */
function migrate(file: Database.Database): void {
  const read = (name: string): number => v.parse(v.number(), file.pragma(name, { simple: true }));
  // One that is up to date is not written to: it opens on a full disk, and while another program writes.
  if (
    read('user_version') === STORE_VERSION &&
    read('application_id') === OLDEST_COMPATIBLE_VERSION
  )
    return;
  file
    .transaction(() => {
      const version = read('user_version');
      if (isStoreNewer(version, read('application_id'))) return;
      for (const step of listMigrations('sqlite', version)) file.exec(toSqlite(step));
      file.pragma(`user_version = ${STORE_VERSION}`);
      file.pragma(`application_id = ${OLDEST_COMPATIBLE_VERSION}`);
    })
    .immediate();
}

/** Tables of both stores are told in the words of PostgreSQL. */
const toSqlite = (sql: string): string =>
  sql
    .replaceAll(' generated by default as identity primary key', ' primary key autoincrement')
    .replaceAll(' collate "C"', '')
    .replace(/^alter table \w+ alter column .*;$/m, '');
