// How much may be sent in, so that nobody shuts the intake for others: counted by address, network and
// channel. Beyond what is usual it is taken in as doubtful; only who floods alone waits, and is told
// until when. A token has an allowance of its own (contract 14.6, 14.7).
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { toNetwork } from '../domain/sender-network.ts';
import type { Inbox } from '../inbox/open.ts';
import {
  type CountedChannel,
  countClear,
  countSent,
  findNthNewest,
  insertSender,
  pruneSenders,
  type SentBy,
} from '../inbox/senders.ts';
import { toCounted } from './secret.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Most that is taken without a doubt: of an address and of its network (/24, /48), of a channel. */
export const CLEAR = {
  sender: { hour: 5, day: 15 },
  network: { hour: 20, day: 40 },
  channel_day: { form: 100, agent: 60, report: 40 },
} as const;
/**
 * Most that is taken at all in an hour: of an address; of a network, from whose addresses beyond that
 * one each is taken.
 */
export const FLOOD_AN_HOUR = { sender: 60, network: 300 } as const;
/** Most changes by one token. */
export const TOKEN_ALLOWANCE = { hour: 10, day: 40 } as const;

/** One thing that comes in. */
export interface Entry {
  /** As what the client's address is counted. */
  readonly sender: string;
  readonly channel: Exclude<CountedChannel, 'token'>;
  readonly reference: string;
  readonly now_ms: number;
}

/**
 * Counts what comes in, within a transaction; whether it is doubtful. Throws AppError rate_limited of a flood,
 * with when it works again; not_stored where the disk has room left only for what is not doubtful.
 */
export async function admit(
  inbox: Inbox,
  { sender, channel, reference, now_ms }: Entry,
): Promise<boolean> {
  const who = toCounted(inbox, 'sender', sender);
  const network = toCounted(inbox, 'network', toNetwork(sender));
  // What a clock that ran ahead has counted would count until it is that late.
  await pruneSenders(inbox, now_ms - DAY_MS, now_ms + HOUR_MS);
  await holdFlood(inbox, who, network, now_ms);
  const is_doubtful =
    (await isTooMany(inbox, 'sender', who, now_ms)) ||
    (await isTooMany(inbox, 'network', network, now_ms)) ||
    (await isFull(inbox, channel, network, now_ms));
  const row = { sender: who, network, channel, reference, at_ms: now_ms };
  await insertSender(inbox, { ...row, is_doubtful: is_doubtful ? 1 : 0 });
  if (is_doubtful && !inbox.hasRoom())
    throw new AppError(
      'unavailable',
      'server: the disk is nearly full, and nothing was stored. Try again later',
      'not_stored',
    );
  return is_doubtful;
}

/** Throws AppError where an address, or one more time a network, has sent all that is taken. */
async function holdFlood(
  inbox: Inbox,
  who: string,
  network: string,
  now_ms: number,
): Promise<void> {
  const from_ms = now_ms - HOUR_MS;
  const toEnd = async (by: SentBy, whose: string, nth: number): Promise<number> =>
    ((await findNthNewest(inbox, by, whose, nth)) ?? now_ms) + HOUR_MS;
  const own = await countSent(inbox, 'sender', who, from_ms);
  if (own >= FLOOD_AN_HOUR.sender)
    throw toTooMany('too_many_submissions', await toEnd('sender', who, FLOOD_AN_HOUR.sender));
  if (own > 0 && (await countSent(inbox, 'network', network, from_ms)) >= FLOOD_AN_HOUR.network)
    throw toTooMany(
      'too_many_submissions',
      Math.min(
        await toEnd('sender', who, 1),
        await toEnd('network', network, FLOOD_AN_HOUR.network),
      ),
    );
}

/** Whether one more is too many to be taken without a doubt. */
const isTooMany = async (
  inbox: Inbox,
  by: SentBy,
  whose: string,
  now_ms: number,
): Promise<boolean> =>
  (await countSent(inbox, by, whose, now_ms - HOUR_MS)) >= CLEAR[by].hour ||
  (await countSent(inbox, by, whose, now_ms - DAY_MS)) >= CLEAR[by].day;

/** Whether a channel is full for a network: the first of each in a day has a place always. */
const isFull = async (
  inbox: Inbox,
  channel: Entry['channel'],
  network: string,
  now_ms: number,
): Promise<boolean> =>
  (await countSent(inbox, 'network', network, now_ms - DAY_MS)) > 0 &&
  (await countClear(inbox, channel, now_ms - DAY_MS)) >= CLEAR.channel_day[channel];

/**
 * Counts a change by the token of `reference`, within a transaction: what others send does not touch
 * it. Throws AppError rate_limited, with when it works again.
 */
export async function countChange(inbox: Inbox, reference: string, now_ms: number): Promise<void> {
  const who = toCounted(inbox, 'token', reference);
  await pruneSenders(inbox, now_ms - DAY_MS, now_ms + HOUR_MS);
  for (const [most, window_ms] of [
    [TOKEN_ALLOWANCE.hour, HOUR_MS],
    [TOKEN_ALLOWANCE.day, DAY_MS],
  ] as const)
    if ((await countSent(inbox, 'sender', who, now_ms - window_ms)) >= most)
      throw toTooMany(
        'too_many_changes',
        ((await findNthNewest(inbox, 'sender', who, most)) ?? now_ms) + window_ms,
      );
  await insertSender(inbox, {
    sender: who,
    network: who,
    channel: 'token',
    reference,
    at_ms: now_ms,
    is_doubtful: 0,
  });
}

const SENTENCES = {
  too_many_submissions: 'too many submissions have come from this address',
  too_many_changes: 'this submission was changed too often',
} as const;

function toTooMany(reason: keyof typeof SENTENCES, retry_at_ms: number): AppError {
  const hour = formatTimestamp(retry_at_ms + 59_999).slice(11, 16);
  const sentence = `rate: ${SENTENCES[reason]}. It works again at ${hour} in Cancún`;
  return new AppError('rate_limited', sentence, reason, { retry_at_ms });
}
