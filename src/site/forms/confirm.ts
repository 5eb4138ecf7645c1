// The page that a letter leads to which asks whether an event is as it was: what the agenda says, and a button. Looking
// at it changes nothing, for programs that read mail follow links too (contract 14.41).
import { confirm, isConfirmed, readAskToken, toAskedId } from '../../desk/confirm.ts';
import { listAsked } from '../../domain/event/asked.ts';
import { filterUpcoming } from '../../domain/event/event.ts';
import { parseDay } from '../../domain/local-time.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import { toDayWords } from '../../i18n/form-words.ts';
import { toStatusPath, withQuery } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { insertMailStop, isMailStopped, readStop } from '../../inbox/letters.ts';
import { getEvent } from '../../snapshot/get-thing.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import { takeIn, toFormMeta } from './refused.ts';

export type ConfirmPage = Awaited<ReturnType<typeof readAsked>>['page'] & {
  /** Why nothing was done. */
  readonly notice?: string;
};

export async function handleConfirm(
  state: SiteState,
  visit: Visit,
  token: string,
  lang: Lang,
): Promise<Shown<ConfirmPage> | Redirect> {
  const { asked, starts, reader, page } = await readAsked(state, visit, token, lang);
  const { inbox, refusal, method } = visit;
  const again = (notice: string): ConfirmPage => ({ ...page, notice });
  if (asked === null) return show(again(t(lang, 'ask.foreign')), 404);
  if (page.button === null && page.done === null) return show(again(t(lang, 'ask.over')), 410);
  if (method === 'GET') return show(page);
  if (refusal !== null) return show(again(t(lang, REFUSALS[refusal])), refusal);
  const press = async (): Promise<Redirect> => {
    if (reader === null) await confirm(inbox, asked, starts, state.now_ms);
    else await insertMailStop(inbox, reader);
    return redirect(page.path);
  };
  return takeIn(press, lang, state.now_ms, again);
}

async function readAsked(
  { snapshot, now_ms, site }: SiteState,
  { inbox, query }: Visit,
  token: string,
  lang: Lang,
) {
  /** Whoever is to have no more letters; null where that is not asked. */
  const reader = query.stop ? readStop(inbox, query.stop) : null;
  const asked = query.stop && reader === null ? null : readAskToken(inbox, token);
  const found = asked && getEvent(snapshot, toAskedId(asked.subject), now_ms);
  const [detail, day] = [found === 'gone' ? null : found, parseDay(asked?.day ?? '')];
  const dates = detail && day ? listAsked(filterUpcoming(detail.occurrences, now_ms), day) : [];
  const starts = dates.map(({ start }) => start.slice(0, 16));
  const days = [...new Set(starts.map((start) => start.slice(0, 10)))];
  const paths = byLang((one) => toStatusPath(token, one));
  const [what, is_done] =
    reader === null
      ? (['same', asked !== null && (await isConfirmed(inbox, asked))] as const)
      : (['stop', await isMailStopped(inbox, reader)] as const);
  const is_open = !is_done && asked !== null && (days.length > 0 || what === 'stop');
  const title = t(lang, 'ask.title');
  const page = {
    path: withQuery(paths[lang], query.stop ? { stop: query.stop } : {}),
    detail: dates.length > 0 ? detail : null,
    text: t(lang, `ask.${what}.text`, { days: toDayWords(days, lang) }),
    /** Null where there is nothing to press. */
    button: is_open ? t(lang, `ask.${what}`) : null,
    done: is_done ? t(lang, `ask.${what}.done`) : null,
    meta: toFormMeta({ lang, site, paths, title, description: title, is_private: true }),
  };
  return { asked, starts, reader, page };
}
