// SQLite engine: runs the inbox in data/inbox.db, with the attached data/uploads.db for uploaded pictures.
import { closeSync, existsSync, openSync } from 'node:fs';
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
import { ensureDataFolder, hasFreeSpace } from './data-folder.ts';
import {
  BASELINE_VERSION,
  type DatabaseEngine,
  isStoreNewer,
  listMigrations,
  OLDEST_COMPATIBLE_VERSION,
  loadMigrationSql,
  wrapDialect,
  STORE_VERSION,
} from './database-engine.ts';

/** Messages for operators, by the pattern of SQLite's error code. */
const OPERATOR_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    /^SQLITE_(NOTADB|CORRUPT)/,
    'is damaged or not an inbox. Stop the service, move the file away and restore a backup (docs/operations.md, Backup and restore)',
  ],
  [
    /^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/,
    'cannot be opened and written by this user. Check DATA_DIR and its owner',
  ],
  [/^SQLITE_(FULL|IOERR)/, 'cannot be written: its disk is full or failing. Free some space'],
  [/^SQLITE_(BUSY|LOCKED)/, 'is being written by another program. Retry when that has ended'],
];
const BUSY_CODES = /^SQLITE_(BUSY|LOCKED)/;
const NOT_STORED_CODES = /^SQLITE_(FULL|IOERR|READONLY)/;

/** SQLite's name for a database without a file. */
const IN_MEMORY = ':memory:';

function createDialect(database: Database.Database): Dialect {
  const driver = new SqliteDriver({ database });
  // Take the write lock before the first read: upgrading a read transaction later could fail as busy.
  driver.beginTransaction = async (
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ) => {
    const begin = settings?.accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  };
  const rollback = driver.rollbackTransaction.bind(driver);
  // On a full disk SQLite has rolled back already.
  driver.rollbackTransaction = async (connection) => {
    if (database.inTransaction) await rollback(connection);
  };
  return wrapDialect(new SqliteDialect({ database }), driver, (thrown) => {
    if (!(thrown instanceof Database.SqliteError)) return null;
    if (BUSY_CODES.test(thrown.code)) return 'inbox_busy';
    return NOT_STORED_CODES.test(thrown.code) ? 'not_stored' : null;
  });
}

/**
 * @param busy_timeout_ms Time that a statement waits for another writer.
 * @param open_timeout_ms The same while the files are opened and migrated.
 */
export function openSqliteEngine(
  path: string,
  busy_timeout_ms: number,
  open_timeout_ms: number,
): DatabaseEngine {
  const file = explainErrors(path, () => openDatabase(path, open_timeout_ms));
  return {
    kind: 'sqlite',
    dialect: createDialect(file),
    migrate: async () => {
      explainErrors(path, () => migrate(file));
      const uploads_path = path === IN_MEMORY ? path : join(dirname(path), 'uploads.db');
      explainErrors(uploads_path, () => attachUploads(file, uploads_path));
      file.pragma(`busy_timeout = ${busy_timeout_ms}`);
    },
    setWaiting: async (db, is_waiting) => {
      await sql`pragma busy_timeout = ${sql.lit(is_waiting ? busy_timeout_ms : 0)}`.execute(db);
    },
    hasFreeSpace: (bytes) => file.memory || hasFreeSpace(dirname(path), bytes),
    exists: () => file.memory || existsSync(path),
    // When SQLite moves a row to another page, its old bytes stay in the page's unused part, out of reach of
    // secure_delete. Only rewriting the file and truncating its journal removes them.
    compact: async (db) => {
      // In memory, because SQLite's temporary file would contain the bytes too.
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

function explainErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    const message = OPERATOR_MESSAGES.find(([pattern]) => pattern.test(code))?.[1];
    throw message === undefined ? thrown : new Error(`${path} ${message}`, { cause: thrown });
  }
}

/** Creates the file for this user only: it holds email addresses and password hashes. The journal inherits its mode. */
function ensureFile(path: string): void {
  ensureDataFolder(dirname(path));
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

function openDatabase(path: string, timeout_ms: number): Database.Database {
  if (path !== IN_MEMORY) ensureFile(path);
  const file = new Database(path, { timeout: timeout_ms });
  try {
    configure(file, 'main');
    file.pragma('foreign_keys = on');
    return file;
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

function configure(file: Database.Database, schema: 'main' | 'uploads'): void {
  file.pragma(`${schema}.journal_mode = wal`);
  // Every commit is on disk before it returns, so that acknowledged writes survive a power cut.
  file.pragma(`${schema}.synchronous = full`);
  // Deleted rows are overwritten with zeros. Bytes of rows that moved before are removed by compaction.
  file.pragma(`${schema}.secure_delete = on`);
}

/** Attaches the uploads file. It is separate so that the inbox stays small enough to rewrite after an erasure. */
function attachUploads(file: Database.Database, path: string): void {
  if (path !== IN_MEMORY) ensureFile(path);
  file.prepare('attach ? as uploads').run(path);
  configure(file, 'uploads');
  file.exec(loadMigrationSql('uploads.sql').replace('uploads (', 'uploads.uploads ('));
}

/** Migrates the file. `user_version` is its version, `application_id` the oldest version that can use it. */
function migrate(file: Database.Database): void {
  const readPragma = (name: string): number =>
    v.parse(v.number(), file.pragma(name, { simple: true }));
  // A current file is not written, so that it opens on a full disk and while another program writes.
  if (
    readPragma('user_version') === STORE_VERSION &&
    readPragma('application_id') === OLDEST_COMPATIBLE_VERSION
  )
    return;
  file
    .transaction(() => {
      const version = readPragma('user_version');
      if (isStoreNewer(version, readPragma('application_id'))) return;
      const steps = listMigrations('sqlite', version);
      if (version > 0 && version < BASELINE_VERSION) recreateTables(file);
      for (const step of steps) file.exec(translateToSqlite(step));
      file.pragma(`user_version = ${STORE_VERSION}`);
      file.pragma(`application_id = ${OLDEST_COMPATIBLE_VERSION}`);
    })
    .immediate();
}

/**
 * Recreates the tables of a version with the same columns as the baseline: the types and indexes of a file depend on
 * the version that created it.
 */
function recreateTables(file: Database.Database): void {
  const listNames = (type: 'index' | 'table'): readonly string[] =>
    file
      .prepare<[string], string>(
        `select name from sqlite_schema where type = ? and name not like 'sqlite%'`,
      )
      .pluck()
      .all(type);
  // Rows are copied in any order.
  file.pragma('defer_foreign_keys = on');
  for (const name of listNames('index')) file.exec(`drop index "${name}"`);
  const tables = listNames('table');
  for (const name of tables) file.exec(`alter table "${name}" rename to "old ${name}"`);
  file.exec(translateToSqlite(loadMigrationSql('tables.sql')));
  for (const name of tables) {
    const columns = file
      .prepare<[string], string>(`select '"' || name || '"' from pragma_table_info(?)`)
      .pluck()
      .all(name)
      .join();
    // With its sequence, so that no id is used twice.
    file.exec(`insert into "${name}" (${columns}) select ${columns} from "old ${name}";
      delete from sqlite_sequence where name = '${name}';
      update sqlite_sequence set name = '${name}' where name = 'old ${name}'`);
  }
  for (const name of tables) file.exec(`drop table "old ${name}"`);
}

/** Translates shared migrations, which are written in PostgreSQL's dialect. */
const translateToSqlite = (sql: string): string =>
  sql
    .replaceAll(' generated by default as identity primary key', ' primary key autoincrement')
    .replaceAll(' collate "C"', '');
