// What is to be mailed, queued in the transaction of what it tells: a receipt, a decision, a request that
// cannot wait. Whether anything is sent is not known here (contract 14.24).
import type { DecisionAction } from '../domain/decision.ts';
import { GRACE_MINUTES, type MailKind } from '../domain/mail.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { isDoubtful } from '../inbox/doubts.ts';
import type { Inbox } from '../inbox/open.ts';
import { deleteDecisionMail, insertMail, insertMailStop } from '../inbox/outbox.ts';
import { getSubmission } from '../inbox/submissions.ts';
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
  grace_ms = 0,
): void {
  const next_ms = now_ms + grace_ms;
  insertMail(inbox, {
    ...{ kind, subject: reference, revision, detail: '', queued_ms: now_ms, next_ms },
  });
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
  // In a flood nobody is written to: whoever sent it sees that address on the page.
  if (stored === null || email === null || email === before || isDoubtful(inbox, reference)) return;
  queue(inbox, stored, 'receipt', now_ms);
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

/**
 * What was decided on a submission, for its sender, after a while in which it can be taken back; it
 * takes the place of what was decided before and not told yet.
 */
export function queueDecided(
  inbox: Inbox,
  {
    action,
    subject,
    now_ms,
  }: { readonly action: DecisionAction; readonly subject: string; readonly now_ms: number },
): void {
  const kind = KINDS[action];
  const stored = kind === undefined ? null : getSubmission(inbox, subject);
  if (kind === undefined || stored === null) return;
  deleteDecisionMail(inbox, stored.reference);
  // Whose address a flood has used is not told that it was rejected.
  if (kind === 'rejected' && isDoubtful(inbox, stored.reference)) return;
  if (stored.submission.contact_email !== null)
    queue(inbox, stored, kind, now_ms, GRACE_MINUTES * MINUTE_MS);
}

/** What only a letter to an address has: whoever shows it reads what is sent there. */
export const toStopKey = (inbox: Inbox, address: string): string =>
  derive(inbox, 'mail stop', toMailReader(inbox, address)).toString('base64url').slice(0, 22);

/** Whether a key is that of the address of a submission. */
export function mayStopMail(inbox: Inbox, reference: string, key: string): boolean {
  const email = getSubmission(inbox, reference)?.submission.contact_email ?? null;
  return email !== null && isSame(Buffer.from(key), Buffer.from(toStopKey(inbox, email)));
}

/** Nobody writes to the address of a submission again, whoever types it. No key, no effect. */
export function stopMail(inbox: Inbox, reference: string, key: string): void {
  const email = getSubmission(inbox, reference)?.submission.contact_email ?? null;
  if (email !== null && mayStopMail(inbox, reference, key))
    insertMailStop(inbox, toMailReader(inbox, email));
}
