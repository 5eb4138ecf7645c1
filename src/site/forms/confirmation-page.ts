// Confirmation page: the target of the links in an email that asks the sender of an event if it is
// unchanged. Its button confirms that (`same`), or stops such emails (`stop`, if the link has this
// parameter). A GET never changes anything, because mail programs follow links too (contract
// 14.41).
import {
  recordConfirmation,
  isAlreadyConfirmed,
  parseConfirmationToken,
  eventIdOfSubject,
} from '../../desk/event-confirmation.ts';
import { listDatesToConfirm } from '../../domain/event/confirmation-schedule.ts';
import { filterNotEnded } from '../../domain/event/event.ts';
import { parseDay } from '../../domain/local-time.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import { formatDayList } from '../../i18n/format-forms.ts';
import { submissionStatusPath, withQuery } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { insertUnsubscription, isUnsubscribed, parseUnsubscribeToken } from '../../inbox/outbox.ts';
import { getEvent } from '../../snapshot/get-record.ts';
import type { PageContext } from '../page-context.ts';
import {
  type RedirectResult,
  redirectAfterPost,
  REJECTION_MESSAGE_KEYS,
  pageResult,
  type PageResult,
  type VisitorRequest,
} from '../visitor-request.ts';
import { tryToStore, formMeta } from './form-errors.ts';

export type ConfirmationPage = Awaited<ReturnType<typeof loadConfirmation>>['page'] & {
  /** Reason why the request was not applied. */
  readonly banner?: string;
};

/**
 * Serves the page, or applies its button. Status 404 for an unknown link, 410 for one that is over.
 * @param token Token of the emailed link, which names the event and the first day to confirm.
 */
export async function handleConfirmation(
  context: PageContext,
  visit: VisitorRequest,
  token: string,
  lang: Lang,
): Promise<PageResult<ConfirmationPage> | RedirectResult> {
  const confirmation = await loadConfirmation(context, visit, token, lang);
  const { request, starts, unsubscriber, page } = confirmation;
  const { inbox, rejection, method } = visit;
  const withBanner = (banner: string): ConfirmationPage => ({ ...page, banner });
  if (request === null) return pageResult(withBanner(t(lang, 'ask.foreign')), 404);
  const is_over = page.button === null && page.done === null;
  if (is_over) return pageResult(withBanner(t(lang, 'ask.over')), 410);
  if (method === 'GET') return pageResult(page);
  if (rejection !== null)
    return pageResult(withBanner(t(lang, REJECTION_MESSAGE_KEYS[rejection])), rejection);
  const store = async (): Promise<RedirectResult> => {
    if (unsubscriber === null) await recordConfirmation(inbox, request, starts, context.now_ms);
    else await insertUnsubscription(inbox, unsubscriber);
    return redirectAfterPost(page.path);
  };
  return tryToStore(store, lang, context.now_ms, withBanner);
}

/**
 * Loads the confirmation request of a link and its page.
 * @returns `request`: null for an unknown link; `starts`: local start times to confirm,
 * YYYY-MM-DDTHH:MM.
 */
async function loadConfirmation(
  { snapshot, now_ms, site }: PageContext,
  { inbox, query }: VisitorRequest,
  token: string,
  lang: Lang,
) {
  /** The address that the link unsubscribes; null if the link does not unsubscribe. */
  const unsubscriber = query.stop ? parseUnsubscribeToken(inbox, query.stop) : null;
  const request = query.stop && unsubscriber === null ? null : parseConfirmationToken(inbox, token);
  const event = request && getEvent(snapshot, eventIdOfSubject(request.subject), now_ms);
  const detail = event === 'gone' ? null : event;
  const day = parseDay(request?.day ?? '');
  const dates =
    detail && day ? listDatesToConfirm(filterNotEnded(detail.occurrences, now_ms), day) : [];
  const starts = dates.map(({ start }) => start.slice(0, 16));
  const days = [...new Set(starts.map((start) => start.slice(0, 10)))];
  const paths = byLang((path_lang) => submissionStatusPath(token, path_lang));
  const [action, is_done] =
    unsubscriber === null
      ? (['same', request !== null && (await isAlreadyConfirmed(inbox, request))] as const)
      : (['stop', await isUnsubscribed(inbox, unsubscriber)] as const);
  const is_open = !is_done && request !== null && (days.length > 0 || action === 'stop');
  const title = t(lang, 'ask.title');
  const page = {
    path: withQuery(paths[lang], query.stop ? { stop: query.stop } : {}),
    /** The event; null if it has no dates to confirm. */
    detail: dates.length > 0 ? detail : null,
    text: t(lang, `ask.${action}.text`, { days: formatDayList(days, lang) }),
    /** Label of the button; null if the request is done or expired. */
    button: is_open ? t(lang, `ask.${action}`) : null,
    /** Sentence after the button was pressed; otherwise null. */
    done: is_done ? t(lang, `ask.${action}.done`) : null,
    meta: formMeta({ lang, site, paths, title, description: title, is_private: true }),
  };
  return { request, starts, unsubscriber, page };
}
