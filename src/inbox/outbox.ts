// Outbox: queues emails in the transaction of the change they report, without addresses or texts (contract 14.24).
// Recipients are stored as keyed digests. Sending is the mail layer's task.
import { sql, type Updateable } from 'kysely';
import type { DecisionAction } from '../domain/change.ts';
import { EMAIL_PATTERN } from '../domain/submission/field-rules.ts';
import { MAIL_KINDS, type MailKind } from '../domain/mail-limits.ts';
import { getImportByReference, getImportEmail } from './calendar-imports.ts';
import type { Inbox } from './open.ts';
import { deriveBytes, isEqualConstantTime, rateLimitDigest } from './secrets.ts';
import { getSubmission } from './changes.ts';
import type { Tables } from './tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Delay before a decision is mailed, so that an undo within it prevents the email. */
const GRACE_MS = 5 * 60_000;
/** An email that is not delivered within this time has failed. */
const GIVE_UP_MS = 4 * DAY_MS;
/** Time for which the desk lists a failed email. */
const FAILED_RETENTION_MS = 30 * DAY_MS;

/** Queued email. `subject` and `detail` depend on its kind (tables.ts); its text is composed when it is sent. */
export type QueuedEmail = Awaited<ReturnType<typeof listDueEmails>>[number];

/** Queues an email to be sent from `at_ms` on. */
export async function insertQueuedEmail(
  inbox: Inbox,
  { kind, subject, detail, queued_ms }: Omit<QueuedEmail, 'id' | 'attempts'>,
  at_ms = queued_ms,
): Promise<void> {
  // Drops `id` and `attempts` if the argument is another queued email.
  const row = { kind, subject, detail, queued_ms, at_ms };
  await inbox.db.insertInto('letters').values(row).execute();
}

const PRIORITY = sql`case kind ${sql.join(
  MAIL_KINDS.map((kind, index) => sql`when ${sql.lit(kind)} then ${sql.lit(index)}`),
  sql` `,
)} end`;

/** Lists due emails by priority, then oldest first. */
export const listDueEmails = (inbox: Inbox, now_ms: number, limit: number) =>
  inbox.db
    .selectFrom('letters')
    .select(['id', 'kind', 'subject', 'detail', 'queued_ms', 'attempts'])
    .where('state', '=', 'waiting')
    .where('at_ms', '<=', now_ms)
    .orderBy(PRIORITY)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Postpones emails, or marks them as failed. */
export async function updateQueuedEmails(
  inbox: Inbox,
  ids: readonly number[],
  changed: Updateable<Tables['letters']>,
): Promise<void> {
  await inbox.db.updateTable('letters').set(changed).where('id', 'in', ids).execute();
}

/**
 * Reserves due emails for the caller by postponing them to `at_ms`.
 * @returns false if another process has claimed any of them.
 */
export const claimEmails = (inbox: Inbox, ids: readonly number[], now_ms: number, at_ms: number) =>
  inbox.transaction(async () => {
    const claimed = inbox.db.updateTable('letters').set({ at_ms }).where('id', 'in', ids);
    const due = claimed.where('state', '=', 'waiting').where('at_ms', '<=', now_ms);
    return Number((await due.executeTakeFirstOrThrow()).numUpdatedRows) === ids.length;
  });

/** Deletes emails that were sent or are obsolete. */
export async function deleteQueuedEmails(inbox: Inbox, ids: readonly number[]): Promise<void> {
  // An empty list would scan the whole table.
  if (ids.length > 0) await inbox.db.deleteFrom('letters').where('id', 'in', ids).execute();
}

/** Deletes all waiting and failed emails, for a service without mail. */
export async function clearOutbox(inbox: Inbox): Promise<void> {
  await inbox.db.deleteFrom('letters').where('state', 'in', ['waiting', 'failed']).execute();
}

/** Marks overdue emails as failed; deletes old failed ones, and sent ones after a day. */
export async function pruneOutbox(inbox: Inbox, now_ms: number): Promise<void> {
  const { db } = inbox;
  const overdue = db.updateTable('letters').set({ state: 'failed', at_ms: now_ms });
  await overdue
    .where('state', '=', 'waiting')
    .where('queued_ms', '<=', now_ms - GIVE_UP_MS)
    .execute();
  const failed = db.deleteFrom('letters').where('state', '=', 'failed');
  await failed.where('at_ms', '<=', now_ms - FAILED_RETENTION_MS).execute();
  const old = db.deleteFrom('letters').where('state', '=', 'sent');
  await old
    .where((is) => is.or([is('at_ms', '<=', now_ms - DAY_MS), is('at_ms', '>', now_ms)]))
    .execute();
}

/** Counts waiting and failed emails, and returns the age of the oldest waiting one. */
export async function getMailHealth(inbox: Inbox, now_ms: number) {
  const { oldest_ms, ...counts } = await inbox.db
    .selectFrom('letters')
    .select([
      sql<number>`count(*) filter (where state = 'waiting')`.as('waiting'),
      sql<number>`count(*) filter (where state = 'failed')`.as('failed'),
      sql<number | null>`min(queued_ms) filter (where state = 'waiting')`.as('oldest_ms'),
    ])
    .executeTakeFirstOrThrow();
  const age_ms = oldest_ms === null ? null : Math.max(0, now_ms - oldest_ms);
  return { ...counts, oldest_seconds: age_ms === null ? null : Math.floor(age_ms / 1000) };
}

/** Lists failed emails, newest first. */
export const listFailedEmails = (inbox: Inbox, limit: number) =>
  inbox.db
    .selectFrom('letters')
    .select(['kind', 'subject', 'code'])
    .where('state', '=', 'failed')
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Records a sent email for the mail limits; `recipient` is its emailRecipientDigest. */
export async function recordOutgoingEmail(
  inbox: Inbox,
  recipient: string,
  kind: MailKind,
  at_ms: number,
) {
  const row = {
    kind,
    subject: '',
    detail: recipient,
    queued_ms: at_ms,
    at_ms,
    state: 'sent',
  } as const;
  await inbox.db.insertInto('letters').values(row).execute();
}

/** Lists the emails sent in the last 24 hours; `reader` is the digest of the recipient. */
export const listRecentOutgoingEmails = (inbox: Inbox, now_ms: number) =>
  inbox.db
    .selectFrom('letters')
    .select(['kind', 'detail as reader', 'at_ms'])
    .where('state', '=', 'sent')
    .where('at_ms', '>', now_ms - DAY_MS)
    .execute();

/** Claims the run of a daily job for a day. @returns false if it was claimed before. */
export async function claimDailyRun(inbox: Inbox, kind: MailKind, day: string): Promise<boolean> {
  const { numAffectedRows } =
    await sql`insert into letters (kind, subject, detail, queued_ms, at_ms, state)
    values (${kind}, ${day}, '', 0, 0, 'run')
    on conflict (kind) where state = 'run' do update set subject = excluded.subject
      where letters.subject < excluded.subject`.execute(inbox.db);
  return numAffectedRows === 1n;
}

/** Returns the keyed digest of a mailbox, the same for all its spellings (capitals, `+tag`, Gmail's dots). */
export function emailRecipientDigest(inbox: Inbox, address: string): string {
  const [local = '', host = ''] = address.trim().toLowerCase().split('@');
  const mailbox = local.replace(/\+.*$/, '');
  const ignores_dots = host === 'gmail.com' || host === 'googlemail.com';
  const normalized = ignores_dots ? mailbox.replaceAll('.', '') : mailbox;
  return rateLimitDigest(inbox, 'mail', `${normalized}@${host}`);
}

/** Returns the email address of a submission's or imported calendar's sender. @returns null if none is stored. */
export async function getContactEmail(inbox: Inbox, reference: string): Promise<string | null> {
  const batch = await getImportByReference(inbox, reference);
  if (batch !== null) return getImportEmail(inbox, batch);
  return (await getSubmission(inbox, reference))?.text.contact_email ?? null;
}

/** Queues an email, replacing a waiting one of the same kind and subject. */
export async function enqueueEmail(
  inbox: Inbox,
  kind: MailKind,
  subject: string,
  now_ms: number,
  at_ms = now_ms,
): Promise<void> {
  const waiting = inbox.db.deleteFrom('letters').where('state', '=', 'waiting');
  await waiting.where('kind', '=', kind).where('subject', '=', subject).execute();
  await insertQueuedEmail(inbox, { kind, subject, detail: '', queued_ms: now_ms }, at_ms);
}

/**
 * Queues the email with the private address of a submission, if its sender entered an email address.
 * @param previous_email Address before an amendment: no second receipt to the same one.
 */
export async function enqueueReceipt(
  inbox: Inbox,
  reference: string,
  now_ms: number,
  previous_email: string | null = null,
): Promise<void> {
  const email = await getContactEmail(inbox, reference);
  if (email !== null && email !== previous_email)
    await enqueueEmail(inbox, 'receipt', reference, now_ms);
}

/** Decisions after which the sender gets an email. */
const NOTIFIED_ACTIONS: readonly DecisionAction[] = ['ask', 'approve', 'grant', 'reject', 'undo'];

/** Queues the email that reports a decision to its sender; `subject` is the reference it is about. */
export async function enqueueDecisionNotice(
  inbox: Inbox,
  { action, subject }: { readonly action: DecisionAction; readonly subject: string },
  now_ms: number,
): Promise<void> {
  if (NOTIFIED_ACTIONS.includes(action) && (await getContactEmail(inbox, subject)) !== null)
    await enqueueEmail(inbox, 'state', subject, now_ms, now_ms + GRACE_MS);
}

/** Stops all email to a recipient: the digest of an address, or the token hash of a former subscriber. */
export async function insertUnsubscription(inbox: Inbox, recipient: string): Promise<void> {
  const insert = inbox.db.insertInto('mail_stops').values({ reader: recipient });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function isUnsubscribed(inbox: Inbox, recipient: string): Promise<boolean> {
  const stops = inbox.db.selectFrom('mail_stops').select('reader').where('reader', '=', recipient);
  return (await stops.executeTakeFirst()) !== undefined;
}

export async function listUnsubscriptions(inbox: Inbox): Promise<readonly string[]> {
  const rows = await inbox.db.selectFrom('mail_stops').select('reader').execute();
  return rows.map(({ reader }) => reader);
}

/** Tells if an address is valid and has not unsubscribed. */
export const canSendTo = async (inbox: Inbox, address: string | null): Promise<boolean> =>
  address !== null &&
  EMAIL_PATTERN.test(address) &&
  !(await isUnsubscribed(inbox, emailRecipientDigest(inbox, address)));

const deriveUnsubscribeKey = (inbox: Inbox, recipient: string): string =>
  deriveBytes(inbox, 'mail stop', recipient).toString('base64url').slice(0, 22);

/** Derives the key that only emails to an address contain: presenting it proves access to the mailbox. */
export const unsubscribeKey = (inbox: Inbox, address: string): string =>
  deriveUnsubscribeKey(inbox, emailRecipientDigest(inbox, address));

/** Builds `DIGEST.KEY`, for unsubscribe links without a reference that identifies the recipient. */
export const unsubscribeToken = (inbox: Inbox, address: string): string =>
  `${emailRecipientDigest(inbox, address)}.${unsubscribeKey(inbox, address)}`;

/** Returns the recipient digest of a token. @returns null if the key does not match. */
export function parseUnsubscribeToken(inbox: Inbox, token: string): string | null {
  const [recipient = '', key = ''] = token.split('.');
  const expected_key = deriveUnsubscribeKey(inbox, recipient);
  return isEqualConstantTime(Buffer.from(key), Buffer.from(expected_key)) ? recipient : null;
}

/** Finds which sender of some submissions has an unsubscribe key. @returns the digest of their address, or null. */
async function findRecipient(inbox: Inbox, references: readonly string[], key: string) {
  for (const reference of references) {
    const email = (await getSubmission(inbox, reference))?.text.contact_email;
    if (email && isEqualConstantTime(Buffer.from(key), Buffer.from(unsubscribeKey(inbox, email))))
      return emailRecipientDigest(inbox, email);
  }
  return null;
}

export const canUnsubscribe = async (inbox: Inbox, references: readonly string[], key: string) =>
  (await findRecipient(inbox, references, key)) !== null;

/** Stops all email to the address that the key belongs to, even if it is entered again. Ignores an invalid key. */
export async function unsubscribe(inbox: Inbox, references: readonly string[], key: string) {
  const recipient = await findRecipient(inbox, references, key);
  if (recipient !== null) await insertUnsubscription(inbox, recipient);
}
