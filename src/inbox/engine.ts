// What each store is to the inbox, and how its tables are brought forward.
import { readdirSync, readFileSync } from 'node:fs';
import type { Dialect, Kysely } from 'kysely';
import type { ToFault } from './faults.ts';
import type { Tables } from './tables.ts';

/** What SQLite and PostgreSQL do each in its own way. */
export interface Engine {
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
  readonly toFault: ToFault;
  /** Ends it, if that was not done. */
  close(): Promise<void>;
}

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** What brings the tables from each version to the next: files `N.sqlite.sql`, `N.postgres.sql`, or `N.sql` of both. */
export const listMigrations = (engine: Engine['kind']) =>
  readdirSync(MIGRATIONS)
    .filter((name) => new RegExp(`^\\d+(\\.${engine})?\\.sql$`).test(name))
    .sort()
    .map((name) => ({
      version: Number.parseInt(name, 10),
      sql: readFileSync(new URL(name, MIGRATIONS), 'utf8'),
    }));

/** The version of a store that nothing is to be done to. */
export const VERSION = 26;
/**
 * The oldest version whose programs can go on with a store of this one, beside a program of this one and after
 * it: what came since only added columns and tables. To be raised to the new version by a migration that takes
 * something away or gives it another meaning.
 */
export const OLDEST_READER = 26;

/** Whether a store of a version that a newer program wrote is left as it is. Throws a sentence where it cannot be used. */
export function isNewer(version: number, oldest_reader: number): boolean {
  if (version <= VERSION) return false;
  if (oldest_reader > 0 && oldest_reader <= VERSION) return true;
  throw new Error(
    `The inbox is of version ${version}; this program knows ${VERSION}. Use the newer program`,
  );
}
