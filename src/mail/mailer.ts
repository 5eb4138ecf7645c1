// Mailer: composes the due emails of the outbox and sends them one after another. Failed emails are retried
// with growing pauses. Once a day, it queues the editors' digest and the reminders to confirm events.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { MailSettings } from '../config.ts';
import { AppError } from '../domain/app-error.ts';
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
  recordOutgoingEmail,
  listDueEmails,
  listRecentOutgoingEmails,
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
/** Queued emails processed in one round. */
const MAX_PER_ROUND = 200;
/** Queued emails combined into one email. */
const MAX_PARTS = 20;
/** An email being sent is claimed for this long; it is sent again afterwards if the process died. */
const LEASE_MS = 10 * MINUTE_MS;
/** Delay of emails that are over a limit or wait for a release. */
const POSTPONE_MS = 10 * MINUTE_MS;
/** Minutes before each retry of an email; the last one applies to all further retries. */
const RETRY_PAUSES = [2, 10, 30, 60, 120, 240] as const;
/** Minutes before each retry of an unreachable server. */
const DOWN_PAUSES = [0.5, 1, 2, 5, 15, 30] as const;

const getPauseMs = (pauses: readonly number[], attempt: number): number =>
  (pauses[Math.min(attempt, pauses.length - 1)] ?? 0) * MINUTE_MS;

export interface MailerOptions
  extends Pick<EmailSources, 'inbox' | 'site' | 'listFollowedSources' | 'composeForSubscriber'> {
  /** `from`: the sender's address; `editors`: addresses of editors; `hour`: local hour of the editors' digest. */
  readonly settings: Pick<MailSettings, 'from' | 'editors' | 'hour'>;
  readonly server: SmtpClient;
  readonly clock: () => number;
  readonly getReleasedEvents: () => EmailSources['release'];
  readonly log: Pick<Logger, 'error' | 'warn' | 'debug'>;
  /** Reports why emails are not sent, for the operator; null once they are sent again. */
  readonly reportProblem: (reason: string | null) => void;
}

/** Creates the mailer of an inbox; it sends only when `round` is called. */
export function createMailer(options: MailerOptions) {
  const { inbox, clock, log, reportProblem } = options;
  let [paused_until_ms, down_count, last_hour, is_stopped] = [0, 0, Number.NaN, false];
  let unwritable_until_ms = 0;
  /** An email that cannot be written is tried again, for four days; the others are still sent. */
  const onUnwritable = (error: unknown, kind: MailKind): void => {
    if (error instanceof AppError && error.code === 'unavailable') throw error;
    log.error({ err: error, mail: kind }, 'an email could not be written');
    reportProblem('an email could not be written; the log says why');
    unwritable_until_ms = clock() + 2 * POSTPONE_MS;
  };
  /** Runs the jobs of an hour. A job that fails is retried an hour later; the others still run. */
  const runHourlyJobs = async (now_ms: number): Promise<void> => {
    for (const job of [
      () => pruneOutbox(inbox, now_ms),
      () => queueDigest(options, now_ms),
      () => queueReminders(options, now_ms),
      () => enqueueNewsletter(inbox, now_ms),
    ])
      await job().catch((error: unknown) => {
        log.error({ err: error }, 'queuing the emails of an hour failed');
        reportProblem('emails of this hour could not be queued; the log says why');
      });
  };
  return {
    /** Sends the due emails; a failed email does not throw. Must not be called while it runs. */
    round: async (): Promise<void> => {
      const now_ms = clock();
      const hour = Math.floor(now_ms / HOUR_MS);
      if (hour !== last_hour) await runHourlyJobs(now_ms);
      last_hour = hour;
      if (now_ms < paused_until_ms || (await listDueEmails(inbox, now_ms, 1)).length === 0) return;
      for (const prepared of await prepareEmails(options, now_ms, onUnwritable)) {
        if (is_stopped) return;
        const { kind, code } = await sendEmail(options, prepared).catch((error: unknown) => {
          onUnwritable(error, prepared.kind);
          return { kind: 'later', code: null } as const;
        });
        log.debug({ mail: prepared.kind, kind, code }, 'the delivery of an email was tried');
        if (kind === 'down') {
          paused_until_ms = clock() + getPauseMs(DOWN_PAUSES, down_count);
          down_count += 1;
          log.warn({ code, downs: down_count }, 'the mail server cannot be used; emails wait');
          reportProblem(`the mail server cannot be used (${code ?? 'no answer'}), so emails wait`);
          return;
        }
        down_count = 0;
        if (kind === 'sent' && now_ms > unwritable_until_ms) reportProblem(null);
      }
    },
    stop: (): void => {
      is_stopped = true;
    },
  };
}

/** One email to send, of parts with the same topic, recipient and language. */
interface PreparedEmail {
  readonly kind: MailKind;
  readonly to: string;
  readonly ids: readonly number[];
  readonly parts: readonly [EmailPart, ...EmailPart[]];
  readonly attempts: number;
}

/**
 * Prepares the due emails, combining those with the same topic and recipient, so that forty decisions do not
 * become forty emails. Obsolete emails are deleted, and those that must wait are postponed.
 */
async function prepareEmails(
  options: MailerOptions,
  now_ms: number,
  onUnwritable: (error: unknown, kind: MailKind) => void,
): Promise<readonly PreparedEmail[]> {
  const { inbox, settings, getReleasedEvents } = options;
  const sources = { ...options, release: getReleasedEvents(), now_ms };
  const prepared_emails = new Map<string, PreparedEmail>();
  const reported_references = new Set<string>();
  await inbox.transaction(async () => {
    await splitByEditor(options, now_ms);
    for (const queued of await listDueEmails(inbox, now_ms, MAX_PER_ROUND)) {
      const { id, kind } = queued;
      const part = await loadEmailPart(queued, sources).catch((error: unknown) => {
        onUnwritable(error, kind);
        return 'not_yet' as const;
      });
      if (part === 'not_yet') {
        await updateQueuedEmails(inbox, [id], { at_ms: now_ms + POSTPONE_MS });
        continue;
      }
      const to = EDITOR_MAIL_KINDS.includes(kind)
        ? settings.editors.find((editor) => emailRecipientDigest(inbox, editor) === queued.detail)
        : part?.to;
      if (part === null || !to || to.toLowerCase() === settings.from.toLowerCase()) {
        await deleteQueuedEmails(inbox, [id]);
        continue;
      }
      // An event can be reported alone and with its import: the next round knows which changes were reported.
      if (part.reported_changes.some(({ reference }) => reported_references.has(reference)))
        continue;
      for (const { reference } of part.reported_changes) reported_references.add(reference);
      // An import has an email of its own. Reminders combine events of all languages.
      const lang = part.topic === 'reminder' ? '' : part.lang;
      const key = [part.topic, to, lang, part.is_batch ? id : ''].join(' ');
      const prepared = prepared_emails.get(key);
      if (prepared?.ids.length === MAX_PARTS) continue;
      prepared_emails.set(key, {
        kind,
        to,
        ids: [...(prepared?.ids ?? []), id],
        parts: prepared ? [...prepared.parts, part] : [part],
        attempts: Math.max(prepared?.attempts ?? 0, queued.attempts),
      });
    }
  });
  return [...prepared_emails.values()];
}

/** Replaces each email to all editors with one per editor, so that each is delivered independently. */
async function splitByEditor({ inbox, settings }: MailerOptions, now_ms: number): Promise<void> {
  for (const queued of await listDueEmails(inbox, now_ms, MAX_PER_ROUND)) {
    if (!EDITOR_MAIL_KINDS.includes(queued.kind) || queued.detail !== '') continue;
    for (const editor of settings.editors)
      await insertQueuedEmail(
        inbox,
        { ...queued, detail: emailRecipientDigest(inbox, editor) },
        now_ms,
      );
    await deleteQueuedEmails(inbox, [queued.id]);
  }
}

/** Checks the mail limits of a recipient; emails to editors are not limited. */
async function isWithinLimits(
  { inbox }: MailerOptions,
  recipient: string,
  kind: MailKind,
  now_ms: number,
) {
  if (EDITOR_MAIL_KINDS.includes(kind)) return true;
  const recent = await listRecentOutgoingEmails(inbox, now_ms);
  return Object.values(MAIL_LIMITS).every(({ hour, day, is_per_recipient, kind: limited_kind }) => {
    const counted = recent.filter(
      (email) =>
        !EDITOR_MAIL_KINDS.includes(email.kind) &&
        (!is_per_recipient || email.reader === recipient) &&
        (limited_kind === null || email.kind === limited_kind),
    );
    const counted_last_hour = counted.filter(({ at_ms }) => at_ms > now_ms - HOUR_MS);
    const is_below_limit = counted.length < day && counted_last_hour.length < hour;
    return is_below_limit || (limited_kind !== null && kind !== limited_kind);
  });
}

/** Sends one email, unless a limit is reached, and updates the outbox with the result. */
async function sendEmail(options: MailerOptions, prepared: PreparedEmail): Promise<DeliveryResult> {
  const { inbox, site, server, clock } = options;
  const { to, kind, ids, attempts, parts } = prepared;
  const recipient = emailRecipientDigest(inbox, to);
  const now_ms = clock();
  if (!(await isWithinLimits(options, recipient, kind, now_ms))) {
    await updateQueuedEmails(inbox, ids, { at_ms: now_ms + POSTPONE_MS });
    return { kind: 'later', code: null };
  }
  // During a handover, another machine may send at the same time.
  if (!(await claimEmails(inbox, ids, now_ms, now_ms + LEASE_MS)))
    return { kind: 'later', code: null };
  const email = composeEmail(parts, site);
  const message_id = createMessageId(prepared, recipient, site.url);
  const { kind: result, code } = await server.deliver({ ...email, to, message_id, now_ms });
  const at_ms = clock();
  // A visitor may have mistyped their address: the desk need not know about such failures.
  const is_invalid_subscriber =
    result === 'never' && SUBSCRIBER_MAIL_KINDS.some((subscriber_kind) => subscriber_kind === kind);
  if (result === 'sent' || is_invalid_subscriber)
    await inbox.transaction(async () => {
      if (parts[0].has_more) await updateQueuedEmails(inbox, ids, { at_ms });
      else await deleteQueuedEmails(inbox, ids);
      for (const change of parts.flatMap(({ reported_changes }) => reported_changes))
        await setLastNotified(inbox, change);
      await recordOutgoingEmail(inbox, recipient, kind, at_ms);
      if (kind === 'weekly') await recordDelivery(inbox, to, !is_invalid_subscriber);
    });
  else if (result === 'never')
    await updateQueuedEmails(inbox, ids, { state: 'failed', at_ms, code });
  else if (result === 'down') await updateQueuedEmails(inbox, ids, { at_ms });
  else {
    const retry_ms = at_ms + getPauseMs(RETRY_PAUSES, attempts);
    await updateQueuedEmails(inbox, ids, { at_ms: retry_ms, attempts: attempts + 1 });
  }
  return { kind: result, code };
}

/** Creates the Message-ID: the same for each attempt, so that mail programs show the email once. */
function createMessageId({ parts, ids }: PreparedEmail, recipient: string, url: string): string {
  const references = parts.flatMap(({ reported_changes }) =>
    reported_changes.map(({ reference }) => reference),
  );
  const digest = createHash('sha256')
    .update([recipient, ...ids, ...references].join(' '))
    .digest('hex');
  return `<${parts[0].topic}.${digest.slice(0, 32)}@${new URL(url).hostname}>`;
}

/** Queues the editors' digest once a day, from the configured hour on. */
async function queueDigest({ inbox, settings }: MailerOptions, now_ms: number): Promise<void> {
  if (toZoned(now_ms).hour < settings.hour) return;
  const subject = toLocalDay(now_ms).toString();
  await inbox.transaction(async () => {
    if (await claimDailyRun(inbox, 'digest', subject))
      await insertQueuedEmail(inbox, { kind: 'digest', subject, detail: '', queued_ms: now_ms });
  });
}

/** Local hour from which reminders are sent. */
const REMINDER_HOUR = 10;

/** Queues, once a day, the reminders to confirm events (contract 14.41). */
async function queueReminders(
  { inbox, getReleasedEvents, listFollowedSources }: MailerOptions,
  now_ms: number,
) {
  const release = getReleasedEvents();
  if (release === null || toZoned(now_ms).hour < REMINDER_HOUR) return;
  const today = toLocalDay(now_ms);
  const email = { kind: 'reminder', detail: today.toString(), queued_ms: now_ms } as const;
  await inbox.transaction(async () => {
    if (!(await claimDailyRun(inbox, 'reminder', email.detail))) return;
    for (const subject of await listConfirmationSubjects(
      inbox,
      release,
      today,
      listFollowedSources(),
    ))
      await insertQueuedEmail(inbox, { ...email, subject });
  });
}
