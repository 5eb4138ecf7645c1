// Database engine: defines the interface that SQLite and PostgreSQL implement, lists migrations, and maps database
// failures to errors for clients.
import { readdirSync, readFileSync } from 'node:fs';
import type {
  AbortableOperationOptions,
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  Kysely,
} from 'kysely';
import { AppError } from '../domain/app-error.ts';
import type { Tables } from './tables.ts';

/** Operations that differ between SQLite and PostgreSQL. */
export interface DatabaseEngine {
  readonly kind: 'sqlite' | 'postgres';
  readonly dialect: Dialect;
  /** Migrates the tables to the newest version. @throws Error if an incompatible newer program wrote them. */
  migrate(): Promise<void>;
  /** Makes a connection wait while another one is writing, or fail at once. */
  setWaiting(db: Kysely<Tables>, is_waiting: boolean): Promise<void>;
  /** Tells if the database's disk has more than `bytes` free; true if that is unknown. */
  hasFreeSpace(bytes: number): boolean;
  /** Tells if the opened database still exists. */
  exists(): boolean;
  /** Rewrites the tables, so that erased bytes are gone. @returns false if a reader still uses an older state. */
  compact(db: Kysely<Tables>): Promise<boolean>;
  /** Closes the database; does nothing if it is closed. */
  close(): Promise<void>;
}

/** Schema version of this program. */
export const STORE_VERSION = 35;
/**
 * Oldest STORE_VERSION of a program that can use this database, beside this program or after a rollback: later
 * migrations only added columns and tables. Raise it in a migration that removes something or changes its meaning.
 */
export const OLDEST_COMPATIBLE_VERSION = 33;
/** Oldest version that is migrated. */
const OLDEST_MIGRATED_VERSION = 33;
/** Commit of the last program that migrates all versions before it. */
const LAST_COMMIT_FOR_OLDER = '5c34bff1b460';

const MIGRATIONS = new URL('./migrations/', import.meta.url);
export const loadMigrationSql = (name: string): string =>
  readFileSync(new URL(name, MIGRATIONS), 'utf8');
/** Version of the tables in tables.sql and, for PostgreSQL, tables.postgres.sql. */
export const BASELINE_VERSION = 34;

/**
 * Lists the SQL of the migrations from a version (0: empty database) to the newest: `N.sqlite.sql`, `N.postgres.sql`, or `N.sql` for
 * both engines.
 * @throws Error if the version is too old.
 */
export function listMigrations(engine: DatabaseEngine['kind'], version: number): readonly string[] {
  if (version > 0 && version < OLDEST_MIGRATED_VERSION)
    throw new Error(
      `The inbox has version ${version}; this program needs version ${OLDEST_MIGRATED_VERSION} or newer. Run: git checkout ${LAST_COMMIT_FOR_OLDER}. Start that program once with this inbox (restore a backup with it first), then this one`,
    );
  const baseline = engine === 'postgres' ? ['tables.sql', 'tables.postgres.sql'] : ['tables.sql'];
  const later = readdirSync(MIGRATIONS)
    .filter((name) => new RegExp(`^\\d+(\\.${engine})?\\.sql$`).test(name))
    .filter((name) => Number.parseInt(name, 10) > version)
    .sort();
  return [...(version === 0 ? baseline : []), ...later].map(loadMigrationSql);
}

/**
 * Tells if a newer program wrote the database, which is then not migrated.
 * @param oldest_reader OLDEST_COMPATIBLE_VERSION of the program that wrote it; 0 if unknown.
 * @throws Error if this program cannot use that version.
 */
export function isStoreNewer(version: number, oldest_reader: number): boolean {
  if (version <= STORE_VERSION) return false;
  if (oldest_reader > 0 && oldest_reader <= STORE_VERSION) return true;
  throw new Error(
    `The inbox has version ${version}; this program supports up to ${STORE_VERSION}. Use the newer program`,
  );
}

/** Reasons why nothing can be stored: another writer holds the lock, or the disk is full or failing. */
const STORAGE_FAILURES = {
  inbox_busy: 'server: busy, so nothing was stored. Try again in half a minute',
  not_stored: 'server: cannot store data now, so nothing was stored. Try again later',
} as const;
type StorageFailure = keyof typeof STORAGE_FAILURES;

export const storageError = (failure: StorageFailure, cause?: unknown) =>
  new AppError('unavailable', STORAGE_FAILURES[failure], failure, { cause });

/** Tells if an error means that another process holds the write lock. */
export const isStoreBusy = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.reason === 'inbox_busy';

/** Replaces NUL, which clients may send and PostgreSQL rejects. */
const replaceNul = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;

/**
 * Wraps a dialect so that its connections throw AppError inbox_busy and not_stored.
 * @param classifyError Returns the failure that a driver error means, or null to rethrow it unchanged.
 */
export function wrapDialect(
  dialect: Dialect,
  driver: Driver,
  classifyError: (thrown: unknown) => StorageFailure | null,
): Dialect {
  async function mapErrors<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (thrown) {
      // PostgreSQL quotes the row in `detail`; users' texts must not reach the log.
      if (thrown instanceof Error) Reflect.deleteProperty(thrown, 'detail');
      const failure = classifyError(thrown);
      throw failure === null ? thrown : storageError(failure, thrown);
    }
  }
  const wrapped = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await mapErrors(acquire(options));
    if (wrapped.has(connection)) return connection;
    wrapped.add(connection);
    const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
    connection.executeQuery = <R>(
      query: CompiledQuery,
      abort_options?: AbortableOperationOptions,
    ) =>
      mapErrors(
        execute<R>({ ...query, parameters: query.parameters.map(replaceNul) }, abort_options),
      );
    return connection;
  };
  dialect.createDriver = () => driver;
  return dialect;
}
