// A calendar that somebody brings in, by file or by address; and its private address: while somebody
// chooses, the choice; after that how each event stands, what can be taken back, and the calendar brought
// again (contract 14.34, 14.35).
import { renderImportDocs } from '../../serializers/markdown/submit-docs.ts';
import { listImportedSubmissions, getImportByToken } from '../../inbox/calendar-imports.ts';
import { findPublishedEvent, canWithdraw } from '../../desk/submissions.ts';
import { formatImportedWhen, formatSubmissionStatus } from '../../i18n/format-forms.ts';
import {
  discardImportDraft,
  isActive,
  createImportDraft,
  submitImport,
  withdrawImport,
} from '../../desk/calendar-imports.ts';
import type { ImportDraft, CalendarImport } from '../../domain/calendar-import.ts';
import type { ImportProblem } from '../../domain/imported-events.ts';
import { byLang, type Lang, LANGS } from '../../domain/lang.ts';
import {
  PAGE_PATHS,
  calendarImportPath,
  markdownPath,
  pagePath,
  submissionStatusPath,
} from '../../i18n/paths.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import { UNAVAILABLE, NOT_FOUND, type PageMeta } from '../page-meta.ts';
import { defineForm, type TokenRequest, pageRoutes, tokenRoutes } from '../page-definition.ts';
import type { PageContext } from '../page-context.ts';
import {
  type RedirectResult,
  redirectAfterPost,
  REJECTION_MESSAGE_KEYS,
  pageResult,
  type PageResult,
  type VisitorRequest,
} from '../visitor-request.ts';
import {
  type ImportSelectionPage,
  selectReusableAnswers,
  parseImportRows,
  suggestImportAnswers,
  buildImportSelectionPage,
} from './import-selection.ts';
import { erasePrivate, loadPrivacy } from './privacy.ts';
import {
  findFormTokenIssue,
  reuseFormToken,
  tryToStore,
  formMeta,
  formatRetry,
} from './form-errors.ts';

export type ImportPage = ReturnType<typeof toBringPage>;

/** Where what is wrong is not what was sent. */
const PROBLEM_STATUS: Readonly<Partial<Record<ImportProblem, number>>> = {
  too_large: 413,
  too_often: 429,
  busy: 503,
};

/** Why a calendar is not taken in: in words, as a status, and when it works again. */
function toProblem(
  problem: ImportProblem,
  { retry_at_ms }: VisitorRequest,
  lang: Lang,
  now_ms: number,
) {
  const { when, retry_seconds } = formatRetry(retry_at_ms, lang, now_ms);
  const sentence = t(lang, `batch.problem.${problem}`, { when });
  return { sentence, status: PROBLEM_STATUS[problem] ?? 422, retry_seconds };
}

/** The page where one is brought in; `notice` is about the whole, `problem` about the calendar. */
function toBringPage(
  { now_ms, site }: PageContext,
  visit: VisitorRequest,
  lang: Lang,
  notice: string | null = null,
  problem: string | null = null,
) {
  const { fields } = visit;
  const paths = PAGE_PATHS.import;
  return {
    action: paths[lang],
    stamp: reuseFormToken(visit, now_ms),
    notice,
    problem,
    url: fields.calendar_url ?? '',
    text_lang: LANGS.find((one) => one === fields.text_lang) ?? lang,
    meta: formMeta({
      lang,
      site,
      paths,
      markdown: markdownPath(paths[lang]),
      entry: 'submit',
      title: t(lang, 'batch.title'),
      description: t(lang, 'batch.text'),
    }),
  };
}

/** The answer to any request for it. */
async function handleBring(
  state: PageContext,
  visit: VisitorRequest,
  lang: Lang,
): Promise<PageResult<ImportPage> | RedirectResult> {
  const { now_ms, snapshot } = state;
  const { fields, inbox, sender, refusal, calendar } = visit;
  const page = toBringPage(state, visit, lang);
  const again = (notice: MessageKey, status: number) =>
    pageResult(toBringPage(state, visit, lang, t(lang, notice)), status);
  if (refusal !== null) return again(REJECTION_MESSAGE_KEYS[refusal], refusal);
  if (visit.method === 'GET') return pageResult(page);
  if (fields.homepage) return again('submit.refused.trap', 422);
  const fault = findFormTokenIssue(visit, now_ms);
  const is_sound = calendar !== null && !('problem' in calendar);
  // A file is chosen quickly, and nothing is sent by it yet.
  if (is_sound && fault !== null && fault !== 'submit.refused.too_soon') return again(fault, 422);
  const opened = is_sound
    ? await createImportDraft(inbox, snapshot, {
        ...calendar,
        lang: page.text_lang,
        sender,
        now_ms,
      })
    : (calendar ?? { problem: 'nothing_given' });
  if ('token' in opened) return redirectAfterPost(calendarImportPath(opened.token, lang));
  const { sentence, status, retry_seconds } = toProblem(opened.problem, visit, lang, now_ms);
  return { ...pageResult(toBringPage(state, visit, lang, null, sentence), status), retry_seconds };
}

export const importPage = defineForm({
  name: 'import',
  routes: pageRoutes('import'),
  handle: (state, { lang }, visit) => (visit ? handleBring(state, visit, lang) : UNAVAILABLE),
  toMarkdown: ({ site }, { lang }) => renderImportDocs(lang, site),
});

export type ImportStatusPage = Awaited<ReturnType<typeof toBatchPage>>;
type BatchAnswer = PageResult<ImportStatusPage | ImportSelectionPage> | RedirectResult;

/** One of them, at its private address. */
interface ImportRequest {
  readonly state: PageContext;
  readonly visit: VisitorRequest;
  readonly batch: CalendarImport;
  readonly token: string;
  readonly lang: Lang;
  readonly path: string;
  readonly meta: PageMeta;
}

/** The answer at a token; null where no batch has it. */
async function handleBatch(
  state: PageContext,
  visit: VisitorRequest,
  token: string,
  lang: Lang,
): Promise<BatchAnswer | null> {
  const { inbox, fields, refusal, query } = visit;
  const batch = await getImportByToken(inbox, token);
  if (batch === null) return null;
  const { reference, draft } = batch;
  const paths = byLang((one) => calendarImportPath(token, one));
  const path = paths[lang];
  const meta = formMeta({
    lang,
    site: state.site,
    paths,
    is_private: true,
    entry: 'submit',
    title: t(lang, draft === null ? 'batch.sent.title' : 'batch.choose.title'),
    description: t(lang, 'batch.text'),
  });
  const own: ImportRequest = { state, visit, batch, token, lang, path, meta };
  if (refusal !== null) return showAsIs(own, t(lang, REJECTION_MESSAGE_KEYS[refusal]), refusal);
  if (visit.method === 'GET') return showAsIs(own, query.erased ? t(lang, 'status.erased') : null);
  if (visit.calendar !== null) return bringAgain(own, visit.calendar);
  if (fields.does === 'withdraw') await withdrawImport(inbox, batch);
  else if (fields.does === 'erase' && reference !== null) {
    const references = (await listImportedSubmissions(inbox, batch)).map(
      ({ stored }) => stored.reference,
    );
    return erasePrivate(visit, reference, references, path);
  } else if (draft !== null && fields.does === 'drop') {
    await discardImportDraft(inbox, batch, state.now_ms);
    if (reference === null) return redirectAfterPost(pagePath('import', lang));
  } else if (draft !== null) return send(own, draft);
  return redirectAfterPost(path);
}

/** The choice with what is suggested, or what became of it. */
async function showAsIs(
  own: ImportRequest,
  notice: string | null,
  status = 200,
): Promise<BatchAnswer> {
  const { state, batch } = own;
  const { draft } = batch;
  if (draft === null) return pageResult(await toBatchPage(own, notice), status);
  const answers = suggestImportAnswers(state, batch, draft);
  const read = parseImportRows(state, batch, draft, answers);
  return showChoice(buildImportSelectionPage(own, draft, answers, read, notice, false), status);
}

const showChoice = (
  page: ImportSelectionPage,
  status: number,
): PageResult<ImportSelectionPage> => ({
  ...pageResult(page, status),
  component: 'import-selection',
});

async function bringAgain(
  own: ImportRequest,
  calendar: NonNullable<VisitorRequest['calendar']>,
): Promise<BatchAnswer> {
  const { state, visit, batch, token, lang, path } = own;
  const { now_ms, snapshot } = state;
  const { inbox, sender } = visit;
  const arrival = { lang: batch.lang, sender, now_ms };
  const opened =
    'problem' in calendar
      ? calendar
      : await createImportDraft(inbox, snapshot, { ...calendar, ...arrival }, { batch, token });
  if (!('problem' in opened)) return redirectAfterPost(path);
  const { sentence, status, retry_seconds } = toProblem(opened.problem, visit, lang, now_ms);
  const shown = await showAsIs(own, sentence, status);
  return shown.kind === 'page' ? { ...shown, retry_seconds } : shown;
}

/** Sends what is ticked, where all of it is complete or only what is complete is wanted. */
async function send(own: ImportRequest, draft: ImportDraft): Promise<BatchAnswer> {
  const { state, visit, batch, lang, path } = own;
  const { fields, inbox, sender } = visit;
  const { now_ms } = state;
  const read = parseImportRows(state, batch, draft, fields);
  const toPage = (notice: string | null, is_sent = true) =>
    buildImportSelectionPage(own, draft, fields, read, notice, is_sent);
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
  const answer = await tryToStore(
    async () => {
      await submitImport(inbox, {
        batch,
        chosen,
        choices: { ...selectReusableAnswers(draft, fields), gone },
        cancelled_message: t(batch.lang, 'batch.cancelled'),
        sender,
        now_ms,
      });
      return redirectAfterPost(path);
    },
    lang,
    now_ms,
    toPage,
  );
  return answer.kind === 'page' ? { ...answer, component: 'import-selection' } : answer;
}

async function toBatchPage(
  { state, visit, batch, lang, path, meta }: ImportRequest,
  notice: string | null,
) {
  const sent = await listImportedSubmissions(visit.inbox, batch);
  const all = sent.map(({ stored }) => stored);
  const gone = new Set((batch.choices.gone ?? '').split(','));
  return {
    meta,
    path,
    batch,
    notice,
    has_waiting: all.some(canWithdraw),
    privacy: await loadPrivacy(visit, all),
    lines: sent.map(({ stored, token }) => ({
      stored,
      when: formatImportedWhen(stored.text, lang),
      /** How it stands, in words. */
      stage: formatSubmissionStatus(
        stored,
        findPublishedEvent(stored, state.snapshot, state.now_ms).as,
        lang,
      ).stage,
      /** It is not in the calendar any more, and nobody has asked to call it off. */
      is_gone: gone.has(stored.reference) && isActive(stored),
      /** Its own private address; null where it cannot be told any more. */
      path: token && submissionStatusPath(token, lang),
    })),
  };
}

export const importStatusPage = defineForm<TokenRequest, ImportSelectionPage | ImportStatusPage>({
  name: 'import-status',
  routes: tokenRoutes(calendarImportPath),
  handle: async (state, { token, lang }, visit) =>
    (visit && (await handleBatch(state, visit, token, lang))) ?? NOT_FOUND,
});
