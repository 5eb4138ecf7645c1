// The table of attempts to log in: shared by all serving processes, and a restart forgets none.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

/** Forgets what is not after `from_ms`, and what is after `to_ms`. */
export function pruneAttempts(inbox: Inbox, from_ms: number, to_ms: number): void {
  inbox.prepare('delete from login_attempts where at_ms <= ? or at_ms > ?').run(from_ms, to_ms);
}

/** How many there are of one, after `from_ms` and not after `to_ms`. */
export function countAttempts(inbox: Inbox, who: string, from_ms: number, to_ms: number): number {
  return v.parse(
    v.number(),
    inbox
      .prepare('select count(*) from login_attempts where who = ? and at_ms > ? and at_ms <= ?')
      .pluck()
      .get(who, from_ms, to_ms),
  );
}

/** Stores an attempt; gives what it is taken back by. */
export const insertAttempt = (inbox: Inbox, who: string, at_ms: number): number =>
  Number(inbox.prepare('insert into login_attempts values (?, ?)').run(who, at_ms).lastInsertRowid);

export function deleteAttempt(inbox: Inbox, id: number): void {
  inbox.prepare('delete from login_attempts where rowid = ?').run(id);
}
