// The look-up of a key on each request, and the note of its last use, which no request waits for.
import * as v from 'valibot';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import type { Inbox } from './open.ts';

const LiveRow = v.object({ last_used_on: v.nullable(v.string()) });

/**
 * Whether the key of a hash is live: asked of the file each time (some ten microseconds), so that
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
    const row = find.get(hash);
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

/**
 * Does not wait for another writer, and lets the write go where it fails: it is made again with the
 * next use.
 */
function writeUnlessBusy(inbox: Inbox, write: () => void): void {
  if (!inbox.open) return;
  const patience_ms = v.parse(v.number(), inbox.pragma('busy_timeout', { simple: true }));
  inbox.pragma('busy_timeout = 0');
  try {
    write();
  } catch {
    // Busy, or the disk is full: who reads is served all the same.
  } finally {
    inbox.pragma(`busy_timeout = ${patience_ms}`);
  }
}
