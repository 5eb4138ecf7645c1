// The table of API keys: stored as a hash, looked up on every request, revoked at once
// (contract 10.1, 10.4).
import * as v from 'valibot';
import { floorToMinute, formatTimestamp, toCancunDay } from '../domain/cancun-time.ts';
import { type Inbox, toBusyError, withoutWaiting } from './open.ts';

export interface ApiKey {
  readonly id: string;
  /** Whom it was given to. */
  readonly name: string;
  readonly created_at: string;
  /** The Cancún day on which it was last used, or null. */
  readonly last_used_on: string | null;
  readonly revoked_at: string | null;
}
const ApiKeyRow = v.object({
  id: v.string(),
  name: v.string(),
  created_at: v.string(),
  last_used_on: v.nullable(v.string()),
  revoked_at: v.nullable(v.string()),
});

/** A new key; only its hash is stored. */
export function insertKey(
  inbox: Inbox,
  { id, name, created_at }: Pick<ApiKey, 'id' | 'name' | 'created_at'>,
  hash: string,
): void {
  inbox
    .prepare('insert into api_keys (id, name, hash, created_at) values (?, ?, ?, ?)')
    .run(id, name, hash, created_at);
}

/** All keys ever made, the oldest first. */
export function listKeys(inbox: Inbox): readonly ApiKey[] {
  const rows = inbox
    .prepare(
      'select id, name, created_at, last_used_on, revoked_at from api_keys order by created_at, id',
    )
    .all();
  return v.parse(v.array(ApiKeyRow), rows);
}

/** Revokes a live key: the next request with it gets 401. False where no live key has this id. */
export function revokeKey(inbox: Inbox, id: string, now_ms: number): boolean {
  return (
    inbox
      .prepare('update api_keys set revoked_at = ? where id = ? and revoked_at is null')
      .run(formatTimestamp(now_ms), id).changes > 0
  );
}

const LiveRow = v.object({ last_used_on: v.nullable(v.string()) });

/**
 * Whether the key of a hash is live: looked up in the file each time (some ten microseconds), so that
 * every serving process knows of a new or revoked key at once. The first use of a day is noted
 * after the answer; where the file is being written by somebody else, a later use is noted instead.
 */
export function createKeyLookup(inbox: Inbox, clock: () => number): (hash: string) => boolean {
  const find = inbox.prepare(
    'select last_used_on from api_keys where hash = ? and revoked_at is null',
  );
  const note = inbox.prepare('update api_keys set last_used_on = ? where hash = ?');
  const readToday = createDayReader(clock);
  return (hash) => {
    const found = withoutWaiting(inbox, () => [find.get(hash)]);
    if (found === null) throw toBusyError();
    const [row] = found;
    if (row === undefined) return false;
    const today = readToday();
    if (v.parse(LiveRow, row).last_used_on !== today)
      setImmediate(() => writeUnlessBusy(inbox, () => void note.run(today, hash)));
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
function writeUnlessBusy(inbox: Inbox, write: () => void): void {
  if (!inbox.open) return;
  try {
    withoutWaiting(inbox, write);
  } catch {
    // The disk is full.
  }
}
