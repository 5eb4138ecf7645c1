// Inbox: opens the database of submissions and decisions, in SQLite or, with DATABASE_URL, in PostgreSQL. Opening
// migrates it, and writes are on disk before they are acknowledged.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { RESERVE_BYTES } from './data-folder.ts';
import { type DatabaseEngine, isStoreBusy } from './database-engine.ts';
import type { Tables } from './tables.ts';

/** Time that commands, and every opening of the inbox, wait for another writing process. */
const BUSY_TIMEOUT_MS = 10_000;

/** An open inbox: queries go through `db`, writes through `transaction`. */
export class Inbox {
  readonly #root: Kysely<Tables>;
  readonly #engine: DatabaseEngine;
  /** Connection of the surrounding transaction or withoutWaiting, if any. */
  readonly #surrounding = new AsyncLocalStorage<Kysely<Tables>>();
  /** Settles when the last queued transaction of this process has ended. */
  #write_queue: Promise<unknown> = Promise.resolve();
  /** Random bytes of this inbox, created once and never changed. */
  secret: Buffer = Buffer.alloc(0);
  is_open = true;
  /** Called once for each row that does not parse; the service sets its logger here. */
  warn: (message: string) => void = console.warn;
  readonly #warned = new Set<string>();

  constructor(engine: DatabaseEngine) {
    this.#engine = engine;
    const plugin = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
    this.#root = new Kysely({ dialect: engine.dialect, plugins: [plugin] });
  }

  /** Query builder on the surrounding connection, or without one on any connection. */
  get db(): Kysely<Tables> {
    return this.#surrounding.getStore() ?? this.#root;
  }

  /** Query builder that never joins a surrounding transaction, for callers that run queries at any time. */
  get root(): Kysely<Tables> {
    return this.#root;
  }

  get kind(): DatabaseEngine['kind'] {
    return this.#engine.kind;
  }

  /**
   * Runs `work` in a transaction that excludes other writers; it is on disk when this resolves. A nested call joins the
   * surrounding transaction. Await only queries in it, because in SQLite every other writer waits.
   * @throws AppError not_stored if the disk is full, inbox_busy if another process is writing.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.db.isTransaction) return work();
    const runWork = () =>
      this.db.transaction().execute((connection) => this.#surrounding.run(connection, work));
    // Within withoutWaiting, which has its connection already.
    if (this.#surrounding.getStore() !== undefined) return runWork();
    // Transactions of one process queue here, so that waiting ones do not occupy connections.
    const transaction = this.#write_queue.then(runWork);
    this.#write_queue = transaction.catch(() => {});
    return transaction;
  }

  /** Runs `work` on a consistent snapshot of the inbox, while others write. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#root
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute((connection) => this.#surrounding.run(connection, work));
  }

  /** Parses rows with a schema. An invalid row is skipped with a warning, so that it does not hide the others. */
  parseRows<S extends v.GenericSchema>(
    table: keyof Tables,
    schema: S,
    rows: readonly { readonly id: string | number }[],
  ): readonly v.InferOutput<S>[] {
    return rows.flatMap((row) => {
      const { success, output, issues } = v.safeParse(schema, row);
      if (success) return [output];
      // Log the path and the rule only; values may be private.
      const [issue] = issues;
      const position = `${v.getDotPath(issue) ?? ''} (${issue.type})`;
      const message = `Inbox: skipped row ${row.id} of table ${table}, which is invalid at ${position}`;
      if (!this.#warned.has(message)) this.warn(message);
      this.#warned.add(message);
      return [];
    });
  }

  /** Tests that the inbox can be written (in PostgreSQL, only read). @returns true; otherwise it throws. */
  async canWrite(): Promise<boolean> {
    if (this.kind === 'sqlite') await this.transaction(async () => null);
    else await this.db.selectFrom('secrets').select('name').limit(1).execute();
    return true;
  }

  /** Runs queries that may be skipped or retried. @returns null if they would have to wait for another writer. */
  async withoutWaiting<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.db.isTransaction) return work();
    try {
      return await this.db.connection().execute(async (connection) => {
        await this.#engine.setWaiting(connection, false);
        try {
          return await this.#surrounding.run(connection, work);
        } finally {
          await this.#engine.setWaiting(connection, true);
        }
      });
    } catch (thrown) {
      if (isStoreBusy(thrown)) return null;
      throw thrown;
    }
  }

  /** Tells if the disk has more free space than the reserve. */
  hasFreeSpace(): boolean {
    return this.#engine.hasFreeSpace(RESERVE_BYTES);
  }

  /** Tells if the opened database still exists; always true in PostgreSQL. */
  exists(): boolean {
    return this.#engine.exists();
  }

  /** Rewrites the database without erased bytes. @returns false if a reader still uses an older state. */
  compact(): Promise<boolean> {
    return this.#engine.compact(this.#root);
  }

  async close(): Promise<void> {
    this.is_open = false;
    await this.#root.destroy();
    await this.#engine.close();
  }
}

/**
 * Opens an inbox and creates it if it is missing. A new file is readable by this user only.
 * @param location A file path, `:memory:`, or `postgres://…`.
 * @param busy_timeout_ms Time that a SQLite write waits for other processes; it blocks the event loop.
 * @throws Error with a sentence for the operator if it cannot be opened, or if an incompatible newer version wrote it.
 */
export async function openInbox(
  location: string,
  busy_timeout_ms = BUSY_TIMEOUT_MS,
): Promise<Inbox> {
  const engine = isPostgresUrl(location)
    ? (await import('./postgres-engine.ts')).openPostgresEngine(location)
    : (await import('./sqlite-engine.ts')).openSqliteEngine(
        location,
        busy_timeout_ms,
        BUSY_TIMEOUT_MS,
      );
  const inbox = new Inbox(engine);
  try {
    await engine.migrate();
    inbox.secret = await getOrCreateSecret(inbox.db);
    return inbox;
  } catch (thrown) {
    await inbox.close();
    throw thrown;
  }
}

async function getOrCreateSecret(db: Kysely<Tables>): Promise<Buffer> {
  const name = 'submissions';
  const query = db.selectFrom('secrets').select('value').where('name', '=', name);
  // Read before writing, so that an existing inbox opens on a full disk.
  const existing = await query.executeTakeFirst();
  if (existing !== undefined) return existing.value;
  const insert = db.insertInto('secrets').values({ name, value: randomBytes(32) });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
  return (await query.executeTakeFirstOrThrow()).value;
}

export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:/.test(location);

/** Settings that locate the inbox. */
export interface InboxConfig {
  readonly data_dir: string;
  /** Address of the PostgreSQL database; null for SQLite in `data_dir`. */
  readonly database_url: string | null;
}

export const inboxLocation = ({ data_dir, database_url }: InboxConfig): string =>
  database_url ?? join(data_dir, 'inbox.db');

/** Runs an optional write. @returns null if it cannot be stored now (full disk or busy inbox). */
export async function ignoreDiskFull<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unavailable') return null;
    throw thrown;
  }
}
