// Email content: renders queued emails in plain text, in the recipient's language. The content is loaded when
// an email is sent: outdated or already reported facts are dropped. Kinds of email (contract 14.24, 14.41, 14.44):
// - `receipt`, to the sender: a submission or imported calendar with an email address was stored.
// - `state`, to the sender: an editor decided, or undid a decision, five minutes ago. An approval waits for the
//   release that publishes the event, because the email links to its page.
// - `urgent`, to the editors: a sender asks to cancel or postpone a published event.
// - `digest`, to the editors: the review queue, once a day.
// - `source`, to the editors: a followed source has failed for 48 hours; once per failure.
// - `reminder`, to the sender or contact of an event: the question if it still takes place, two days before.
// - `confirm`, to an address entered for the newsletter: the request to confirm it.
// - `weekly`, to subscribers: the newsletter, each Thursday.
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
import type { CalendarImport } from '../domain/calendar-import.ts';
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

/** The decision that a `state` email reports. */
type DecisionTopic = 'question' | 'approved' | 'rejected';
/** Topic of an email about submissions. `changed`: the status reported before no longer applies. */
type SubmissionTopic = 'receipt' | 'urgent' | DecisionTopic | 'changed';
/** Topic of an email, which selects its subject line. Kinds other than `state` are their own topic. */
type EmailTopic = Exclude<MailKind, 'state'> | SubmissionTopic;

/** The content of one queued email. */
export interface EmailPart {
  readonly topic: EmailTopic;
  /** Recipient's address; null for editors, whose addresses the mailer adds. */
  readonly to: string | null;
  readonly lang: Lang;
  /** Identifies the email in its subject line: a reference, a day, or the key of a source. */
  readonly reference: string;
  /** It is about an imported calendar. */
  readonly is_batch: boolean;
  /** Number of items that it is about, for the plural of the subject line. */
  readonly count: number;
  readonly text: string;
  /** HTML version, if the email has only this part. */
  readonly html?: string;
  /** Address to unsubscribe and erase the email address; null for editors. */
  readonly unsubscribe_url: string | null;
  /** Changes whose status is reported by it. */
  readonly reported_changes: readonly SubmissionChange[];
  /** More changes remain to be reported: the email stays queued and is composed again. */
  readonly has_more: boolean;
}

export interface EmailSources {
  readonly inbox: Inbox;
  readonly site: Site;
  /** The live release; null if there is none. */
  readonly release: ReleasedEvents | null;
  readonly now_ms: number;
  readonly listFollowedSources: () => FollowedSources;
  /** Composes an email to a subscriber. @returns null if there is nothing to send. */
  readonly composeForSubscriber: (
    kind: SubscriberMailKind,
    subscriber: Subscriber,
  ) => Pick<EmailPart, 'text' | 'html' | 'count' | 'reference' | 'unsubscribe_url'> | null;
}

/**
 * Loads the content of a queued email.
 * @returns null if there is nothing to report any more, 'not_yet' if it must wait.
 */
export async function loadEmailPart(
  email: QueuedEmail,
  sources: EmailSources,
): Promise<EmailPart | 'not_yet' | null> {
  switch (email.kind) {
    case 'digest':
      return loadDigest(email, sources);
    case 'source':
      return loadSourceFailure(email, sources);
    case 'reminder':
      return loadReminder(email, sources);
    case 'confirm':
    case 'weekly':
      return loadSubscriberEmail(email.kind, email, sources);
    default:
      return loadSubmissionEmail(email, sources);
  }
}

async function loadSubmissionEmail(
  email: QueuedEmail,
  sources: EmailSources,
): Promise<EmailPart | 'not_yet' | null> {
  const { inbox, release } = sources;
  const batch = await getImportByReference(inbox, email.subject);
  const submissions =
    batch === null
      ? [await getSubmission(inbox, email.subject)]
      : (await listImportedSubmissions(inbox, batch)).map(({ stored }) => stored);
  // Unreadable submissions are logged, and their email waits until they can be read.
  if (submissions.every((stored) => stored === null)) return 'not_yet';
  const is_urgent = email.kind === 'urgent';
  const to = is_urgent ? null : await getContactEmail(inbox, email.subject);
  if (!is_urgent && !(await canSendTo(inbox, to))) return null;
  const reports = await listReports(email, submissions, sources);
  // An email is queued with its decision, so a release generated later includes the decision.
  const is_released = (release?.generated_ms ?? 0) > email.queued_ms;
  const isReady = ({ stored, page_url }: Report): boolean =>
    email.kind !== 'state' || stored.state !== 'applied' || (is_released && page_url !== null);
  const ready = reports.filter(isReady);
  // After that release, an approved event without a page is not reported: there is no page to link to.
  const remaining = is_released ? ready : reports;
  const [first_report] = ready;
  if (first_report === undefined) return remaining.length > 0 ? 'not_yet' : null;
  const { topic, stored } = first_report;
  const isSameOutcome = (report: Report): boolean =>
    report.topic === topic &&
    report.stored.state === stored.state &&
    report.stored.reason === stored.reason;
  // A `state` email has one outcome, as its text has one reason. A receipt covers the whole import, even if some
  // of it has been decided since.
  const included = email.kind === 'state' ? ready.filter(isSameOutcome) : ready;
  const lang = is_urgent ? DEFAULT_LANG : (batch ?? stored.text).lang;
  const token =
    batch === null ? await getStatusToken(inbox, stored.reference) : getImportToken(inbox, batch);
  if (token === null && topic === 'receipt') return null;
  const path =
    token && (batch === null ? submissionStatusPath(token, lang) : calendarImportPath(token, lang));
  const status_url = path ? absoluteUrl(sources.site.url, path) : null;
  return {
    topic,
    to,
    lang,
    reference: email.subject,
    is_batch: batch !== null,
    count: 1,
    text: renderReports(email, first_report, included, batch, lang, status_url, sources.site),
    // The status page asks to erase the private data; the key shows access to the mailbox, so email stops too.
    unsubscribe_url:
      to && status_url && `${status_url}?does=erase&stop=${unsubscribeKey(inbox, to)}`,
    reported_changes: email.kind === 'state' ? included.map((report) => report.stored) : [],
    has_more: included.length < remaining.length,
  };
}

function renderReports(
  email: QueuedEmail,
  first_report: Report,
  included: readonly Report[],
  batch: CalendarImport | null,
  lang: Lang,
  status_url: string | null,
  site: Site,
): string {
  const { reference, state, reason, message, text } = first_report.stored;
  const is_urgent = email.kind === 'urgent';
  const has_reason = email.kind === 'state' && state !== 'applied';
  const start = batch === null ? `${formatStart(text.start, lang)} · ` : '';
  const title = batch === null ? text.title : batch.name || email.subject;
  const withHeading = (key: MessageKey, content: string | null): string | null =>
    content && `${t(lang, key)}\n${content}`;
  const blocks = [
    formatOutcome(first_report, batch && included.length, lang),
    `${quoteLine(title)}\n> ${start}${email.subject}`,
    ...(batch === null ? [] : formatEventList(included, lang)),
    is_urgent && withHeading('desk.message', message && quoteText(message)),
    has_reason && withHeading('status.reason', reason && quoteText(reason)),
    batch === null && withHeading('mail.page', first_report.page_url),
    is_urgent
      ? withHeading('mail.desk', `${site.url}${DESK_PATHS.items}/${reference}`)
      : withHeading(batch === null ? 'mail.link' : 'mail.link.batch', status_url),
  ];
  return blocks.filter(Boolean).join('\n\n');
}

/** A submission to report in an email. */
interface Report {
  readonly stored: SubmissionChange;
  readonly topic: SubmissionTopic;
  /** Address of its published event; null if unpublished, and for editors. */
  readonly page_url: string | null;
}

/** Lists the submissions that must be reported. */
async function listReports(
  email: QueuedEmail,
  submissions: readonly (SubmissionChange | null)[],
  { inbox, site, release }: EmailSources,
): Promise<readonly Report[]> {
  const reports = await Array.fromAsync(submissions, async (stored): Promise<Report | null> => {
    const topic = stored && (await selectTopic(email, stored, inbox));
    if (stored === null || topic === null) return null;
    const { lang } = stored.text;
    const has_page = stored.is_published && email.kind !== 'urgent';
    const slug = has_page && release?.findSlug(eventIdOfSubmission(stored.reference));
    const page_url = slug ? absoluteUrl(site.url, recordPath('event', slug, lang)) : null;
    return { stored, topic, page_url };
  });
  return reports.filter((report) => report !== null);
}

/** Pending submissions are not reported, nor withdrawals, which their senders made themselves. */
const DECISION_TOPICS: Readonly<Partial<Record<ChangeState, DecisionTopic>>> = {
  asked: 'question',
  applied: 'approved',
  refused: 'rejected',
};

/** Returns the topic to report for a submission, or null if there is nothing to report. */
async function selectTopic(
  { kind }: QueuedEmail,
  stored: SubmissionChange,
  inbox: Inbox,
): Promise<SubmissionTopic | null> {
  const { reference, state, revision } = stored;
  const submission_state = getSubmissionState(stored);
  if (kind === 'receipt') return submission_state === 'withdrawn' ? null : 'receipt';
  if (kind === 'urgent') return state === 'waiting' && isStatusRequest(stored) ? 'urgent' : null;
  if (kind !== 'state') return null;
  const last_notified = await getLastNotified(inbox, reference);
  const decision_topic = DECISION_TOPICS[state] ?? null;
  // `revision` numbers the sender's requests: no email has reported this one yet.
  if (last_notified?.revision !== revision) return decision_topic;
  // An editor reopened it, which stores a new change with the same revision, and it was decided again.
  if (decision_topic !== null && last_notified.id !== stored.id) return decision_topic;
  const is_reportable = decision_topic !== null || state === 'waiting';
  // `told` is the status that the last email reported; undoing the decision has changed it.
  return is_reportable && last_notified.told !== submission_state ? 'changed' : null;
}

/**
 * Formats the outcome of a submission.
 * @param count Number of events of an import that are reported together; null for a single submission.
 */
function formatOutcome({ topic, stored }: Report, count: number | null, lang: Lang): string {
  const { asks, dates, is_published } = stored;
  const submission_state = getSubmissionState(stored);
  // For the type only: no email reports a withdrawal (selectTopic), so there is no text for it.
  const shown_state = submission_state === 'withdrawn' ? 'pending' : submission_state;
  // For published events and their requests, only the decision matters: the event stays published.
  const is_about_published =
    is_published && (stored.state === 'refused' || isStatusRequest(stored));
  const decision_topic = is_about_published ? DECISION_TOPICS[stored.state] : undefined;
  const key = topic === 'changed' ? (decision_topic ?? (`changed.${shown_state}` as const)) : topic;
  if (count !== null && key !== 'urgent') return tPlural(lang, `mail.text.batch.${key}`, count);
  const parts = { dates: dates === null ? '' : formatDayList(dates, lang) };
  if (key === 'rejected' && is_published) return t(lang, 'mail.text.rejected_change', parts);
  if (key !== 'urgent' && key !== 'approved') return t(lang, `mail.text.${key}`, parts);
  // These two topics have one text per requested action: `approved.edit`, `urgent.cancel_dates`.
  if (asks !== 'cancel' && asks !== 'postpone') return t(lang, `mail.text.approved.${asks}`, parts);
  const request = dates === null ? asks : (`${asks}_dates` as const);
  return t(lang, `mail.text.${key}.${request}`, parts);
}

/** Events listed in an email about an imported calendar. */
const MAX_LISTED_EVENTS = 20;

/** Formats the events of an import, and the number of those beyond the limit. */
function formatEventList(reports: readonly Report[], lang: Lang): readonly string[] {
  const rest = reports.length - MAX_LISTED_EVENTS;
  const listed = reports.slice(0, MAX_LISTED_EVENTS).map(({ stored: { text }, page_url }) => {
    const lines = [quoteLine(text.title), `> ${formatStart(text.start, lang)}`, page_url];
    return lines.filter(Boolean).join('\n');
  });
  return rest > 0 ? [...listed, tPlural(lang, 'mail.batch.more', rest)] : listed;
}

const MAX_DIGEST_ITEMS = 10;

/** Loads the editors' digest of the review queue: counts by urgency and the most urgent items. */
async function loadDigest(
  { subject }: QueuedEmail,
  { inbox, site, now_ms }: EmailSources,
): Promise<EmailPart | null> {
  const lang = DEFAULT_LANG;
  const rows = await listQueueRows(inbox);
  const queue = sortQueue(rows.map((item) => assignUrgency(item, now_ms)));
  if (queue.length === 0) return null;
  const counts = URGENCY_GROUPS.flatMap((group) => {
    const { length } = queue.filter((item) => item.group === group);
    return length === 0 ? [] : [tPlural(lang, `mail.digest.${group}`, length)];
  });
  const lines = queue.slice(0, MAX_DIGEST_ITEMS).map(({ reference, title, day }) => {
    const when = day === null ? '' : `\n> ${formatStart(day, lang)}`;
    return `${quoteLine(title)}${when}\n${site.url}${DESK_PATHS.items}/${reference}`;
  });
  const desk = `${t(lang, 'mail.desk')}\n${site.url}${DESK_PATHS.today}`;
  const text = [counts.join('\n'), ...lines, desk].join('\n\n');
  return { ...EMAIL_DEFAULTS, topic: 'digest', reference: subject, count: queue.length, text };
}

const EMAIL_DEFAULTS = {
  to: null,
  lang: DEFAULT_LANG,
  is_batch: false,
  unsubscribe_url: null,
  reported_changes: [],
  has_more: false,
} as const;

/** Loads the report of a failing source. @returns null if it works again. */
async function loadSourceFailure({ subject }: QueuedEmail, { inbox, site }: EmailSources) {
  const source = await getSourceState(inbox, subject);
  const { failing_ms = null, problem = null } = source ?? {};
  if (failing_ms === null) return null;
  const { lang } = EMAIL_DEFAULTS;
  const day = formatLongDay(toLocalDay(failing_ms), lang);
  const text = [
    t(lang, 'mail.text.source', { day }),
    quoteLine(`${subject}: ${problem}`),
    `${site.url}${DESK_PATHS.sources}`,
  ];
  const part = { ...EMAIL_DEFAULTS, reference: subject, count: 1, text: text.join('\n\n') };
  return { ...part, topic: 'source' } as const;
}

/**
 * Loads the question if an event still takes place as announced, with a link for each answer.
 * @returns null if it need not be asked any more.
 */
async function loadReminder(
  { subject, detail: day }: QueuedEmail,
  { inbox, site, release, listFollowedSources }: EmailSources,
): Promise<EmailPart | null> {
  // `subject`: the reference of the submission or, for an event in content, its id.
  const due_events = release?.listEventsToConfirm(Temporal.PlainDate.from(day)) ?? [];
  const event_dates = due_events.find(({ card }) => card.event.id === eventIdOfSubject(subject));
  const contact =
    event_dates &&
    (await findConfirmationContact(inbox, subject, event_dates.card, listFollowedSources()));
  if (!event_dates || !contact) return null;
  const { to, lang, is_trusted } = contact;
  const { id, title } = event_dates.card.event;
  const token = createConfirmationToken(inbox, { subject, day, is_trusted });
  const confirm_url = absoluteUrl(site.url, submissionStatusPath(token, lang));
  const status_token = subject === id ? null : await getStatusToken(inbox, subject);
  const form_url = absoluteUrl(
    site.url,
    status_token ? submissionStatusPath(status_token, lang) : correctionFormPath('event', id, lang),
  );
  // On the status page, `does=correct` opens the form with the event's values. The token in `ask` shows that the
  // visitor followed this email: a trusted contact's cancellation then needs no editor.
  const correct_url = status_token ? `${form_url}?does=correct` : form_url;
  const cancel_url = status_token ? `${form_url}?ask=${token}#actions` : form_url;
  const [first, ...others] = event_dates.dates;
  const days = [...new Set(event_dates.dates.map(({ start }) => start.slice(0, 10)))];
  const when = first && others.length === 0 ? formatWhen(first, lang) : formatDayList(days, lang);
  const lines = [
    t(lang, 'mail.text.reminder'),
    `${quoteLine(title[lang])}\n${quoteLine(when)}`,
    `${t(lang, 'ask.same')}:\n${confirm_url}`,
    `${t(lang, 'ask.changed')}:\n${correct_url}`,
    `${t(lang, 'ask.cancelled')}:\n${cancel_url}`,
  ];
  return {
    ...EMAIL_DEFAULTS,
    topic: 'reminder',
    to,
    lang,
    count: 1,
    reference: formatDayList(days.slice(0, 1), lang),
    text: lines.join('\n\n'),
    // With `stop`, the page of the confirmation link offers to unsubscribe this address instead.
    unsubscribe_url: `${confirm_url}?stop=${unsubscribeToken(inbox, to)}`,
  };
}

/** Loads an email to a subscriber. @returns null if they unsubscribed or the newsletter's day is over. */
async function loadSubscriberEmail(
  topic: SubscriberMailKind,
  { subject, detail }: QueuedEmail,
  { inbox, now_ms, composeForSubscriber }: EmailSources,
): Promise<EmailPart | null> {
  const subscriber = await getSubscriber(inbox, subject);
  if (subscriber === null || !(await canSendTo(inbox, subscriber.email))) return null;
  if (topic === 'weekly' && detail !== findDueNewsletterDate(now_ms)) return null;
  const content = composeForSubscriber(topic, subscriber);
  return (
    content && {
      ...EMAIL_DEFAULTS,
      topic,
      to: subscriber.email,
      ...content,
      lang: subscriber.lang,
    }
  );
}

/** Formats a local date and time, or a day: `sábado 5 de diciembre de 2026, 20:00`. */
function formatStart(start: string, lang: Lang): string {
  const day = parseDay(start.slice(0, 10));
  if (day === null) return start.slice(0, 16);
  const time = start.slice(11);
  const long_day = formatLongDay(day, lang);
  return time === '' ? long_day : `${long_day}, ${formatTime(Temporal.PlainTime.from(time), lang)}`;
}

/** Maximum characters of a quoted line and a quoted text. */
const MAX_QUOTE_LENGTH = { line: 120, text: 600 } as const;

const truncate = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;

/** Breaks URLs and email addresses so that mail programs do not link them, still readable. */
export const defuseLinks = (text: string): string =>
  text
    .replace(/:\/\//g, ': //')
    .replace(/(?<=\S)@(?=\S)/g, ' @ ')
    .replace(/(?<=[\p{L}\p{N}_-])\.(?=[\p{L}\p{N}_-]*\p{L})/gu, '[.]');

/** Quotes a text as one line after `> `. */
export const quoteLine = (text: string): string =>
  `> ${truncate(defuseLinks(cleanLine(text)), MAX_QUOTE_LENGTH.line)}`;

/** Quotes each line after `> `. */
export const quoteText = (text: string): string =>
  truncate(defuseLinks(cleanText(text)), MAX_QUOTE_LENGTH.text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/** An email without its recipient. Its subject never contains text of senders. */
export interface Email {
  readonly lang: Lang;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** Unsubscribe address; null for editors. */
  readonly unsubscribe_url: string | null;
  /** A POST to the unsubscribe address is enough (RFC 8058). */
  readonly is_one_click?: boolean;
}

/** Composes one email from parts with the same topic and recipient. */
export function composeEmail(parts: readonly [EmailPart, ...EmailPart[]], site: Site): Email {
  const [{ topic, lang, reference, unsubscribe_url, is_batch, text, html }] = parts;
  const { name } = site;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  const batch_key = `mail.subject.batch.${topic}`;
  // These explain why they came: the recipient may not have entered the address.
  const has_own_footer = topic === 'receipt' || topic === 'reminder';
  const footer = t(lang, has_own_footer ? `mail.foot.${topic}` : 'mail.foot', { name });
  return {
    lang,
    unsubscribe_url,
    is_one_click: SUBSCRIBER_MAIL_KINDS.some((kind) => kind === topic),
    subject:
      is_batch && isMessageKey(batch_key)
        ? t(lang, batch_key, { reference })
        : tPlural(lang, `mail.subject.${topic}`, count, { reference, name }),
    text: [
      t(lang, 'mail.hello'),
      parts.map(({ text }) => text).join('\n\n* * *\n\n'),
      [
        '-- ',
        `${name} · ${site.url}`,
        ...(unsubscribe_url === null ? [] : [footer, unsubscribe_url]),
      ].join('\n'),
    ].join('\n\n'),
    // The newsletter is a complete document: its text replaces the one with greeting and footer.
    ...(html && { html, text }),
  };
}
