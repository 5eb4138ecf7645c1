// The status page of a submission, by its secret address: how it stands, and what its sender may still do.
import { canSendTo } from '../../inbox/outbox.ts';
import {
  applySenderRequestByEmail,
  parseConfirmationToken,
} from '../../desk/event-confirmation.ts';
import { buildPreview } from '../../desk/publication.ts';
import { findPublishedEvent, listUpcomingDates, amendSubmission } from '../../desk/submissions.ts';
import { getSubmissionByToken } from '../../inbox/changes.ts';
import { type SubmissionChange, ALL_DATES, SENDER_ACTIONS } from '../../domain/change.ts';
import { createReferenceData } from '../../desk/reference-data.ts';
import { AppError } from '../../domain/app-error.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
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

export type SubmissionStatusPage = Awaited<ReturnType<typeof toPage>>;
export type StatusResult = PageResult<SubmissionStatusPage | SubmitPage> | RedirectResult;

/** The answer at a token; null where no submission has it. */
export async function handleSubmissionStatus(
  state: PageContext,
  visit: VisitorRequest,
  token: string,
  lang: Lang,
): Promise<StatusResult | null> {
  const { inbox, fields, query, refusal } = visit;
  const stored = await getSubmissionByToken(inbox, token);
  if (stored === null) return null;
  const does = visit.method === 'POST' ? fields.does : query.does;
  if (does === 'correct' || (fields.step ?? fields.answer) !== undefined) {
    const answer = await handleCorrection(
      state,
      visit,
      stored,
      submissionStatusPath(token, lang),
      lang,
    );
    return answer.kind === 'redirect' ? answer : { ...answer, component: 'submit' };
  }
  const page = await toPage(state, visit, stored, token, lang);
  const again = (notice: string): SubmissionStatusPage => ({
    ...page,
    ...readTyped(visit, notice),
  });
  const done = (['erased', 'off'] as const).find((name) => query[name]);
  if (visit.method === 'GET')
    return pageResult({ ...page, notice: done ? t(lang, `status.${done}`) : null });
  if (refusal !== null) return pageResult(again(t(lang, REJECTION_MESSAGE_KEYS[refusal])), refusal);
  if (does === 'erase') return erasePrivate(visit, stored.reference, [stored.reference], page.path);
  return tryToStore(
    async (): Promise<StatusResult> => {
      const issue = await act(state, visit, page, does);
      const is_off = page.is_at_once && does === 'cancel';
      const path = is_off ? `${page.path}?off=1` : page.path;
      return issue === null ? redirectAfterPost(path) : pageResult(again(t(lang, issue)), 422);
    },
    lang,
    state.now_ms,
    again,
  );
}

/** What was typed and ticked with a request that was refused, and why it was. */
const readTyped = ({ fields }: VisitorRequest, notice: string | null = null) => ({
  notice,
  message: fields.message ?? '',
  ticked: (fields.dates ?? '').split(',').filter(Boolean),
});

/** Does what its sender wants; gives what is wrong with it. */
async function act(
  { snapshot, now_ms }: PageContext,
  visit: VisitorRequest,
  { stored: { reference }, days }: SubmissionStatusPage,
  does: string | undefined,
): Promise<MessageKey | null> {
  const { message, ticked } = readTyped(visit);
  const wanted = SENDER_ACTIONS.find((known) => known === does);
  if (wanted === undefined || wanted === 'correct') return 'status.refused.unknown';
  const dates = days.length === 0 || ticked.includes(ALL_DATES) ? null : ticked;
  try {
    const wish = { reference, now_ms, act: wanted, message, dates };
    await applySenderRequestByEmail(visit.inbox, snapshot, wish, visit.query.ask);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // Too much of it, or what cannot be stored just now, is no fault of what was asked.
    if (thrown.code === 'rate_limited' || thrown.code === 'unavailable') throw thrown;
    const key = `status.refused.${thrown.reason}`;
    return isMessageKey(key) ? key : 'status.refused.state';
  }
}

const handleCorrection = (
  state: PageContext,
  visit: VisitorRequest,
  { reference, text }: SubmissionChange,
  path: string,
  lang: Lang,
): Promise<PageResult<SubmitPage> | RedirectResult> =>
  handleEventForm(state, visit, {
    lang,
    action: `${path}?does=correct`,
    paths: null,
    correcting: reference,
    initial: submissionToForm(text),
    store: async (corrected) => {
      const { now_ms } = state;
      await amendSubmission(visit.inbox, { reference, now_ms, submission: corrected });
      return path;
    },
  });

async function toPage(
  { snapshot, now_ms, site }: PageContext,
  visit: VisitorRequest,
  stored: SubmissionChange,
  token: string,
  lang: Lang,
) {
  const { reference, text } = stored;
  const shown = findPublishedEvent(stored, snapshot, now_ms);
  const paths = byLang((one) => submissionStatusPath(token, one));
  const ahead = listUpcomingDates(shown, now_ms);
  const { ask = '' } = visit.query;
  const is_mailed = await canSendTo(visit.inbox, text.contact_email);
  return {
    stored,
    shown: shown.as,
    /** Of several days ahead those that may be called off, YYYY-MM-DD; none of an event with one. */
    days: ahead.length > 1 ? ahead : [],
    /** The page of the event, once a release shows it. */
    event_path: shown.detail && recordPath('event', shown.detail.event.slug, lang),
    path: paths[lang],
    /** By a letter's link it may do more. */
    act_path: withQuery(paths[lang], ask ? { ask } : {}),
    is_at_once: parseConfirmationToken(visit.inbox, ask)?.is_trusted === true,
    ...readTyped({ ...visit, fields: {} }),
    privacy: await loadPrivacy(visit, [stored]),
    /** Whether its sender has a letter once it is decided. */
    is_mailed: site.sends_mail === true && is_mailed,
    /** A copy for its sender's calendar. */
    copy_path: shown.as === 'gone' ? null : `${paths[lang]}${ICS_EXTENSION}`,
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

/** Only the token of a letter has it. */
const ASK_MARK = '.';

export const statusPage = defineForm<
  TokenRequest,
  SubmissionStatusPage | SubmitPage | ConfirmationPage
>({
  name: 'status',
  routes: tokenRoutes(submissionStatusPath),
  handle: async (state, { token, lang }, visit) => {
    if (visit === null || !token.includes(ASK_MARK))
      return (visit && (await handleSubmissionStatus(state, visit, token, lang))) ?? NOT_FOUND;
    const answer = await handleConfirmation(state, visit, token, lang);
    return answer.kind === 'page' ? { ...answer, component: 'confirmation' } : answer;
  },
});
