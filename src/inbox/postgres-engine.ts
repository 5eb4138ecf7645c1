// The inbox in PostgreSQL. Whoever writes takes one lock, so that what is looked at and then written is as it was,
// as in SQLite.
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

/** The number of the lock of whoever writes, in the database. */
const WRITERS_LOCK = 4_810_721;
const CONNECTIONS = 8;
const CONNECT_MS = 5_000;
const END_MS = 1_000;
/** When the server gives up a client that vanished, with the lock that it may have. */
const VANISHED =
  '-c idle_in_transaction_session_timeout=30000 -c tcp_keepalives_idle=20 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3';
/** When a server that vanished is given up; nothing takes so long but what has a connection of its own. */
const SILENT_MS = 30_000;
/** How long one waits for whoever else writes. */
const PATIENCE_MS = 3_000;

// Whole numbers that count and times in milliseconds are far below 2^53; JSON is parsed where it is known what it holds.
const { builtins } = pg.types;
const types = {
  getTypeParser: ((oid: number, format?: 'text') => {
    if (oid === builtins.INT8) return Number;
    if (oid === builtins.JSON) return String;
    return pg.types.getTypeParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

/** By the first letters of PostgreSQL's code, or by Node's. */
const BUSY = /^(55P03|40P01|57014)/;
const NOT_STORED = /^(08|25006|28|3D|42501|53|57P|58|XX|E[A-Z_]+$)/;
const IS_AWAY =
  /^(Connection terminated|Client (has|was)|timeout exceeded|Cannot use a pool|Postgres connection has)/;

function createDialect(pool: pg.Pool): Dialect {
  const driver = new PostgresDriver({ pool });
  const begin = driver.beginTransaction.bind(driver);
  driver.beginTransaction = async (connection, settings) => {
    if (settings.accessMode === 'read only') return begin(connection, settings);
    const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text));
    await run('begin');
    try {
      await run(`select pg_advisory_xact_lock(${WRITERS_LOCK})`);
    } catch (thrown) {
      // It has not begun for whoever asked, who ends nothing then.
      await run('rollback').catch(() => {});
      throw thrown;
    }
  };
  return wrapDialect(new PostgresDialect({ pool }), driver, (thrown) => {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    if (BUSY.test(code)) return 'inbox_busy';
    const is_away = thrown instanceof Error && IS_AWAY.test(thrown.message);
    return is_away || NOT_STORED.test(code) ? 'not_stored' : null;
  });
}

export function openPostgresEngine(url: string): DatabaseEngine {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    types,
    options: `-c lock_timeout=${PATIENCE_MS} ${VANISHED}`,
  });
  // A connection that breaks is made anew: whoever asks on it is told, and nobody else.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    const { stream } = client.connection;
    if (stream instanceof Socket) stream.setTimeout(SILENT_MS, () => void stream.destroy());
  });
  return {
    kind: 'postgres',
    dialect: createDialect(pool),
    migrate: () => migrate(pool),
    setWaiting: async (db, is_waiting) => {
      await sql`set lock_timeout = ${sql.lit(is_waiting ? PATIENCE_MS : 1)}`.execute(db);
    },
    hasRoom: () => true,
    isThere: () => true,
    compact: () => compact(url),
    close: async () => {
      // Whoever is asked and never answers keeps nobody from ending.
      if (!pool.ended) await Promise.race([pool.end(), sleep(END_MS)]);
    },
  };
}

/** Tables with words or pictures of senders, or the addresses of readers. */
const PRIVATE = 'changes, letters, batches, readers, submission_senders, uploads';

/** Whoever reads an older state keeps rows that are gone from going: PostgreSQL says how many, where it is asked. */
async function compact(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let is_clean = true;
  const look = ({ detail }: { readonly detail?: string | undefined }): void => {
    // In whatever language it speaks.
    if (/^[1-9]\d* /.test(detail ?? '')) is_clean = false;
  };
  client.on('notice', look);
  try {
    await client.query(`vacuum (full, verbose) ${PRIVATE}`);
    return is_clean;
  } finally {
    await client.end();
  }
}

/** The version stands in a table of one row. */
async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw unreachableError(cause);
  });
  let is_broken = true;
  try {
    const [known] = await read(client);
    if (known?.version !== STORE_VERSION || known.oldest_reader !== OLDEST_COMPATIBLE_VERSION)
      await bring(client);
    is_broken = false;
  } finally {
    client.release(is_broken);
  }
}

async function bring(client: pg.PoolClient): Promise<void> {
  await client.query(`begin; select pg_advisory_xact_lock(${WRITERS_LOCK})`);
  await client.query(
    'create table if not exists inbox_version (version integer not null, oldest_reader integer not null)',
  );
  const [now = { version: 0, oldest_reader: 0 }] = await read(client);
  if (!isStoreNewer(now.version, now.oldest_reader)) {
    for (const step of listMigrations('postgres', now.version)) await client.query(step);
    await client.query(loadMigrationSql('uploads.sql'));
    await client.query('delete from inbox_version');
    await client.query('insert into inbox_version values ($1, $2)', [
      STORE_VERSION,
      OLDEST_COMPATIBLE_VERSION,
    ]);
  }
  await client.query('commit');
}

/** Names of machines and users are for the log. */
export function unreachableError(cause: unknown): Error {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
  return new Error(`DATABASE_URL: that database cannot be reached or entered (${code})`, { cause });
}

async function read(client: pg.PoolClient) {
  const { rows } = await client.query<{ there: string | null }>(
    "select to_regclass('inbox_version') as there",
  );
  if (!rows[0]?.there) return [];
  const found = await client.query<{ version: number; oldest_reader: number }>(
    'select version, oldest_reader from inbox_version',
  );
  return found.rows;
}
