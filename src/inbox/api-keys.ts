// The table of API keys: stored as a hash, looked up on every request, revoked at once
// (contract 10.1, 10.4).
import { floorToMinute, formatTimestamp, toCancunDay } from '../domain/cancun-time.ts';
import { toBusyError } from './faults.ts';
import type { Inbox } from './open.ts';

export interface ApiKey {
  readonly id: string;
  /** Whom it was given to. */
  readonly name: string;
  readonly created_at: string;
  /** The Cancún day on which it was last used, or null. */
  readonly last_used_on: string | null;
  readonly revoked_at: string | null;
}

/** A new key; only its hash is stored. */
export async function insertKey(
  inbox: Inbox,
  { id, name, created_at }: Pick<ApiKey, 'id' | 'name' | 'created_at'>,
  hash: string,
): Promise<void> {
  await inbox.db.insertInto('api_keys').values({ id, name, hash, created_at }).execute();
}

/** All keys ever made, the oldest first. */
export const listKeys = (inbox: Inbox): Promise<readonly ApiKey[]> =>
  inbox.db
    .selectFrom('api_keys')
    .select(['id', 'name', 'created_at', 'last_used_on', 'revoked_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Revokes a live key: the next request with it gets 401. False where no live key has this id. */
export async function revokeKey(inbox: Inbox, id: string, now_ms: number): Promise<boolean> {
  const { numUpdatedRows } = await inbox.db
    .updateTable('api_keys')
    .set({ revoked_at: formatTimestamp(now_ms) })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Whether the key of a hash is live: looked up each time, so that every serving process knows of a new or
 * revoked key at once. The first use of a day is noted after the answer; where somebody else is writing, a later
 * use is noted instead.
 */
export function createKeyLookup(
  inbox: Inbox,
  clock: () => number,
): (hash: string) => Promise<boolean> {
  const readToday = createDayReader(clock);
  const find = (hash: string) =>
    inbox.db
      .selectFrom('api_keys')
      .select('last_used_on')
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .execute();
  return async (hash) => {
    const look = () => find(hash);
    // A reader waits for nobody in PostgreSQL.
    const found = inbox.kind === 'sqlite' ? await inbox.withoutWaiting(look) : await look();
    if (found === null) throw toBusyError();
    const [row] = found;
    if (row === undefined) return false;
    const today = readToday();
    if (row.last_used_on !== today) setImmediate(() => void noteUse(inbox, hash, today));
    return true;
  };
}

/** The Cancún day, worked out once a minute. */
function createDayReader(clock: () => number): () => string {
  let [minute_ms, day] = [Number.NaN, ''];
  return () => {
    const now_ms = floorToMinute(clock());
    if (now_ms !== minute_ms) [minute_ms, day] = [now_ms, toCancunDay(now_ms).toString()];
    return day;
  };
}

/** What fails is made again with the next use: who reads is served all the same. */
async function noteUse(inbox: Inbox, hash: string, day: string): Promise<void> {
  const note = () =>
    inbox.db.updateTable('api_keys').set({ last_used_on: day }).where('hash', '=', hash).execute();
  // The disk is full, or the process is ending.
  await inbox.withoutWaiting(note).catch(() => null);
}
