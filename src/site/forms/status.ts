// The status page of a submission, by its secret address: how it stands, and what its sender may still do.
import { mayWriteTo } from '../../inbox/letters.ts';
import { actByLetter, readAskToken } from '../../desk/confirm.ts';
import { toPreview } from '../../desk/publication.ts';
import { findShown, listAhead, correct } from '../../desk/propose.ts';
import { getSubmissionByToken } from '../../inbox/changes.ts';
import { type SenderChange, ALL_DAYS, SENDER_ACTS } from '../../domain/change.ts';
import { toKnown } from '../../desk/known.ts';
import { AppError } from '../../domain/app-error.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import { toFormValues } from '../../domain/submission/form.ts';
import { toStatusPath, toThingPath, withQuery } from '../../i18n/paths.ts';
import { isKey, type Key, t } from '../../i18n/translate.ts';
import { NOT_FOUND } from '../page.ts';
import { defineForm, type TokenRequest, toTokenRoutes } from '../page-kind.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import { type ConfirmPage, handleConfirm } from './confirm.ts';
import { erasePrivate, readPrivacy } from './private.ts';
import { takeIn, toFormMeta } from './refused.ts';
import { COPY_ENDING } from './status-copy.ts';
import { handleForm, type SubmitPage } from './submit.ts';

export type StatusPage = Awaited<ReturnType<typeof toPage>>;
export type StatusResult = Shown<StatusPage | SubmitPage> | Redirect;

/** The answer at a token; null where no submission has it. */
export async function handleStatus(
  state: SiteState,
  visit: Visit,
  token: string,
  lang: Lang,
): Promise<StatusResult | null> {
  const { inbox, fields, query, refusal } = visit;
  const stored = await getSubmissionByToken(inbox, token);
  if (stored === null) return null;
  const does = visit.method === 'POST' ? fields.does : query.does;
  if (does === 'correct' || (fields.step ?? fields.answer) !== undefined) {
    const answer = await handleCorrection(state, visit, stored, toStatusPath(token, lang), lang);
    return answer.kind === 'redirect' ? answer : { ...answer, component: 'submit' };
  }
  const page = await toPage(state, visit, stored, token, lang);
  const again = (notice: string): StatusPage => ({ ...page, ...readTyped(visit, notice) });
  const done = (['erased', 'off'] as const).find((name) => query[name]);
  if (visit.method === 'GET')
    return show({ ...page, notice: done ? t(lang, `status.${done}`) : null });
  if (refusal !== null) return show(again(t(lang, REFUSALS[refusal])), refusal);
  if (does === 'erase') return erasePrivate(visit, stored.reference, [stored.reference], page.path);
  return takeIn(
    async (): Promise<StatusResult> => {
      const issue = await act(state, visit, page, does);
      const is_off = page.is_at_once && does === 'cancel';
      const path = is_off ? `${page.path}?off=1` : page.path;
      return issue === null ? redirect(path) : show(again(t(lang, issue)), 422);
    },
    lang,
    state.now_ms,
    again,
  );
}

/** What was typed and ticked with a request that was refused, and why it was. */
const readTyped = ({ fields }: Visit, notice: string | null = null) => ({
  notice,
  message: fields.message ?? '',
  ticked: (fields.dates ?? '').split(',').filter(Boolean),
});

/** Does what its sender wants; gives what is wrong with it. */
async function act(
  { snapshot, now_ms }: SiteState,
  visit: Visit,
  { stored: { reference }, days }: StatusPage,
  does: string | undefined,
): Promise<Key | null> {
  const { message, ticked } = readTyped(visit);
  const wanted = SENDER_ACTS.find((known) => known === does);
  if (wanted === undefined || wanted === 'correct') return 'status.refused.unknown';
  const dates = days.length === 0 || ticked.includes(ALL_DAYS) ? null : ticked;
  try {
    const wish = { reference, now_ms, act: wanted, message, dates };
    await actByLetter(visit.inbox, snapshot, wish, visit.query.ask);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // Too much of it, or what cannot be stored just now, is no fault of what was asked.
    if (thrown.code === 'rate_limited' || thrown.code === 'unavailable') throw thrown;
    const key = `status.refused.${thrown.reason}`;
    return isKey(key) ? key : 'status.refused.state';
  }
}

const handleCorrection = (
  state: SiteState,
  visit: Visit,
  { reference, text }: SenderChange,
  path: string,
  lang: Lang,
): Promise<Shown<SubmitPage> | Redirect> =>
  handleForm(state, visit, {
    lang,
    action: `${path}?does=correct`,
    paths: null,
    correcting: reference,
    initial: toFormValues(text),
    store: async (corrected) => {
      const { now_ms } = state;
      await correct(visit.inbox, { reference, now_ms, submission: corrected });
      return path;
    },
  });

async function toPage(
  { snapshot, now_ms, site }: SiteState,
  visit: Visit,
  stored: SenderChange,
  token: string,
  lang: Lang,
) {
  const { reference, text } = stored;
  const shown = findShown(stored, snapshot, now_ms);
  const paths = byLang((one) => toStatusPath(token, one));
  const ahead = listAhead(shown, now_ms);
  const { ask = '' } = visit.query;
  const is_mailed = await mayWriteTo(visit.inbox, text.contact_email);
  return {
    stored,
    shown: shown.as,
    /** Of several days ahead those that may be called off, YYYY-MM-DD; none of an event with one. */
    days: ahead.length > 1 ? ahead : [],
    /** The page of the event, once a release shows it. */
    event_path: shown.detail && toThingPath('event', shown.detail.event.slug, lang),
    path: paths[lang],
    /** By a letter's link it may do more. */
    act_path: withQuery(paths[lang], ask ? { ask } : {}),
    is_at_once: readAskToken(visit.inbox, ask)?.is_trusted === true,
    ...readTyped({ ...visit, fields: {} }),
    privacy: await readPrivacy(visit, [stored]),
    /** Whether its sender has a letter once it is decided. */
    is_mailed: site.sends_mail === true && is_mailed,
    /** A copy for its sender's calendar. */
    copy_path: shown.as === 'gone' ? null : `${paths[lang]}${COPY_ENDING}`,
    detail: toPreview(text, {}, toKnown(snapshot), { ...stored, now_ms }),
    meta: toFormMeta({
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

export const statusPage = defineForm<TokenRequest, StatusPage | SubmitPage | ConfirmPage>({
  name: 'status',
  routes: toTokenRoutes(toStatusPath),
  handle: async (state, { token, lang }, visit) => {
    if (visit === null || !token.includes(ASK_MARK))
      return (visit && (await handleStatus(state, visit, token, lang))) ?? NOT_FOUND;
    const answer = await handleConfirm(state, visit, token, lang);
    return answer.kind === 'page' ? { ...answer, component: 'confirm' } : answer;
  },
});
