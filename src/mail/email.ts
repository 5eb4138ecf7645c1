// A letter in plain text, in its reader's language. What a queued letter says is read when it is sent: nothing
// where it is no longer so or told already, and not yet where a release must come first.
import { Temporal } from 'temporal-polyfill';
import {
  findConfirmationContact,
  type FollowedSources,
  eventIdOfSubject,
  createConfirmationToken,
} from '../desk/event-confirmation.ts';
import { eventIdOfSubmission } from '../desk/reference-data.ts';
import {
  getImportByReference,
  listImportedSubmissions,
  getImportToken,
} from '../inbox/calendar-imports.ts';
import {
  type QueuedEmail,
  canSendTo,
  getContactEmail,
  unsubscribeToken,
  unsubscribeKey,
} from '../inbox/outbox.ts';
import { getSubscriber, type Subscriber } from '../inbox/subscribers.ts';
import { getSourceState } from '../inbox/followed-sources.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission, getLastNotified, listQueueRows, getStatusToken } from '../inbox/changes.ts';
import { parseDay, toLocalDay } from '../domain/local-time.ts';
import {
  type ChangeState,
  isStatusRequest,
  type SubmissionChange,
  getSubmissionState,
} from '../domain/change.ts';
import { cleanLine, cleanText } from '../domain/clean-text.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import {
  findDueNewsletterDate,
  type MailKind,
  SUBSCRIBER_MAIL_KINDS,
  type SubscriberMailKind,
} from '../domain/mail-limits.ts';
import { URGENCY_GROUPS, sortQueue, assignUrgency } from '../domain/review-queue.ts';
import type { Site } from '../domain/site.ts';
import { formatTime, formatLongDay, formatWhen } from '../i18n/format-dates.ts';
import {
  DESK_PATHS,
  absoluteUrl,
  calendarImportPath,
  correctionFormPath,
  submissionStatusPath,
  recordPath,
} from '../i18n/paths.ts';
import { formatDayList } from '../i18n/format-forms.ts';
import { isMessageKey, type MessageKey, t, tPlural } from '../i18n/translate.ts';
import type { ReleasedEvents } from '../snapshot/list-records.ts';

/** As a subject line has it. `changed`: what was told of the same text before holds no more. */
type EmailTopic = 'source' | 'digest' | 'reminder' | SubscriberMailKind;
type Topic = Exclude<MailKind, 'state' | EmailTopic> | Decided | 'changed';
type Decided = 'question' | 'approved' | 'rejected';

/** What one queued letter has to say to its reader. */
export interface EmailPart {
  readonly topic: Topic | EmailTopic;
  /** Null for editors. */
  readonly to: string | null;
  readonly lang: Lang;
  readonly reference: string;
  readonly is_batch: boolean;
  /** How many things it is about. */
  readonly count: number;
  readonly text: string;
  /** The same, where that is all of the letter. */
  readonly html?: string;
  /** Where its reader has the address erased and no more letters; null for editors. */
  readonly leave_url: string | null;
  /** How things stand, as its reader knows by it. */
  readonly tells: readonly SubmissionChange[];
  /** There is more to say than one letter can: it stays queued. */
  readonly has_more: boolean;
}

export interface EmailSources {
  readonly inbox: Inbox;
  readonly site: Site;
  /** What serves; null where nothing does. */
  readonly release: ReleasedEvents | null;
  readonly now_ms: number;
  /** The sources of content that are followed. */
  readonly listFollowed: () => FollowedSources;
  /** Null where there is nothing to tell. */
  readonly writeForReader: (
    kind: SubscriberMailKind,
    reader: Subscriber,
  ) => Pick<EmailPart, 'text' | 'html' | 'count' | 'reference' | 'leave_url'> | null;
}

/** Null where nothing is to be said any more. */
export async function loadEmailPart(
  letter: QueuedEmail,
  sources: EmailSources,
): Promise<EmailPart | 'not_yet' | null> {
  if (letter.kind === 'digest') return readDigest(letter, sources);
  if (letter.kind === 'source') return readDead(letter, sources);
  if (letter.kind === 'reminder') return readReminder(letter, sources);
  if (letter.kind === 'confirm' || letter.kind === 'weekly')
    return readForReader(letter.kind, letter, sources);
  const { inbox, site, release } = sources;
  const batch = await getImportByReference(inbox, letter.subject);
  const sent =
    batch === null
      ? [await getSubmission(inbox, letter.subject)]
      : (await listImportedSubmissions(inbox, batch)).map(({ stored }) => stored);
  // What cannot be read is told of in the log, and waits until it can.
  if (sent.every((stored) => stored === null)) return 'not_yet';
  const is_urgent = letter.kind === 'urgent';
  const to = is_urgent ? null : await getContactEmail(inbox, letter.subject);
  if (!is_urgent && !(await canSendTo(inbox, to))) return null;
  const due = await listDue(letter, sent, sources);
  const is_released = (release?.generated_ms ?? 0) > letter.queued_ms;
  const ready = due.filter(
    ({ stored, page_url }) =>
      letter.kind !== 'state' || stored.state !== 'applied' || (is_released && page_url !== null),
  );
  const [first] = ready;
  if (first === undefined) return due.length > 0 && !is_released ? 'not_yet' : null;
  const { topic, stored } = first;
  const { reference, state, reason, message, text } = stored;
  const isAlike = (one: Due): boolean =>
    one.topic === topic && one.stored.state === state && one.stored.reason === reason;
  // A receipt is of all that was sent, whatever was decided since.
  const about = letter.kind === 'state' ? ready.filter(isAlike) : ready;
  const lang = is_urgent ? DEFAULT_LANG : (batch ?? text).lang;
  const token =
    batch === null ? await getStatusToken(inbox, reference) : getImportToken(inbox, batch);
  if (token === null && topic === 'receipt') return null;
  const path =
    token && (batch === null ? submissionStatusPath(token, lang) : calendarImportPath(token, lang));
  const url = path ? absoluteUrl(site.url, path) : null;
  const is_sent_back = letter.kind === 'state' && state !== 'applied';
  const start = batch === null ? `${toMoment(text.start, lang)} · ` : '';
  const title = batch === null ? text.title : batch.name || letter.subject;
  const under = (key: MessageKey, said: string | null): string | null =>
    said && `${t(lang, key)}\n${said}`;
  const lines = [
    toText(first, batch && about.length, lang),
    `${quoteLine(title)}\n> ${start}${letter.subject}`,
    ...(batch === null ? [] : toEvents(about, lang)),
    is_urgent && under('desk.message', message && quoteText(message)),
    is_sent_back && under('status.reason', reason && quoteText(reason)),
    batch === null && under('mail.page', first.page_url),
    is_urgent
      ? under('mail.desk', `${site.url}${DESK_PATHS.items}/${reference}`)
      : under(batch === null ? 'mail.link' : 'mail.link.batch', url),
  ];
  return {
    topic,
    to,
    lang,
    reference: letter.subject,
    is_batch: batch !== null,
    count: 1,
    text: lines.filter(Boolean).join('\n\n'),
    leave_url: to && url && `${url}?does=erase&stop=${unsubscribeKey(inbox, to)}`,
    tells: letter.kind === 'state' ? about.map((one) => one.stored) : [],
    has_more: about.length < (is_released ? ready : due).length,
  };
}

/** One submission of which something is to be said. */
interface Due {
  readonly stored: SubmissionChange;
  readonly topic: Topic;
  readonly page_url: string | null;
}

/** Those of what was sent of which something is to be said. */
async function listDue(
  letter: QueuedEmail,
  sent: readonly (SubmissionChange | null)[],
  { inbox, site, release }: EmailSources,
): Promise<readonly Due[]> {
  const all = await Array.fromAsync(sent, async (stored): Promise<Due | null> => {
    const topic = stored && (await toTopic(letter, stored, inbox));
    if (stored === null || topic === null) return null;
    const { lang } = stored.text;
    const is_shown = stored.is_published && letter.kind !== 'urgent';
    const slug = is_shown && release?.findSlug(eventIdOfSubmission(stored.reference));
    const page_url = slug ? absoluteUrl(site.url, recordPath('event', slug, lang)) : null;
    return { stored, topic, page_url };
  });
  return all.filter((one) => one !== null);
}

/** Nothing is told of what waits; and what its sender took back, the sender knows. */
const DECIDED: Readonly<Partial<Record<ChangeState, Decided>>> = {
  asked: 'question',
  applied: 'approved',
  refused: 'rejected',
};

/** What is to be said of one of them now; null where nothing is. */
async function toTopic(
  { kind }: QueuedEmail,
  stored: SubmissionChange,
  inbox: Inbox,
): Promise<Topic | null> {
  const { reference, state, revision } = stored;
  const stands = getSubmissionState(stored);
  if (kind === 'source' || kind === 'reminder' || kind === 'confirm' || kind === 'weekly')
    return null;
  if (kind === 'receipt') return stands === 'withdrawn' ? null : kind;
  if (kind !== 'state') return state === 'waiting' && isStatusRequest(stored) ? 'urgent' : null;
  const told = await getLastNotified(inbox, reference);
  const decided = DECIDED[state] ?? null;
  if (told?.revision !== revision) return decided;
  // It was taken up again, and decided anew.
  if (decided !== null && told.id !== stored.id) return decided;
  const is_to_tell = decided !== null || state === 'waiting';
  return is_to_tell && told.told !== stands ? 'changed' : null;
}

/** What is so; `count` events of a calendar are said together. */
function toText({ topic, stored }: Due, count: number | null, lang: Lang): string {
  const { asks, dates, is_published } = stored;
  const state = getSubmissionState(stored);
  const stands = state === 'withdrawn' ? 'pending' : state;
  // What stays published, and what was asked of it, is told by the decision alone.
  const is_of_published = is_published && (stored.state === 'refused' || isStatusRequest(stored));
  const decided = is_of_published ? DECIDED[stored.state] : undefined;
  const said = topic === 'changed' ? (decided ?? (`changed.${stands}` as const)) : topic;
  if (count !== null && said !== 'urgent') return tPlural(lang, `mail.text.batch.${said}`, count);
  const parts = { dates: dates === null ? '' : formatDayList(dates, lang) };
  if (said === 'rejected' && is_published) return t(lang, 'mail.text.rejected_change', parts);
  if (said !== 'urgent' && said !== 'approved') return t(lang, `mail.text.${said}`, parts);
  if (asks !== 'cancel' && asks !== 'postpone') return t(lang, `mail.text.approved.${asks}`, parts);
  const what = dates === null ? asks : (`${asks}_dates` as const);
  return t(lang, `mail.text.${said}.${what}`, parts);
}

/** Events of a calendar that are named in a letter about it. */
const EVENTS_NAMED = 20;

/** A few lines each; of many the rest in number. */
function toEvents(about: readonly Due[], lang: Lang): readonly string[] {
  const rest = about.length - EVENTS_NAMED;
  const named = about.slice(0, EVENTS_NAMED).map(({ stored: { text }, page_url }) => {
    const lines = [quoteLine(text.title), `> ${toMoment(text.start, lang)}`, page_url];
    return lines.filter(Boolean).join('\n');
  });
  return rest > 0 ? [...named, tPlural(lang, 'mail.batch.more', rest)] : named;
}

const NAMED = 10;

/** All that waits at the desk, for editors: how much of it, and what is most urgent. */
async function readDigest(
  { subject }: QueuedEmail,
  { inbox, site, now_ms }: EmailSources,
): Promise<EmailPart | null> {
  const lang = DEFAULT_LANG;
  const waiting = await listQueueRows(inbox);
  const queue = sortQueue(waiting.map((item) => assignUrgency(item, now_ms)));
  if (queue.length === 0) return null;
  const counts = URGENCY_GROUPS.flatMap((group) => {
    const { length } = queue.filter((item) => item.group === group);
    return length === 0 ? [] : [tPlural(lang, `mail.digest.${group}`, length)];
  });
  const lines = queue.slice(0, NAMED).map(({ reference, title, day }) => {
    const when = day === null ? '' : `\n> ${toMoment(day, lang)}`;
    return `${quoteLine(title)}${when}\n${site.url}${DESK_PATHS.items}/${reference}`;
  });
  const desk = `${t(lang, 'mail.desk')}\n${site.url}${DESK_PATHS.today}`;
  const text = [counts.join('\n'), ...lines, desk].join('\n\n');
  return { ...TO_EDITORS, topic: 'digest', reference: subject, count: queue.length, text };
}

const TO_EDITORS = {
  to: null,
  lang: DEFAULT_LANG,
  is_batch: false,
  leave_url: null,
  tells: [],
  has_more: false,
} as const;

/** A source that cannot be read any more; nothing where it can be again. */
async function readDead({ subject }: QueuedEmail, { inbox, site }: EmailSources) {
  const source = await getSourceState(inbox, subject);
  const { failing_ms = null, problem = null } = source ?? {};
  if (failing_ms === null) return null;
  const { lang } = TO_EDITORS;
  const day = formatLongDay(toLocalDay(failing_ms), lang);
  const said = t(lang, 'mail.text.source', { day });
  const text = [said, quoteLine(`${subject}: ${problem}`), `${site.url}${DESK_PATHS.sources}`];
  const part = { ...TO_EDITORS, reference: subject, count: 1, text: text.join('\n\n') };
  return { ...part, topic: 'source' } as const;
}

/** Whether an event is as it was, with a link for each answer; nothing where nobody is to be asked any more. */
async function readReminder(
  { subject, detail: day }: QueuedEmail,
  { inbox, site, release, listFollowed }: EmailSources,
): Promise<EmailPart | null> {
  const all = release?.listEventsToConfirm(Temporal.PlainDate.from(day)) ?? [];
  const asked = all.find(({ card }) => card.event.id === eventIdOfSubject(subject));
  const keeper =
    asked && (await findConfirmationContact(inbox, subject, asked.card, listFollowed()));
  if (!asked || !keeper) return null;
  const { to, lang, is_trusted } = keeper;
  const { id, title } = asked.card.event;
  const token = createConfirmationToken(inbox, { subject, day, is_trusted });
  const url = absoluteUrl(site.url, submissionStatusPath(token, lang));
  const own = subject === id ? null : await getStatusToken(inbox, subject);
  const form = absoluteUrl(
    site.url,
    own ? submissionStatusPath(own, lang) : correctionFormPath('event', id, lang),
  );
  const [first, ...others] = asked.dates;
  const days = [...new Set(asked.dates.map(({ start }) => start.slice(0, 10)))];
  const when = first && others.length === 0 ? formatWhen(first, lang) : formatDayList(days, lang);
  const lines = [
    t(lang, 'mail.text.reminder'),
    `${quoteLine(title[lang])}\n${quoteLine(when)}`,
    `${t(lang, 'ask.same')}:\n${url}`,
    `${t(lang, 'ask.changed')}:\n${form}${own ? '?does=correct' : ''}`,
    `${t(lang, 'ask.cancelled')}:\n${form}${own ? `?ask=${token}#actions` : ''}`,
  ];
  return {
    ...{ topic: 'reminder', to, lang, is_batch: false, count: 1, tells: [], has_more: false },
    reference: formatDayList(days.slice(0, 1), lang),
    text: lines.join('\n\n'),
    leave_url: `${url}?stop=${unsubscribeToken(inbox, to)}`,
  };
}

/** Nothing once they have left, or it is late. */
async function readForReader(
  topic: SubscriberMailKind,
  { subject, detail }: QueuedEmail,
  { inbox, now_ms, writeForReader }: EmailSources,
): Promise<EmailPart | null> {
  const reader = await getSubscriber(inbox, subject);
  if (reader === null || !(await canSendTo(inbox, reader.email))) return null;
  if (topic === 'weekly' && detail !== findDueNewsletterDate(now_ms)) return null;
  const written = writeForReader(topic, reader);
  return written && { ...TO_EDITORS, topic, to: reader.email, ...written, lang: reader.lang };
}

/** `sábado 5 de diciembre de 2026, 20:00`, from a local moment or a day. */
function toMoment(start: string, lang: Lang): string {
  const day = parseDay(start.slice(0, 10));
  if (day === null) return start.slice(0, 16);
  const time = start.slice(11);
  const long = formatLongDay(day, lang);
  return time === '' ? long : `${long}, ${formatTime(Temporal.PlainTime.from(time), lang)}`;
}

/** Characters of a line and of a text. */
const MAX = { line: 120, text: 600 } as const;

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;

/** Addresses broken so that no program makes links of them, still readable. */
export const defuseLinks = (text: string): string =>
  text
    .replace(/:\/\//g, ': //')
    .replace(/(?<=\S)@(?=\S)/g, ' @ ')
    .replace(/(?<=[\p{L}\p{N}_-])\.(?=[\p{L}\p{N}_-]*\p{L})/gu, '[.]');

/** One line, after `> `. */
export const quoteLine = (text: string): string =>
  `> ${cut(defuseLinks(cleanLine(text)), MAX.line)}`;

/** Each line after `> `. */
export const quoteText = (text: string): string =>
  cut(defuseLinks(cleanText(text)), MAX.text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** A letter without its address. Nothing of a stranger's stands in its subject. */
export interface Email {
  readonly lang: Lang;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** Where its reader has no more of them; null for editors. */
  readonly leave_url: string | null;
  /** Whether a POST there is enough (RFC 8058). */
  readonly is_one_click?: boolean;
}

/** Parts of one topic for one reader, in one letter. */
export function composeEmail(parts: readonly [EmailPart, ...EmailPart[]], site: Site): Email {
  const [{ topic, lang, reference, leave_url, is_batch, text, html }] = parts;
  const { name } = site;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const of_batch = `mail.subject.batch.${topic}`;
  const has_own_foot = topic === 'receipt' || topic === 'reminder';
  const foot = t(lang, has_own_foot ? `mail.foot.${topic}` : 'mail.foot', { name });
  return {
    lang,
    leave_url,
    is_one_click: SUBSCRIBER_MAIL_KINDS.some((kind) => kind === topic),
    subject:
      is_batch && isMessageKey(of_batch)
        ? t(lang, of_batch, { reference })
        : tPlural(lang, `mail.subject.${topic}`, count, { reference, name }),
    text: [
      t(lang, 'mail.hello'),
      parts.map(({ text }) => text).join('\n\n* * *\n\n'),
      ['-- ', `${name} · ${site.url}`, ...(leave_url === null ? [] : [foot, leave_url])].join('\n'),
    ].join('\n\n'),
    ...(html && { html, text }),
  };
}
