// What is to be mailed, queued in the transaction of what it tells: a receipt, how something stands, a request
// that cannot wait. Whether anything is sent is not known here (contract 14.24).
import type { Decision, DecisionAction } from '../domain/decision.ts';
import { GRACE_MINUTES, type MailKind } from '../domain/mail.ts';
import { getBatch } from '../inbox/batches.ts';
import { listDecidedReferences } from '../inbox/decisions.ts';
import {
  deleteLetters,
  insertLetter,
  insertMailStop,
  isMailStopped,
  listLettersAbout,
} from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission } from '../inbox/submissions.ts';
import { readBatchEmail } from './batch-sent.ts';
import { derive, isSame, toCounted } from './secret.ts';

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

/** Whom a letter about a submission or a calendar goes to; null where no address is held. */
export function readEmail(inbox: Inbox, reference: string): string | null {
  const batch = getBatch(inbox, reference);
  if (batch !== null) return readBatchEmail(inbox, batch);
  return getSubmission(inbox, reference)?.submission.contact_email ?? null;
}

/** One box and nothing that a mail program would read as several (WHATWG HTML, e-mail state). */
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

/** Whether a letter to an address is sent: it is one, and its reader has not asked for none. */
export const mayWriteTo = (inbox: Inbox, address: string | null): address is string =>
  address !== null && ADDRESS.test(address) && !isMailStopped(inbox, toMailReader(inbox, address));

/** In the place of what waits of its kind about the same. */
function queue(inbox: Inbox, kind: MailKind, subject: string, now_ms: number): void {
  const old = listLettersAbout(inbox, kind, subject);
  deleteLetters(
    inbox,
    old.map(({ id }) => id),
  );
  insertLetter(inbox, { kind, subject, detail: '', queued_ms: now_ms, at_ms: now_ms });
}

/** The private address of what was sent in, for whoever gave an e-mail; `before` is the one given before. */
export function queueReceipt(
  inbox: Inbox,
  reference: string,
  now_ms: number,
  before: string | null = null,
): void {
  const email = readEmail(inbox, reference);
  if (email !== null && email !== before) queue(inbox, 'receipt', reference, now_ms);
}

/** A request to cancel or postpone, for the editors at once. */
export const queueUrgent = (inbox: Inbox, reference: string, now_ms: number): void =>
  queue(inbox, 'urgent', reference, now_ms);

/** Those after which its sender is told how it stands. */
const TELLING: readonly DecisionAction[] = ['ask', 'approve', 'reject', 'undo'];

/**
 * How what was decided on stands, for its sender, after a while in which that can be taken back. It takes the
 * place of what was decided on the same before and is not told yet.
 */
export function queueDecided(
  inbox: Inbox,
  { id, action, subject }: Pick<Decision, 'id' | 'action' | 'subject'>,
  now_ms: number,
): void {
  const about = new Set(listDecidedReferences(inbox, id));
  const old = listLettersAbout(inbox, 'state', subject).filter(({ detail }) =>
    listDecidedReferences(inbox, Number(detail)).every((one) => about.has(one)),
  );
  deleteLetters(
    inbox,
    old.map((letter) => letter.id),
  );
  if (!TELLING.includes(action) || readEmail(inbox, subject) === null) return;
  const at_ms = now_ms + GRACE_MINUTES * 60_000;
  insertLetter(inbox, { kind: 'state', subject, detail: String(id), queued_ms: now_ms, at_ms });
}

/** What only a letter to an address has: whoever shows it reads what is sent there. */
export const toStopKey = (inbox: Inbox, address: string): string =>
  derive(inbox, 'mail stop', toMailReader(inbox, address)).toString('base64url').slice(0, 22);

/** The address of one of some submissions that a key is of; undefined where it is of none. */
const findStopped = (inbox: Inbox, references: readonly string[], key: string) =>
  references
    .map((one) => getSubmission(inbox, one)?.submission.contact_email)
    .find((email) => email && isSame(Buffer.from(key), Buffer.from(toStopKey(inbox, email))));

/** Whether a key is that of the address of one of some submissions. */
export const mayStopMail = (inbox: Inbox, references: readonly string[], key: string): boolean =>
  findStopped(inbox, references, key) !== undefined;

/** Nobody writes to that address again, whoever types it. No key, no effect. */
export function stopMail(inbox: Inbox, references: readonly string[], key: string): void {
  const email = findStopped(inbox, references, key);
  if (email) insertMailStop(inbox, toMailReader(inbox, email));
}
