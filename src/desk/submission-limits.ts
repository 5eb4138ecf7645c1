// Submission limits: limits submissions by address, network and channel, counted for a day under
// keyed digests, so that one sender cannot block others. Above the soft limits, submissions are
// flagged for the editors (column `is_doubtful`); above the hard ones, they are rejected with a
// time to retry. Changes by token have their own limit (contract 14.6, 14.7).
import { sql } from 'kysely';
import { TOWN } from '../town.ts';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/local-time.ts';
import type { Inbox } from '../inbox/open.ts';
import { rateLimitDigest } from '../inbox/secrets.ts';
import type { Tables } from '../inbox/tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Submissions above these are flagged: per address, per network (/24, /48) and per channel. */
export const SOFT_LIMITS = {
  sender: { hour: 5, day: 15 },
  network: { hour: 20, day: 40 },
  channel_day: { form: 100, agent: 60, report: 40, reader: 100 },
} as const;
/**
 * Submissions above these are rejected: per address and per network. In a network over its limit,
 * each address may still submit once an hour.
 */
export const HARD_LIMITS_PER_HOUR = { sender: 60, network: 300 } as const;
/** Changes above these with one token are rejected. */
export const TOKEN_LIMITS = { hour: 10, day: 40 } as const;

/** Groups of an IPv6 address that form its /48 prefix. */
const IPV6_PREFIX_GROUPS = 3;

/**
 * Returns the network of a client address as used for rate limits (contract 10.8): `192.0.2.0/24`
 * for `192.0.2.7`, `2001:db8:1::/48` for `2001:db8:1:2::/64`. Any other text is its own network.
 */
export function networkPrefix(address: string): string {
  const v4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1];
  if (v4 !== undefined) return `${v4}.0/24`;
  const v6 = /^([0-9a-f:]+)::\/64$/.exec(address)?.[1];
  return v6 === undefined
    ? address
    : `${v6.split(':').slice(0, IPV6_PREFIX_GROUPS).join(':')}::/48`;
}

type SubmissionSenderRow = Tables['submission_senders'];

/**
 * Lists the times of counted submissions with this value in a column, epoch ms, the newest first.
 */
async function listTimes(
  inbox: Inbox,
  column: 'sender' | 'network' | 'channel',
  value: string,
): Promise<readonly number[]> {
  const rows = await inbox.db
    .selectFrom('submission_senders')
    .select('at_ms')
    .where(sql.ref(column), '=', value)
    // Flagged submissions do not count for the channel.
    .$if(column === 'channel', (query) => query.where('is_doubtful', '=', 0))
    .orderBy('at_ms', 'desc')
    .limit(HARD_LIMITS_PER_HOUR.network)
    .execute();
  return rows.map(({ at_ms }) => at_ms);
}

/** Checks if the limit is reached in the window that begins at `from_ms`. */
const isLimitReached = (times: readonly number[], limit: number, from_ms: number): boolean =>
  (times[limit - 1] ?? Number.NEGATIVE_INFINITY) > from_ms;

const insertSender = async (inbox: Inbox, row: SubmissionSenderRow): Promise<void> =>
  void (await inbox.db.insertInto('submission_senders').values(row).execute());

/** Deletes rows older than a day, and rows in the future, written while the clock was ahead. */
export async function pruneSenders(inbox: Inbox, now_ms: number): Promise<void> {
  const [oldest_ms, newest_ms] = [now_ms - DAY_MS, now_ms + HOUR_MS];
  await inbox.db
    .deleteFrom('submission_senders')
    .where((is) => is.or([is('at_ms', '<=', oldest_ms), is('at_ms', '>', newest_ms)]))
    .execute();
}

export interface IncomingSubmission {
  /** The client's address as used for rate limits. */
  readonly sender: string;
  readonly channel: Exclude<SubmissionSenderRow['channel'], 'token'>;
  /** Its future reference. */
  readonly reference: string;
  readonly now_ms: number;
}

/**
 * Counts a submission, within a transaction. Returns true if it is flagged.
 * @throws AppError rate_limited above the hard limits, not_stored if it is flagged and the disk is
 * nearly full.
 */
export async function checkSubmissionLimits(
  inbox: Inbox,
  { sender, channel, reference, now_ms }: IncomingSubmission,
): Promise<boolean> {
  const sender_digest = rateLimitDigest(inbox, 'sender', sender);
  const network = rateLimitDigest(inbox, 'network', networkPrefix(sender));
  await pruneSenders(inbox, now_ms);
  const sender_times = await listTimes(inbox, 'sender', sender_digest);
  const network_times = await listTimes(inbox, 'network', network);
  assertWithinHardLimits(sender_times, network_times, now_ms);
  const exceeds = (times: readonly number[], { hour, day }: { hour: number; day: number }) =>
    isLimitReached(times, hour, now_ms - HOUR_MS) || isLimitReached(times, day, now_ms - DAY_MS);
  // The first submission of a network in a day never counts against a full channel.
  const isChannelFull = async () =>
    network_times.length > 0 &&
    isLimitReached(
      await listTimes(inbox, 'channel', channel),
      SOFT_LIMITS.channel_day[channel],
      now_ms - DAY_MS,
    );
  const is_flagged =
    exceeds(sender_times, SOFT_LIMITS.sender) ||
    exceeds(network_times, SOFT_LIMITS.network) ||
    (await isChannelFull());
  await insertSender(inbox, {
    sender: sender_digest,
    network,
    channel,
    reference,
    at_ms: now_ms,
    is_doubtful: is_flagged ? 1 : 0,
  });
  if (is_flagged && !inbox.hasFreeSpace())
    throw new AppError(
      'unavailable',
      'server: the disk is nearly full, so nothing was stored. Try again later',
      'not_stored',
    );
  return is_flagged;
}

/**
 * @throws AppError rate_limited if the address reached its limit of an hour, or the network did.
 */
function assertWithinHardLimits(
  sender_times: readonly number[],
  network_times: readonly number[],
  now_ms: number,
): void {
  const { sender: sender_limit, network: network_limit } = HARD_LIMITS_PER_HOUR;
  const from_ms = now_ms - HOUR_MS;
  const [newest_ms = 0] = sender_times;
  if (isLimitReached(sender_times, sender_limit, from_ms)) {
    const oldest_counted_ms = sender_times[sender_limit - 1] ?? 0;
    throw createRateLimitError('too_many_submissions', oldest_counted_ms + HOUR_MS);
  }
  // In a full network, an address may still submit if it has not within the hour.
  const submitted_within_hour = newest_ms > from_ms;
  if (submitted_within_hour && isLimitReached(network_times, network_limit, from_ms)) {
    const oldest_counted_ms = network_times[network_limit - 1] ?? newest_ms;
    const retry_at_ms = Math.min(newest_ms, oldest_counted_ms) + HOUR_MS;
    throw createRateLimitError('too_many_submissions', retry_at_ms);
  }
}

/**
 * Counts a change by the token of `reference`, within a transaction, independently of all other
 * limits.
 * @throws AppError rate_limited above the limits.
 */
export async function consumeTokenAllowance(
  inbox: Inbox,
  reference: string,
  at_ms: number,
): Promise<void> {
  const token_digest = rateLimitDigest(inbox, 'token', reference);
  await pruneSenders(inbox, at_ms);
  const times = await listTimes(inbox, 'sender', token_digest);
  const { hour, day } = TOKEN_LIMITS;
  for (const [limit, window_ms] of [
    [hour, HOUR_MS],
    [day, DAY_MS],
  ] as const)
    if (isLimitReached(times, limit, at_ms - window_ms))
      throw createRateLimitError('too_many_changes', (times[limit - 1] ?? 0) + window_ms);
  const row = {
    sender: token_digest,
    network: token_digest,
    channel: 'token',
    reference,
    at_ms,
  } as const;
  await insertSender(inbox, { ...row, is_doubtful: 0 });
}

const MESSAGES = {
  too_many_submissions: 'too many submissions have come from this address',
  too_many_changes: 'this submission was changed too often',
} as const;

function createRateLimitError(reason: keyof typeof MESSAGES, retry_at_ms: number): AppError {
  // Rounded up to the minute.
  const retry_time = formatTimestamp(retry_at_ms + 59_999).slice(11, 16);
  const message = `rate: ${MESSAGES[reason]}. Try again at ${retry_time} in ${TOWN.name.en}`;
  return new AppError('rate_limited', message, reason, { retry_at_ms });
}
