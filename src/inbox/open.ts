// The inbox: what is written while the service runs. It lies in SQLite, or in PostgreSQL where DATABASE_URL
// names one; migrated forward when it is opened, and safe on disk before anything is acknowledged.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { type DatabaseEngine, isStoreBusy } from './database-engine.ts';
import type { Tables } from './tables.ts';

/** How long a command waits for another process that writes, and whoever opens the inbox. */
const PATIENCE_MS = 10_000;
/** Bytes of the disk that are kept free for what is not doubtful, for tokens and for the desk. */
const RESERVE_BYTES = 256 * 1024 * 1024;

export class Inbox {
  readonly #root: Kysely<Tables>;
  readonly #engine: DatabaseEngine;
  /** The connection of whoever asks within a transaction, however deep. */
  readonly #current = new AsyncLocalStorage<Kysely<Tables>>();
  #turn: Promise<unknown> = Promise.resolve();
  /** Random bytes that belong to this inbox alone: made once, the same ever after. */
  secret: Buffer = Buffer.alloc(0);
  is_open = true;
  /** Told of each row that cannot be read, once; a service has its log here. */
  warn: (sentence: string) => void = console.warn;
  readonly #warned = new Set<string>();

  constructor(engine: DatabaseEngine) {
    this.#engine = engine;
    const plugin = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
    this.#root = new Kysely({ dialect: engine.dialect, plugins: [plugin] });
  }

  /** What queries are made on: the transaction that surrounds the caller, or a connection of their own. */
  get db(): Kysely<Tables> {
    return this.#current.getStore() ?? this.#root;
  }

  /** Never within a transaction: for who begins its queries at any moment. */
  get root(): Kysely<Tables> {
    return this.#root;
  }

  get kind(): DatabaseEngine['kind'] {
    return this.#engine.kind;
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

  /** Rows as a schema reads them. One that it refuses is left out and told of: it must not hide the others. */
  parseRows<S extends v.GenericSchema>(
    table: keyof Tables,
    schema: S,
    rows: readonly { readonly id: string | number }[],
  ): readonly v.InferOutput<S>[] {
    return rows.flatMap((row) => {
      const { success, output, issues } = v.safeParse(schema, row);
      if (success) return [output];
      // Where and which rule, and no word of a stranger.
      const [issue] = issues;
      const at = `${v.getDotPath(issue) ?? ''} (${issue.type})`;
      const sentence = `The inbox: row ${row.id} of ${table} cannot be read at ${at}. It is left out`;
      if (!this.#warned.has(sentence)) this.warn(sentence);
      this.#warned.add(sentence);
      return [];
    });
  }

  /** Whether it takes something now: as a look, that is made again and again. */
  async canWrite(): Promise<boolean> {
    if (this.kind === 'sqlite') await this.transaction(async () => null);
    else await this.db.selectFrom('secrets').select('name').limit(1).execute();
    return true;
  }

  /** Looks or writes; null where it would have to wait for somebody else: what can be left out, or is asked again. */
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
      if (isStoreBusy(thrown)) return null;
      throw thrown;
    }
  }

  /** Whether the disk has more than the reserve left. */
  hasRoom(): boolean {
    return this.#engine.hasRoom(RESERVE_BYTES);
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
 * whoever writes waits for others for `patience_ms`, in which this process does nothing else. Throws one sentence
 * where it cannot be opened, or where a newer version wrote it.
 */
export async function openInbox(location: string, patience_ms = PATIENCE_MS): Promise<Inbox> {
  const engine = isPostgresUrl(location)
    ? (await import('./postgres-engine.ts')).openPostgresEngine(location)
    : (await import('./sqlite-engine.ts')).openSqliteEngine(location, patience_ms, PATIENCE_MS);
  const inbox = new Inbox(engine);
  try {
    await engine.migrate();
    inbox.secret = await readSecret(inbox.db);
    return inbox;
  } catch (thrown) {
    await inbox.close();
    throw thrown;
  }
}

async function readSecret(db: Kysely<Tables>): Promise<Buffer> {
  const name = 'submissions';
  const find = db.selectFrom('secrets').select('value').where('name', '=', name);
  // Looked for first: a store that is up to date opens on a full disk, too.
  const known = await find.executeTakeFirst();
  if (known !== undefined) return known.value;
  const made = db.insertInto('secrets').values({ name, value: randomBytes(32) });
  await made.onConflict((conflict) => conflict.doNothing()).execute();
  return (await find.executeTakeFirstOrThrow()).value;
}

export const isPostgresUrl = (location: string): boolean => /^postgres(ql)?:/.test(location);

/** The settings that say where an inbox lies. */
export interface InboxConfig {
  readonly data_dir: string;
  readonly database_url: string | null;
}

export const inboxLocation = ({ data_dir, database_url }: InboxConfig): string =>
  database_url ?? join(data_dir, 'inbox.db');

/** What is only noted beside something else: null where it cannot be stored now. */
export async function ignoreDiskFull<T>(note: () => Promise<T>): Promise<T | null> {
  try {
    return await note();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unavailable') return null;
    throw thrown;
  }
}
