// The inbox: what is written while the service runs. It lies in SQLite, or in PostgreSQL where DATABASE_URL
// names one; migrated forward when it is opened, and safe on disk before anything is acknowledged.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import { AppError } from '../domain/app-error.ts';
import type { Engine } from './engine.ts';
import { isBusy, withFaults } from './faults.ts';
import type { Tables } from './tables.ts';

/** How long a command waits for another process that writes, and whoever opens the inbox. */
const PATIENCE_MS = 10_000;
/** Bytes of the disk that are kept free for what is not doubtful, for tokens and for the desk. */
const RESERVE_BYTES = 256 * 1024 * 1024;
const SECRET = 'submissions';
const SECRET_BYTES = 32;

export class Inbox {
  readonly #root: Kysely<Tables>;
  readonly #engine: Engine;
  /** The connection of whoever asks within a transaction, however deep. */
  readonly #current = new AsyncLocalStorage<Kysely<Tables>>();
  #secret: Buffer = Buffer.alloc(0);
  #turn: Promise<unknown> = Promise.resolve();
  is_open = true;

  constructor(engine: Engine) {
    this.#engine = engine;
    const plugin = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
    this.#root = new Kysely({
      dialect: withFaults(engine.dialect, engine.toFault),
      plugins: [plugin],
    });
  }

  /** What queries are made on: the transaction that surrounds the caller, or a connection of their own. */
  get db(): Kysely<Tables> {
    return this.#current.getStore() ?? this.#root;
  }

  /** Never within a transaction: for who begins its queries at any moment. */
  get root(): Kysely<Tables> {
    return this.#root;
  }

  get kind(): Engine['kind'] {
    return this.#engine.kind;
  }

  /** Random bytes that belong to this inbox alone: made once, the same ever after. */
  get secret(): Buffer {
    return this.#secret;
  }

  async readSecret(): Promise<void> {
    const find = () =>
      this.db.selectFrom('secrets').select('value').where('name', '=', SECRET).executeTakeFirst();
    if ((await find()) === undefined)
      await this.db
        .insertInto('secrets')
        .values({ name: SECRET, value: randomBytes(SECRET_BYTES) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    const found = await find();
    if (found === undefined) throw new Error('the inbox has no secret');
    this.#secret = found.value;
  }

  /**
   * Does all of `work` or nothing of it, while nobody else writes; on disk when this resolves. Within another
   * one it is part of that. Nothing but queries is waited for in it: in SQLite everybody else waits. Throws AppError
   * not_stored where the disk takes no more, inbox_busy where somebody else writes.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.db.isTransaction) return work();
    const begin = () => this.db.transaction().execute((within) => this.#current.run(within, work));
    // On a connection of its own.
    if (this.#current.getStore() !== undefined) return begin();
    // Within a process they wait here: none takes a connection before its turn.
    const turn = this.#turn.then(begin);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Reads all of one moment, while others write. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.#root
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute((within) => this.#current.run(within, work));
  }

  /** Whether it takes something now: as a look, that is made again and again. */
  async canWrite(): Promise<boolean> {
    if (this.kind === 'sqlite') await this.transaction(async () => null);
    else await this.db.selectFrom('secrets').select('name').limit(1).execute();
    return true;
  }

  /**
   * Looks or writes without waiting for anybody else, and gives null where it would have to: what can
   * be left out, or is asked again.
   */
  async withoutWaiting<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.db.isTransaction) return work();
    try {
      return await this.db.connection().execute(async (connection) => {
        await this.#engine.setWaiting(connection, false);
        try {
          return await this.#current.run(connection, work);
        } finally {
          await this.#engine.setWaiting(connection, true);
        }
      });
    } catch (thrown) {
      if (isBusy(thrown)) return null;
      throw thrown;
    }
  }

  /** Whether the disk has more than the reserve left. */
  hasRoom(reserve_bytes = RESERVE_BYTES): boolean {
    return this.#engine.hasRoom(reserve_bytes);
  }

  isThere(): boolean {
    return this.#engine.isThere();
  }

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
 * Opens (and creates) an inbox: the path of a file, for this user alone, `:memory:`, or `postgres://…`. In a file
 * whoever writes waits for others for `patience_ms`, in which this process does nothing else, and whoever opens it
 * for `opening_ms`. Throws one sentence where it cannot be opened, or where a newer version wrote it.
 */
export async function openInbox(
  location: string,
  patience_ms = PATIENCE_MS,
  opening_ms = PATIENCE_MS,
): Promise<Inbox> {
  const engine = isPostgres(location)
    ? (await import('./postgres.ts')).openPostgres(location)
    : (await import('./sqlite.ts')).openSqlite(location, patience_ms, opening_ms);
  const inbox = new Inbox(engine);
  try {
    await engine.migrate();
    await inbox.readSecret();
    return inbox;
  } catch (thrown) {
    await inbox.close();
    throw thrown;
  }
}

export const isPostgres = (location: string): boolean => /^postgres(ql)?:/.test(location);

/** The settings that say where an inbox lies. */
export interface InboxPlace {
  readonly data_dir: string;
  readonly database_url: string | null;
}

/** Where the inbox of a service lies. */
export const toInboxLocation = ({ data_dir, database_url }: InboxPlace): string =>
  database_url ?? join(data_dir, 'inbox.db');

/** What is only noted beside something else: null where it cannot be stored now. */
export async function unlessFull<T>(note: () => Promise<T>): Promise<T | null> {
  try {
    return await note();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unavailable') return null;
    throw thrown;
  }
}
