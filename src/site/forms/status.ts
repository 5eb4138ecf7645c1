// The status page of a submission, by its secret address: how it stands, and what its sender may
// still do.
import { NOT_FOUND } from '../page.ts';
import { defineForm, type TokenRequest, toTokenRoutes } from '../page-kind.ts';
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import { toFormValues } from '../../domain/submission/form.ts';
import { ALL_DAYS, SENDER_ACTS, type ShownAs } from '../../domain/submission/sender-acts.ts';
import type { StoredSubmission } from '../../domain/submission/submission.ts';
import { toStatusPath, toThingPath } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { toKnown } from '../../desk/known.ts';
import { mayWriteTo } from '../../desk/mail.ts';
import { toPreview } from '../../desk/preview.ts';
import { actForSender, findShown, listAhead } from '../../desk/sender-desk.ts';
import { correct, getSubmissionByToken } from '../../desk/submit.ts';
import type { PageMeta } from '../page.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import { erasePrivate, type Privacy, readPrivacy } from './private.ts';
import { toRefused } from './refused.ts';
import { COPY_ENDING } from './status-copy.ts';
import { handleForm, type SubmitPage } from './form.ts';

export interface StatusPage {
  readonly meta: PageMeta;
  readonly stored: StoredSubmission;
  readonly path: string;
  readonly shown: ShownAs;
  /** The page of the event, once a release shows it. */
  readonly event_path: string | null;
  /** A copy for its sender's calendar. */
  readonly copy_path: string | null;
  readonly detail: EventDetail | null;
  /** Of several days ahead those that may be called off, YYYY-MM-DD; none of an event with one. */
  readonly days: readonly string[];
  readonly notice: string | null;
  /** What was typed and ticked with a request that was refused. */
  readonly message: string;
  readonly ticked: readonly string[];
  readonly privacy: Privacy;
  /** Whether its sender has a letter once it is decided. */
  readonly is_mailed: boolean;
}

export type StatusResult =
  | Shown<{ readonly status: StatusPage } | { readonly correction: SubmitPage }>
  | Redirect;

/** The answer at a token; null where no submission has it. */
export async function handleStatus(
  state: SiteState,
  visit: Visit,
  token: string,
  lang: Lang,
): Promise<StatusResult | null> {
  const stored = await getSubmissionByToken(visit.inbox, token);
  if (stored === null) return null;
  const path = toStatusPath(token, lang);
  const does = visit.method === 'POST' ? visit.fields.does : visit.query.does;
  if (does === 'correct' || (visit.fields.step ?? visit.fields.answer) !== undefined)
    return handleCorrection(state, visit, stored, path, lang);
  const toStatus = async (notice: Key | null) => ({
    status: await toPage(state, visit, stored, token, lang, notice),
  });
  if (visit.method === 'GET')
    return show(await toStatus(visit.query.erased ? 'status.erased' : null));
  if (visit.refusal !== null) {
    const { status } = await toStatus(REFUSALS[visit.refusal]);
    return show({ status: { ...status, ...readTyped(visit) } }, visit.refusal);
  }
  if (does === 'erase') return erasePrivate(visit, stored.reference, [stored.reference], path);
  return handleAct(state, visit, (await toStatus(null)).status, does);
}

/** Done, or refused with what was typed. */
async function handleAct(
  state: SiteState,
  visit: Visit,
  status: StatusPage,
  does: string | undefined,
): Promise<StatusResult> {
  const { lang } = status.meta;
  const toShown = (notice: string, code: number) =>
    show({ status: { ...status, notice, ...readTyped(visit) } }, code);
  try {
    const issue = await act(state, visit, status, does);
    return issue === null ? redirect(status.path) : toShown(t(lang, issue), 422);
  } catch (thrown) {
    const refused = toRefused(thrown, lang, state.now_ms);
    if (refused === null) throw thrown;
    return { ...toShown(refused.notice, refused.status), retry_seconds: refused.retry_seconds };
  }
}

const readTyped = ({ fields }: Visit): Pick<StatusPage, 'message' | 'ticked'> => ({
  message: fields.message ?? '',
  ticked: (fields.dates ?? '').split(',').filter(Boolean),
});

const REFUSED: Readonly<Record<string, Key>> = {
  no_message: 'status.refused.no_message',
  no_dates: 'status.refused.no_dates',
  no_such_day: 'status.refused.no_such_day',
};

/** Does what its sender wants; gives what is wrong with it. */
async function act(
  { snapshot, now_ms }: SiteState,
  visit: Visit,
  { stored, days }: StatusPage,
  does: string | undefined,
): Promise<Key | null> {
  const { inbox } = visit;
  const { message, ticked } = readTyped(visit);
  try {
    const act = SENDER_ACTS.find((known) => known === does);
    if (act === undefined || act === 'correct') return 'status.refused.unknown';
    const dates = days.length === 0 || ticked.includes(ALL_DAYS) ? null : ticked;
    await actForSender(inbox, snapshot, {
      reference: stored.reference,
      now_ms,
      act,
      message,
      dates,
    });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof AppError) || toRefused(thrown, 'es', now_ms) !== null) throw thrown;
    return REFUSED[thrown.reason ?? ''] ?? 'status.refused.state';
  }
}

async function handleCorrection(
  state: SiteState,
  visit: Visit,
  stored: StoredSubmission,
  path: string,
  lang: Lang,
): Promise<StatusResult> {
  const { inbox } = visit;
  const result = await handleForm(state, visit, {
    lang,
    action: `${path}?does=correct`,
    paths: null,
    correcting: stored.reference,
    initial: toFormValues(stored.submission),
    may_have_begun: true,
    store: async (submission) => {
      await correct(inbox, {
        reference: stored.reference,
        now_ms: state.now_ms,
        submission,
      });
      return path;
    },
  });
  return result.kind === 'redirect' ? result : { ...result, page: { correction: result.page } };
}

async function toPage(
  state: SiteState,
  visit: Visit,
  stored: StoredSubmission,
  token: string,
  lang: Lang,
  notice: Key | null,
): Promise<StatusPage> {
  const { snapshot, now_ms, site } = state;
  const shown = findShown(stored, snapshot, now_ms);
  const event_path = shown.detail && toThingPath('event', shown.detail.event.slug, lang);
  const paths = byLang((one) => toStatusPath(token, one));
  const ahead = listAhead(shown, now_ms);
  return {
    stored,
    days: ahead.length > 1 ? ahead : [],
    shown: shown.as,
    event_path,
    path: paths[lang],
    notice: notice && t(lang, notice),
    message: '',
    ticked: [],
    privacy: await readPrivacy(visit, [stored]),
    is_mailed:
      site.sends_mail === true && (await mayWriteTo(visit.inbox, stored.submission.contact_email)),
    copy_path: shown.as === 'gone' ? null : `${paths[lang]}${COPY_ENDING}`,
    detail: toPreview(stored.submission, {}, toKnown(snapshot), { ...stored, now_ms }),
    meta: {
      lang,
      site,
      paths,
      is_private: true,
      markdown: null,
      calendar: null,
      json_ld: null,
      entry: null,
      title: t(lang, 'status.title', { reference: stored.reference }),
      description: t(lang, 'status.description'),
    },
  };
}

export const statusPage = defineForm<TokenRequest, StatusPage | SubmitPage>({
  name: 'status',
  routes: toTokenRoutes(toStatusPath),
  handle: async (state, { token, lang }, visit) => {
    const result = visit && (await handleStatus(state, visit, token, lang));
    if (result === null) return NOT_FOUND;
    if (result.kind === 'redirect') return result;
    const { page } = result;
    return 'status' in page
      ? { ...result, page: page.status }
      : { ...result, page: page.correction, component: 'submit' };
  },
});
