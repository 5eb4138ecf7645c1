// How much may be sent in, so that nobody shuts the intake for others: counted by address, network and
// channel, for a day at most, under keyed digests. Beyond what is usual it is taken in as doubtful; only who floods
// alone waits, and is told until when. A token has an allowance of its own (contract 14.6, 14.7).
import { sql } from 'kysely';
import { TOWN } from '../town.ts';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/local-time.ts';
import type { Inbox } from '../inbox/open.ts';
import { rateLimitDigest } from '../inbox/secrets.ts';
import type { Tables } from '../inbox/tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Most that is taken without a doubt: of an address and of its network (/24, /48), of a channel. */
export const SOFT_LIMITS = {
  sender: { hour: 5, day: 15 },
  network: { hour: 20, day: 40 },
  channel_day: { form: 100, agent: 60, report: 40, reader: 100 },
} as const;
/**
 * Most that is taken at all in an hour: of an address; of a network, from whose addresses beyond that
 * one each is taken.
 */
export const HARD_LIMITS_PER_HOUR = { sender: 60, network: 300 } as const;
/** Most changes by one token. */
export const TOKEN_LIMITS = { hour: 10, day: 40 } as const;

/** Groups of an IPv6 address that name its /48. */
const GROUPS_48 = 3;

/**
 * `192.0.2.0/24` of `192.0.2.7`; `2001:db8:1::/48` of `2001:db8:1:2::/64`, as an address is counted
 * (contract 10.8). What is neither is a network of its own.
 */
export function networkPrefix(counted: string): string {
  const v4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(counted)?.[1];
  if (v4 !== undefined) return `${v4}.0/24`;
  const v6 = /^([0-9a-f:]+)::\/64$/.exec(counted)?.[1];
  return v6 === undefined ? counted : `${v6.split(':').slice(0, GROUPS_48).join(':')}::/48`;
}

type SubmissionSenderRow = Tables['submission_senders'];

/** When somebody, a network or a channel sent what is counted: the newest first, as many as matter. */
async function listTimes(
  inbox: Inbox,
  by: 'sender' | 'network' | 'channel',
  whose: string,
): Promise<readonly number[]> {
  const rows = await inbox.db
    .selectFrom('submission_senders')
    .select('at_ms')
    .where(sql.ref(by), '=', whose)
    // Of a channel only what is not doubtful counts.
    .$if(by === 'channel', (query) => query.where('is_doubtful', '=', 0))
    .orderBy('at_ms', 'desc')
    .limit(HARD_LIMITS_PER_HOUR.network)
    .execute();
  return rows.map(({ at_ms }) => at_ms);
}

/** Whether as many were sent within a time as are taken in it. */
const isFull = (times: readonly number[], most: number, from_ms: number): boolean =>
  (times[most - 1] ?? Number.NEGATIVE_INFINITY) > from_ms;

const insertSent = async (inbox: Inbox, row: SubmissionSenderRow): Promise<void> =>
  void (await inbox.db.insertInto('submission_senders').values(row).execute());

/** Forgets what is a day old; what a clock that ran ahead has counted would count until it is that late. */
async function pruneSent(inbox: Inbox, now_ms: number): Promise<void> {
  const [from_ms, to_ms] = [now_ms - DAY_MS, now_ms + HOUR_MS];
  await inbox.db
    .deleteFrom('submission_senders')
    .where((is) => is.or([is('at_ms', '<=', from_ms), is('at_ms', '>', to_ms)]))
    .execute();
}

/** One thing that comes in. */
export interface IncomingSubmission {
  /** As what the client's address is counted. */
  readonly sender: string;
  readonly channel: Exclude<SubmissionSenderRow['channel'], 'token'>;
  readonly reference: string;
  readonly now_ms: number;
}

/** Within a transaction; whether it is doubtful. Throws rate_limited of a flood, not_stored of a nearly full disk. */
export async function checkSubmissionLimits(
  inbox: Inbox,
  { sender, channel, reference, now_ms }: IncomingSubmission,
): Promise<boolean> {
  const who = rateLimitDigest(inbox, 'sender', sender);
  const network = rateLimitDigest(inbox, 'network', networkPrefix(sender));
  await pruneSent(inbox, now_ms);
  const own = await listTimes(inbox, 'sender', who);
  const near = await listTimes(inbox, 'network', network);
  holdFlood(own, near, now_ms);
  const isMany = (times: readonly number[], { hour, day }: { hour: number; day: number }) =>
    isFull(times, hour, now_ms - HOUR_MS) || isFull(times, day, now_ms - DAY_MS);
  // The first of each network in a day has a place in a channel always.
  const isChannelFull = async () =>
    near.length > 0 &&
    isFull(
      await listTimes(inbox, 'channel', channel),
      SOFT_LIMITS.channel_day[channel],
      now_ms - DAY_MS,
    );
  const is_doubtful =
    isMany(own, SOFT_LIMITS.sender) || isMany(near, SOFT_LIMITS.network) || (await isChannelFull());
  const row = { sender: who, network, channel, reference, at_ms: now_ms };
  await insertSent(inbox, { ...row, is_doubtful: is_doubtful ? 1 : 0 });
  if (is_doubtful && !inbox.hasRoom())
    throw new AppError(
      'unavailable',
      'server: the disk is nearly full, and nothing was stored. Try again later',
      'not_stored',
    );
  return is_doubtful;
}

/** Throws AppError where an address, or one more time a network, has sent all that is taken in an hour. */
function holdFlood(own: readonly number[], near: readonly number[], now_ms: number): void {
  const { sender, network } = HARD_LIMITS_PER_HOUR;
  const from_ms = now_ms - HOUR_MS;
  const [newest_ms = 0] = own;
  if (isFull(own, sender, from_ms))
    throw toTooMany('too_many_submissions', (own[sender - 1] ?? 0) + HOUR_MS);
  if (newest_ms > from_ms && isFull(near, network, from_ms))
    throw toTooMany(
      'too_many_submissions',
      Math.min(newest_ms, near[network - 1] ?? newest_ms) + HOUR_MS,
    );
}

/** Counts a change by the token of `reference`, whatever others send. Within a transaction; throws rate_limited. */
export async function consumeTokenAllowance(
  inbox: Inbox,
  reference: string,
  at_ms: number,
): Promise<void> {
  const who = rateLimitDigest(inbox, 'token', reference);
  await pruneSent(inbox, at_ms);
  const times = await listTimes(inbox, 'sender', who);
  const { hour, day } = TOKEN_LIMITS;
  for (const [most, window_ms] of [
    [hour, HOUR_MS],
    [day, DAY_MS],
  ] as const)
    if (isFull(times, most, at_ms - window_ms))
      throw toTooMany('too_many_changes', (times[most - 1] ?? 0) + window_ms);
  const row = { sender: who, network: who, channel: 'token', reference, at_ms } as const;
  await insertSent(inbox, { ...row, is_doubtful: 0 });
}

const SENTENCES = {
  too_many_submissions: 'too many submissions have come from this address',
  too_many_changes: 'this submission was changed too often',
} as const;

function toTooMany(reason: keyof typeof SENTENCES, retry_at_ms: number): AppError {
  const hour = formatTimestamp(retry_at_ms + 59_999).slice(11, 16);
  const sentence = `rate: ${SENTENCES[reason]}. It works again at ${hour} in ${TOWN.name.en}`;
  return new AppError('rate_limited', sentence, reason, { retry_at_ms });
}
