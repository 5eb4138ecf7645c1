// What one queued letter says of a submission, or of some of a calendar, read when it is sent: nothing where it is
// no longer so or told already, and not yet where a release must come first.
import type { StoredBatch } from '../domain/batch/batch.ts';
import { parseDay } from '../domain/cancun-time.ts';
import type { ChangeState } from '../domain/change.ts';
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import type { MailKind } from '../domain/mail.ts';
import type { Site } from '../domain/site.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { toDayOfYear } from '../i18n/dates.ts';
import { DESK_PATHS, toAbsolute, toBatchPath, toStatusPath, toThingPath } from '../i18n/paths.ts';
import { toDayWords } from '../i18n/form-words.ts';
import { type Key, t, tCount } from '../i18n/translate.ts';
import { getBatch, listSent, readBatchToken } from '../inbox/batches.ts';
import { getCurrent } from '../inbox/changes.ts';
import { listDecidedReferences } from '../inbox/decisions.ts';
import { type QueuedLetter, mayWriteTo, readEmail, toStopKey } from '../inbox/letters.ts';
import type { Inbox } from '../inbox/open.ts';
import { getSubmission, getTold, type Told, readToken } from '../inbox/submissions.ts';
import { toEventId } from '../desk/known.ts';
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
    ...{ topic, to, reference: mail.subject, lang },
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
async function toTopic(
  mail: QueuedLetter,
  stored: StoredSubmission,
  inbox: Inbox,
): Promise<Topic | null> {
  const { state, asks, is_published } = stored;
  const is_so = {
    receipt: state !== 'withdrawn',
    reminder: is_published,
    urgent: state === 'pending' && (asks === 'cancel' || asks === 'postpone'),
  };
  if (mail.kind === 'state') return toStanding(Number(mail.detail), stored, inbox);
  return mail.kind !== 'digest' && is_so[mail.kind] ? mail.kind : null;
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
