// Submissions as they stand, read from the inbox: one by reference or token, those that wait, those
// that do not.
import * as v from 'valibot';
import { parseSubmissionRecord } from '../domain/submission/record.ts';
import type { Submission } from '../domain/submission/submission.ts';
import {
  type StoredSubmission,
  SUBMISSION_ASKS,
  SUBMISSION_STATES,
} from '../domain/submission/state.ts';
import type { Inbox } from './open.ts';
import { hashToken } from '../desk/submission-names.ts';

/** Most that a list shows; the rest comes up as these are decided. */
export const MAX_LISTED = 200;

const Row = v.object({
  reference: v.string(),
  channel: v.picklist(['form', 'agent']),
  state: v.picklist(SUBMISSION_STATES),
  asks: v.picklist(SUBMISSION_ASKS),
  reason: v.nullable(v.string()),
  message: v.nullable(v.string()),
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

const SELECT = `select reference, channel, state, asks, reason, message, received_at, revision, record, draft,
  exists (select 1 from publications p where p.reference = submissions.reference) as is_published from submissions`;

function toStored(row: unknown): StoredSubmission {
  const { record, draft, ...rest } = v.parse(Row, row);
  return {
    ...rest,
    submission: parseSubmissionRecord(record),
    draft: draft === null ? null : v.parse(Draft, JSON.parse(draft)),
  };
}

/** By its reference, in any case; null where there is none. */
export function getSubmission(inbox: Inbox, reference: string): StoredSubmission | null {
  const row = inbox.prepare(`${SELECT} where reference = ?`).get(reference.toUpperCase());
  return row === undefined ? null : toStored(row);
}

/** By the secret token of its status address. */
export function getSubmissionByToken(inbox: Inbox, token: string): StoredSubmission | null {
  const row = inbox.prepare(`${SELECT} where token_hash = ?`).get(hashToken(token));
  return row === undefined ? null : toStored(row);
}

const DECIDED_TEXT = `select record from submission_texts where reference = ?1 and at <= (
  select max(at) from decisions where subject = ?1 and undone_at is null and action in ('approve', 'ask', 'reject')
) order by revision desc limit 1`;

/** The text on which the desk decided last; null where it has not decided yet. */
export function getDecidedText(inbox: Inbox, reference: string): Submission | null {
  const record = inbox.prepare(DECIDED_TEXT).pluck().get({ 1: reference });
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

/** How many wait. */
export function countPending(inbox: Inbox): number {
  return v.parse(
    v.number(),
    inbox.prepare("select count(*) from submissions where state = 'pending'").pluck().get(),
  );
}
