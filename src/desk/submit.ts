// Taking in a submission: counted, kept once, on disk before it is acknowledged (decisions,
// Submissions 3 and 4).
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { AppError } from '../domain/app-error.ts';
import { formatTimestamp } from '../domain/cancun-time.ts';
import type { Submission } from '../domain/submission/submission.ts';
import { derive, readSecret } from '../inbox/secret.ts';
import type { Inbox } from '../inbox/open.ts';
import { hashToken, toReference, toToken } from './submission-names.ts';

/** Most submissions in an hour from one address, and in 24 hours in all. */
export const SUBMISSION_RATES = { sender_an_hour: 5, all_a_day: 200 } as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_REFERENCE_ATTEMPTS = 20;

/** Where it came in: the form on the web, or a tool used by somebody's agent. */
export type SubmissionChannel = 'form' | 'agent';

/** What a sender is told. */
export interface Receipt {
  readonly reference: string;
  readonly state: string;
  /**
   * For the secret status address. Null where the same submission is approved or anything of it is
   * in the agenda, whatever waits beside that: its text is public then, and whoever repeats it need
   * not be who sent it.
   */
  readonly token: string | null;
  /** The same submission was here before. */
  readonly is_repeat: boolean;
}

export interface Arrival {
  readonly submission: Submission;
  readonly channel: SubmissionChannel;
  /** Who is counted: the client's address. Kept for a day, and only as a keyed digest. */
  readonly sender: string;
  readonly now_ms: number;
}

const StoredRow = v.object({ reference: v.string(), state: v.string(), is_published: v.number() });
const STORED = `select reference, state, exists (select 1 from publications p where p.reference = submissions.reference) as is_published
  from submissions where digest = ?`;

/**
 * Keeps a submission with the state pending; the same content again gives the same receipt and is
 * not counted. It is on disk when this returns. Throws AppError rate_limited.
 */
export function receiveSubmission(inbox: Inbox, arrival: Arrival): Receipt {
  const secret = readSecret(inbox);
  const record = JSON.stringify(arrival.submission);
  const digest = createHash('sha256').update(record).digest('hex');
  const token = toToken(secret, digest);
  return inbox
    .transaction((): Receipt => {
      const stored = inbox.prepare(STORED).get(digest);
      if (stored !== undefined) {
        const { reference, state, is_published } = v.parse(StoredRow, stored);
        return {
          reference,
          state,
          token: state === 'approved' || is_published === 1 ? null : token,
          is_repeat: true,
        };
      }
      countSender(inbox, arrival.sender, arrival.now_ms);
      const reference = findFreeReference(inbox, secret, digest);
      const at = formatTimestamp(arrival.now_ms);
      inbox
        .prepare(
          'insert into submissions (reference, digest, token_hash, received_at, channel, state, record) values (?, ?, ?, ?, ?, ?, ?)',
        )
        .run(reference, digest, hashToken(token), at, arrival.channel, 'pending', record);
      inbox.prepare('insert into submission_texts values (?, 1, ?, ?)').run(reference, at, record);
      return { reference, state: 'pending', token, is_repeat: false };
    })
    .immediate();
}

/**
 * Counts one sending of a sender; throws AppError rate_limited past either limit. Within a
 * transaction.
 */
export function countSender(inbox: Inbox, address: string, now_ms: number): void {
  const sender = derive(readSecret(inbox), 'sender', address).toString('hex').slice(0, 32);
  // What a clock that ran ahead has counted would count until it is that late.
  inbox
    .prepare('delete from submission_senders where at_ms <= ? or at_ms > ?')
    .run(now_ms - DAY_MS, now_ms + HOUR_MS);
  const count = (sql: string, ...values: (string | number)[]): number =>
    v.parse(
      v.number(),
      inbox
        .prepare(sql)
        .pluck()
        .get(...values),
    );
  if (
    count(
      'select count(*) from submission_senders where sender = ? and at_ms > ?',
      sender,
      now_ms - HOUR_MS,
    ) >= SUBMISSION_RATES.sender_an_hour
  ) {
    throw new AppError(
      'rate_limited',
      `rate: at most ${SUBMISSION_RATES.sender_an_hour} submissions in an hour are taken from one address. Try again later`,
    );
  }
  if (count('select count(*) from submission_senders') >= SUBMISSION_RATES.all_a_day) {
    throw new AppError(
      'rate_limited',
      `rate: at most ${SUBMISSION_RATES.all_a_day} submissions in a day are taken. Try again tomorrow`,
    );
  }
  inbox.prepare('insert into submission_senders values (?, ?)').run(sender, now_ms);
}

function findFreeReference(inbox: Inbox, secret: Buffer, digest: string): string {
  const taken = inbox.prepare('select 1 from submissions where reference = ?').pluck();
  for (let attempt = 0; attempt < MAX_REFERENCE_ATTEMPTS; attempt++) {
    const reference = toReference(secret, digest, attempt);
    if (taken.get(reference) === undefined) return reference;
  }
  throw new Error('no reference is free');
}
