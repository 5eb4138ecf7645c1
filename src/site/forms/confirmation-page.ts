// The page that a letter leads to which asks whether an event is as it was: what the agenda says, and a button. Looking
// at it changes nothing, for programs that read mail follow links too (contract 14.41).
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

export type ConfirmationPage = Awaited<ReturnType<typeof readAsked>>['page'] & {
  /** Why nothing was done. */
  readonly notice?: string;
};

export async function handleConfirmation(
  state: PageContext,
  visit: VisitorRequest,
  token: string,
  lang: Lang,
): Promise<PageResult<ConfirmationPage> | RedirectResult> {
  const { asked, starts, reader, page } = await readAsked(state, visit, token, lang);
  const { inbox, refusal, method } = visit;
  const again = (notice: string): ConfirmationPage => ({ ...page, notice });
  if (asked === null) return pageResult(again(t(lang, 'ask.foreign')), 404);
  if (page.button === null && page.done === null)
    return pageResult(again(t(lang, 'ask.over')), 410);
  if (method === 'GET') return pageResult(page);
  if (refusal !== null) return pageResult(again(t(lang, REJECTION_MESSAGE_KEYS[refusal])), refusal);
  const press = async (): Promise<RedirectResult> => {
    if (reader === null) await recordConfirmation(inbox, asked, starts, state.now_ms);
    else await insertUnsubscription(inbox, reader);
    return redirectAfterPost(page.path);
  };
  return tryToStore(press, lang, state.now_ms, again);
}

async function readAsked(
  { snapshot, now_ms, site }: PageContext,
  { inbox, query }: VisitorRequest,
  token: string,
  lang: Lang,
) {
  /** Whoever is to have no more letters; null where that is not asked. */
  const reader = query.stop ? parseUnsubscribeToken(inbox, query.stop) : null;
  const asked = query.stop && reader === null ? null : parseConfirmationToken(inbox, token);
  const found = asked && getEvent(snapshot, eventIdOfSubject(asked.subject), now_ms);
  const [detail, day] = [found === 'gone' ? null : found, parseDay(asked?.day ?? '')];
  const dates =
    detail && day ? listDatesToConfirm(filterNotEnded(detail.occurrences, now_ms), day) : [];
  const starts = dates.map(({ start }) => start.slice(0, 16));
  const days = [...new Set(starts.map((start) => start.slice(0, 10)))];
  const paths = byLang((one) => submissionStatusPath(token, one));
  const [what, is_done] =
    reader === null
      ? (['same', asked !== null && (await isAlreadyConfirmed(inbox, asked))] as const)
      : (['stop', await isUnsubscribed(inbox, reader)] as const);
  const is_open = !is_done && asked !== null && (days.length > 0 || what === 'stop');
  const title = t(lang, 'ask.title');
  const page = {
    path: withQuery(paths[lang], query.stop ? { stop: query.stop } : {}),
    detail: dates.length > 0 ? detail : null,
    text: t(lang, `ask.${what}.text`, { days: formatDayList(days, lang) }),
    /** Null where there is nothing to press. */
    button: is_open ? t(lang, `ask.${what}`) : null,
    done: is_done ? t(lang, `ask.${what}.done`) : null,
    meta: formMeta({ lang, site, paths, title, description: title, is_private: true }),
  };
  return { asked, starts, reader, page };
}
