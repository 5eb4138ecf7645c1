// The tables of mail: what waits to be sent, without an address or a word of it; how often somebody was
// written to, and who wants none, both under a keyed digest; which daily runs were made.
import * as v from 'valibot';
import {
  DECISION_MAIL,
  type FailedMail,
  MAIL_KINDS,
  type MailHealth,
  type MailKind,
} from '../domain/mail.ts';
import type { Inbox } from './open.ts';

const MailRow = v.object({
  id: v.number(),
  kind: v.picklist(MAIL_KINDS),
  subject: v.string(),
  revision: v.number(),
  detail: v.string(),
  queued_ms: v.number(),
  attempts: v.number(),
});
/** A message that waits, told by what it is about: its words are made when it is sent. */
export type QueuedMail = Readonly<v.InferOutput<typeof MailRow>>;

/** What is to be mailed. */
export interface NewMail {
  readonly kind: MailKind;
  /** The reference of a submission or a calendar; a day for a digest. */
  readonly subject: string;
  /** The text that it is about; it is not sent once there is a newer one. */
  readonly revision: number;
  /** For editors a keyed digest of the address, empty for all of them; for a reminder its day; the number of a decision. */
  readonly detail: string;
  readonly queued_ms: number;
  /** Not before. */
  readonly next_ms: number;
}

export function insertMail(inbox: Inbox, mail: NewMail): void {
  const { kind, subject, revision, detail, queued_ms, next_ms } = mail;
  inbox
    .prepare(
      'insert into outbox (kind, subject, revision, detail, queued_ms, next_ms) values (?, ?, ?, ?, ?, ?)',
    )
    .run(kind, subject, revision, detail, queued_ms, next_ms);
}

const listed = (kinds: readonly MailKind[]): string => kinds.map((kind) => `'${kind}'`).join(', ');
const RANK = `case kind ${MAIL_KINDS.map((kind, at) => `when '${kind}' then ${at}`).join(' ')} end`;

/** What is due, the most pressing first, then the oldest. */
export const listDueMail = (inbox: Inbox, now_ms: number, limit: number): readonly QueuedMail[] =>
  v.parse(
    v.array(MailRow),
    inbox
      .prepare(
        `select id, kind, subject, revision, detail, queued_ms, attempts from outbox
         where failed_ms is null and next_ms <= ? order by ${RANK}, id limit ?`,
      )
      .all(now_ms, limit),
  );

/** Whether anything is due. */
export const hasDueMail = (inbox: Inbox, now_ms: number): boolean =>
  inbox
    .prepare('select 1 from outbox where failed_ms is null and next_ms <= ? limit 1')
    .get(now_ms) !== undefined;

/** Not before a moment; `is_attempt` where the server has said no for now. */
export function deferMail(inbox: Inbox, id: number, next_ms: number, is_attempt: boolean): void {
  inbox
    .prepare('update outbox set next_ms = ?, attempts = attempts + ? where id = ?')
    .run(next_ms, is_attempt ? 1 : 0, id);
}

/** Sent, or of no use any more. */
export const deleteMail = (inbox: Inbox, id: number): void =>
  void inbox.prepare('delete from outbox where id = ?').run(id);

/** Given up; `code` is what the server answered. */
export function failMail(inbox: Inbox, id: number, now_ms: number, code: number | null): void {
  inbox.prepare('update outbox set failed_ms = ?, code = ? where id = ?').run(now_ms, code, id);
}

/** Of one decision nobody is told any more that was not told yet. */
export function deleteDecisionMail(inbox: Inbox, subject: string): void {
  inbox
    .prepare(
      `delete from outbox where subject = ? and failed_ms is null and kind in (${listed(DECISION_MAIL)})`,
    )
    .run(subject);
}

/** All that waits goes: nobody sends it. */
export const emptyOutbox = (inbox: Inbox): void => void inbox.prepare('delete from outbox').run();

/** Gives up what has waited since before `queued_ms`, forgets what was given up before `failed_ms`. */
export function pruneOutbox(
  inbox: Inbox,
  before: { readonly queued_ms: number; readonly failed_ms: number; readonly sent_ms: number },
  now_ms: number,
): void {
  inbox
    .prepare('update outbox set failed_ms = ? where failed_ms is null and queued_ms <= ?')
    .run(now_ms, before.queued_ms);
  inbox.prepare('delete from outbox where failed_ms <= ?').run(before.failed_ms);
  inbox.prepare('delete from mail_sent where at_ms <= ? or at_ms > ?').run(before.sent_ms, now_ms);
}

const HealthRow = v.object({
  waiting: v.number(),
  oldest_ms: v.nullable(v.number()),
  failed: v.number(),
});

/** How mailing goes. */
export function readMailHealth(inbox: Inbox, now_ms: number): MailHealth {
  const { waiting, oldest_ms, failed } = v.parse(
    HealthRow,
    inbox
      .prepare(
        `select count(*) filter (where failed_ms is null) as waiting, count(failed_ms) as failed,
         min(queued_ms) filter (where failed_ms is null) as oldest_ms from outbox`,
      )
      .get(),
  );
  const oldest_seconds =
    oldest_ms === null ? null : Math.max(0, Math.floor((now_ms - oldest_ms) / 1000));
  return { waiting, oldest_seconds, failed };
}

const FailedRow = v.object({
  kind: v.picklist(MAIL_KINDS),
  subject: v.string(),
  is_batch: v.pipe(
    v.number(),
    v.transform((one) => one === 1),
  ),
  code: v.nullable(v.number()),
});

/** What was given up, the newest first. */
export const listFailedMail = (inbox: Inbox, limit: number): readonly FailedMail[] =>
  v.parse(
    v.array(FailedRow),
    inbox
      .prepare(
        `select kind, subject, code, exists (select 1 from batches b where b.reference = subject) as is_batch
         from outbox where failed_ms is not null order by failed_ms desc, id desc limit ?`,
      )
      .all(limit),
  );

/** One message was sent to a reader, known by a keyed digest. */
export function insertSentMail(inbox: Inbox, reader: string, kind: MailKind, at_ms: number): void {
  inbox.prepare('insert into mail_sent values (?, ?, ?)').run(reader, kind, at_ms);
}

/** How many messages were sent since `from_ms`: to a reader or to all, of some kinds. */
export const countSentMail = (
  inbox: Inbox,
  reader: string | null,
  kinds: readonly MailKind[],
  from_ms: number,
): number =>
  v.parse(
    v.number(),
    inbox
      .prepare(
        `select count(*) from mail_sent where (?1 is null or reader = ?1) and at_ms > ?2 and kind in (${listed(kinds)})`,
      )
      .pluck()
      .get({ 1: reader, 2: from_ms }),
  );

/** A reader, known by a keyed digest, wants no mail. */
export const insertMailStop = (inbox: Inbox, reader: string): void =>
  void inbox.prepare('insert into mail_stops values (?) on conflict do nothing').run(reader);

export const isMailStopped = (inbox: Inbox, reader: string): boolean =>
  inbox.prepare('select 1 from mail_stops where reader = ?').get(reader) !== undefined;

/** Who wants no mail, as keyed digests. */
export const listMailStops = (inbox: Inbox): readonly string[] =>
  v.parse(v.array(v.string()), inbox.prepare('select reader from mail_stops').pluck().all());

/** Whether a daily run is new for a day; it counts as made then. */
export const beginMailRun = (inbox: Inbox, name: string, day: string): boolean =>
  inbox
    .prepare(
      'insert into mail_runs values (?, ?) on conflict do update set day = excluded.day where day < excluded.day',
    )
    .run(name, day).changes === 1;
