// PostgreSQL session: a dedicated connection that holds locks across all machines and receives their notifications. The
// server ends it after a period of silence, so that a suspended process loses its locks.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sql } from 'kysely';
import type { Inbox } from './open.ts';
import { unreachableError } from './postgres-engine.ts';

/**
 * Numbers of the advisory locks: of builds, of the primary machine's tasks, of fetching sources. The writers' lock is in
 * postgres-engine.ts.
 */
const LOCKS = { release: 4_810_722, chores: 4_810_723, sources: 4_810_724 } as const;
export type LockName = keyof typeof LOCKS;

/** PostgreSQL channel of notifyMachines. */
const CHANNEL = 'hoy';
const CONNECT_TIMEOUT_MS = 3_000;
const LOCK_POLL_MS = 200;

export type PostgresSession = Awaited<ReturnType<typeof openPostgresSession>>;

/**
 * Opens a session.
 * @param idle_ms Silence after which the server ends the session.
 * @param onNotify Called when another machine calls notifyMachines.
 * @throws Error if the database cannot be reached.
 */
export async function openPostgresSession(url: string, idle_ms: number, onNotify?: () => void) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // Visible in pg_stat_activity.
    application_name: `hoy ${process.pid}`,
    options: `-c idle_session_timeout=${idle_ms}`,
  });
  const locks = new Set<LockName>();
  let is_connected = true;
  let heartbeat: NodeJS.Timeout | undefined;
  const disconnect = (): void => {
    is_connected = false;
    clearInterval(heartbeat);
    // A vanished server would never answer an orderly close.
    client.connection.stream.destroy();
  };
  client.on('error', disconnect).on('end', disconnect);
  /** Runs a query. Without a response within a third of `idle_ms`, disconnects before others can get the locks. */
  const query = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    const response = client.query<Record<string, unknown>>(text).catch(() => null);
    const result = await Promise.race([response, sleep(idle_ms / 3, null, { ref: false })]);
    if (result === null) disconnect();
    return result?.rows ?? [];
  };
  try {
    await client.connect();
  } catch (cause) {
    disconnect();
    throw unreachableError(cause);
  }
  if (onNotify) {
    client.on('notification', onNotify);
    await query(`listen ${CHANNEL}`);
  }
  heartbeat = setInterval(() => void query('select 1'), idle_ms / 4);
  return {
    isConnected: (): boolean => is_connected,
    /** Acquires a lock, waiting up to `timeout_ms`. @returns true if the session holds it. */
    acquireLock: async (lock: LockName, timeout_ms = 0): Promise<boolean> => {
      const deadline_ms = performance.now() + timeout_ms;
      while (is_connected && !locks.has(lock)) {
        const [row] = await query(`select pg_try_advisory_lock(${LOCKS[lock]}) as is_acquired`);
        if (row?.is_acquired === true) locks.add(lock);
        else if (performance.now() >= deadline_ms) return false;
        else await sleep(LOCK_POLL_MS);
      }
      return is_connected;
    },
    holdsLock: (lock: LockName): boolean => is_connected && locks.has(lock),
    close: (): void => disconnect(),
  };
}

/** Notifies all machines of a new release, once the surrounding transaction commits. */
export const notifyMachines = async (inbox: Inbox): Promise<void> =>
  void (await sql`select pg_notify(${CHANNEL}, '')`.execute(inbox.db));

/** Tells if any session holds a lock. */
export async function isLockHeld({ db }: Inbox, lock: LockName): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and classid = 0
    and objid = ${LOCKS[lock]} and granted
    and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
}
