// A connection to PostgreSQL of its own: it has locks over all machines while it lives, and hears what others tell.
// Whoever says nothing on it for a while loses it, and so its locks, as a process that was stopped.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sql } from 'kysely';
import type { Inbox } from './open.ts';
import { unreachableError } from './postgres-engine.ts';

/** Their numbers in the database, beside that of whoever writes (postgres.ts). */
const LOCKS = { release: 4_810_722, chores: 4_810_723, sources: 4_810_724 } as const;
export type LockName = keyof typeof LOCKS;

const CHANNEL = 'hoy';
const CONNECT_MS = 3_000;
const LOOK_MS = 200;

export type PostgresSession = Awaited<ReturnType<typeof openPostgresSession>>;

/** Throws a sentence where there is no such database. `idle_ms`: after which silence it is lost. */
export async function openPostgresSession(url: string, idle_ms: number, onTold?: () => void) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    // Whoever looks into PostgreSQL sees who that is.
    application_name: `hoy ${process.pid}`,
    options: `-c idle_session_timeout=${idle_ms}`,
  });
  const held = new Set<LockName>();
  let is_there = true;
  let beat: NodeJS.Timeout | undefined;
  const lose = (): void => {
    is_there = false;
    clearInterval(beat);
    // One that vanished would answer an orderly end never.
    client.connection.stream.destroy();
  };
  client.on('error', lose).on('end', lose);
  /** Whoever gets no answer has lost it, before another can have its locks. */
  const ask = async (text: string): Promise<readonly Record<string, unknown>[]> => {
    const answer = client.query<Record<string, unknown>>(text).catch(() => null);
    const found = await Promise.race([answer, sleep(idle_ms / 3, null, { ref: false })]);
    if (found === null) lose();
    return found?.rows ?? [];
  };
  try {
    await client.connect();
  } catch (cause) {
    lose();
    throw unreachableError(cause);
  }
  if (onTold) {
    client.on('notification', onTold);
    await ask(`listen ${CHANNEL}`);
  }
  beat = setInterval(() => void ask('select 1'), idle_ms / 4);
  return {
    isThere: (): boolean => is_there,
    /** Whether it has a lock: taken where that is free, or becomes so within the patience. */
    hold: async (lock: LockName, patience_ms = 0): Promise<boolean> => {
      const end_ms = performance.now() + patience_ms;
      while (is_there && !held.has(lock)) {
        const [row] = await ask(`select pg_try_advisory_lock(${LOCKS[lock]}) as is_mine`);
        if (row?.is_mine === true) held.add(lock);
        else if (performance.now() >= end_ms) return false;
        else await sleep(LOOK_MS);
      }
      return is_there;
    },
    has: (lock: LockName): boolean => is_there && held.has(lock),
    end: (): void => lose(),
  };
}

/** Tells all machines that there is something new, once the transaction around it stands. */
export const notifyMachines = async (inbox: Inbox): Promise<void> =>
  void (await sql`select pg_notify(${CHANNEL}, '')`.execute(inbox.db));

/** Whether anybody has a lock. */
export async function isLockHeld({ db }: Inbox, lock: LockName): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and classid = 0
    and objid = ${LOCKS[lock]} and granted
    and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
}
