// Submission status page: shows the status of a submission at its private URL (it has a token), and
// lets the sender amend it, withdraw it, or request its cancellation or postponement.
// Parameters: `does` = the pressed button; `ask` = token of a confirmation email; `erased`, `off` =
// message after a redirect (private data erased, event cancelled). `as` of a published event = its
// status in the live release.
import { canSendTo } from '../../inbox/outbox.ts';
import {
  applySenderRequestByEmail,
  parseConfirmationToken,
} from '../../desk/event-confirmation.ts';
import { buildPreview } from '../../desk/publication.ts';
import { findPublishedEvent, listUpcomingDates, amendSubmission } from '../../desk/submissions.ts';
import { getSubmissionByToken } from '../../inbox/changes.ts';
import { formatRests } from '../../i18n/format-dates.ts';
import { type SubmissionChange, ALL_DATES, SENDER_ACTIONS } from '../../domain/change.ts';
import { createReferenceData } from '../../desk/reference-data.ts';
import { AppError } from '../../domain/app-error.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import { listStoredRestDays } from '../../domain/submission/form-dates.ts';
import { submissionToForm } from '../../domain/submission/form-values.ts';
import { submissionStatusPath, recordPath, withQuery } from '../../i18n/paths.ts';
import { isMessageKey, type MessageKey, t } from '../../i18n/translate.ts';
import { NOT_FOUND } from '../page-meta.ts';
import { defineForm, type TokenRequest, tokenRoutes } from '../page-definition.ts';
import type { PageContext } from '../page-context.ts';
import {
  type RedirectResult,
  redirectAfterPost,
  REJECTION_MESSAGE_KEYS,
  pageResult,
  type PageResult,
  type VisitorRequest,
} from '../visitor-request.ts';
import { type ConfirmationPage, handleConfirmation } from './confirmation-page.ts';
import { erasePrivate, loadPrivacy } from './privacy.ts';
import { tryToStore, formMeta } from './form-errors.ts';
import { ICS_EXTENSION } from './submission-calendar.ts';
import { handleEventForm, type SubmitPage } from './submit-form.ts';

export type SubmissionStatusPage = Awaited<ReturnType<typeof loadPage>>;
export type StatusResult = PageResult<SubmissionStatusPage | SubmitPage> | RedirectResult;

/**
 * Serves the status page, and applies the sender's request. Returns null if no submission has this
 * token.
 */
export async function handleSubmissionStatus(
  context: PageContext,
  visit: VisitorRequest,
  token: string,
  lang: Lang,
): Promise<StatusResult | null> {
  const { inbox, fields, query, rejection } = visit;
  const stored = await getSubmissionByToken(inbox, token);
  if (stored === null) return null;
  const does = visit.method === 'POST' ? fields.does : query.does;
  // The event form has buttons named `step` and `answer`.
  const is_event_form = (fields.step ?? fields.answer) !== undefined;
  if (does === 'correct' || is_event_form) {
    const path = submissionStatusPath(token, lang);
    const result = await handleAmendment(context, visit, stored, path, lang);
    return result.kind === 'redirect' ? result : { ...result, component: 'submit' };
  }
  const page = await loadPage(context, visit, stored, token, lang);
  const withBanner = (banner: string): SubmissionStatusPage => ({
    ...page,
    ...selectRequestFields(visit),
    banner,
  });
  const message_name = (['erased', 'off'] as const).find((name) => query[name]);
  if (visit.method === 'GET')
    return pageResult({ ...page, banner: message_name ? t(lang, `status.${message_name}`) : null });
  if (rejection !== null)
    return pageResult(withBanner(t(lang, REJECTION_MESSAGE_KEYS[rejection])), rejection);
  if (does === 'erase') return erasePrivate(visit, stored.reference, [stored.reference], page.path);
  return tryToStore(
    async (): Promise<StatusResult> => {
      const issue = await applySenderAction(context, visit, page, does);
      const is_cancelled = page.cancels_immediately && does === 'cancel';
      const path = is_cancelled ? `${page.path}?off=1` : page.path;
      return issue === null ? redirectAfterPost(path) : pageResult(withBanner(t(lang, issue)), 422);
    },
    lang,
    context.now_ms,
    withBanner,
  );
}

/** Selects the submitted message and dates of the sender's request. */
const selectRequestFields = ({ fields }: VisitorRequest) => ({
  message: fields.message ?? '',
  selected_dates: (fields.dates ?? '').split(',').filter(Boolean),
});

/** Applies the sender's request. Returns the message of its issue, or null if it has none. */
async function applySenderAction(
  { snapshot, now_ms }: PageContext,
  visit: VisitorRequest,
  { stored: { reference }, days }: SubmissionStatusPage,
  does: string | undefined,
): Promise<MessageKey | null> {
  const { message, selected_dates } = selectRequestFields(visit);
  const action = SENDER_ACTIONS.find((known) => known === does);
  if (action === undefined || action === 'correct') return 'status.refused.unknown';
  const dates = days.length === 0 || selected_dates.includes(ALL_DATES) ? null : selected_dates;
  try {
    const request = { reference, now_ms, act: action, message, dates };
    await applySenderRequestByEmail(visit.inbox, snapshot, request, visit.query.ask);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Not caused by the request itself: tryToStore turns these into 429 and 503.
    if (error.code === 'rate_limited' || error.code === 'unavailable') throw error;
    const key = `status.refused.${error.reason}`;
    return isMessageKey(key) ? key : 'status.refused.state';
  }
}

/** Serves the event form with the submitted values, and stores the amendment. */
const handleAmendment = (
  context: PageContext,
  visit: VisitorRequest,
  { reference, text, draft }: SubmissionChange,
  path: string,
  lang: Lang,
): Promise<PageResult<SubmitPage> | RedirectResult> =>
  handleEventForm(context, visit, {
    lang,
    action: `${path}?does=correct`,
    paths: null,
    amended_reference: reference,
    initial: submissionToForm(text),
    rest_days: listStoredRestDays({ text, draft }, context.now_ms),
    store: async (submission) => {
      const { now_ms } = context;
      await amendSubmission(visit.inbox, { reference, now_ms, submission });
      return path;
    },
  });

async function loadPage(
  { snapshot, now_ms, site }: PageContext,
  visit: VisitorRequest,
  stored: SubmissionChange,
  token: string,
  lang: Lang,
) {
  const { reference, text } = stored;
  const published = findPublishedEvent(stored, snapshot, now_ms);
  const paths = byLang((path_lang) => submissionStatusPath(token, path_lang));
  const upcoming = listUpcomingDates(published, now_ms);
  const { ask = '' } = visit.query;
  const rest_days = listStoredRestDays(stored, now_ms);
  const can_email = await canSendTo(visit.inbox, text.contact_email);
  return {
    /** The submission as a change of the inbox. */
    stored,
    publication_status: published.as,
    /** Message above the page. */
    banner: null as string | null,
    /** Upcoming dates that can be cancelled one by one, YYYY-MM-DD; empty if there is only one. */
    days: upcoming.length > 1 ? upcoming : [],
    resting_days: rest_days.resting,
    rests_text: formatRests(rest_days.rests, lang),
    /** Public page of the event, once a release has it. */
    event_path: published.detail && recordPath('event', published.detail.event.slug, lang),
    path: paths[lang],
    /** Target of status requests. The token of an email link grants more rights. */
    request_path: withQuery(paths[lang], ask ? { ask } : {}),
    /** A cancellation applies without review. */
    cancels_immediately: parseConfirmationToken(visit.inbox, ask)?.is_trusted === true,
    ...selectRequestFields({ ...visit, fields: {} }),
    privacy: await loadPrivacy(visit, [stored]),
    /** The sender gets an email after the decision. */
    is_notified: site.sends_mail === true && can_email,
    /** The sender's copy as an iCalendar file. */
    calendar_path: published.as === 'gone' ? null : `${paths[lang]}${ICS_EXTENSION}`,
    /** Preview of the submission; null if it is invalid. */
    detail: buildPreview(text, {}, createReferenceData(snapshot), { ...stored, now_ms }),
    meta: formMeta({
      lang,
      site,
      paths,
      is_private: true,
      title: t(lang, 'status.title', { reference }),
      description: t(lang, 'status.description'),
    }),
  };
}

/** Only confirmation tokens, which are sent by email, contain this character. */
const CONFIRMATION_TOKEN_MARK = '.';

export const statusPage = defineForm<
  TokenRequest,
  SubmissionStatusPage | SubmitPage | ConfirmationPage
>({
  name: 'status',
  routes: tokenRoutes(submissionStatusPath),
  handle: async (context, { token, lang }, visit) => {
    if (visit === null || !token.includes(CONFIRMATION_TOKEN_MARK))
      return (visit && (await handleSubmissionStatus(context, visit, token, lang))) ?? NOT_FOUND;
    const result = await handleConfirmation(context, visit, token, lang);
    return result.kind === 'page' ? { ...result, component: 'confirmation' } : result;
  },
});
