// A calendar that somebody brings in, by file or by address; and its private address: while somebody
// chooses, the choice; after that how each event stands, what can be taken back, and the calendar brought
// again (contract 14.34, 14.35).
import { renderImport } from '../../serializers/markdown/submit.ts';
import { listSent, getBatchByToken } from '../../inbox/batches.ts';
import { findShown, mayTakeBack } from '../../desk/propose.ts';
import { toFeedWhen, toStatusWords } from '../../i18n/form-words.ts';
import { dropDraft, isStanding, openBatch, sendBatch, takeBackBatch } from '../../desk/batches.ts';
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
import { type ChoosePage, keepAnswers, readRows, suggestAnswers, toChoosePage } from './choose.ts';
import { erasePrivate, readPrivacy } from './private.ts';
import { findStampFault, reuseStamp, takeIn, toFormMeta, toRetry } from './refused.ts';

export type BringPage = ReturnType<typeof toBringPage>;

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

/** The page where one is brought in; `notice` is about the whole, `problem` about the calendar. */
function toBringPage(
  { now_ms, site }: SiteState,
  visit: Visit,
  lang: Lang,
  notice: string | null = null,
  problem: string | null = null,
) {
  const { fields } = visit;
  const paths = PAGE_PATHS.import;
  return {
    action: paths[lang],
    stamp: reuseStamp(visit, now_ms),
    notice,
    problem,
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
}

/** The answer to any request for it. */
async function handleBring(
  state: SiteState,
  visit: Visit,
  lang: Lang,
): Promise<Shown<BringPage> | Redirect> {
  const { now_ms, snapshot } = state;
  const { fields, inbox, sender, refusal, calendar } = visit;
  const page = toBringPage(state, visit, lang);
  const again = (notice: Key, status: number) =>
    show(toBringPage(state, visit, lang, t(lang, notice)), status);
  if (refusal !== null) return again(REFUSALS[refusal], refusal);
  if (visit.method === 'GET') return show(page);
  if (fields.homepage) return again('submit.refused.trap', 422);
  const fault = findStampFault(visit, now_ms);
  const is_sound = calendar !== null && !('problem' in calendar);
  // A file is chosen quickly, and nothing is sent by it yet.
  if (is_sound && fault !== null && fault !== 'submit.refused.too_soon') return again(fault, 422);
  const opened = is_sound
    ? await openBatch(inbox, snapshot, { ...calendar, lang: page.text_lang, sender, now_ms })
    : (calendar ?? { problem: 'nothing_given' });
  if ('token' in opened) return redirect(toBatchPath(opened.token, lang));
  const { sentence, status, retry_seconds } = toProblem(opened.problem, visit, lang, now_ms);
  return { ...show(toBringPage(state, visit, lang, null, sentence), status), retry_seconds };
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
    await dropDraft(inbox, batch, state.now_ms);
    if (reference === null) return redirect(toPagePath('import', lang));
  } else if (draft !== null) return send(own, draft);
  return redirect(path);
}

/** The choice with what is suggested, or what became of it. */
async function showAsIs(own: Own, notice: string | null, status = 200): Promise<BatchAnswer> {
  const { state, batch } = own;
  const { draft } = batch;
  if (draft === null) return show(await toBatchPage(own, notice), status);
  const answers = suggestAnswers(state, batch, draft);
  const read = readRows(state, batch, draft, answers);
  return showChoice(toChoosePage(own, draft, answers, read, notice, false), status);
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
  const arrival = { lang: batch.lang, sender, now_ms };
  const opened =
    'problem' in calendar
      ? calendar
      : await openBatch(inbox, snapshot, { ...calendar, ...arrival }, { batch, token });
  if (!('problem' in opened)) return redirect(path);
  const { sentence, status, retry_seconds } = toProblem(opened.problem, visit, lang, now_ms);
  const shown = await showAsIs(own, sentence, status);
  return shown.kind === 'page' ? { ...shown, retry_seconds } : shown;
}

/** Sends what is ticked, where all of it is complete or only what is complete is wanted. */
async function send(own: Own, draft: BatchDraft): Promise<BatchAnswer> {
  const { state, visit, batch, lang, path } = own;
  const { fields, inbox, sender } = visit;
  const { now_ms } = state;
  const read = readRows(state, batch, draft, fields);
  const toPage = (notice: string | null, is_sent = true) =>
    toChoosePage(own, draft, fields, read, notice, is_sent);
  // Enter in a line of text sends nothing, nor does the wish to see the controls of an event.
  if (!fields.does?.startsWith('send')) return showChoice(toPage(null, false), 200);
  const chosen = read.ready;
  if (read.incomplete > 0 && (fields.does !== 'send_ready' || chosen.length === 0))
    return showChoice(toPage(null), 422);
  if (chosen.length === 0) return showChoice(toPage(t(lang, 'batch.refused.none')), 422);
  const left = draft.rows.filter(
    (row) => row.standing === 'gone' && !chosen.some((one) => one.row === row),
  );
  const gone = left.map(({ reference }) => reference).join(',');
  const answer = await takeIn(
    async () => {
      await sendBatch(inbox, {
        batch,
        chosen,
        choices: { ...keepAnswers(draft, fields), gone },
        cancelled_message: t(batch.lang, 'batch.cancelled'),
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
}

async function toBatchPage({ state, visit, batch, lang, path, meta }: Own, notice: string | null) {
  const sent = await listSent(visit.inbox, batch);
  const all = sent.map(({ stored }) => stored);
  const gone = new Set((batch.choices.gone ?? '').split(','));
  return {
    meta,
    path,
    batch,
    notice,
    has_waiting: all.some(mayTakeBack),
    privacy: await readPrivacy(visit, all),
    lines: sent.map(({ stored, token }) => ({
      stored,
      when: toFeedWhen(stored.text, lang),
      /** How it stands, in words. */
      stage: toStatusWords(stored, findShown(stored, state.snapshot, state.now_ms).as, lang).stage,
      /** It is not in the calendar any more, and nobody has asked to call it off. */
      is_gone: gone.has(stored.reference) && isStanding(stored),
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
