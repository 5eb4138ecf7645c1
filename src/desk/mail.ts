// What is to be mailed, queued in the transaction of what it tells: a receipt, how something stands, a request
// that cannot wait. Whether anything is sent is not known here (contract 14.24).
import type { Decision, DecisionAction } from '../domain/decision.ts';
import { EMAIL } from '../domain/email.ts';
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
import { inTurn } from '../inbox/in-turn.ts';
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
export async function readEmail(inbox: Inbox, reference: string): Promise<string | null> {
  const batch = await getBatch(inbox, reference);
  if (batch !== null) return readBatchEmail(inbox, batch);
  return (await getSubmission(inbox, reference))?.submission.contact_email ?? null;
}

/** Whether a letter to an address is sent: it is one, and its reader has not asked for none. */
export const mayWriteTo = async (inbox: Inbox, address: string | null): Promise<boolean> =>
  address !== null &&
  EMAIL.test(address) &&
  !(await isMailStopped(inbox, toMailReader(inbox, address)));

/** In the place of what waits of its kind about the same. */
async function queue(inbox: Inbox, kind: MailKind, subject: string, now_ms: number): Promise<void> {
  const old = await listLettersAbout(inbox, kind, subject);
  await deleteLetters(
    inbox,
    old.map(({ id }) => id),
  );
  await insertLetter(inbox, { kind, subject, detail: '', queued_ms: now_ms, at_ms: now_ms });
}

/** The private address of what was sent in, for whoever gave an e-mail; `before` is the one given before. */
export async function queueReceipt(
  inbox: Inbox,
  reference: string,
  now_ms: number,
  before: string | null = null,
): Promise<void> {
  const email = await readEmail(inbox, reference);
  if (email !== null && email !== before) await queue(inbox, 'receipt', reference, now_ms);
}

/** A request to cancel or postpone, for the editors at once. */
export const queueUrgent = (inbox: Inbox, reference: string, now_ms: number): Promise<void> =>
  queue(inbox, 'urgent', reference, now_ms);

/** Those after which its sender is told how it stands. */
const TELLING: readonly DecisionAction[] = ['ask', 'approve', 'grant', 'reject', 'undo'];

/**
 * How what was decided on stands, for its sender, after a while in which that can be taken back. It takes the
 * place of what was decided on the same before and is not told yet.
 */
export async function queueDecided(
  inbox: Inbox,
  { id, action, subject }: Pick<Decision, 'id' | 'action' | 'subject'>,
  now_ms: number,
): Promise<void> {
  const about = new Set(await listDecidedReferences(inbox, id));
  for (const letter of await listLettersAbout(inbox, 'state', subject)) {
    const told = await listDecidedReferences(inbox, Number(letter.detail));
    if (told.every((one) => about.has(one))) await deleteLetters(inbox, [letter.id]);
  }
  if (!TELLING.includes(action) || (await readEmail(inbox, subject)) === null) return;
  const at_ms = now_ms + GRACE_MINUTES * 60_000;
  await insertLetter(inbox, {
    kind: 'state',
    subject,
    detail: String(id),
    queued_ms: now_ms,
    at_ms,
  });
}

/** What only a letter to an address has: whoever shows it reads what is sent there. */
export const toStopKey = (inbox: Inbox, address: string): string =>
  derive(inbox, 'mail stop', toMailReader(inbox, address)).toString('base64url').slice(0, 22);

/** The address of one of some submissions that a key is of; undefined where it is of none. */
async function findStopped(inbox: Inbox, references: readonly string[], key: string) {
  const stored = await inTurn(references, (one) => getSubmission(inbox, one));
  return stored
    .map((one) => one?.submission.contact_email)
    .find((email) => email && isSame(Buffer.from(key), Buffer.from(toStopKey(inbox, email))));
}

/** Whether a key is that of the address of one of some submissions. */
export const mayStopMail = async (
  inbox: Inbox,
  references: readonly string[],
  key: string,
): Promise<boolean> => (await findStopped(inbox, references, key)) !== undefined;

/** Nobody writes to that address again, whoever types it. No key, no effect. */
export async function stopMail(
  inbox: Inbox,
  references: readonly string[],
  key: string,
): Promise<void> {
  const email = await findStopped(inbox, references, key);
  if (email) await insertMailStop(inbox, toMailReader(inbox, email));
}
