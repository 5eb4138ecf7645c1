// The table of senders: when each sent what in, under keyed digests of its address and network, or of
// the token that it bears. A day old at most.
import * as v from 'valibot';
import type { Inbox } from './open.ts';

/** Where something came in: the form, a tool, or as what a reader reports; or by a token. */
export type CountedChannel = 'form' | 'agent' | 'report' | 'token';

export interface SentRow {
  readonly sender: string;
  readonly network: string;
  readonly channel: CountedChannel;
  readonly reference: string;
  readonly at_ms: number;
  /** It was taken in beyond what is usual: 1, or 0. */
  readonly is_doubtful: 0 | 1;
}

/** What is counted together. */
export type SentBy = 'sender' | 'network';

/** Forgets what is not after `from_ms`, and what is after `to_ms`. */
export function pruneSenders(inbox: Inbox, from_ms: number, to_ms: number): void {
  inbox.prepare('delete from submission_senders where at_ms <= ? or at_ms > ?').run(from_ms, to_ms);
}

export function insertSender(inbox: Inbox, row: SentRow): void {
  inbox
    .prepare(
      'insert into submission_senders (sender, at_ms, network, channel, reference, is_doubtful) values (:sender, :at_ms, :network, :channel, :reference, :is_doubtful)',
    )
    .run(row);
}

const Count = v.number();

/** How often somebody or a network has sent since `from_ms`. */
export const countSent = (inbox: Inbox, by: SentBy, whose: string, from_ms: number): number =>
  v.parse(
    Count,
    inbox
      .prepare(`select count(*) from submission_senders where ${by} = ? and at_ms > ?`)
      .pluck()
      .get(whose, from_ms),
  );

/** How often a channel has taken something in since `from_ms` that is not doubtful. */
export const countClear = (inbox: Inbox, channel: CountedChannel, from_ms: number): number =>
  v.parse(
    Count,
    inbox
      .prepare(
        'select count(*) from submission_senders where channel = ? and at_ms > ? and is_doubtful = 0',
      )
      .pluck()
      .get(channel, from_ms),
  );

/** When the `nth` newest was sent; null where there are fewer. */
export function findNthNewest(inbox: Inbox, by: SentBy, whose: string, nth: number): number | null {
  const at: unknown = inbox
    .prepare(
      `select at_ms from submission_senders where ${by} = ? order by at_ms desc limit 1 offset ?`,
    )
    .pluck()
    .get(whose, nth - 1);
  return at === undefined ? null : v.parse(Count, at);
}
