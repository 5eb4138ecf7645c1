// A calendar that somebody brings in, by file or by address; and its private address: while somebody
// chooses, the choice; after that how each event stands, what can be taken back, and the calendar brought
// again (contract 14.34, 14.35).
import { renderImport } from '../../serializers/markdown/submit.ts';
import { listSent, getBatchByToken } from '../../inbox/batches.ts';
import { findShown } from '../../desk/propose.ts';
import { toFeedWhen, toStatusWords } from '../../i18n/form-words.ts';
import { openBatch, dropDraft, sendBatch, takeBackBatch } from '../../desk/batches.ts';
import { AppError } from '../../domain/app-error.ts';
import type { BatchDraft, StoredBatch } from '../../domain/batch.ts';
import type { FeedProblem } from '../../domain/feed.ts';
import { byLang, type Lang, LANGS } from '../../domain/lang.ts';
import {
  PAGE_PATHS,
  toBatchPath,
  toMarkdownPath,
  toPagePath,
  toStatusPath,
} from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { CLOSED, NOT_FOUND, type PageMeta } from '../page.ts';
import { defineForm, type TokenRequest, toPageRoutes, toTokenRoutes } from '../page-kind.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import {
  type ChoosePage,
  keepChoices,
  readChosen,
  suggestChoices,
  toChoosePage,
} from './choose.ts';
import { erasePrivate, readPrivacy } from './private.ts';
import { findStampFault, reuseStamp, takeIn, toFormMeta, toRetry } from './refused.ts';

export interface BringPage {
  readonly meta: PageMeta;
  readonly action: string;
  readonly stamp: string;
  /** What is wrong with the whole. */
  readonly notice: string | null;
  /** What is wrong with the calendar. */
  readonly problem: string | null;
  readonly url: string;
  readonly text_lang: Lang;
}

/** Where what is wrong is not what was sent. */
const PROBLEM_STATUS: Readonly<Partial<Record<FeedProblem, number>>> = {
  too_large: 413,
  too_often: 429,
  busy: 503,
};

/** Why a calendar is not taken in: in words, as a status, and when it works again. */
function toProblem(problem: FeedProblem, { retry_at_ms }: Visit, lang: Lang, now_ms: number) {
  const { when, retry_seconds } = toRetry(retry_at_ms, lang, now_ms);
  const sentence = t(lang, `batch.problem.${problem}`, { when });
  return { sentence, status: PROBLEM_STATUS[problem] ?? 422, retry_seconds };
}

/** The answer to any request for the page where one is brought in. */
async function handleBring(
  { now_ms, snapshot, site }: SiteState,
  visit: Visit,
  lang: Lang,
): Promise<Shown<BringPage> | Redirect> {
  const { fields, inbox, sender, refusal, calendar } = visit;
  const paths = PAGE_PATHS.import;
  const page: BringPage = {
    action: paths[lang],
    stamp: reuseStamp(visit, now_ms),
    notice: null,
    problem: null,
    url: fields.calendar_url ?? '',
    text_lang: LANGS.find((one) => one === fields.text_lang) ?? lang,
    meta: toFormMeta({
      lang,
      site,
      paths,
      markdown: toMarkdownPath(paths[lang]),
      entry: 'submit',
      title: t(lang, 'batch.title'),
      description: t(lang, 'batch.text'),
    }),
  };
  const again = (notice: Key, status: number) => show({ ...page, notice: t(lang, notice) }, status);
  const fail = (problem: FeedProblem) => {
    const { sentence, status, retry_seconds } = toProblem(problem, visit, lang, now_ms);
    return { ...show({ ...page, problem: sentence }, status), retry_seconds };
  };
  if (refusal !== null) return again(REFUSALS[refusal], refusal);
  if (visit.method === 'GET') return show(page);
  if (fields.homepage) return again('submit.refused.trap', 422);
  if (calendar === null) return fail('nothing_given');
  if ('problem' in calendar) return fail(calendar.problem);
  const fault = findStampFault(visit, now_ms);
  // A file is chosen quickly, and nothing is sent by it yet.
  if (fault !== null && fault !== 'submit.refused.too_soon') return again(fault, 422);
  const arrival = { ...calendar, lang: page.text_lang, sender, now_ms };
  const opened = await openBatch(inbox, snapshot, arrival);
  return 'problem' in opened ? fail(opened.problem) : redirect(toBatchPath(opened.token, lang));
}

export const bringPage = defineForm({
  name: 'bring',
  routes: toPageRoutes('import'),
  handle: (state, { lang }, visit) => (visit ? handleBring(state, visit, lang) : CLOSED),
  toMarkdown: ({ site }, { lang }) => renderImport(lang, site),
});

export type BatchPage = Awaited<ReturnType<typeof toBatchPage>>;
type BatchAnswer = Shown<BatchPage | ChoosePage> | Redirect;

/** One of them, at its private address. */
interface Own {
  readonly state: SiteState;
  readonly visit: Visit;
  readonly batch: StoredBatch;
  readonly token: string;
  readonly lang: Lang;
  readonly path: string;
  readonly meta: PageMeta;
}

/** The answer at a token; null where no batch has it. */
async function handleBatch(
  state: SiteState,
  visit: Visit,
  token: string,
  lang: Lang,
): Promise<BatchAnswer | null> {
  const { inbox, fields, refusal, query } = visit;
  const batch = await getBatchByToken(inbox, token);
  if (batch === null) return null;
  const { reference, draft } = batch;
  const paths = byLang((one) => toBatchPath(token, one));
  const path = paths[lang];
  const meta = toFormMeta({
    lang,
    site: state.site,
    paths,
    is_private: true,
    entry: 'submit',
    title: t(lang, draft === null ? 'batch.sent.title' : 'batch.choose.title'),
    description: t(lang, 'batch.text'),
  });
  const own: Own = { state, visit, batch, token, lang, path, meta };
  if (refusal !== null) return showAsIs(own, t(lang, REFUSALS[refusal]), refusal);
  if (visit.method === 'GET') return showAsIs(own, query.erased ? t(lang, 'status.erased') : null);
  if (visit.calendar !== null) return bringAgain(own, visit.calendar);
  if (fields.does === 'withdraw') await takeBackBatch(inbox, batch);
  else if (fields.does === 'erase' && reference !== null) {
    const references = (await listSent(inbox, batch)).map(({ stored }) => stored.reference);
    return erasePrivate(visit, reference, references, path);
  } else if (draft !== null && fields.does === 'drop') {
    await dropDraft(inbox, batch);
    if (reference === null) return redirect(toPagePath('import', lang));
  } else if (draft !== null) return send(own, draft);
  return redirect(path);
}

/** The choice with what is suggested, or what became of it. */
async function showAsIs(own: Own, notice: string | null, status = 200): Promise<BatchAnswer> {
  const { state, batch } = own;
  if (batch.draft === null) return show(await toBatchPage(own, notice), status);
  const choices = suggestChoices(state, batch, batch.draft);
  return showChoice(toChoosePage(own, batch.draft, choices, notice), status);
}

const showChoice = (page: ChoosePage, status: number): Shown<ChoosePage> => ({
  ...show(page, status),
  component: 'choose',
});

async function bringAgain(
  own: Own,
  calendar: NonNullable<Visit['calendar']>,
): Promise<BatchAnswer> {
  const { state, visit, batch, token, lang, path } = own;
  const { now_ms, snapshot } = state;
  const { inbox, sender } = visit;
  const fail = async (problem: FeedProblem): Promise<BatchAnswer> => {
    const { sentence, status, retry_seconds } = toProblem(problem, visit, lang, now_ms);
    const shown = await showAsIs(own, sentence, status);
    return shown.kind === 'page' ? { ...shown, retry_seconds } : shown;
  };
  if ('problem' in calendar) return fail(calendar.problem);
  const arrival = { ...calendar, lang: batch.lang, sender, now_ms };
  const opened = await openBatch(inbox, snapshot, arrival, { batch, token });
  return 'problem' in opened ? await fail(opened.problem) : redirect(path);
}

/** Sends what is ticked, where all of it is complete or only what is complete is wanted. */
async function send(own: Own, draft: BatchDraft): Promise<BatchAnswer> {
  const { state, visit, batch, lang, path } = own;
  const { fields, inbox, sender } = visit;
  const { now_ms } = state;
  const chosen = readChosen(state, batch, draft, fields, lang);
  const toPage = (notice: string | null) => toChoosePage(own, draft, fields, notice, chosen);
  const { ready, incomplete } = chosen;
  if (incomplete > 0 && (fields.does !== 'send_ready' || ready.length === 0))
    return showChoice(toPage(null), 422);
  try {
    const answer = await takeIn(
      async () => {
        const cancelled_message = t(batch.lang, 'batch.cancelled');
        const choices = keepChoices(draft, fields);
        await sendBatch(inbox, {
          batch,
          chosen: ready,
          choices,
          cancelled_message,
          sender,
          now_ms,
        });
        return redirect(path);
      },
      lang,
      now_ms,
      toPage,
    );
    return answer.kind === 'page' ? { ...answer, component: 'choose' } : answer;
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.reason !== 'nothing_chosen') throw thrown;
    return showChoice(toPage(t(lang, 'batch.refused.none')), 422);
  }
}

async function toBatchPage({ state, visit, batch, lang, path, meta }: Own, notice: string | null) {
  const sent = await listSent(visit.inbox, batch);
  const all = sent.map(({ stored }) => stored);
  return {
    meta,
    path,
    batch,
    notice,
    /** Whether anything of it can be taken back. */
    has_waiting: all.some(({ state: own }) => own === 'waiting' || own === 'asked'),
    privacy: await readPrivacy(visit, all),
    lines: sent.map(({ stored, token }) => ({
      stored,
      when: toFeedWhen(stored.text, lang),
      /** How it stands, in words. */
      stage: toStatusWords(stored, findShown(stored, state.snapshot, state.now_ms).as, lang).stage,
      /** Its own private address; null where it cannot be told any more. */
      path: token && toStatusPath(token, lang),
    })),
  };
}

export const batchPage = defineForm<TokenRequest, ChoosePage | BatchPage>({
  name: 'batch',
  routes: toTokenRoutes(toBatchPath),
  handle: async (state, { token, lang }, visit) =>
    (visit && (await handleBatch(state, visit, token, lang))) ?? NOT_FOUND,
});
