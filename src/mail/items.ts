// What one queued message says of its submission, read when it is sent: nothing where it is no longer so,
// and not yet where a release must come first.
import { DEFAULT_LANG, type Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { StoredSubmission } from '../domain/submission/submission.ts';
import { DESK_PATHS, toAbsolute, toStatusPath, toThingPath } from '../i18n/paths.ts';
import { type Key, t } from '../i18n/translate.ts';
import type { Inbox } from '../inbox/open.ts';
import type { QueuedMail } from '../inbox/outbox.ts';
import { getSubmission } from '../inbox/submissions.ts';
import type { Told } from '../inbox/submissions.ts';
import type { ReleasedEvents } from '../snapshot/list-things.ts';
import { isDecisionSo, isOfDecision, toChangedState, toReasonWords } from './decided.ts';
import { toEventId } from '../desk/known.ts';
import { toStopKey } from '../desk/mail.ts';
import { readToken } from '../desk/secret.ts';
import { parseDay } from '../domain/cancun-time.ts';
import { toDayOfYear } from '../i18n/dates.ts';
import { toDayWords } from '../i18n/submission-status.ts';

/** One thing that a letter tells. */
export interface LetterItem {
  readonly reference: string;
  /** In a stranger's words. */
  readonly title: string;
  /** Local: `2026-12-05T20:00`, or the day alone; null of a calendar. */
  readonly start: string | null;
  /** What is so, in our words. */
  readonly text: string;
  /** Words of the reviewer, or for editors of the sender; null where there are none. */
  readonly words: { readonly by: Key; readonly text: string } | null;
  /** The public page. */
  readonly page_url: string | null;
  /** The sender's private page, or the desk's. */
  readonly link: { readonly text: Key; readonly url: string } | null;
  /** Where its reader has the address erased and no more letters; null for editors. */
  readonly leave_url: string | null;
  /** Of a calendar its events that this is about; null of a submission. */
  readonly events: readonly LetterEvent[] | null;
  /** What its reader is told by it of a decision. */
  readonly tells: readonly Told[];
}

/** One event of a calendar. */
export interface LetterEvent {
  /** In a stranger's words. */
  readonly title: string;
  readonly start: string;
  readonly page_url: string | null;
}

/** One box and nothing that a mail program would read as several (WHATWG HTML, e-mail state). */
export const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

/** What a message comes to. */
export type LetterReading =
  | { readonly to: string | null; readonly lang: Lang; readonly item: LetterItem }
  | 'not_yet'
  | 'void';

export interface LetterSources {
  readonly inbox: Inbox;
  readonly site: Site;
  readonly release: ReleasedEvents;
}

/** Whether what a message tells is still so. */
function isSo(mail: QueuedMail, stored: StoredSubmission, inbox: Inbox): boolean {
  const { kind, revision } = mail;
  const { state } = stored;
  if (kind === 'receipt') return state !== 'withdrawn';
  if (kind === 'reminder') return stored.is_published;
  if (kind === 'changed') return isDecisionSo(mail, stored, inbox);
  if (stored.revision !== revision) return false;
  if (kind === 'urgent') return state === 'pending' && isUrgent(stored);
  return isDecisionSo(mail, stored, inbox);
}

const isUrgent = ({ asks }: StoredSubmission): boolean => asks === 'cancel' || asks === 'postpone';

/** The letter's part of a message about a submission; its address is null for editors. */
export function readItem(mail: QueuedMail, sources: LetterSources): LetterReading {
  const { inbox, site, release } = sources;
  const stored = getSubmission(inbox, mail.subject);
  if (stored === null || !isSo(mail, stored, inbox)) return 'void';
  const { reference, submission } = stored;
  const { title, start, lang } = submission;
  if (mail.kind === 'urgent') {
    const link = { text: 'mail.desk', url: `${site.url}${DESK_PATHS.items}/${reference}` } as const;
    const words = { by: 'desk.message', text: stored.message ?? '' } as const;
    const item = {
      ...{
        reference,
        title,
        start,
        text: toRequestText('urgent', stored, DEFAULT_LANG),
        words,
        link,
      },
      ...{ page_url: null, leave_url: null, events: null, tells: [] },
    };
    return { to: null, lang: DEFAULT_LANG, item };
  }
  const to = submission.contact_email;
  if (to === null || !ADDRESS.test(to)) return 'void';
  const id = toEventId(reference);
  const slug = stored.is_published ? release.findSlug(id) : null;
  if (mail.kind === 'approved' && release.generated_ms <= mail.queued_ms) return 'not_yet';
  if (mail.kind === 'approved' && slug === null) return 'void';
  const status_url = toStatusUrl(inbox, site, stored);
  if (status_url === null && mail.kind === 'receipt') return 'void';
  return {
    ...{ to, lang },
    item: {
      ...{ reference, title, start, text: toText(mail, stored) },
      words: toReasonWords(mail, stored),
      page_url: slug === null ? null : toAbsolute(site.url, toThingPath('event', slug, lang)),
      link: status_url === null ? null : { text: 'mail.link', url: status_url },
      leave_url: status_url && toLeaveUrl(inbox, status_url, to),
      events: null,
      tells: isOfDecision(mail) ? [stored] : [],
    },
  };
}

/** Where the reader of a letter has the address erased that it went to. */
export const toLeaveUrl = (inbox: Inbox, url: string, to: string): string =>
  `${url}?does=erase&stop=${toStopKey(inbox, to)}`;

/** Null where its token cannot be told. */
function toStatusUrl(inbox: Inbox, site: Site, stored: StoredSubmission): string | null {
  const token = readToken(inbox, stored.reference);
  return token && toAbsolute(site.url, toStatusPath(token, stored.submission.lang));
}

/** What is asked to be called off or put off, or is: all of it, or some of its days. */
function toRequestText(
  kind: 'urgent' | 'approved',
  { asks, dates }: StoredSubmission,
  lang: Lang,
): string {
  const what = asks === 'cancel' ? 'cancel' : 'postpone';
  return dates === null
    ? t(lang, `mail.text.${kind}.${what}`)
    : t(lang, `mail.text.${kind}.${what}_dates`, { dates: toDayWords(dates, lang) });
}

function toText({ kind, detail }: QueuedMail, stored: StoredSubmission): string {
  const { asks, is_published, submission } = stored;
  const { lang } = submission;
  if (kind === 'changed') return t(lang, `mail.text.changed.${toChangedState(stored)}`);
  if (kind === 'approved' && isUrgent(stored)) return toRequestText('approved', stored, lang);
  if (kind === 'approved') return t(lang, `mail.text.approved.${asks}`);
  if (kind === 'rejected')
    return t(lang, is_published ? 'mail.text.rejected_change' : 'mail.text.rejected');
  if (kind === 'question') return t(lang, 'mail.text.question');
  if (kind === 'receipt') return t(lang, 'mail.text.receipt');
  const day = parseDay(detail);
  return t(lang, 'mail.text.reminder', { day: day === null ? detail : toDayOfYear(day, lang) });
}
