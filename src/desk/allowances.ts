// How much may be sent in, so that nobody shuts the intake for others: counted by address, network and
// channel. Beyond what is usual it is taken in as doubtful; only who floods alone waits, and is told
// until when. A token has an allowance of its own (contract 14.6, 14.7).
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { toNetwork } from '../domain/sender-network.ts';
import { growCrowd, putDoubt } from '../inbox/doubts.ts';
import { hasRoom, type Inbox } from '../inbox/open.ts';
import {
  type CountedChannel,
  countClear,
  countSent,
  findMostClear,
  findNthNewest,
  insertSender,
  listSent,
  pruneSenders,
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
 * So many of one address in an hour, and those before them are doubtful too; fewer while a channel gets
 * in an hour more than it takes in a day without a doubt.
 */
export const CROWD_AN_HOUR = { usual: 10, flood: 6 } as const;
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
 * Counts what comes in, within a transaction, and marks it as doubtful where it is. Throws AppError
 * rate_limited of a flood, with when it works again; not_stored where the disk has room left only for
 * what is not doubtful.
 */
export function admit(inbox: Inbox, { sender, channel, reference, now_ms }: Entry): void {
  const who = toCounted(inbox, 'sender', sender);
  const network = toCounted(inbox, 'network', toNetwork(sender));
  // What a clock that ran ahead has counted would count until it is that late.
  pruneSenders(inbox, now_ms - DAY_MS, now_ms + HOUR_MS);
  holdFlood(inbox, who, network, now_ms);
  const is_doubtful = isTooMany(inbox, who, network, now_ms);
  insertSender(inbox, { sender: who, network, channel, reference, at_ms: now_ms });
  const crowd = countSent(inbox, 'network', network, now_ms - DAY_MS);
  growCrowd(inbox, network, now_ms - DAY_MS, crowd);
  if (is_doubtful || !makeWay(inbox, channel, crowd, now_ms)) {
    if (!hasRoom(inbox))
      throw new AppError(
        'unavailable',
        'server: the disk is nearly full, and nothing was stored. Try again later',
        'not_stored',
      );
    putDoubt(inbox, reference, crowd);
  }
  const is_flood =
    countSent(inbox, 'channel', channel, now_ms - HOUR_MS) > CLEAR.channel_day[channel];
  const least = CROWD_AN_HOUR[is_flood ? 'flood' : 'usual'];
  if (countSent(inbox, 'sender', who, now_ms - HOUR_MS) < least) return;
  for (const sent of listSent(inbox, 'sender', who, now_ms - DAY_MS)) putDoubt(inbox, sent, crowd);
}

/** Throws AppError where an address, or one more time a network, has sent all that is taken. */
function holdFlood(inbox: Inbox, who: string, network: string, now_ms: number): void {
  const from_ms = now_ms - HOUR_MS;
  const toEnd = (by: 'sender' | 'network', whose: string, nth: number): number =>
    (findNthNewest(inbox, by, whose, nth) ?? now_ms) + HOUR_MS;
  const own = countSent(inbox, 'sender', who, from_ms);
  if (own >= FLOOD_AN_HOUR.sender)
    throw toTooMany('too_many_submissions', toEnd('sender', who, FLOOD_AN_HOUR.sender));
  if (own > 0 && countSent(inbox, 'network', network, from_ms) >= FLOOD_AN_HOUR.network)
    throw toTooMany(
      'too_many_submissions',
      Math.min(toEnd('sender', who, 1), toEnd('network', network, FLOOD_AN_HOUR.network)),
    );
}

/** Whether one more is too many to be taken without a doubt. */
const isTooMany = (inbox: Inbox, who: string, network: string, now_ms: number): boolean =>
  [['sender', who] as const, ['network', network] as const].some(
    ([by, whose]) =>
      countSent(inbox, by, whose, now_ms - HOUR_MS) >= CLEAR[by].hour ||
      countSent(inbox, by, whose, now_ms - DAY_MS) >= CLEAR[by].day,
  );

/**
 * Whether what was just counted has a place among the clear ones of its channel: there is one left,
 * or a network that has sent more gives up its own. So a crowd never keeps a single sender out.
 */
function makeWay(inbox: Inbox, channel: Entry['channel'], crowd: number, now_ms: number): boolean {
  const from_ms = now_ms - DAY_MS;
  if (countClear(inbox, 'channel', channel, from_ms) <= CLEAR.channel_day[channel]) return true;
  const most = findMostClear(inbox, channel, from_ms);
  if (most === null || most.crowd <= crowd) return false;
  for (const sent of most.references) putDoubt(inbox, sent, most.crowd);
  return true;
}

/**
 * Counts a change by the token of `reference`, within a transaction: what others send does not touch
 * it. Throws AppError rate_limited, with when it works again.
 */
export function countChange(inbox: Inbox, reference: string, now_ms: number): void {
  const who = toCounted(inbox, 'token', reference);
  pruneSenders(inbox, now_ms - DAY_MS, now_ms + HOUR_MS);
  for (const [most, window_ms] of [
    [TOKEN_ALLOWANCE.hour, HOUR_MS],
    [TOKEN_ALLOWANCE.day, DAY_MS],
  ] as const)
    if (countSent(inbox, 'sender', who, now_ms - window_ms) >= most)
      throw toTooMany(
        'too_many_changes',
        (findNthNewest(inbox, 'sender', who, most) ?? now_ms) + window_ms,
      );
  insertSender(inbox, { sender: who, network: who, channel: 'token', reference, at_ms: now_ms });
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
