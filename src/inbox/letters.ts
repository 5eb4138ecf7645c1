// The table of letters: what waits to be sent, without an address or a word of it; what was given up; what was
// sent in the last day, to readers known by a keyed digest; which daily runs were made. Beside it, who wants none.
import * as v from 'valibot';
import {
  FAILED_DAYS,
  type FailedMail,
  GIVE_UP_DAYS,
  MAIL_KINDS,
  type MailHealth,
  type MailKind,
} from '../domain/mail.ts';
import { flag } from './changes.ts';
import type { Inbox } from './open.ts';

const DAY_MS = 24 * 3_600_000;

const LetterRow = v.object({
  id: v.number(),
  kind: v.picklist(MAIL_KINDS),
  /** The reference of a submission or a calendar; a day for a digest. */
  subject: v.string(),
  /** For editors a keyed digest of the address, empty for all of them; for a reminder its day; the number of a decision. */
  detail: v.string(),
  queued_ms: v.number(),
  attempts: v.number(),
});
/** A letter that waits, told by what it is about: its words are made when it is sent. */
export type QueuedLetter = Readonly<v.InferOutput<typeof LetterRow>>;

/** Queues a letter that is not sent before `at_ms`. */
export const insertLetter = (
  inbox: Inbox,
  letter: Omit<QueuedLetter, 'id' | 'attempts'> & { readonly at_ms: number },
): void =>
  void inbox
    .prepare(
      'insert into letters (kind, subject, detail, queued_ms, at_ms) values (@kind, @subject, @detail, @queued_ms, @at_ms)',
    )
    .run(letter);

const listWhere = (
  inbox: Inbox,
  where: string,
  ...values: readonly (string | number)[]
): readonly QueuedLetter[] =>
  v.parse(
    v.array(LetterRow),
    inbox
      .prepare(
        `select id, kind, subject, detail, queued_ms, attempts from letters where state = 'waiting' and ${where}`,
      )
      .all(...values),
  );

const RANK = `case kind ${MAIL_KINDS.map((kind, at) => `when '${kind}' then ${at}`).join(' ')} end`;

/** What is due, the most pressing first, then the oldest. */
export const listDueLetters = (inbox: Inbox, now_ms: number, limit: number) =>
  listWhere(inbox, `at_ms <= ? order by ${RANK}, id limit ?`, now_ms, limit);

/** What waits of one kind about one subject. */
export const listLettersAbout = (inbox: Inbox, kind: MailKind, subject: string) =>
  listWhere(inbox, 'kind = ? and subject = ?', kind, subject);

const change = (
  inbox: Inbox,
  what: string,
  ids: readonly number[],
  ...values: readonly (number | null)[]
): void =>
  void inbox
    .prepare(`${what} where id in (select value from json_each(?))`)
    .run(...values, JSON.stringify(ids));

/** Not before a moment; after one more attempt where the server has said no for now. */
export const deferLetters = (inbox: Inbox, ids: readonly number[], at_ms: number, attempts = 0) =>
  change(inbox, 'update letters set at_ms = ?, attempts = attempts + ?', ids, at_ms, attempts);

/** Given up; `code` is what the server answered. */
export const failLetters = (
  inbox: Inbox,
  ids: readonly number[],
  at_ms: number,
  code: number | null,
) => change(inbox, "update letters set state = 'failed', at_ms = ?, code = ?", ids, at_ms, code);

/** Sent, or of no use any more. */
export const deleteLetters = (inbox: Inbox, ids: readonly number[]) =>
  change(inbox, 'delete from letters', ids);

/** All that waits goes, and what was given up: nobody sends it. */
export const emptyOutbox = (inbox: Inbox): void =>
  void inbox.prepare("delete from letters where state in ('waiting', 'failed')").run();

/** Gives up what has waited too long; forgets what was given up, and what was sent before the last day. */
export function pruneLetters(inbox: Inbox, now_ms: number): void {
  inbox
    .prepare(
      "update letters set state = 'failed', at_ms = ? where state = 'waiting' and queued_ms <= ?",
    )
    .run(now_ms, now_ms - GIVE_UP_DAYS * DAY_MS);
  inbox
    .prepare(
      `delete from letters where state = 'failed' and at_ms <= ?
         or state = 'sent' and at_ms not between ? and ?`,
    )
    .run(now_ms - FAILED_DAYS * DAY_MS, now_ms - DAY_MS + 1, now_ms);
}

const HealthRow = v.object({
  waiting: v.number(),
  oldest_seconds: v.nullable(v.number()),
  failed: v.number(),
});

/** How mailing goes. */
export const readMailHealth = (inbox: Inbox, now_ms: number): MailHealth =>
  v.parse(
    HealthRow,
    inbox
      .prepare(
        `select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state = 'failed') as failed,
         cast(max(0, ? - min(queued_ms) filter (where state = 'waiting')) / 1000 as integer) as oldest_seconds from letters`,
      )
      .get(now_ms),
  );

const FailedRow = v.object({
  kind: v.picklist(MAIL_KINDS),
  subject: v.string(),
  is_batch: flag,
  code: v.nullable(v.number()),
});

/** What was given up, the newest first. */
export const listFailedMail = (inbox: Inbox, limit: number): readonly FailedMail[] =>
  v.parse(
    v.array(FailedRow),
    inbox
      .prepare(
        `select kind, subject, code, exists (select 1 from batches b where b.reference = subject) as is_batch
         from letters where state = 'failed' order by at_ms desc, id desc limit ?`,
      )
      .all(limit),
  );

/** One letter was sent to a reader, known by a keyed digest. */
export const insertSent = (inbox: Inbox, reader: string, kind: MailKind, at_ms: number): void =>
  void inbox
    .prepare(
      "insert into letters (kind, subject, detail, queued_ms, at_ms, state) values (?1, '', ?2, ?3, ?3, 'sent')",
    )
    .run({ 1: kind, 2: reader, 3: at_ms });

/** At most so many letters in an hour and in a day: to a reader or to all, of some kinds. */
export interface MailBound {
  readonly hour: number;
  readonly day: number;
  readonly reader: string | null;
  readonly kinds: readonly MailKind[];
}

/** Whether one more may be sent. */
export const isWithin = (inbox: Inbox, { kinds, ...bound }: MailBound, now_ms: number): boolean =>
  inbox
    .prepare(
      `select count(*) < @day and count(*) filter (where at_ms > @now_ms - 3600000) < @hour from letters
       where state = 'sent' and at_ms > @now_ms - 86400000 and (@reader is null or detail = @reader)
         and kind in (select value from json_each(@kinds))`,
    )
    .pluck()
    .get({ ...bound, now_ms, kinds: JSON.stringify(kinds) }) === 1;

/** Whether what is queued once a day is new for a day; it counts as queued then. */
export const beginRun = (inbox: Inbox, kind: MailKind, day: string): boolean =>
  inbox
    .prepare(
      `insert into letters (kind, subject, detail, queued_ms, at_ms, state) values (?, ?, '', 0, 0, 'run')
       on conflict (kind) where state = 'run' do update set subject = excluded.subject where subject < excluded.subject`,
    )
    .run(kind, day).changes === 1;

/** A reader, known by a keyed digest, wants no mail. */
export const insertMailStop = (inbox: Inbox, reader: string): void =>
  void inbox.prepare('insert into mail_stops values (?) on conflict do nothing').run(reader);

export const isMailStopped = (inbox: Inbox, reader: string): boolean =>
  inbox.prepare('select 1 from mail_stops where reader = ?').get(reader) !== undefined;

/** Who wants no mail, as keyed digests. */
export const listMailStops = (inbox: Inbox): readonly string[] =>
  v.parse(v.array(v.string()), inbox.prepare('select reader from mail_stops').pluck().all());
