// PostgreSQL engine: runs the inbox in PostgreSQL. Every writing transaction takes one advisory lock, so that writers
// run one after another, as in SQLite.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CompiledQuery, type Dialect, PostgresDialect, PostgresDriver, sql } from 'kysely';
import {
  type DatabaseEngine,
  isStoreNewer,
  listMigrations,
  OLDEST_COMPATIBLE_VERSION,
  loadMigrationSql,
  wrapDialect,
  STORE_VERSION,
} from './database-engine.ts';

/** Advisory lock of writing transactions. */
const WRITERS_LOCK = 4_810_721;
const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;
/** Settings with which the server detects a vanished client within about 50 seconds and releases its locks. */
const VANISHED_CLIENT_OPTIONS =
  '-c idle_in_transaction_session_timeout=30000 -c tcp_keepalives_idle=20 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';
/** Socket silence after which the server counts as gone. Longer operations use a connection of their own. */
const SOCKET_TIMEOUT_MS = 30_000;
/** Time that a writer waits for the writers' lock. */
const LOCK_TIMEOUT_MS = 3_000;

// 64-bit integers become numbers, since counts and epoch times stay far below 2^53. JSON stays text: schemas parse it.
const { builtins } = pg.types;
const types = {
  getTypeParser: ((oid: number, format?: 'text') => {
    if (oid === builtins.INT8) return Number;
    if (oid === builtins.JSON) return String;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

/** SQLSTATE codes: lock timeout, deadlock, cancelled query. */
const BUSY_CODES = /^(55P03|40P01|57014)/;
/** SQLSTATE codes of lost connections, missing rights, full disks and shutdowns; and Node's error codes. */
const NOT_STORED_CODES = /^(08|25006|28|3D|42501|53|57P|58|XX|E[A-Z_]+$)/;
/** Messages of the driver about a lost connection, which have no code. */
const DISCONNECTED_MESSAGES =
  /^(Connection terminated|Client (has|was)|timeout exceeded|Cannot use a pool|Postgres connection has)/;

function createDialect(pool: pg.Pool): Dialect {
  const driver = new PostgresDriver({ pool });
  const begin = driver.beginTransaction.bind(driver);
  driver.beginTransaction = async (connection, settings) => {
    if (settings.accessMode === 'read only') return begin(connection, settings);
    const execute = (statement: string) => connection.executeQuery(CompiledQuery.raw(statement));
    await execute('begin');
    try {
      await execute(`select pg_advisory_xact_lock(${WRITERS_LOCK})`);
    } catch (thrown) {
      // Kysely does not roll back a transaction that failed to begin.
      await execute('rollback').catch(() => {});
      throw thrown;
    }
  };
  return wrapDialect(new PostgresDialect({ pool }), driver, (thrown) => {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (BUSY_CODES.test(code)) return 'inbox_busy';
    const is_disconnected = thrown instanceof Error && DISCONNECTED_MESSAGES.test(thrown.message);
    return is_disconnected || NOT_STORED_CODES.test(code) ? 'not_stored' : null;
  });
}

export function openPostgresEngine(url: string): DatabaseEngine {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types,
    options: `-c lock_timeout=${LOCK_TIMEOUT_MS} ${VANISHED_CLIENT_OPTIONS}`,
  });
  // The pool replaces broken connections; only the query that was running on one fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    const { stream } = client.connection;
    if (stream instanceof Socket) stream.setTimeout(SOCKET_TIMEOUT_MS, () => void stream.destroy());
  });
  return {
    kind: 'postgres',
    dialect: createDialect(pool),
    migrate: () => migrate(pool),
    setWaiting: async (db, is_waiting) => {
      await sql`set lock_timeout = ${sql.lit(is_waiting ? LOCK_TIMEOUT_MS : 1)}`.execute(db);
    },
    hasFreeSpace: () => true,
    exists: () => true,
    compact: () => compact(url),
    close: async () => {
      // A server that never answers must not prevent the process from ending.
      if (!pool.ended) await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT_MS)]);
    },
  };
}

/** Tables with texts or pictures from senders, or addresses of subscribers. */
const PRIVATE_TABLES = 'changes, letters, batches, readers, submission_senders, uploads';

/**
 * Rewrites the tables with private data.
 * @returns false if a reader of an older state kept dead rows alive: verbose vacuum reports their number.
 */
async function compact(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let is_clean = true;
  const parseNotice = ({ detail }: { readonly detail?: string | undefined }): void => {
    // The detail begins with the number of dead rows that remain, in any server language.
    if (/^[1-9]\d* /.test(detail ?? '')) is_clean = false;
  };
  client.on('notice', parseNotice);
  try {
    await client.query(`vacuum (full, verbose) ${PRIVATE_TABLES}`);
    return is_clean;
  } finally {
    await client.end();
  }
}

/** Migrates the tables if needed. The version is in the only row of `inbox_version`. */
async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw unreachableError(cause);
  });
  let is_broken = true;
  try {
    const [stored] = await readVersion(client);
    if (stored?.version !== STORE_VERSION || stored.oldest_reader !== OLDEST_COMPATIBLE_VERSION)
      await runMigrations(client);
    is_broken = false;
  } finally {
    // `true` closes the connection instead of returning it to the pool.
    client.release(is_broken);
  }
}

async function runMigrations(client: pg.PoolClient): Promise<void> {
  await client.query(`begin; select pg_advisory_xact_lock(${WRITERS_LOCK})`);
  await client.query(
    'create table if not exists inbox_version (version integer not null, oldest_reader integer not null)',
  );
  const [stored = { version: 0, oldest_reader: 0 }] = await readVersion(client);
  if (!isStoreNewer(stored.version, stored.oldest_reader)) {
    for (const step of listMigrations('postgres', stored.version)) await client.query(step);
    await client.query(loadMigrationSql('uploads.sql'));
    await client.query('delete from inbox_version');
    await client.query('insert into inbox_version values ($1, $2)', [
      STORE_VERSION,
      OLDEST_COMPATIBLE_VERSION,
    ]);
  }
  await client.query('commit');
}

/** Creates the error for a failed connection. Host and user names are only in its cause, for the log. */
export function unreachableError(cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
  return new Error(`DATABASE_URL: cannot connect to the database (${code})`, { cause });
}

/** Returns the rows of `inbox_version`: one, or none in a new database. */
async function readVersion(client: pg.PoolClient) {
  const { rows } = await client.query<{ version_table: string | null }>(
    "select to_regclass('inbox_version') as version_table",
  );
  if (!rows[0]?.version_table) return [];
  const versions = await client.query<{ version: number; oldest_reader: number }>(
    'select version, oldest_reader from inbox_version',
  );
  return versions.rows;
}
