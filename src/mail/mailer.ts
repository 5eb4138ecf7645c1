// The mailer: takes what is due from the outbox, makes letters of it and gives them to the server, one
// after another; what fails is tried again with growing pauses, and given up after some days.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { MailSettings } from '../config.ts';
import { EDITOR_MAIL, FAILED_DAYS, GIVE_UP_DAYS, type MailKind } from '../domain/mail.ts';
import type { Site } from '../domain/site.ts';
import { type Inbox, inTransaction } from '../inbox/open.ts';
import {
  deferMail,
  deleteMail,
  failMail,
  hasDueMail,
  insertMail,
  insertSentMail,
  isMailStopped,
  listDueMail,
  pruneOutbox,
  type QueuedMail,
} from '../inbox/outbox.ts';
import { putTold } from '../inbox/submissions.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';
import { toMailReader } from '../desk/mail.ts';
import { mayMail } from './bounds.ts';
import { queueDigest, queueReminders, readWaiting } from './daily.ts';
import { gather, type Parcel } from './parcels.ts';
import { type Letter, writeDigest, writeLetter } from './letter.ts';
import type { Delivery, MailServer } from './server.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Taken from the outbox at once. */
const AT_ONCE = 200;
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

export interface MailerOptions {
  readonly inbox: Inbox;
  readonly settings: Pick<MailSettings, 'from' | 'editors' | 'hour'>;
  readonly site: Site;
  readonly server: MailServer;
  readonly clock: () => number;
  /** Of the release that serves; null where there is none. */
  readonly readRelease: () => ReleasedEvents | null;
  readonly log: Pick<Logger, 'warn' | 'debug'>;
}

export interface Mailer {
  /** Sends what is due; never throws for a letter. Not to be called while it runs. */
  readonly round: () => Promise<void>;
  /** No further letter is begun. */
  readonly stop: () => void;
}

/** A mailer of an inbox; it sends nothing by itself. */
export function createMailer(options: MailerOptions): Mailer {
  const { inbox, clock, log } = options;
  let [paused_until_ms, downs, begun_hour, is_stopped] = [0, 0, Number.NaN, false];
  return {
    round: async () => {
      const now_ms = clock();
      const hour = Math.floor(now_ms / HOUR_MS);
      if (hour !== begun_hour) beginHour(options, now_ms);
      begun_hour = hour;
      if (now_ms < paused_until_ms || !hasDueMail(inbox, now_ms)) return;
      for (const parcel of prepare(options, now_ms)) {
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
    stop: () => {
      is_stopped = true;
    },
  };
}

/** Gives up and forgets what is due; queues what is mailed once a day. */
function beginHour({ inbox, settings, readRelease }: MailerOptions, now_ms: number): void {
  pruneOutbox(
    inbox,
    {
      queued_ms: now_ms - GIVE_UP_DAYS * DAY_MS,
      failed_ms: now_ms - FAILED_DAYS * DAY_MS,
      sent_ms: now_ms - DAY_MS,
    },
    now_ms,
  );
  queueDigest(inbox, settings, now_ms);
  const release = readRelease();
  if (release !== null) queueReminders(inbox, release, now_ms);
}

/** What is due as letters to be sent; what is void goes, what must wait is put off. */
function prepare(options: MailerOptions, now_ms: number): readonly Parcel[] {
  const { inbox, settings } = options;
  return inTransaction(inbox, () => {
    for (const mail of listDueMail(inbox, now_ms, AT_ONCE))
      if (EDITOR_MAIL.includes(mail.kind) && mail.detail === '') splitForEditors(options, mail);
    const { parcels, not_yet } = gather(options, listDueMail(inbox, now_ms, AT_ONCE));
    for (const id of not_yet) deferMail(inbox, id, now_ms + LATER_MS, false);
    return parcels.filter(({ to, kind, ids }) => {
      const reader = toMailReader(inbox, to);
      const is_refused =
        to.toLowerCase() === settings.from.toLowerCase() ||
        (!EDITOR_MAIL.includes(kind) && isMailStopped(inbox, reader));
      if (is_refused) for (const id of ids) deleteMail(inbox, id);
      return !is_refused;
    });
  });
}

/** One for each editor, so that one who cannot be reached keeps it from nobody. */
function splitForEditors({ inbox, settings }: MailerOptions, mail: QueuedMail): void {
  for (const editor of settings.editors)
    insertMail(inbox, { ...mail, detail: toMailReader(inbox, editor), next_ms: mail.queued_ms });
  deleteMail(inbox, mail.id);
}

const toLetter = ({ inbox, site, clock }: MailerOptions, { kind, items, lang }: Parcel): Letter => {
  const [first, ...rest] = items;
  if (kind === 'digest' || first === undefined)
    return writeDigest(readWaiting(inbox, clock()), site);
  return writeLetter(kind, [first, ...rest], lang, site);
};

/** Gives one letter to the server, unless it is one too many; the outbox says what came of it. */
async function send(options: MailerOptions, parcel: Parcel): Promise<Delivery> {
  const { inbox, site, server, clock } = options;
  const { to, kind, ids, attempts } = parcel;
  const reader = toMailReader(inbox, to);
  const now_ms = clock();
  const put = (change: (id: number) => void): void =>
    inTransaction(inbox, () => {
      for (const id of ids) change(id);
    });
  if (!mayMail(inbox, reader, kind, now_ms)) {
    put((id) => deferMail(inbox, id, now_ms + LATER_MS, false));
    return { kind: 'later', code: null };
  }
  put((id) => deferMail(inbox, id, now_ms + LEASE_MS, false));
  const letter = toLetter(options, parcel);
  const message_id = toMessageId(kind, ids, reader, site);
  const delivery = await server.deliver({ letter, to, message_id, now_ms });
  const after_ms = clock();
  if (delivery.kind === 'sent')
    inTransaction(inbox, () => {
      for (const id of ids) deleteMail(inbox, id);
      for (const told of parcel.items.flatMap(({ tells }) => tells)) putTold(inbox, told);
      insertSentMail(inbox, reader, kind, after_ms);
    });
  else if (delivery.kind === 'never') put((id) => failMail(inbox, id, after_ms, delivery.code));
  else if (delivery.kind === 'later')
    put((id) => deferMail(inbox, id, after_ms + toPauseMs(PAUSES, attempts), true));
  else put((id) => deferMail(inbox, id, after_ms, false));
  return delivery;
}

/** The same for the same letter, so that one sent twice is shown once; nothing can be told from it. */
function toMessageId(
  kind: MailKind,
  ids: readonly number[],
  reader: string,
  { url }: Site,
): string {
  const digest = createHash('sha256')
    .update(`${reader} ${ids.join(' ')}`)
    .digest('hex');
  return `<${kind}.${digest.slice(0, 32)}@${new URL(url).hostname}>`;
}
