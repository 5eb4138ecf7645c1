// The table of attempts to log in: shared by all serving processes, and a restart forgets none. Each is one that failed
// until it is taken back (contract 14.38).
import * as v from 'valibot';
import { type Inbox, inTransaction } from './open.ts';

const WINDOW_MS = 15 * 60_000;
/** Failures of an address within the window. */
export const MOST_FAILURES = 8;

/** Gives what it is taken back by; null where there were too many, and then the password is not to be looked at. */
export function countAttempt(inbox: Inbox, who: string, now_ms: number): number | null {
  const window = [now_ms - WINDOW_MS, now_ms + WINDOW_MS] as const;
  const isFull = (): boolean =>
    v.parse(
      v.number(),
      inbox
        .prepare('select count(*) from login_attempts where who = ? and at_ms > ? and at_ms <= ?')
        .pluck()
        .get(who, ...window),
    ) >= MOST_FAILURES;
  // A look alone: whoever is refused must cost no writing.
  if (isFull()) return null;
  return inTransaction(inbox, () => {
    // What a clock that ran ahead has counted would count until it is that late.
    inbox.prepare('delete from login_attempts where at_ms <= ? or at_ms > ?').run(...window);
    if (isFull()) return null;
    const insert = inbox.prepare('insert into login_attempts values (?, ?)');
    return Number(insert.run(who, now_ms).lastInsertRowid);
  });
}

/** It did not fail: only this attempt is forgotten, so that nobody clears the others by it. */
export function takeBack(inbox: Inbox, id: number): void {
  inbox.prepare('delete from login_attempts where rowid = ?').run(id);
}
