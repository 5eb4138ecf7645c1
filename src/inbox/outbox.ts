// The outbox: what is to be mailed, queued in the transaction of what it tells, without an address or a word of it
// (contract 14.24). Readers are known by keyed digests. Whether anything is sent is not known here.
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
/** Before a decision is mailed: one that is undone meanwhile is told to nobody. */
const GRACE_MS = 5 * 60_000;
/** A letter that could not be delivered for so long is given up. */
const GIVE_UP_MS = 4 * DAY_MS;
/** So long the desk is told of one that was. */
const FAILED_MS = 30 * DAY_MS;

/** A letter that waits. Its words are made when it is sent. */
export type QueuedEmail = Awaited<ReturnType<typeof listDueEmails>>[number];

export async function insertQueuedEmail(
  inbox: Inbox,
  { kind, subject, detail, queued_ms }: Omit<QueuedEmail, 'id' | 'attempts'>,
  at_ms = queued_ms,
): Promise<void> {
  // Not the number nor the attempts of one that it is made of.
  const row = { kind, subject, detail, queued_ms, at_ms };
  await inbox.db.insertInto('letters').values(row).execute();
}

const RANK = sql`case kind ${sql.join(
  MAIL_KINDS.map((kind, at) => sql`when ${sql.lit(kind)} then ${sql.lit(at)}`),
  sql` `,
)} end`;

/** What is due, the most pressing first, then the oldest. */
export const listDueEmails = (inbox: Inbox, now_ms: number, limit: number) =>
  inbox.db
    .selectFrom('letters')
    .select(['id', 'kind', 'subject', 'detail', 'queued_ms', 'attempts'])
    .where('state', '=', 'waiting')
    .where('at_ms', '<=', now_ms)
    .orderBy(RANK)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Puts letters off, or gives them up. */
export async function updateQueuedEmails(
  inbox: Inbox,
  ids: readonly number[],
  changed: Updateable<Tables['letters']>,
): Promise<void> {
  await inbox.db.updateTable('letters').set(changed).where('id', 'in', ids).execute();
}

/** Whether letters that are due are for the caller alone to send, until then. */
export const claimEmails = (inbox: Inbox, ids: readonly number[], now_ms: number, at_ms: number) =>
  inbox.transaction(async () => {
    const claimed = inbox.db.updateTable('letters').set({ at_ms }).where('id', 'in', ids);
    const due = claimed.where('state', '=', 'waiting').where('at_ms', '<=', now_ms);
    return Number((await due.executeTakeFirstOrThrow()).numUpdatedRows) === ids.length;
  });

/** Sent, or of no use any more. */
export async function deleteQueuedEmails(inbox: Inbox, ids: readonly number[]): Promise<void> {
  // An empty list would have all of them looked through.
  if (ids.length > 0) await inbox.db.deleteFrom('letters').where('id', 'in', ids).execute();
}

/** All that waits goes, and what was given up: nobody sends it. */
export async function clearOutbox(inbox: Inbox): Promise<void> {
  await inbox.db.deleteFrom('letters').where('state', 'in', ['waiting', 'failed']).execute();
}

/** Gives up what has waited too long; forgets what was given up, and what was sent before the last day. */
export async function pruneOutbox(inbox: Inbox, now_ms: number): Promise<void> {
  const { db } = inbox;
  const late = db.updateTable('letters').set({ state: 'failed', at_ms: now_ms });
  await late
    .where('state', '=', 'waiting')
    .where('queued_ms', '<=', now_ms - GIVE_UP_MS)
    .execute();
  const failed = db.deleteFrom('letters').where('state', '=', 'failed');
  await failed.where('at_ms', '<=', now_ms - FAILED_MS).execute();
  const sent = db.deleteFrom('letters').where('state', '=', 'sent');
  await sent
    .where((is) => is.or([is('at_ms', '<=', now_ms - DAY_MS), is('at_ms', '>', now_ms)]))
    .execute();
}

/** How many letters wait and were given up, and for how long the oldest has waited. */
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

/** What was given up, the newest first. */
export const listFailedEmails = (inbox: Inbox, limit: number) =>
  inbox.db
    .selectFrom('letters')
    .select(['kind', 'subject', 'code'])
    .where('state', '=', 'failed')
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export async function recordSentEmail(inbox: Inbox, reader: string, kind: MailKind, at_ms: number) {
  const row = { kind, subject: '', detail: reader, queued_ms: at_ms, at_ms };
  const sent = inbox.db.insertInto('letters').values({ ...row, state: 'sent' });
  await sent.execute();
}

/** What was sent in the last day, to whom. */
export const listRecentlySentEmails = (inbox: Inbox, now_ms: number) =>
  inbox.db
    .selectFrom('letters')
    .select(['kind', 'detail as reader', 'at_ms'])
    .where('state', '=', 'sent')
    .where('at_ms', '>', now_ms - DAY_MS)
    .execute();

/** Whether what is queued once a day is new for a day; it counts as queued then. */
export async function claimDailyRun(inbox: Inbox, kind: MailKind, day: string): Promise<boolean> {
  const { numAffectedRows } =
    await sql`insert into letters (kind, subject, detail, queued_ms, at_ms, state)
    values (${kind}, ${day}, '', 0, 0, 'run')
    on conflict (kind) where state = 'run' do update set subject = excluded.subject
      where letters.subject < excluded.subject`.execute(inbox.db);
  return numAffectedRows === 1n;
}

/** As what a box is known where it must not stand, however it is spelt (capitals, `+tag`, Gmail's dots). */
export function emailRecipientDigest(inbox: Inbox, address: string): string {
  const [local = '', host = ''] = address.trim().toLowerCase().split('@');
  const box = local.replace(/\+.*$/, '');
  const is_dotless = host === 'gmail.com' || host === 'googlemail.com';
  return rateLimitDigest(inbox, 'mail', `${is_dotless ? box.replaceAll('.', '') : box}@${host}`);
}

/** Whom a letter about a submission or a calendar goes to; null where no address is held. */
export async function getContactEmail(inbox: Inbox, reference: string): Promise<string | null> {
  const batch = await getImportByReference(inbox, reference);
  if (batch !== null) return getImportEmail(inbox, batch);
  return (await getSubmission(inbox, reference))?.text.contact_email ?? null;
}

/** In the place of what waits of its kind about the same. */
export async function enqueueEmail(
  inbox: Inbox,
  kind: MailKind,
  subject: string,
  now_ms: number,
  at_ms = now_ms,
): Promise<void> {
  const before = inbox.db.deleteFrom('letters').where('state', '=', 'waiting');
  await before.where('kind', '=', kind).where('subject', '=', subject).execute();
  await insertQueuedEmail(inbox, { kind, subject, detail: '', queued_ms: now_ms }, at_ms);
}

/** The private address of what was sent in, for whoever gave an e-mail; `before` is the one given before. */
export async function enqueueReceipt(
  inbox: Inbox,
  reference: string,
  now_ms: number,
  before: string | null = null,
): Promise<void> {
  const email = await getContactEmail(inbox, reference);
  if (email !== null && email !== before) await enqueueEmail(inbox, 'receipt', reference, now_ms);
}

/** Those after which its sender is told how it stands. */
const TELLING: readonly DecisionAction[] = ['ask', 'approve', 'grant', 'reject', 'undo'];

/** How what was decided on stands, for its sender. */
export async function enqueueDecisionNotice(
  inbox: Inbox,
  { action, subject }: { readonly action: DecisionAction; readonly subject: string },
  now_ms: number,
): Promise<void> {
  if (TELLING.includes(action) && (await getContactEmail(inbox, subject)) !== null)
    await enqueueEmail(inbox, 'state', subject, now_ms, now_ms + GRACE_MS);
}

export async function insertUnsubscription(inbox: Inbox, reader: string): Promise<void> {
  const stop = inbox.db.insertInto('mail_stops').values({ reader });
  await stop.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function isUnsubscribed(inbox: Inbox, reader: string): Promise<boolean> {
  const stops = inbox.db.selectFrom('mail_stops').select('reader').where('reader', '=', reader);
  return (await stops.executeTakeFirst()) !== undefined;
}

export async function listUnsubscriptions(inbox: Inbox): Promise<readonly string[]> {
  const rows = await inbox.db.selectFrom('mail_stops').select('reader').execute();
  return rows.map(({ reader }) => reader);
}

/** Whether a letter to an address is sent: it is one, and its reader has not asked for none. */
export const canSendTo = async (inbox: Inbox, address: string | null): Promise<boolean> =>
  address !== null &&
  EMAIL_PATTERN.test(address) &&
  !(await isUnsubscribed(inbox, emailRecipientDigest(inbox, address)));

const signStop = (inbox: Inbox, reader: string): string =>
  deriveBytes(inbox, 'mail stop', reader).toString('base64url').slice(0, 22);

/** What only a letter to an address has: whoever shows it reads what is sent there. */
export const unsubscribeKey = (inbox: Inbox, address: string): string =>
  signStop(inbox, emailRecipientDigest(inbox, address));

/** The same with its reader, where no submission tells who that is. */
export const unsubscribeToken = (inbox: Inbox, address: string): string =>
  `${emailRecipientDigest(inbox, address)}.${unsubscribeKey(inbox, address)}`;

/** Null of one that is not ours. */
export function parseUnsubscribeToken(inbox: Inbox, stop: string): string | null {
  const [reader = '', key = ''] = stop.split('.');
  return isEqualConstantTime(Buffer.from(key), Buffer.from(signStop(inbox, reader)))
    ? reader
    : null;
}

/** The reader of one of some submissions who has this key; null where it is nobody's. */
async function findReader(inbox: Inbox, references: readonly string[], key: string) {
  for (const reference of references) {
    const email = (await getSubmission(inbox, reference))?.text.contact_email;
    if (email && isEqualConstantTime(Buffer.from(key), Buffer.from(unsubscribeKey(inbox, email))))
      return emailRecipientDigest(inbox, email);
  }
  return null;
}

export const canUnsubscribe = async (inbox: Inbox, references: readonly string[], key: string) =>
  (await findReader(inbox, references, key)) !== null;

/** Nobody writes to that address again, whoever types it. No key, no effect. */
export async function unsubscribe(inbox: Inbox, references: readonly string[], key: string) {
  const reader = await findReader(inbox, references, key);
  if (reader !== null) await insertUnsubscription(inbox, reader);
}
