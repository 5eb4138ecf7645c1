// A letter in plain text, in its reader's language. What one queued letter says of a submission, or of some of a
// calendar, is read when it is sent: nothing where it is no longer so or told already, and not yet where a release
// must come first.
import { Temporal } from 'temporal-polyfill';
import { toEventId } from '../desk/known.ts';
import { getBatch, listSent, readBatchToken } from '../inbox/batches.ts';
import { getCurrent } from '../inbox/changes.ts';
import { listDecidedReferences } from '../inbox/decisions.ts';
import { type QueuedLetter, mayWriteTo, readEmail, toStopKey } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission, getTold, type Told, readToken } from '../inbox/submissions.ts';
import type { StoredBatch } from '../domain/batch.ts';
import { parseDay } from '../domain/cancun-time.ts';
import type { ChangeState } from '../domain/change.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import type { MailKind } from '../domain/mail.ts';
import { QUEUE_GROUPS, type QueueItem, type QueueKind } from '../domain/queue.ts';
import type { Site } from '../domain/site.ts';
import { isRequest, type StoredSubmission } from '../domain/submission/submission.ts';
import { toDayOfYear, toHour, toLongDay } from '../i18n/dates.ts';
import { DESK_PATHS, toAbsolute, toBatchPath, toStatusPath, toThingPath } from '../i18n/paths.ts';
import { toDayWords } from '../i18n/form-words.ts';
import { type Key, t, tCount } from '../i18n/translate.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';

/** What a letter is about, as its subject line has it. `changed`: what was told of it before holds no more. */
export type Topic = Exclude<MailKind, 'state' | 'digest'> | Decided | 'changed';
type Decided = 'question' | 'approved' | 'rejected';

/** One thing that a letter tells. */
export interface LetterItem {
  readonly topic: Topic;
  /** Its address; null for editors. */
  readonly to: string | null;
  readonly lang: Lang;
  readonly reference: string;
  /** In a stranger's words. */
  readonly title: string;
  /** Local: `2026-12-05T20:00`, or the day alone; null of a calendar. */
  readonly start: string | null;
  /** What is so, in our words. */
  readonly text: string;
  /** Words of the reviewer, or for editors of the sender; empty where there are none. */
  readonly words: { readonly by: Key; readonly text: string };
  /** The public page. */
  readonly page_url: string | null;
  /** The sender's private page, or the desk's. */
  readonly link: { readonly text: Key; readonly url: string } | null;
  /** Where its reader has the address erased and no more letters; null for editors. */
  readonly leave_url: string | null;
  /** Of a calendar its events that this is about; null of a submission. */
  readonly events:
    | readonly (Pick<LetterItem, 'title' | 'page_url'> & { readonly start: string })[]
    | null;
  /** What its reader is told by it of a decision. */
  readonly tells: readonly Told[];
}

export interface LetterSources {
  readonly inbox: Inbox;
  readonly site: Site;
  /** What serves; null where nothing does. */
  readonly release: ReleasedEvents | null;
}

/** What a letter comes to; it may have to wait, or be of no use any more. */
export async function readItem(
  mail: QueuedLetter,
  { inbox, site, release }: LetterSources,
): Promise<LetterItem | 'not_yet' | 'void'> {
  const batch = await getBatch(inbox, mail.subject);
  const all = await Array.fromAsync(await listAbout(mail, batch, inbox), async (stored) => {
    const { title, start, lang } = stored.submission;
    const is_shown = stored.is_published && mail.kind !== 'urgent';
    const slug = is_shown && release?.findSlug(toEventId(stored.reference));
    const page_url = slug ? toAbsolute(site.url, toThingPath('event', slug, lang)) : null;
    return { stored, topic: await toTopic(mail, stored, inbox), event: { title, start, page_url } };
  });
  const topic = all.find((one) => one.topic !== null)?.topic;
  const is_urgent = topic === 'urgent';
  const to = is_urgent ? null : await readEmail(inbox, mail.subject);
  if (!topic || (!is_urgent && !(await mayWriteTo(inbox, to)))) return 'void';
  if (topic === 'approved' && (release?.generated_ms ?? 0) <= mail.queued_ms) return 'not_yet';
  const about = all.filter(
    (one) => one.topic === topic && (topic !== 'approved' || one.event.page_url !== null),
  );
  const [first] = about;
  if (first === undefined) return 'void';
  const { reference, state, reason, message, submission } = first.stored;
  const lang = is_urgent ? DEFAULT_LANG : (batch ?? submission).lang;
  const token = batch === null ? await readToken(inbox, reference) : readBatchToken(inbox, batch);
  if (token === null && topic === 'receipt') return 'void';
  const path = token && (batch === null ? toStatusPath(token, lang) : toBatchPath(token, lang));
  const url = path ? toAbsolute(site.url, path) : null;
  const own = url && ({ text: batch === null ? 'mail.link' : 'mail.link.batch', url } as const);
  const is_sent_back = mail.kind === 'state' && state !== 'approved';
  return {
    topic,
    to,
    lang,
    reference: mail.subject,
    ...(batch === null
      ? first.event
      : { title: batch.name || mail.subject, start: null, page_url: null }),
    events: batch && about.map(({ event }) => event),
    text: toText(mail, topic, first.stored, lang, batch && about.length),
    words: is_urgent
      ? { by: 'desk.message', text: message ?? '' }
      : { by: 'status.reason', text: (is_sent_back && reason) || '' },
    link: is_urgent
      ? { text: 'mail.desk', url: `${site.url}${DESK_PATHS.items}/${reference}` }
      : own || null,
    leave_url: to && url && `${url}?does=erase&stop=${toStopKey(inbox, to)}`,
    tells: mail.kind === 'state' ? about.map(({ stored }) => stored) : [],
  };
}

/** The submissions that a letter is about. */
async function listAbout(
  { kind, subject, detail }: QueuedLetter,
  batch: StoredBatch | null,
  inbox: Inbox,
): Promise<readonly StoredSubmission[]> {
  if (batch !== null && kind === 'receipt')
    return (await listSent(inbox, batch)).map((one) => one.stored);
  const references =
    batch === null ? [subject] : await listDecidedReferences(inbox, Number(detail));
  const stored = await Array.fromAsync(references, (reference) => getSubmission(inbox, reference));
  return stored.filter((one) => one !== null);
}

/** What is to be said of one of them now; null where nothing is. */
async function toTopic({ kind, detail }: QueuedLetter, stored: StoredSubmission, inbox: Inbox) {
  if (kind === 'state') return toStanding(Number(detail), stored, inbox);
  const is_so = {
    receipt: stored.state !== 'withdrawn',
    reminder: stored.is_published,
    urgent: stored.state === 'pending' && isRequest(stored),
  };
  return kind !== 'digest' && is_so[kind] ? kind : null;
}

/** What is told of what was decided; of what waits nothing, and what its sender took back, the sender knows. */
const DECIDED: Readonly<Partial<Record<ChangeState, Decided>>> = {
  asked: 'question',
  applied: 'approved',
  refused: 'rejected',
};

/**
 * How one stands, as a decision has it to tell: null where that was told, or a newer decision has more to say.
 * One that was undone leaves it as an older decision did, or waiting.
 */
async function toStanding(
  decision: number,
  stored: StoredSubmission,
  inbox: Inbox,
): Promise<Topic | null> {
  const { reference, revision, state } = stored;
  const change = await getCurrent(inbox, reference);
  const decided = change && DECIDED[change.state];
  const told = await getTold(inbox, reference);
  if (decided) {
    const by = change.decided ?? decision;
    if (by >= decision) return by === decision ? decided : null;
  } else if (state !== 'pending') return null;
  if (told?.revision !== revision) return decided ?? null;
  return told.state === state ? null : 'changed';
}

/** What is so; `count` events of a calendar are said together. */
function toText(
  { detail }: QueuedLetter,
  topic: Topic,
  { asks, dates, is_published, state }: StoredSubmission,
  lang: Lang,
  count: number | null,
): string {
  if (topic === 'reminder') {
    const day = parseDay(detail);
    return t(lang, 'mail.text.reminder', { day: day === null ? detail : toDayOfYear(day, lang) });
  }
  if (topic === 'changed') {
    const stands = state === 'withdrawn' ? 'pending' : state;
    return count === null
      ? t(lang, `mail.text.changed.${stands}`)
      : tCount(lang, `mail.text.batch.changed.${stands}`, count);
  }
  if (count !== null && topic !== 'urgent') return tCount(lang, `mail.text.batch.${topic}`, count);
  if (topic === 'urgent' || topic === 'approved') {
    if (asks !== 'cancel' && asks !== 'postpone') return t(lang, `mail.text.approved.${asks}`);
    return dates === null
      ? t(lang, `mail.text.${topic}.${asks}`)
      : t(lang, `mail.text.${topic}.${asks}_dates`, { dates: toDayWords(dates, lang) });
  }
  if (topic === 'rejected' && is_published) return t(lang, 'mail.text.rejected_change');
  return t(lang, `mail.text.${topic}`);
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

/** A letter without its address. */
export interface Letter {
  readonly lang: Lang;
  /** Nothing of a stranger's. */
  readonly subject: string;
  readonly text: string;
  /** Where its reader has no more of them; null for editors. */
  readonly leave_url: string | null;
}

/** Those of one topic to one reader, in one letter. */
export function writeLetter(items: readonly [LetterItem, ...LetterItem[]], site: Site): Letter {
  const [{ topic, lang, reference, leave_url, events }] = items;
  const { name } = site;
  const foot = topic === 'receipt' ? 'mail.foot.receipt' : 'mail.foot';
  return {
    lang,
    leave_url,
    subject:
      events === null || topic === 'urgent' || topic === 'reminder'
        ? tCount(lang, `mail.subject.${topic}`, items.length, { reference, name })
        : t(lang, `mail.subject.batch.${topic}`, { reference }),
    text: toLetterText(
      site,
      lang,
      items.map((item) => toPart(item, lang)),
      leave_url === null ? [] : [t(lang, foot, { name }), leave_url],
    ),
  };
}

const toLetterText = (site: Site, lang: Lang, parts: readonly string[], foot: readonly string[]) =>
  [
    t(lang, 'mail.hello'),
    parts.join('\n\n* * *\n\n'),
    ['-- ', `${site.name} · ${site.url}`, ...foot].join('\n'),
  ].join('\n\n');

/** Events of a calendar that are named in a letter about it. */
const EVENTS_NAMED = 20;

/** Events of a calendar, a few lines each; of many the rest in number. */
function toEvents(events: LetterItem['events'], lang: Lang): readonly string[] {
  if (events === null) return [];
  const rest = events.length - EVENTS_NAMED;
  return [
    ...events
      .slice(0, EVENTS_NAMED)
      .map(({ title, start, page_url }) =>
        [quoteLine(title), `> ${toMoment(start, lang)}`, page_url].filter(Boolean).join('\n'),
      ),
    ...(rest > 0 ? [tCount(lang, 'mail.batch.more', rest)] : []),
  ];
}

function toPart(item: LetterItem, lang: Lang): string {
  const { title, start, reference, text, words, page_url, link, events } = item;
  const under = [...(start === null ? [] : [toMoment(start, lang)]), reference].join(' · ');
  return [
    text,
    `${quoteLine(title)}\n> ${under}`,
    ...toEvents(events, lang),
    ...(words.text === '' ? [] : [`${t(lang, words.by)}\n${quoteText(words.text)}`]),
    ...(page_url === null ? [] : [`${t(lang, 'mail.page')}\n${page_url}`]),
    ...(link === null ? [] : [`${t(lang, link.text)}\n${link.url}`]),
  ].join('\n\n');
}

/** `sábado 5 de diciembre de 2026, 20:00`, from a local moment or a day. */
function toMoment(start: string, lang: Lang): string {
  const day = parseDay(start.slice(0, 10));
  if (day === null) return start.slice(0, 16);
  const time = start.slice(11);
  const long = toLongDay(day, lang);
  return time === '' ? long : `${long}, ${toHour(Temporal.PlainTime.from(time), lang)}`;
}

/** Named in a digest. */
const NAMED = 10;
const FOLDERS: Readonly<Record<QueueKind, string>> = {
  request: DESK_PATHS.items,
  change: DESK_PATHS.items,
  new: DESK_PATHS.items,
  batch: DESK_PATHS.batches,
  report: DESK_PATHS.corrections,
};

/** What waits at the desk, for editors: how much of it, and what is most urgent. */
export function writeDigest(queue: readonly QueueItem[], site: Site): Letter {
  const lang = DEFAULT_LANG;
  const counts = QUEUE_GROUPS.flatMap((group) => {
    const { length } = queue.filter((item) => item.group === group);
    return length === 0 ? [] : [tCount(lang, `mail.digest.${group}`, length)];
  });
  const lines = queue.slice(0, NAMED).map(({ kind, reference, title, day }) => {
    const when = day === null ? '' : `\n> ${toMoment(day, lang)}`;
    return `${quoteLine(title)}${when}\n${site.url}${FOLDERS[kind]}/${reference}`;
  });
  const desk = `${t(lang, 'mail.desk')}\n${site.url}${DESK_PATHS.queue}`;
  return {
    lang,
    subject: tCount(lang, 'mail.subject.digest', queue.length, { name: site.name }),
    text: toLetterText(site, lang, [[counts.join('\n'), ...lines, desk].join('\n\n')], []),
    leave_url: null,
  };
}
