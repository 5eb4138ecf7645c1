// The table of senders: when each sent what in, under keyed digests of its address and network, or of
// the token that it bears. A day old at most.
import type { Inbox } from './open.ts';
import type { Tables } from './tables.ts';

export type SentRow = Tables['submission_senders'];
/** Where something came in: the form, a tool, or as what a reader reports; or by a token. */
export type CountedChannel = SentRow['channel'];

/** What is counted together. */
export type SentBy = 'sender' | 'network';

/** Forgets what is not after `from_ms`, and what is after `to_ms`. */
export async function pruneSenders(inbox: Inbox, from_ms: number, to_ms: number): Promise<void> {
  await inbox.db
    .deleteFrom('submission_senders')
    .where((is) => is.or([is('at_ms', '<=', from_ms), is('at_ms', '>', to_ms)]))
    .execute();
}

export async function insertSender(inbox: Inbox, row: SentRow): Promise<void> {
  await inbox.db.insertInto('submission_senders').values(row).execute();
}

const count = (inbox: Inbox, from_ms: number) =>
  inbox.db
    .selectFrom('submission_senders')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('at_ms', '>', from_ms);

/** How often somebody or a network has sent since `from_ms`. */
export async function countSent(
  inbox: Inbox,
  by: SentBy,
  whose: string,
  from_ms: number,
): Promise<number> {
  const sent = await count(inbox, from_ms).where(by, '=', whose).executeTakeFirstOrThrow();
  return sent.count;
}

/** How often a channel has taken something in since `from_ms` that is not doubtful. */
export async function countClear(
  inbox: Inbox,
  channel: CountedChannel,
  from_ms: number,
): Promise<number> {
  const clear = await count(inbox, from_ms)
    .where('channel', '=', channel)
    .where('is_doubtful', '=', 0)
    .executeTakeFirstOrThrow();
  return clear.count;
}

/** When the `nth` newest was sent; null where there are fewer. */
export async function findNthNewest(
  inbox: Inbox,
  by: SentBy,
  whose: string,
  nth: number,
): Promise<number | null> {
  const found = await inbox.db
    .selectFrom('submission_senders')
    .select('at_ms')
    .where(by, '=', whose)
    .orderBy('at_ms', 'desc')
    .limit(1)
    .offset(nth - 1)
    .executeTakeFirst();
  return found?.at_ms ?? null;
}
