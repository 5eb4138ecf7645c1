// The table of senders: when each sent something in, under a keyed digest of its address.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

/** Forgets what is not after `from_ms`, and what is after `to_ms`. */
export function pruneSenders(inbox: Inbox, from_ms: number, to_ms: number): void {
  inbox.prepare('delete from submission_senders where at_ms <= ? or at_ms > ?').run(from_ms, to_ms);
}

/** How often a sender, or everybody where it is null, has sent since `from_ms`. */
export function countSent(inbox: Inbox, sender: string | null, from_ms: number): number {
  const count: unknown = inbox
    .prepare(
      'select count(*) from submission_senders where (?1 is null or sender = ?1) and at_ms > ?2',
    )
    .pluck()
    .get({ 1: sender, 2: from_ms });
  return v.parse(v.number(), count);
}

export function insertSender(inbox: Inbox, sender: string, at_ms: number): void {
  inbox.prepare('insert into submission_senders values (?, ?)').run(sender, at_ms);
}
