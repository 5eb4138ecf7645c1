// The mailer: takes what is due of the outbox, makes letters of it and gives them to the server, one after another.
// What fails is tried again with growing pauses. Once a day it queues what editors are told, and what senders are
// asked.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { MailSettings } from '../config.ts';
import {
  EDITOR_MAIL_KINDS,
  MAIL_LIMITS,
  type MailKind,
  SUBSCRIBER_MAIL_KINDS,
} from '../domain/mail-limits.ts';
import {
  claimDailyRun,
  claimEmails,
  deleteQueuedEmails,
  insertQueuedEmail,
  recordSentEmail,
  listDueEmails,
  listRecentlySentEmails,
  pruneOutbox,
  emailRecipientDigest,
  updateQueuedEmails,
} from '../inbox/outbox.ts';
import { recordDelivery, enqueueNewsletter } from '../inbox/subscribers.ts';
import { setLastNotified } from '../inbox/changes.ts';
import { listConfirmationSubjects } from '../desk/event-confirmation.ts';
import { toZoned, toLocalDay } from '../domain/local-time.ts';
import { type EmailSources, type EmailPart, loadEmailPart, composeEmail } from './email.ts';
import type { DeliveryResult, SmtpClient } from './smtp-client.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Taken from the outbox at once. */
const AT_ONCE = 200;
const MAX_PARTS = 20;
/** A letter on its way is not taken again before: this process may die with it. */
const LEASE_MS = 10 * MINUTE_MS;
/** What may not be mailed now, or waits for a release, is looked at again. */
const LATER_MS = 10 * MINUTE_MS;
/** Minutes before a letter is tried again that the server did not take; the last for all further ones. */
const PAUSES = [2, 10, 30, 60, 120, 240] as const;
/** The same for a server that cannot be reached. */
const DOWN_PAUSES = [0.5, 1, 2, 5, 15, 30] as const;

const toPauseMs = (pauses: readonly number[], attempt: number): number =>
  (pauses[Math.min(attempt, pauses.length - 1)] ?? 0) * MINUTE_MS;

export interface MailerOptions
  extends Pick<EmailSources, 'inbox' | 'site' | 'listFollowed' | 'writeForReader'> {
  readonly settings: Pick<MailSettings, 'from' | 'editors' | 'hour'>;
  readonly server: SmtpClient;
  readonly clock: () => number;
  readonly readRelease: () => EmailSources['release'];
  readonly log: Pick<Logger, 'warn' | 'debug'>;
}

/** A mailer of an inbox; it sends nothing by itself. */
export function createMailer(options: MailerOptions) {
  const { inbox, clock, log } = options;
  let [paused_until_ms, downs, begun_hour, is_stopped] = [0, 0, Number.NaN, false];
  return {
    /** Sends what is due; never throws for a letter. Not to be called while it runs. */
    round: async (): Promise<void> => {
      const now_ms = clock();
      const hour = Math.floor(now_ms / HOUR_MS);
      if (hour !== begun_hour) {
        await pruneOutbox(inbox, now_ms);
        await queueDigest(options, now_ms);
        await queueReminders(options, now_ms);
        await enqueueNewsletter(inbox, now_ms);
      }
      begun_hour = hour;
      if (now_ms < paused_until_ms || (await listDueEmails(inbox, now_ms, 1)).length === 0) return;
      for (const parcel of await prepare(options, now_ms)) {
        if (is_stopped) return;
        const { kind, code } = await send(options, parcel);
        log.debug({ mail: parcel.kind, kind, code }, 'a letter was given to the mail server');
        if (kind === 'down') {
          paused_until_ms = clock() + toPauseMs(DOWN_PAUSES, downs);
          downs += 1;
          log.warn({ code, downs }, 'the mail server cannot be used; letters wait');
          return;
        }
        downs = 0;
      }
    },
    stop: (): void => {
      is_stopped = true;
    },
  };
}

/** What becomes one letter: parts of one topic and in one language. */
interface Parcel {
  readonly kind: MailKind;
  readonly to: string;
  readonly ids: readonly number[];
  readonly parts: readonly [EmailPart, ...EmailPart[]];
  readonly attempts: number;
}

/**
 * What is due as letters to be sent, those of one topic for one reader gathered: forty decisions are not forty
 * letters, and a flood of receipts is one. What is void goes, what must wait is put off.
 */
async function prepare(options: MailerOptions, now_ms: number): Promise<readonly Parcel[]> {
  const { inbox, settings, readRelease } = options;
  const sources = { ...options, release: readRelease(), now_ms };
  const parcels = new Map<string, Parcel>();
  const told = new Set<string>();
  await inbox.transaction(async () => {
    await addressEditors(options, now_ms);
    for (const mail of await listDueEmails(inbox, now_ms, AT_ONCE)) {
      const { id, kind } = mail;
      const part = await loadEmailPart(mail, sources);
      if (part === 'not_yet') {
        await updateQueuedEmails(inbox, [id], { at_ms: now_ms + LATER_MS });
        continue;
      }
      const to = EDITOR_MAIL_KINDS.includes(kind)
        ? settings.editors.find((editor) => emailRecipientDigest(inbox, editor) === mail.detail)
        : part?.to;
      if (part === null || !to || to.toLowerCase() === settings.from.toLowerCase()) {
        await deleteQueuedEmails(inbox, [id]);
        continue;
      }
      // One event of a calendar may be decided by itself and with others: the next round knows what was told.
      if (part.tells.some(({ reference }) => told.has(reference))) continue;
      for (const { reference } of part.tells) told.add(reference);
      // A calendar is many events already: it has a letter of its own.
      // Each of some events is asked about in the language that it was sent in.
      const lang = part.topic === 'reminder' ? '' : part.lang;
      const key = [part.topic, to, lang, part.is_batch ? id : ''].join(' ');
      const before = parcels.get(key);
      if (before?.ids.length === MAX_PARTS) continue;
      parcels.set(key, {
        kind,
        to,
        ids: [...(before?.ids ?? []), id],
        parts: before ? [...before.parts, part] : [part],
        attempts: Math.max(before?.attempts ?? 0, mail.attempts),
      });
    }
  });
  return [...parcels.values()];
}

/** One letter for each editor, so that one who cannot be reached keeps it from nobody. */
async function addressEditors({ inbox, settings }: MailerOptions, now_ms: number): Promise<void> {
  for (const mail of await listDueEmails(inbox, now_ms, AT_ONCE)) {
    if (!EDITOR_MAIL_KINDS.includes(mail.kind) || mail.detail !== '') continue;
    for (const editor of settings.editors)
      await insertQueuedEmail(
        inbox,
        { ...mail, detail: emailRecipientDigest(inbox, editor) },
        now_ms,
      );
    await deleteQueuedEmails(inbox, [mail.id]);
  }
}

/** Whether one more may go to a reader now; editors are not counted among senders. */
async function mayMail({ inbox }: MailerOptions, reader: string, kind: MailKind, now_ms: number) {
  if (EDITOR_MAIL_KINDS.includes(kind)) return true;
  const sent = await listRecentlySentEmails(inbox, now_ms);
  return Object.values(MAIL_LIMITS).every(({ hour, day, is_of_reader, of }) => {
    const counted = sent.filter(
      (letter) =>
        !EDITOR_MAIL_KINDS.includes(letter.kind) &&
        (!is_of_reader || letter.reader === reader) &&
        (of === null || letter.kind === of),
    );
    const latest = counted.filter(({ at_ms }) => at_ms > now_ms - HOUR_MS);
    const is_free = counted.length < day && latest.length < hour;
    return is_free || (of !== null && kind !== of);
  });
}

/** Gives one letter to the server, unless it is one too many; the outbox says what came of it. */
async function send(options: MailerOptions, parcel: Parcel): Promise<DeliveryResult> {
  const { inbox, site, server, clock } = options;
  const { to, kind, ids, attempts, parts } = parcel;
  const reader = emailRecipientDigest(inbox, to);
  const now_ms = clock();
  if (!(await mayMail(options, reader, kind, now_ms))) {
    await updateQueuedEmails(inbox, ids, { at_ms: now_ms + LATER_MS });
    return { kind: 'later', code: null };
  }
  // Another machine may send, too, while this one does not know yet that it is not to.
  if (!(await claimEmails(inbox, ids, now_ms, now_ms + LEASE_MS)))
    return { kind: 'later', code: null };
  const letter = composeEmail(parts, site);
  const message_id = toMessageId(parcel, reader, site.url);
  const { kind: came, code } = await server.deliver({ ...letter, to, message_id, now_ms });
  const at_ms = clock();
  // Anybody may have typed the address of a question wrong: nothing for the desk.
  const is_over = came === 'never' && SUBSCRIBER_MAIL_KINDS.some((one) => one === kind);
  if (came === 'sent' || is_over)
    await inbox.transaction(async () => {
      if (parts[0].has_more) await updateQueuedEmails(inbox, ids, { at_ms });
      else await deleteQueuedEmails(inbox, ids);
      for (const told of parts.flatMap(({ tells }) => tells)) await setLastNotified(inbox, told);
      await recordSentEmail(inbox, reader, kind, at_ms);
      if (kind === 'weekly') await recordDelivery(inbox, to, !is_over);
    });
  else if (came === 'never') await updateQueuedEmails(inbox, ids, { state: 'failed', at_ms, code });
  else if (came === 'down') await updateQueuedEmails(inbox, ids, { at_ms });
  else {
    const again_ms = at_ms + toPauseMs(PAUSES, attempts);
    await updateQueuedEmails(inbox, ids, { at_ms: again_ms, attempts: attempts + 1 });
  }
  return { kind: came, code };
}

/** The same for the same letter, so that one sent twice is shown once; nothing can be told from it. */
function toMessageId({ parts, ids }: Parcel, reader: string, url: string): string {
  const told = parts.flatMap(({ tells }) => tells.map(({ reference }) => reference));
  const digest = createHash('sha256')
    .update([reader, ...ids, ...told].join(' '))
    .digest('hex');
  return `<${parts[0].topic}.${digest.slice(0, 32)}@${new URL(url).hostname}>`;
}

/** Queues what editors are told, once a day from an hour on. */
async function queueDigest({ inbox, settings }: MailerOptions, now_ms: number): Promise<void> {
  if (toZoned(now_ms).hour < settings.hour) return;
  const subject = toLocalDay(now_ms).toString();
  await inbox.transaction(async () => {
    if (await claimDailyRun(inbox, 'digest', subject))
      await insertQueuedEmail(inbox, { kind: 'digest', subject, detail: '', queued_ms: now_ms });
  });
}

/** The local hour from which organizers are asked. */
const REMINDER_HOUR = 10;

/** Queues, once a day, the question whether all is as it was (contract 14.41). */
async function queueReminders({ inbox, readRelease, listFollowed }: MailerOptions, now_ms: number) {
  const release = readRelease();
  if (release === null || toZoned(now_ms).hour < REMINDER_HOUR) return;
  const today = toLocalDay(now_ms);
  const letter = { kind: 'reminder', detail: today.toString(), queued_ms: now_ms } as const;
  await inbox.transaction(async () => {
    if (!(await claimDailyRun(inbox, 'reminder', letter.detail))) return;
    for (const subject of await listConfirmationSubjects(inbox, release, today, listFollowed()))
      await insertQueuedEmail(inbox, { ...letter, subject });
  });
}
