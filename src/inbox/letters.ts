// The outbox: what is to be mailed, queued in the transaction of what it tells, without an address or a word of it;
// what was given up; what was sent in the last day, to readers known by a keyed digest; which daily runs were made;
// who wants none. Whether anything is sent is not known here (contract 14.24).
import { type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import type { Decision, DecisionAction } from '../domain/change.ts';
import { EMAIL } from '../domain/submission/rules.ts';
import {
  FAILED_DAYS,
  type FailedMail,
  GIVE_UP_DAYS,
  GRACE_MINUTES,
  MAIL_KINDS,
  type MailHealth,
  type MailKind,
} from '../domain/mail.ts';
import { getBatch, readBatchEmail } from './batches.ts';
import { listDecidedReferences } from './decisions.ts';
import type { Inbox } from './open.ts';
import { derive, isSame, toCounted } from './secret.ts';
import { getSubmission } from './submissions.ts';
import type { Tables } from './tables.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A letter that waits, told by what it is about: its words are made when it is sent. */
export interface QueuedLetter
  extends Readonly<Pick<Tables['letters'], 'kind' | 'subject' | 'detail' | 'queued_ms'>> {
  readonly id: number;
  readonly attempts: number;
}

/** Queues a letter that is not sent before `at_ms`. */
export async function insertLetter(
  inbox: Inbox,
  { kind, subject, detail, queued_ms }: Omit<QueuedLetter, 'id' | 'attempts'>,
  at_ms = queued_ms,
): Promise<void> {
  // Not the number nor the attempts of one that it is made of.
  const row = { kind, subject, detail, queued_ms, at_ms };
  await inbox.db.insertInto('letters').values(row).execute();
}

const COLUMNS = ['id', 'kind', 'subject', 'detail', 'queued_ms', 'attempts'] as const;
const selectWaiting = (inbox: Inbox): SelectQueryBuilder<Tables, 'letters', QueuedLetter> =>
  inbox.db.selectFrom('letters').select(COLUMNS).where('state', '=', 'waiting');

const RANK = sql`case kind ${sql.join(
  MAIL_KINDS.map((kind, at) => sql`when ${sql.lit(kind)} then ${sql.lit(at)}`),
  sql` `,
)} end`;

/** What is due, the most pressing first, then the oldest. */
export function listDueLetters(
  inbox: Inbox,
  now_ms: number,
  limit: number,
): Promise<readonly QueuedLetter[]> {
  const due = selectWaiting(inbox).where('at_ms', '<=', now_ms);
  return due.orderBy(RANK).orderBy('id').limit(limit).execute();
}

/** What waits of one kind about one subject. */
const listLettersAbout = (inbox: Inbox, kind: MailKind, subject: string) =>
  selectWaiting(inbox).where('kind', '=', kind).where('subject', '=', subject).execute();

/** Not before a moment; after one more attempt where the server has said no for now. */
export async function deferLetters(
  inbox: Inbox,
  ids: readonly number[],
  at_ms: number,
  attempts = 0,
): Promise<void> {
  await inbox.db
    .updateTable('letters')
    .set((is) => ({ at_ms, attempts: is('attempts', '+', attempts) }))
    .where('id', 'in', ids)
    .execute();
}

/** Given up; `code` is what the server answered. */
export async function failLetters(
  inbox: Inbox,
  ids: readonly number[],
  at_ms: number,
  code: number | null,
): Promise<void> {
  const failed: Updateable<Tables['letters']> = { state: 'failed', at_ms, code };
  await inbox.db.updateTable('letters').set(failed).where('id', 'in', ids).execute();
}

/** Sent, or of no use any more. */
export async function deleteLetters(inbox: Inbox, ids: readonly number[]): Promise<void> {
  // An empty list would have all of them looked through.
  if (ids.length > 0) await inbox.db.deleteFrom('letters').where('id', 'in', ids).execute();
}

/** All that waits goes, and what was given up: nobody sends it. */
export async function emptyOutbox(inbox: Inbox): Promise<void> {
  await inbox.db.deleteFrom('letters').where('state', 'in', ['waiting', 'failed']).execute();
}

/** Gives up what has waited too long; forgets what was given up, and what was sent before the last day. */
export async function pruneLetters(inbox: Inbox, now_ms: number): Promise<void> {
  await inbox.db
    .updateTable('letters')
    .set({ state: 'failed', at_ms: now_ms })
    .where('state', '=', 'waiting')
    .where('queued_ms', '<=', now_ms - GIVE_UP_DAYS * DAY_MS)
    .execute();
  const forget = (state: 'failed' | 'sent') =>
    inbox.db.deleteFrom('letters').where('state', '=', state);
  await forget('failed')
    .where('at_ms', '<=', now_ms - FAILED_DAYS * DAY_MS)
    .execute();
  await forget('sent')
    .where((is) => is.or([is('at_ms', '<=', now_ms - DAY_MS), is('at_ms', '>', now_ms)]))
    .execute();
}

/** How mailing goes. */
export async function readMailHealth(inbox: Inbox, now_ms: number): Promise<MailHealth> {
  const { oldest_ms, ...counts } = await inbox.db
    .selectFrom('letters')
    .select([
      sql<number>`count(*) filter (where state = 'waiting')`.as('waiting'),
      sql<number>`count(*) filter (where state = 'failed')`.as('failed'),
      sql<number | null>`min(queued_ms) filter (where state = 'waiting')`.as('oldest_ms'),
    ])
    .executeTakeFirstOrThrow();
  const oldest_seconds =
    oldest_ms === null ? null : Math.floor(Math.max(0, now_ms - oldest_ms) / 1000);
  return { ...counts, oldest_seconds };
}

/** What was given up, the newest first. */
export async function listFailedMail(inbox: Inbox, limit: number): Promise<readonly FailedMail[]> {
  const rows = await inbox.db
    .selectFrom('letters')
    .leftJoin('batches', 'batches.reference', 'letters.subject')
    .select(['kind', 'subject', 'code', 'batches.id as batch'])
    .where('state', '=', 'failed')
    .orderBy('letters.at_ms', 'desc')
    .orderBy('letters.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ batch, ...failed }) => ({ ...failed, is_batch: batch !== null }));
}

/** One letter was sent to a reader, known by a keyed digest. */
export async function insertSent(inbox: Inbox, detail: string, kind: MailKind, at_ms: number) {
  const row = { kind, subject: '', detail, queued_ms: at_ms, at_ms, state: 'sent' } as const;
  await inbox.db.insertInto('letters').values(row).execute();
}

/** At most so many letters in an hour and in a day: to a reader or to all, of some kinds. */
export interface MailBound {
  readonly hour: number;
  readonly day: number;
  readonly reader: string | null;
  readonly kinds: readonly MailKind[];
}

/** Whether one more may be sent. */
export async function isWithin(
  inbox: Inbox,
  { kinds, reader, hour, day }: MailBound,
  now_ms: number,
): Promise<boolean> {
  const sent = await inbox.db
    .selectFrom('letters')
    .select([
      sql<number>`count(*)`.as('in_day'),
      sql<number>`count(*) filter (where at_ms > ${now_ms - HOUR_MS})`.as('in_hour'),
    ])
    .where('state', '=', 'sent')
    .where('at_ms', '>', now_ms - DAY_MS)
    .where('kind', 'in', kinds)
    .$if(reader !== null, (query) => query.where('detail', '=', reader ?? ''))
    .executeTakeFirstOrThrow();
  return sent.in_day < day && sent.in_hour < hour;
}

/** Whether what is queued once a day is new for a day; it counts as queued then. */
export async function beginRun(inbox: Inbox, kind: MailKind, day: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await inbox.db
    .insertInto('letters')
    .values({ kind, subject: day, detail: '', queued_ms: 0, at_ms: 0, state: 'run' })
    .onConflict((conflict) =>
      conflict
        .column('kind')
        .where('state', '=', sql.lit('run'))
        .doUpdateSet((row) => ({ subject: row.ref('excluded.subject') }))
        .where((is) => is('letters.subject', '<', is.ref('excluded.subject'))),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** As what a box is known where it must not stand, however it is spelt (capitals, `+tag`, Gmail's dots). */
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

/** In the place of what waits of its kind about the same. */
async function queue(inbox: Inbox, kind: MailKind, subject: string, now_ms: number): Promise<void> {
  const old = await listLettersAbout(inbox, kind, subject);
  const ids = old.map(({ id }) => id);
  await deleteLetters(inbox, ids);
  await insertLetter(inbox, { kind, subject, detail: '', queued_ms: now_ms });
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
  const letter = { kind: 'state', subject, detail: String(id), queued_ms: now_ms } as const;
  await insertLetter(inbox, letter, now_ms + GRACE_MINUTES * 60_000);
}

/** A reader, known by a keyed digest, wants no mail. */
export async function insertMailStop(inbox: Inbox, reader: string): Promise<void> {
  const stop = inbox.db.insertInto('mail_stops').values({ reader });
  await stop.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function isMailStopped(inbox: Inbox, reader: string): Promise<boolean> {
  const stops = inbox.db.selectFrom('mail_stops').select('reader').where('reader', '=', reader);
  return (await stops.executeTakeFirst()) !== undefined;
}

/** Who wants no mail, as keyed digests. */
export async function listMailStops(inbox: Inbox): Promise<readonly string[]> {
  const rows = await inbox.db.selectFrom('mail_stops').select('reader').execute();
  return rows.map(({ reader }) => reader);
}

/** Whether a letter to an address is sent: it is one, and its reader has not asked for none. */
export const mayWriteTo = async (inbox: Inbox, address: string | null): Promise<boolean> =>
  address !== null &&
  EMAIL.test(address) &&
  !(await isMailStopped(inbox, toMailReader(inbox, address)));

/** What only a letter to an address has: whoever shows it reads what is sent there. */
export const toStopKey = (inbox: Inbox, address: string): string =>
  derive(inbox, 'mail stop', toMailReader(inbox, address)).toString('base64url').slice(0, 22);

/** The address of one of some submissions that a key is of; undefined where it is of none. */
async function findStopped(inbox: Inbox, references: readonly string[], key: string) {
  const stored = await Array.fromAsync(references, (one) => getSubmission(inbox, one));
  return stored
    .map((one) => one?.submission.contact_email)
    .find((email) => email && isSame(Buffer.from(key), Buffer.from(toStopKey(inbox, email))));
}

/** Whether a key is that of the address of one of some submissions. */
export const mayStopMail = async (inbox: Inbox, references: readonly string[], key: string) =>
  (await findStopped(inbox, references, key)) !== undefined;

/** Nobody writes to that address again, whoever types it. No key, no effect. */
export async function stopMail(inbox: Inbox, references: readonly string[], key: string) {
  const email = await findStopped(inbox, references, key);
  if (email) await insertMailStop(inbox, toMailReader(inbox, email));
}
