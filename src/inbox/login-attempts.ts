// The table of attempts to log in: shared by all serving processes, and a restart forgets none.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

/** Forgets what is not after `from_ms`, and what is after `to_ms`. */
export function pruneAttempts(inbox: Inbox, from_ms: number, to_ms: number): void {
  inbox.prepare('delete from login_attempts where at_ms <= ? or at_ms > ?').run(from_ms, to_ms);
}

export function countAttempts(inbox: Inbox, who: string): number {
  return v.parse(
    v.number(),
    inbox.prepare('select count(*) from login_attempts where who = ?').pluck().get(who),
  );
}

export function insertAttempt(inbox: Inbox, who: string, at_ms: number): void {
  inbox.prepare('insert into login_attempts values (?, ?)').run(who, at_ms);
}

export function deleteAttempts(inbox: Inbox, who: string): void {
  inbox.prepare('delete from login_attempts where who = ?').run(who);
}
