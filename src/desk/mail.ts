// What is to be mailed, queued in the transaction of what it tells: a receipt, a decision, a request that
// cannot wait. Whether anything is sent is not known here (contract 14.24).
import type { DecisionAction } from '../domain/decision.ts';
import { GRACE_MINUTES, type MailKind } from '../domain/mail.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { getBatch } from '../inbox/batches.ts';
import { listDecidedReferences } from '../inbox/decisions.ts';
import type { Inbox } from '../inbox/open.ts';
import { deleteDecisionMail, insertMail, insertMailStop } from '../inbox/outbox.ts';
import { getSubmission, getTold } from '../inbox/submissions.ts';

import { readBatchEmail } from './batch-sent.ts';
import { derive, isSame, toCounted } from './secret.ts';

const MINUTE_MS = 60_000;

/**
 * As what an address is known where it must not stand; the spellings of one box (capitals, `+tag`, the
 * dots of Gmail) are one.
 */
export function toMailReader(inbox: Inbox, address: string): string {
  const [local = '', host = ''] = address.trim().toLowerCase().split('@');
  const box = local.replace(/\+.*$/, '');
  const is_dotless = host === 'gmail.com' || host === 'googlemail.com';
  return toCounted(inbox, 'mail', `${is_dotless ? box.replaceAll('.', '') : box}@${host}`);
}

function queue(
  inbox: Inbox,
  { reference, revision }: Pick<StoredSubmission, 'reference' | 'revision'>,
  kind: MailKind,
  now_ms: number,
  { grace_ms = 0, detail = '' } = {},
): void {
  const next_ms = now_ms + grace_ms;
  insertMail(inbox, { kind, subject: reference, revision, detail, queued_ms: now_ms, next_ms });
}

/** The address of the status page, for whoever gave an e-mail; `before` is the one given before. */
export function queueReceipt(
  inbox: Inbox,
  reference: string,
  now_ms: number,
  before: string | null = null,
): void {
  const stored = getSubmission(inbox, reference);
  const email = stored?.submission.contact_email ?? null;
  if (stored === null || email === null || email === before) return;
  queue(inbox, stored, 'receipt', now_ms);
}

/** The same of a calendar, once something of it was sent. */
export function queueBatchReceipt(
  inbox: Inbox,
  reference: string,
  now_ms: number,
  before: string | null,
): void {
  const batch = getBatch(inbox, reference);
  const email = batch && readBatchEmail(inbox, batch);
  if (email === null || email === before) return;
  queue(inbox, { reference, revision: 0 }, 'receipt', now_ms);
}

/** A request to cancel or postpone, for the editors at once. */
export function queueUrgent(inbox: Inbox, reference: string, now_ms: number): void {
  const stored = getSubmission(inbox, reference);
  if (stored !== null) queue(inbox, stored, 'urgent', now_ms);
}

const KINDS: Readonly<Partial<Record<DecisionAction, MailKind>>> = {
  ask: 'question',
  approve: 'approved',
  reject: 'rejected',
};

/** A decision that is logged, by its number. */
interface Logged {
  readonly id: number;
  readonly action: DecisionAction;
  readonly subject: string;
  readonly now_ms: number;
}

/**
 * What was decided on a submission, for its sender, after a while in which it can be taken back; it
 * takes the place of what was decided before and not told yet. What was told and is undone is told too.
 */
export function queueDecided(inbox: Inbox, decision: Logged): void {
  const { id, action, subject, now_ms } = decision;
  const after = { grace_ms: GRACE_MINUTES * MINUTE_MS, detail: String(id) };
  if (action === 'undo') {
    const is_told = listDecidedReferences(inbox, id).some((one) => getTold(inbox, one) !== null);
    if (is_told) queue(inbox, { reference: subject, revision: 0 }, 'changed', now_ms, after);
    return;
  }
  const kind = KINDS[action];
  if (kind === undefined) return;
  const stored = getSubmission(inbox, subject);
  const batch = stored === null ? getBatch(inbox, subject) : null;
  if (batch !== null) queue(inbox, { reference: subject, revision: 0 }, kind, now_ms, after);
  if (stored === null) return;
  deleteDecisionMail(inbox, stored.reference);
  if (stored.submission.contact_email !== null) queue(inbox, stored, kind, now_ms, after);
}

/** What only a letter to an address has: whoever shows it reads what is sent there. */
export const toStopKey = (inbox: Inbox, address: string): string =>
  derive(inbox, 'mail stop', toMailReader(inbox, address)).toString('base64url').slice(0, 22);

/** The address of one of some submissions that a key is of; null where it is of none. */
function findStopped(inbox: Inbox, references: readonly string[], key: string): string | null {
  const emails = references.map((one) => getSubmission(inbox, one)?.submission.contact_email);
  const given = Buffer.from(key);
  return (
    [...new Set(emails)].find(
      (email) => email && isSame(given, Buffer.from(toStopKey(inbox, email))),
    ) ?? null
  );
}

/** Whether a key is that of the address of one of some submissions. */
export const mayStopMail = (inbox: Inbox, references: readonly string[], key: string): boolean =>
  findStopped(inbox, references, key) !== null;

/** Nobody writes to that address again, whoever types it. No key, no effect. */
export function stopMail(inbox: Inbox, references: readonly string[], key: string): void {
  const email = findStopped(inbox, references, key);
  if (email !== null) insertMailStop(inbox, toMailReader(inbox, email));
}
