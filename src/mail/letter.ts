// A letter in plain text, in its reader's language. What a queued letter says is read when it is sent: nothing
// where it is no longer so or told already, and not yet where a release must come first.
import { Temporal } from 'temporal-polyfill';
import { findKeeper, type Followed, toAskedId, toAskToken } from '../desk/confirm.ts';
import { toEventId } from '../desk/known.ts';
import { getBatch, listSent, readBatchToken } from '../inbox/batches.ts';
import { type QueuedLetter, mayWriteTo, readEmail, toStop, toStopKey } from '../inbox/letters.ts';
import { findReader, type Reader } from '../inbox/readers.ts';
import { getSource } from '../inbox/followed.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission, getTold, listWaiting, readToken } from '../inbox/changes.ts';
import { parseDay, toLocalDay } from '../domain/local-time.ts';
import {
  type ChangeState,
  isRequest,
  type SenderChange,
  toSubmissionState,
} from '../domain/change.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import { findWeekDue, type MailKind, READER_MAIL, type ReaderMail } from '../domain/mail.ts';
import { QUEUE_GROUPS, sortQueue, toQueueItem } from '../domain/queue.ts';
import type { Site } from '../domain/site.ts';
import { toHour, toLongDay, toWhen } from '../i18n/dates.ts';
import {
  DESK_PATHS,
  toAbsolute,
  toBatchPath,
  toCorrectPath,
  toStatusPath,
  toThingPath,
} from '../i18n/paths.ts';
import { toDayWords } from '../i18n/form-words.ts';
import { isKey, type Key, t, tCount } from '../i18n/translate.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';

/** As a subject line has it. `changed`: what was told of the same text before holds no more. */
type Own = 'source' | 'digest' | 'reminder' | ReaderMail;
type Topic = Exclude<MailKind, 'state' | Own> | Decided | 'changed';
type Decided = 'question' | 'approved' | 'rejected';

/** What one queued letter has to say to its reader. */
export interface Part {
  readonly topic: Topic | Own;
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
  readonly tells: readonly SenderChange[];
  /** There is more to say than one letter can: it stays queued. */
  readonly has_more: boolean;
}

export interface LetterSources {
  readonly inbox: Inbox;
  readonly site: Site;
  /** What serves; null where nothing does. */
  readonly release: ReleasedEvents | null;
  readonly now_ms: number;
  /** The sources of content that are followed. */
  readonly listFollowed: () => Followed;
  /** Null where there is nothing to tell. */
  readonly writeForReader: (
    kind: ReaderMail,
    reader: Reader,
  ) => Pick<Part, 'text' | 'html' | 'count' | 'reference' | 'leave_url'> | null;
}

/** Null where nothing is to be said any more. */
export async function readPart(
  letter: QueuedLetter,
  sources: LetterSources,
): Promise<Part | 'not_yet' | null> {
  if (letter.kind === 'digest') return readDigest(letter, sources);
  if (letter.kind === 'source') return readDead(letter, sources);
  if (letter.kind === 'reminder') return readReminder(letter, sources);
  if (letter.kind === 'confirm' || letter.kind === 'weekly')
    return readForReader(letter.kind, letter, sources);
  const { inbox, site, release } = sources;
  const batch = await getBatch(inbox, letter.subject);
  const sent =
    batch === null
      ? [await getSubmission(inbox, letter.subject)]
      : (await listSent(inbox, batch)).map(({ stored }) => stored);
  // What cannot be read is told of in the log, and waits until it can.
  if (sent.every((stored) => stored === null)) return 'not_yet';
  const is_urgent = letter.kind === 'urgent';
  const to = is_urgent ? null : await readEmail(inbox, letter.subject);
  if (!is_urgent && !(await mayWriteTo(inbox, to))) return null;
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
  const token = batch === null ? await readToken(inbox, reference) : readBatchToken(inbox, batch);
  if (token === null && topic === 'receipt') return null;
  const path = token && (batch === null ? toStatusPath(token, lang) : toBatchPath(token, lang));
  const url = path ? toAbsolute(site.url, path) : null;
  const is_sent_back = letter.kind === 'state' && state !== 'applied';
  const start = batch === null ? `${toMoment(text.start, lang)} · ` : '';
  const title = batch === null ? text.title : batch.name || letter.subject;
  const under = (key: Key, said: string | null): string | null =>
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
    leave_url: to && url && `${url}?does=erase&stop=${toStopKey(inbox, to)}`,
    tells: letter.kind === 'state' ? about.map((one) => one.stored) : [],
    has_more: about.length < (is_released ? ready : due).length,
  };
}

/** One submission of which something is to be said. */
interface Due {
  readonly stored: SenderChange;
  readonly topic: Topic;
  readonly page_url: string | null;
}

/** Those of what was sent of which something is to be said. */
async function listDue(
  letter: QueuedLetter,
  sent: readonly (SenderChange | null)[],
  { inbox, site, release }: LetterSources,
): Promise<readonly Due[]> {
  const all = await Array.fromAsync(sent, async (stored): Promise<Due | null> => {
    const topic = stored && (await toTopic(letter, stored, inbox));
    if (stored === null || topic === null) return null;
    const { lang } = stored.text;
    const is_shown = stored.is_published && letter.kind !== 'urgent';
    const slug = is_shown && release?.findSlug(toEventId(stored.reference));
    const page_url = slug ? toAbsolute(site.url, toThingPath('event', slug, lang)) : null;
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
  { kind }: QueuedLetter,
  stored: SenderChange,
  inbox: Inbox,
): Promise<Topic | null> {
  const { reference, state, revision } = stored;
  const stands = toSubmissionState(stored);
  if (kind === 'source' || kind === 'reminder' || kind === 'confirm' || kind === 'weekly')
    return null;
  if (kind === 'receipt') return stands === 'withdrawn' ? null : kind;
  if (kind !== 'state') return state === 'waiting' && isRequest(stored) ? 'urgent' : null;
  const told = await getTold(inbox, reference);
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
  const state = toSubmissionState(stored);
  const stands = state === 'withdrawn' ? 'pending' : state;
  // What stays published, and what was asked of it, is told by the decision alone.
  const is_of_published = is_published && (stored.state === 'refused' || isRequest(stored));
  const decided = is_of_published ? DECIDED[stored.state] : undefined;
  const said = topic === 'changed' ? (decided ?? (`changed.${stands}` as const)) : topic;
  if (count !== null && said !== 'urgent') return tCount(lang, `mail.text.batch.${said}`, count);
  const parts = { dates: dates === null ? '' : toDayWords(dates, lang) };
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
  return rest > 0 ? [...named, tCount(lang, 'mail.batch.more', rest)] : named;
}

const NAMED = 10;

/** All that waits at the desk, for editors: how much of it, and what is most urgent. */
async function readDigest(
  { subject }: QueuedLetter,
  { inbox, site, now_ms }: LetterSources,
): Promise<Part | null> {
  const lang = DEFAULT_LANG;
  const waiting = await listWaiting(inbox);
  const queue = sortQueue(waiting.map((item) => toQueueItem(item, now_ms)));
  if (queue.length === 0) return null;
  const counts = QUEUE_GROUPS.flatMap((group) => {
    const { length } = queue.filter((item) => item.group === group);
    return length === 0 ? [] : [tCount(lang, `mail.digest.${group}`, length)];
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
async function readDead({ subject }: QueuedLetter, { inbox, site }: LetterSources) {
  const source = await getSource(inbox, subject);
  const { failing_ms = null, problem = null } = source ?? {};
  if (failing_ms === null) return null;
  const { lang } = TO_EDITORS;
  const day = toLongDay(toLocalDay(failing_ms), lang);
  const said = t(lang, 'mail.text.source', { day });
  const text = [said, quoteLine(`${subject}: ${problem}`), `${site.url}${DESK_PATHS.sources}`];
  const part = { ...TO_EDITORS, reference: subject, count: 1, text: text.join('\n\n') };
  return { ...part, topic: 'source' } as const;
}

/** Whether an event is as it was, with a link for each answer; nothing where nobody is to be asked any more. */
async function readReminder(
  { subject, detail: day }: QueuedLetter,
  { inbox, site, release, listFollowed }: LetterSources,
): Promise<Part | null> {
  const all = release?.listAsked(Temporal.PlainDate.from(day)) ?? [];
  const asked = all.find(({ card }) => card.event.id === toAskedId(subject));
  const keeper = asked && (await findKeeper(inbox, subject, asked.card, listFollowed()));
  if (!asked || !keeper) return null;
  const { to, lang, is_trusted } = keeper;
  const { id, title } = asked.card.event;
  const token = toAskToken(inbox, { subject, day, is_trusted });
  const url = toAbsolute(site.url, toStatusPath(token, lang));
  const own = subject === id ? null : await readToken(inbox, subject);
  const form = toAbsolute(
    site.url,
    own ? toStatusPath(own, lang) : toCorrectPath('event', id, lang),
  );
  const [first, ...others] = asked.dates;
  const days = [...new Set(asked.dates.map(({ start }) => start.slice(0, 10)))];
  const when = first && others.length === 0 ? toWhen(first, lang) : toDayWords(days, lang);
  const lines = [
    t(lang, 'mail.text.reminder'),
    `${quoteLine(title[lang])}\n${quoteLine(when)}`,
    `${t(lang, 'ask.same')}:\n${url}`,
    `${t(lang, 'ask.changed')}:\n${form}${own ? '?does=correct' : ''}`,
    `${t(lang, 'ask.cancelled')}:\n${form}${own ? `?ask=${token}#actions` : ''}`,
  ];
  return {
    ...{ topic: 'reminder', to, lang, is_batch: false, count: 1, tells: [], has_more: false },
    reference: toDayWords(days.slice(0, 1), lang),
    text: lines.join('\n\n'),
    leave_url: `${url}?stop=${toStop(inbox, to)}`,
  };
}

/** Nothing once they have left, or it is late. */
async function readForReader(
  topic: ReaderMail,
  { subject, detail }: QueuedLetter,
  { inbox, now_ms, writeForReader }: LetterSources,
): Promise<Part | null> {
  const reader = await findReader(inbox, subject);
  if (reader === null || !(await mayWriteTo(inbox, reader.email))) return null;
  if (topic === 'weekly' && detail !== findWeekDue(now_ms)) return null;
  const written = writeForReader(topic, reader);
  return written && { ...TO_EDITORS, topic, to: reader.email, ...written, lang: reader.lang };
}

/** `sábado 5 de diciembre de 2026, 20:00`, from a local moment or a day. */
function toMoment(start: string, lang: Lang): string {
  const day = parseDay(start.slice(0, 10));
  if (day === null) return start.slice(0, 16);
  const time = start.slice(11);
  const long = toLongDay(day, lang);
  return time === '' ? long : `${long}, ${toHour(Temporal.PlainTime.from(time), lang)}`;
}

/** Characters of a line and of a text. */
const MAX = { line: 120, text: 600 } as const;

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;

/** Addresses broken so that no program makes links of them, still readable. */
export const unlink = (text: string): string =>
  text
    .replace(/:\/\//g, ': //')
    .replace(/(?<=\S)@(?=\S)/g, ' @ ')
    .replace(/(?<=[\p{L}\p{N}_-])\.(?=[\p{L}\p{N}_-]*\p{L})/gu, '[.]');

/** One line, after `> `. */
export const quoteLine = (text: string): string => `> ${cut(unlink(toCleanLine(text)), MAX.line)}`;

/** Each line after `> `. */
export const quoteText = (text: string): string =>
  cut(unlink(toCleanText(text)), MAX.text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** A letter without its address. Nothing of a stranger's stands in its subject. */
export interface Letter {
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
export function writeLetter(parts: readonly [Part, ...Part[]], site: Site): Letter {
  const [{ topic, lang, reference, leave_url, is_batch, text, html }] = parts;
  const { name } = site;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const of_batch = `mail.subject.batch.${topic}`;
  const has_own_foot = topic === 'receipt' || topic === 'reminder';
  const foot = t(lang, has_own_foot ? `mail.foot.${topic}` : 'mail.foot', { name });
  return {
    lang,
    leave_url,
    is_one_click: READER_MAIL.some((kind) => kind === topic),
    subject:
      is_batch && isKey(of_batch)
        ? t(lang, of_batch, { reference })
        : tCount(lang, `mail.subject.${topic}`, count, { reference, name }),
    text: [
      t(lang, 'mail.hello'),
      parts.map(({ text }) => text).join('\n\n* * *\n\n'),
      ['-- ', `${name} · ${site.url}`, ...(leave_url === null ? [] : [foot, leave_url])].join('\n'),
    ].join('\n\n'),
    ...(html && { html, text }),
  };
}
