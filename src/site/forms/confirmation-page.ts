// Confirmation page: asks the sender by email to confirm that an event is unchanged, or to stop such emails. A GET never
// changes anything, because mail programs follow links too (contract 14.41).
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
  if (page.button === null && page.done === null)
    return pageResult(withBanner(t(lang, 'ask.over')), 410);
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

async function loadConfirmation(
  { snapshot, now_ms, site }: PageContext,
  { inbox, query }: VisitorRequest,
  token: string,
  lang: Lang,
) {
  /** The address that unsubscribes; null if the link is not one to unsubscribe. */
  const unsubscriber = query.stop ? parseUnsubscribeToken(inbox, query.stop) : null;
  const request = query.stop && unsubscriber === null ? null : parseConfirmationToken(inbox, token);
  const event = request && getEvent(snapshot, eventIdOfSubject(request.subject), now_ms);
  const detail = event === 'gone' ? null : event;
  const day = parseDay(request?.day ?? '');
  const dates =
    detail && day ? listDatesToConfirm(filterNotEnded(detail.occurrences, now_ms), day) : [];
  const starts = dates.map(({ start }) => start.slice(0, 16));
  const days = [...new Set(starts.map((start) => start.slice(0, 10)))];
  const paths = byLang((one) => submissionStatusPath(token, one));
  const [action, is_done] =
    unsubscriber === null
      ? (['same', request !== null && (await isAlreadyConfirmed(inbox, request))] as const)
      : (['stop', await isUnsubscribed(inbox, unsubscriber)] as const);
  const is_open = !is_done && request !== null && (days.length > 0 || action === 'stop');
  const title = t(lang, 'ask.title');
  const page = {
    path: withQuery(paths[lang], query.stop ? { stop: query.stop } : {}),
    detail: dates.length > 0 ? detail : null,
    text: t(lang, `ask.${action}.text`, { days: formatDayList(days, lang) }),
    /** Label of the button; null if the request is done or expired. */
    button: is_open ? t(lang, `ask.${action}`) : null,
    done: is_done ? t(lang, `ask.${action}.done`) : null,
    meta: formMeta({ lang, site, paths, title, description: title, is_private: true }),
  };
  return { request, starts, unsubscriber, page };
}
