// What each store is to the inbox, how its tables are brought forward, and what keeps it from storing, said as
// errors that whoever asked is shown.
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

/** What SQLite and PostgreSQL do each in its own way. */
export interface DatabaseEngine {
  readonly kind: 'sqlite' | 'postgres';
  readonly dialect: Dialect;
  /** Brings the tables from their version to the newest. Throws a sentence where a newer program wrote them. */
  migrate(): Promise<void>;
  /** Whether a connection waits for whoever else writes. */
  setWaiting(db: Kysely<Tables>, is_waiting: boolean): Promise<void>;
  /** Whether there is more than so much left on its disk, as far as can be told from here. */
  hasRoom(bytes: number): boolean;
  /** Whether what was opened is still there. */
  isThere(): boolean;
  /** Writes anew what erased words lie in. False where somebody reads an older state just now. */
  compact(db: Kysely<Tables>): Promise<boolean>;
  /** Ends it, if that was not done. */
  close(): Promise<void>;
}

/** The version of a store that nothing is to be done to. */
export const STORE_VERSION = 33;
/**
 * The oldest version whose programs can go on with a store of this one, beside a program of this one and after
 * it: what came since only added columns and tables. To be raised by a migration that takes something away or
 * gives it another meaning.
 */
export const OLDEST_COMPATIBLE_VERSION = 27;

const MIGRATIONS = new URL('./migrations/', import.meta.url);
export const loadMigrationSql = (name: string): string =>
  readFileSync(new URL(name, MIGRATIONS), 'utf8');
/** That which tables.sql makes, for a new store. Older ones are of SQLite, from that of 1.0.0 on, which was 4. */
const FIRST = 26;

/** What brings the tables from a version to the newest: files `N.sqlite.sql`, `N.postgres.sql`, or `N.sql` of both. */
export function listMigrations(engine: DatabaseEngine['kind'], version: number): readonly string[] {
  const from = version === 0 ? FIRST : version;
  const steps = readdirSync(MIGRATIONS)
    .filter((name) => new RegExp(`^\\d+(\\.${engine})?\\.sql$`).test(name))
    .filter((name) => Number.parseInt(name, 10) > from)
    .sort();
  return [...(version === 0 ? ['tables.sql'] : []), ...steps].map(loadMigrationSql);
}

/** Whether a newer program wrote a store, which is left as it is. Throws a sentence where it cannot be used. */
export function isStoreNewer(version: number, oldest_reader: number): boolean {
  if (version <= STORE_VERSION) return false;
  if (oldest_reader > 0 && oldest_reader <= STORE_VERSION) return true;
  throw new Error(
    `The inbox is of version ${version}; this program knows ${STORE_VERSION}. Use the newer program`,
  );
}

/** What keeps a store from storing: somebody else has it to themselves, or its disk takes no more. */
const FAULTS = {
  inbox_busy:
    'server: nothing can be stored at this moment, and nothing was. Try again in half a minute',
  not_stored: 'server: nothing can be stored now, and nothing was. Try again later',
} as const;
type Fault = keyof typeof FAULTS;

export const storageError = (fault: Fault, cause?: unknown) =>
  new AppError('unavailable', FAULTS[fault], fault, { cause });

/** Whether somebody else has the store to themselves for now. */
export const isStoreBusy = (thrown: unknown): boolean =>
  thrown instanceof AppError && thrown.reason === 'inbox_busy';

/** A text with the one character that PostgreSQL does not take, as strangers may send it. */
const withoutNul = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;

/** A dialect with a driver, whose connections throw AppError inbox_busy and not_stored; `toFault` says what an error means. */
export function wrapDialect(
  dialect: Dialect,
  driver: Driver,
  toFault: (thrown: unknown) => Fault | null,
): Dialect {
  async function guard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (thrown) {
      // PostgreSQL repeats the row there: no words of a stranger for a log.
      if (thrown instanceof Error) Reflect.deleteProperty(thrown, 'detail');
      const fault = toFault(thrown);
      throw fault === null ? thrown : storageError(fault, thrown);
    }
  }
  const guarded = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await guard(acquire(options));
    if (guarded.has(connection)) return connection;
    guarded.add(connection);
    const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
    connection.executeQuery = <R>(query: CompiledQuery, how?: AbortableOperationOptions) =>
      guard(execute<R>({ ...query, parameters: query.parameters.map(withoutNul) }, how));
    return connection;
  };
  dialect.createDriver = () => driver;
  return dialect;
}
