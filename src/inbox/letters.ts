// The table of letters: what waits to be sent, without an address or a word of it; what was given up; what was
// sent in the last day, to readers known by a keyed digest; which daily runs were made. Beside it, who wants none.
import { type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import {
  FAILED_DAYS,
  type FailedMail,
  GIVE_UP_DAYS,
  MAIL_KINDS,
  type MailHealth,
  type MailKind,
} from '../domain/mail.ts';
import type { Inbox } from './open.ts';
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
  {
    kind,
    subject,
    detail,
    queued_ms,
    at_ms,
  }: Omit<QueuedLetter, 'id' | 'attempts'> & { readonly at_ms: number },
): Promise<void> {
  // Not the number nor the attempts of one that it is made of.
  await inbox.db
    .insertInto('letters')
    .values({ kind, subject, detail, queued_ms, at_ms })
    .execute();
}

const COLUMNS = ['id', 'kind', 'subject', 'detail', 'queued_ms', 'attempts'] as const;
const listWaiting = (inbox: Inbox): SelectQueryBuilder<Tables, 'letters', QueuedLetter> =>
  inbox.db.selectFrom('letters').select(COLUMNS).where('state', '=', 'waiting');

const RANK = sql`case kind ${sql.join(
  MAIL_KINDS.map((kind, at) => sql`when ${sql.lit(kind)} then ${sql.lit(at)}`),
  sql` `,
)} end`;

/** What is due, the most pressing first, then the oldest. */
export const listDueLetters = (
  inbox: Inbox,
  now_ms: number,
  limit: number,
): Promise<readonly QueuedLetter[]> =>
  listWaiting(inbox)
    .where('at_ms', '<=', now_ms)
    .orderBy(RANK)
    .orderBy('id')
    .limit(limit)
    .execute();

/** What waits of one kind about one subject. */
export const listLettersAbout = (
  inbox: Inbox,
  kind: MailKind,
  subject: string,
): Promise<readonly QueuedLetter[]> =>
  listWaiting(inbox).where('kind', '=', kind).where('subject', '=', subject).execute();

const update = async (
  inbox: Inbox,
  ids: readonly number[],
  changed: Updateable<Tables['letters']>,
): Promise<void> =>
  void (await inbox.db.updateTable('letters').set(changed).where('id', 'in', ids).execute());

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
export const failLetters = (
  inbox: Inbox,
  ids: readonly number[],
  at_ms: number,
  code: number | null,
): Promise<void> => update(inbox, ids, { state: 'failed', at_ms, code });

/** Sent, or of no use any more. */
export async function deleteLetters(inbox: Inbox, ids: readonly number[]): Promise<void> {
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
  await inbox.db
    .deleteFrom('letters')
    .where('state', '=', 'failed')
    .where('at_ms', '<=', now_ms - FAILED_DAYS * DAY_MS)
    .execute();
  await inbox.db
    .deleteFrom('letters')
    .where('state', '=', 'sent')
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
export async function insertSent(
  inbox: Inbox,
  reader: string,
  kind: MailKind,
  at_ms: number,
): Promise<void> {
  await inbox.db
    .insertInto('letters')
    .values({ kind, subject: '', detail: reader, queued_ms: at_ms, at_ms, state: 'sent' })
    .execute();
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

/** A reader, known by a keyed digest, wants no mail. */
export async function insertMailStop(inbox: Inbox, reader: string): Promise<void> {
  await inbox.db
    .insertInto('mail_stops')
    .values({ reader })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export const isMailStopped = async (inbox: Inbox, reader: string): Promise<boolean> =>
  (await inbox.db
    .selectFrom('mail_stops')
    .select('reader')
    .where('reader', '=', reader)
    .executeTakeFirst()) !== undefined;

/** Who wants no mail, as keyed digests. */
export async function listMailStops(inbox: Inbox): Promise<readonly string[]> {
  const rows = await inbox.db.selectFrom('mail_stops').select('reader').execute();
  return rows.map(({ reader }) => reader);
}
