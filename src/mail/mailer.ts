// The mailer: takes what is due of the outbox, makes letters of it and gives them to the server, one
// after another; what fails is tried again with growing pauses, and given up after some days. Once a day editors are
// told what waits, and senders are asked whether their event is still on.
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { MailSettings } from '../config.ts';
import { EDITOR_MAIL, MAIL_BOUNDS, MAIL_KINDS, type MailKind } from '../domain/mail.ts';
import type { Site } from '../domain/site.ts';
import {
  beginRun,
  deferLetters,
  deleteLetters,
  failLetters,
  insertLetter,
  insertSent,
  isWithin,
  listDueLetters,
  type MailBound,
  pruneLetters,
  toMailReader,
} from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission, listPublications, putTold } from '../inbox/submissions.ts';
import { listWaiting } from '../inbox/waiting.ts';
import { toEventId } from '../desk/known.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';
import type { Delivery, MailServer } from './server.ts';
import { toCancun, toCancunDay } from '../domain/cancun-time.ts';
import { QUEUE_SORTS, type QueueItem, toQueueItem } from '../domain/queue.ts';
import { type LetterItem, readItem, writeDigest, writeLetter } from './letter.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Taken from the outbox at once. */
const AT_ONCE = 200;
/** Most in one letter. */
const MAX_ITEMS = 20;
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

export type Mailer = ReturnType<typeof createMailer>;

/** A mailer of an inbox; it sends nothing by itself. */
export function createMailer(options: MailerOptions) {
  const { inbox, clock, log } = options;
  let [paused_until_ms, downs, begun_hour, is_stopped] = [0, 0, Number.NaN, false];
  return {
    /** Sends what is due; never throws for a letter. Not to be called while it runs. */
    round: async (): Promise<void> => {
      const now_ms = clock();
      const hour = Math.floor(now_ms / HOUR_MS);
      if (hour !== begun_hour) await beginHour(options, now_ms);
      begun_hour = hour;
      if (now_ms < paused_until_ms || (await listDueLetters(inbox, now_ms, 1)).length === 0) return;
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
    /** No further letter is begun. */
    stop: (): void => {
      is_stopped = true;
    },
  };
}

/** Gives up and forgets what is due; queues what is mailed once a day. */
async function beginHour({ inbox, settings, readRelease }: MailerOptions, now_ms: number) {
  await pruneLetters(inbox, now_ms);
  await queueDigest(inbox, settings.hour, now_ms);
  const release = readRelease();
  if (release !== null) await queueReminders(inbox, release, now_ms);
}

/** What becomes one letter. */
interface Parcel {
  readonly kind: MailKind;
  readonly to: string;
  readonly ids: readonly number[];
  /** Of one topic and in one language; none of a digest. */
  readonly items: readonly LetterItem[];
  /** How often it was tried. */
  readonly attempts: number;
}

/**
 * What is due as letters to be sent, those of one topic for one reader gathered: forty decisions are not forty
 * letters, and a flood of receipts is one. What is void goes, what must wait is put off.
 */
async function prepare(options: MailerOptions, now_ms: number): Promise<readonly Parcel[]> {
  const { inbox, settings, site, readRelease } = options;
  const sources = { inbox, site, release: readRelease() };
  const parcels = new Map<string, Parcel>();
  const listDue = () => listDueLetters(inbox, now_ms, AT_ONCE);
  const findEditor = (reader: string): string | undefined =>
    settings.editors.find((editor) => toMailReader(inbox, editor) === reader);
  await inbox.transaction(async () => {
    // One for each editor, so that one who cannot be reached keeps it from nobody.
    for (const mail of await listDue()) {
      if (!EDITOR_MAIL.includes(mail.kind) || mail.detail !== '') continue;
      for (const editor of settings.editors)
        await insertLetter(inbox, { ...mail, detail: toMailReader(inbox, editor) }, now_ms);
      await deleteLetters(inbox, [mail.id]);
    }
    for (const mail of await listDue()) {
      const { id, kind, detail } = mail;
      const item = kind === 'digest' ? null : await readItem(mail, sources);
      if (item === 'not_yet') {
        await deferLetters(inbox, [id], now_ms + LATER_MS);
        continue;
      }
      const to = EDITOR_MAIL.includes(kind) ? findEditor(detail) : item !== 'void' && item?.to;
      if (item === 'void' || !to || to.toLowerCase() === settings.from.toLowerCase()) {
        await deleteLetters(inbox, [id]);
        continue;
      }
      // A calendar is many events already: it has a letter of its own.
      const key = [kind, item?.topic, to, item?.lang, item?.events ? id : ''].join(' ');
      const { ids, items, attempts } = parcels.get(key) ?? { ids: [], items: [], attempts: 0 };
      if (ids.length === MAX_ITEMS) continue;
      parcels.set(key, {
        ...{ kind, to, ids: [...ids, id], items: item === null ? [] : [...items, item] },
        attempts: Math.max(attempts, mail.attempts),
      });
    }
  });
  return [...parcels.values()];
}

const TO_SENDERS = MAIL_KINDS.filter((kind) => !EDITOR_MAIL.includes(kind));

/** Whether one more may go to a reader (a keyed digest) now; editors are not counted among senders. */
async function mayMail(inbox: Inbox, reader: string, kind: MailKind, now_ms: number) {
  if (EDITOR_MAIL.includes(kind)) return true;
  const { receipts, all_receipts, address, all } = MAIL_BOUNDS;
  const bounds: MailBound[] = [
    { ...address, kinds: TO_SENDERS, reader },
    { ...all, kinds: TO_SENDERS, reader: null },
  ];
  if (kind === 'receipt') {
    bounds.push({ ...receipts, kinds: [kind], reader });
    bounds.push({ ...all_receipts, kinds: [kind], reader: null });
  }
  for (const bound of bounds) if (!(await isWithin(inbox, bound, now_ms))) return false;
  return true;
}

/** Gives one letter to the server, unless it is one too many; the outbox says what came of it. */
async function send(options: MailerOptions, parcel: Parcel): Promise<Delivery> {
  const { inbox, site, server, clock } = options;
  const { to, kind, ids, attempts } = parcel;
  const reader = toMailReader(inbox, to);
  const now_ms = clock();
  if (!(await mayMail(inbox, reader, kind, now_ms))) {
    await deferLetters(inbox, ids, now_ms + LATER_MS);
    return { kind: 'later', code: null };
  }
  await deferLetters(inbox, ids, now_ms + LEASE_MS);
  const [first, ...others] = parcel.items;
  const letter =
    first === undefined
      ? writeDigest(await listQueue(inbox, now_ms), site)
      : writeLetter([first, ...others], site);
  const message_id = toMessageId(parcel, reader, site);
  const delivery = await server.deliver({ letter, to, message_id, now_ms });
  const after_ms = clock();
  if (delivery.kind === 'sent')
    await inbox.transaction(async () => {
      await deleteLetters(inbox, ids);
      for (const told of parcel.items.flatMap(({ tells }) => tells)) await putTold(inbox, told);
      await insertSent(inbox, reader, kind, after_ms);
    });
  else if (delivery.kind === 'never') await failLetters(inbox, ids, after_ms, delivery.code);
  else if (delivery.kind === 'later')
    await deferLetters(inbox, ids, after_ms + toPauseMs(PAUSES, attempts), 1);
  else await deferLetters(inbox, ids, after_ms);
  return delivery;
}

/** The same for the same letter, so that one sent twice is shown once; nothing can be told from it. */
function toMessageId({ kind, items: [first], ids }: Parcel, reader: string, { url }: Site): string {
  const digest = createHash('sha256')
    .update(`${reader} ${ids.join(' ')}`)
    .digest('hex');
  return `<${first?.topic ?? kind}.${digest.slice(0, 32)}@${new URL(url).hostname}>`;
}

/** The hour in Cancún from which senders are asked. */
const REMINDER_HOUR = 10;
/** Days before the event. */
const DAYS_BEFORE = 2;
/** Days after which somebody's word is old enough to ask again. */
const OLD_DAYS = 30;

/** All that waits at the desk, as its queue has it: the most urgent first. */
const listQueue = async (inbox: Inbox, now_ms: number): Promise<readonly QueueItem[]> =>
  (await listWaiting(inbox))
    .map((waiting) => toQueueItem(waiting, now_ms))
    .sort(QUEUE_SORTS.urgency);

/** Queues what editors are told, once a day from an hour on, where anything waits. */
async function queueDigest(inbox: Inbox, hour: number, now_ms: number): Promise<void> {
  if (toCancun(now_ms).hour < hour) return;
  const subject = toCancunDay(now_ms).toString();
  await inbox.transaction(async () => {
    if ((await beginRun(inbox, 'digest', subject)) && (await listWaiting(inbox)).length > 0)
      await insertLetter(inbox, { kind: 'digest', subject, detail: '', queued_ms: now_ms });
  });
}

/** Queues, once a day, the question to the senders of what begins in two days and is not sure. */
async function queueReminders(inbox: Inbox, release: ReleasedEvents, now_ms: number) {
  if (toCancun(now_ms).hour < REMINDER_HOUR) return;
  const today = toCancunDay(now_ms);
  const day = today.add({ days: DAYS_BEFORE });
  await inbox.transaction(async () => {
    if (!(await beginRun(inbox, 'reminder', today.toString()))) return;
    const unsure = new Set(release.listUnsure(day, today.subtract({ days: OLD_DAYS })));
    const letter = { kind: 'reminder', detail: day.toString(), queued_ms: now_ms } as const;
    // Who has just written knows.
    for (const { reference: subject } of await listPublications(inbox))
      if (
        unsure.has(toEventId(subject)) &&
        (await getSubmission(inbox, subject))?.state !== 'pending'
      )
        await insertLetter(inbox, { ...letter, subject });
  });
}
