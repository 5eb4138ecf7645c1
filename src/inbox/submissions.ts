// The tables of submissions and of their texts: each as it stands, and every text it had.
import * as v from 'valibot';
import {
  parseSubmissionRecord,
  type StoredSubmission,
  type Submission,
  SUBMISSION_ASKS,
  SUBMISSION_STATES,
  type SubmissionAsk,
  type SubmissionState,
} from '../domain/submission/submission.ts';
import { noteErased } from './compact.ts';
import type { Inbox } from './open.ts';

/** Most that a list shows; the rest comes up as these are decided. */
export const MAX_LISTED = 200;

const Row = v.object({
  reference: v.string(),
  channel: v.picklist(['form', 'agent']),
  state: v.picklist(SUBMISSION_STATES),
  asks: v.picklist(SUBMISSION_ASKS),
  reason: v.nullable(v.string()),
  message: v.nullable(v.string()),
  dates: v.nullable(v.string()),
  received_at: v.string(),
  revision: v.number(),
  record: v.string(),
  draft: v.nullable(v.string()),
  is_published: v.pipe(
    v.number(),
    v.transform((one) => one === 1),
  ),
});
const Draft = v.record(v.string(), v.string());
const Dates = v.array(v.string());

const SELECT = `select reference, channel, state, asks, reason, message, dates, received_at, revision, record, draft,
  exists (select 1 from publications p where p.reference = submissions.reference) as is_published from submissions`;

function toStored(row: unknown): StoredSubmission {
  const { record, draft, dates, ...rest } = v.parse(Row, row);
  return {
    ...rest,
    submission: parseSubmissionRecord(record),
    draft: draft === null ? null : v.parse(Draft, JSON.parse(draft)),
    dates: dates === null ? null : v.parse(Dates, JSON.parse(dates)),
  };
}

function getBy(
  inbox: Inbox,
  column: 'reference' | 'token_hash' | 'digest',
  value: string,
): StoredSubmission | null {
  const row: unknown = inbox.prepare(`${SELECT} where ${column} = ?`).get(value);
  return row === undefined ? null : toStored(row);
}

/** By its reference, in any case; null where there is none. */
export const getSubmission = (inbox: Inbox, reference: string): StoredSubmission | null =>
  getBy(inbox, 'reference', reference.toUpperCase());

/** By the hash of the token in its status address. */
export const getSubmissionByTokenHash = (inbox: Inbox, hash: string): StoredSubmission | null =>
  getBy(inbox, 'token_hash', hash);

/** By the digest of its first text. */
export const getSubmissionByDigest = (inbox: Inbox, digest: string): StoredSubmission | null =>
  getBy(inbox, 'digest', digest);

const DigestRow = v.object({ digest: v.string(), token_hash: v.string() });

/** The digest of its first text and the hash of its token. Throws where there is none. */
export const getDigest = (inbox: Inbox, reference: string): v.InferOutput<typeof DigestRow> =>
  v.parse(
    DigestRow,
    inbox.prepare('select digest, token_hash from submissions where reference = ?').get(reference),
  );

/** By a submission, a correction or a batch: one reference names one thing that was sent in. */
export const isReferenceTaken = (inbox: Inbox, reference: string): boolean =>
  inbox
    .prepare(
      `select 1 from submissions where reference = ?1 union all select 1 from corrections where reference = ?1
       union all select 1 from batches where reference = ?1`,
    )
    .get({ 1: reference }) !== undefined;

const DECIDED_TEXT = `select record from submission_texts where reference = ?1 and at <= (
  select max(at) from decisions where undone_at is null and action in ('approve', 'ask', 'reject')
    and subject in (?1, (select b.reference from batch_items i join batches b on b.id = i.batch where i.reference = ?1))
) order by revision desc limit 1`;

/** The text on which the desk decided last; null where it has not decided yet. */
export function getDecidedText(inbox: Inbox, reference: string): Submission | null {
  const record: unknown = inbox.prepare(DECIDED_TEXT).pluck().get({ 1: reference });
  return record === undefined ? null : parseSubmissionRecord(v.parse(v.string(), record));
}

/** What waits for a decision, oldest first; at most MAX_LISTED. */
export function listPending(inbox: Inbox): readonly StoredSubmission[] {
  return inbox
    .prepare(
      `${SELECT} where state = 'pending' order by received_at, reference limit ${MAX_LISTED}`,
    )
    .all()
    .map(toStored);
}

/** A new submission, pending, with its first text. */
export function insertSubmission(
  inbox: Inbox,
  row: {
    readonly reference: string;
    readonly digest: string;
    readonly token_hash: string;
    readonly at: string;
    readonly channel: StoredSubmission['channel'];
    readonly record: string;
  },
): void {
  const { reference, digest, token_hash, at, channel, record } = row;
  inbox
    .prepare(
      'insert into submissions (reference, digest, token_hash, received_at, channel, state, record) values (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(reference, digest, token_hash, at, channel, 'pending', record);
  inbox.prepare('insert into submission_texts values (?, 1, ?, ?)').run(reference, at, record);
}

/** A message goes that is taken back, or that another takes the place of. */
function eraseMessage(inbox: Inbox, reference: string): void {
  const { changes } = inbox
    .prepare('update submissions set message = null where reference = ? and message is not null')
    .run(reference);
  if (changes > 0) noteErased(inbox);
}

/** A new text of a submission, which is pending again; what was written about the old one goes. */
export function insertText(
  inbox: Inbox,
  row: {
    readonly reference: string;
    readonly revision: number;
    readonly at: string;
    readonly asks: SubmissionAsk;
    readonly draft: Readonly<Record<string, string>> | null;
    readonly record: string;
  },
): void {
  const { reference, revision, at, asks, draft, record } = row;
  eraseMessage(inbox, reference);
  inbox
    .prepare(
      "update submissions set state = 'pending', asks = ?, reason = null, dates = null, draft = ?, revision = ?, record = ?, received_at = ? where reference = ?",
    )
    .run(asks, draft && JSON.stringify(draft), revision, record, at, reference);
  inbox
    .prepare('insert into submission_texts values (?, ?, ?, ?)')
    .run(reference, revision, at, record);
}

/** The sender asks for something else with the same text: pending again, one revision more. */
export function setRequest(
  inbox: Inbox,
  reference: string,
  { asks, message, dates }: Pick<StoredSubmission, 'asks' | 'message' | 'dates'>,
  at: string,
): void {
  eraseMessage(inbox, reference);
  inbox
    .prepare(
      "update submissions set state = 'pending', asks = ?, message = ?, dates = ?, reason = null, revision = revision + 1, received_at = ? where reference = ?",
    )
    .run(asks, message, dates && JSON.stringify(dates), at, reference);
}

/** The sender takes it back: its message goes, and the days that it was about. */
export function setTakenBack(inbox: Inbox, reference: string, state: SubmissionState): void {
  eraseMessage(inbox, reference);
  inbox
    .prepare('update submissions set state = ?, dates = null where reference = ?')
    .run(state, reference);
}

/** The desk has decided. */
export function setDecided(
  inbox: Inbox,
  reference: string,
  state: SubmissionState,
  reason: string | null,
): void {
  inbox
    .prepare('update submissions set state = ?, reason = ? where reference = ?')
    .run(state, reason, reference);
}

/** A reviewer's edits, by control. */
export function setDraft(
  inbox: Inbox,
  reference: string,
  draft: Readonly<Record<string, string>>,
): void {
  inbox
    .prepare('update submissions set draft = ? where reference = ?')
    .run(JSON.stringify(draft), reference);
}

/** It waits again, with the text that it has. */
export function setReopened(inbox: Inbox, reference: string, asks: SubmissionAsk): void {
  inbox
    .prepare(
      "update submissions set state = 'pending', asks = ?, reason = null where reference = ?",
    )
    .run(asks, reference);
}
