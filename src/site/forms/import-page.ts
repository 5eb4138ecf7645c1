// Calendar import pages: accept a sender's calendar by file or by URL, and serve its private page
// (its address has a token). While the calendar is a draft, this page selects the events to submit;
// then it shows their status, withdraws pending ones, and accepts a newer version (contract 14.34,
// 14.35).
// `does` is the name of the pressed button; an event is `gone` if it is missing from the latest
// version.
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

/** View model of the page that accepts a calendar. */
export type ImportPage = ReturnType<typeof buildImportPage>;

/** Statuses of problems that the calendar's content does not cause; 422 for all others. */
const PROBLEM_STATUSES: Readonly<Partial<Record<ImportProblem, number>>> = {
  too_large: 413,
  too_often: 429,
  busy: 503,
};

/** Formats why a calendar was rejected, with its status and the time of a retry. */
function formatProblem(
  problem: ImportProblem,
  { retry_at_ms }: VisitorRequest,
  lang: Lang,
  now_ms: number,
) {
  const { when, retry_seconds } = formatRetry(retry_at_ms, lang, now_ms);
  const sentence = t(lang, `batch.problem.${problem}`, { when });
  return { sentence, status: PROBLEM_STATUSES[problem] ?? 422, retry_seconds };
}

/**
 * Builds the page that accepts a calendar.
 * @param banner Message about the whole form.
 * @param problem Message about the calendar.
 */
function buildImportPage(
  { now_ms, site }: PageContext,
  visit: VisitorRequest,
  lang: Lang,
  banner: string | null = null,
  problem: string | null = null,
) {
  const { fields } = visit;
  const paths = PAGE_PATHS.import;
  return {
    action: paths[lang],
    form_token: reuseFormToken(visit, now_ms),
    banner,
    problem,
    url: fields.calendar_url ?? '',
    text_lang: LANGS.find((text_lang) => text_lang === fields.text_lang) ?? lang,
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

/** Serves the import page, and creates a draft from a submitted calendar. */
async function handleImport(
  context: PageContext,
  visit: VisitorRequest,
  lang: Lang,
): Promise<PageResult<ImportPage> | RedirectResult> {
  const { now_ms, snapshot } = context;
  const { fields, inbox, sender, rejection, calendar } = visit;
  const page = buildImportPage(context, visit, lang);
  const withBanner = (key: MessageKey, status: number) =>
    pageResult(buildImportPage(context, visit, lang, t(lang, key)), status);
  if (rejection !== null) return withBanner(REJECTION_MESSAGE_KEYS[rejection], rejection);
  if (visit.method === 'GET') return pageResult(page);
  // The honeypot: only spam programs fill it in.
  if (fields.homepage) return withBanner('submit.refused.trap', 422);
  const token_issue = findFormTokenIssue(visit, now_ms);
  const is_received = calendar !== null && !('problem' in calendar);
  // A file is chosen quickly, and a draft submits nothing yet: `too_soon` does not apply.
  const has_token_issue = token_issue !== null && token_issue !== 'submit.refused.too_soon';
  if (is_received && has_token_issue) return withBanner(token_issue, 422);
  const result = is_received
    ? await createImportDraft(inbox, snapshot, {
        ...calendar,
        lang: page.text_lang,
        sender,
        now_ms,
      })
    : (calendar ?? { problem: 'nothing_given' });
  if ('token' in result) return redirectAfterPost(calendarImportPath(result.token, lang));
  const { sentence, status, retry_seconds } = formatProblem(result.problem, visit, lang, now_ms);
  const page_with_problem = buildImportPage(context, visit, lang, null, sentence);
  return { ...pageResult(page_with_problem, status), retry_seconds };
}

export const importPage = defineForm({
  name: 'import',
  routes: pageRoutes('import'),
  handle: (context, { lang }, visit) => (visit ? handleImport(context, visit, lang) : UNAVAILABLE),
  toMarkdown: ({ site }, { lang }) => renderImportDocs(lang, site),
});

/** View model of the status of all events of a calendar. */
export type ImportStatusPage = Awaited<ReturnType<typeof loadStatusPage>>;
type ImportResult = PageResult<ImportStatusPage | ImportSelectionPage> | RedirectResult;

/** A request to the private page of an imported calendar. */
interface ImportRequest {
  readonly context: PageContext;
  readonly visit: VisitorRequest;
  readonly calendar_import: CalendarImport;
  readonly token: string;
  readonly lang: Lang;
  readonly path: string;
  readonly meta: PageMeta;
}

/** Serves the private page of an imported calendar. Returns null if no import has this token. */
async function handleImportStatus(
  context: PageContext,
  visit: VisitorRequest,
  token: string,
  lang: Lang,
): Promise<ImportResult | null> {
  const { inbox, fields, rejection, query } = visit;
  const calendar_import = await getImportByToken(inbox, token);
  if (calendar_import === null) return null;
  const { reference, draft } = calendar_import;
  const paths = byLang((path_lang) => calendarImportPath(token, path_lang));
  const path = paths[lang];
  const meta = formMeta({
    lang,
    site: context.site,
    paths,
    is_private: true,
    entry: 'submit',
    title: t(lang, draft === null ? 'batch.sent.title' : 'batch.choose.title'),
    description: t(lang, 'batch.text'),
  });
  const request: ImportRequest = { context, visit, calendar_import, token, lang, path, meta };
  if (rejection !== null)
    return showCurrentPage(request, t(lang, REJECTION_MESSAGE_KEYS[rejection]), rejection);
  if (visit.method === 'GET')
    return showCurrentPage(request, query.erased ? t(lang, 'status.erased') : null);
  if (visit.calendar !== null) return importNewerVersion(request, visit.calendar);
  if (fields.does === 'withdraw') await withdrawImport(inbox, calendar_import);
  else if (fields.does === 'erase' && reference !== null) {
    const references = (await listImportedSubmissions(inbox, calendar_import)).map(
      ({ stored }) => stored.reference,
    );
    return erasePrivate(visit, reference, references, path);
  } else if (draft !== null && fields.does === 'drop') {
    await discardImportDraft(inbox, calendar_import, context.now_ms);
    if (reference === null) return redirectAfterPost(pagePath('import', lang));
  } else if (draft !== null) return submitSelection(request, draft);
  return redirectAfterPost(path);
}

/**
 * Shows the selection with the suggested answers while there is a draft, otherwise the status of
 * each event.
 */
async function showCurrentPage(
  request: ImportRequest,
  banner: string | null,
  status = 200,
): Promise<ImportResult> {
  const { context, calendar_import } = request;
  const { draft } = calendar_import;
  if (draft === null) return pageResult(await loadStatusPage(request, banner), status);
  const answers = suggestImportAnswers(context, calendar_import, draft);
  const parsed = parseImportRows(context, calendar_import, draft, answers);
  const is_submitted = false;
  const page = buildImportSelectionPage(request, draft, answers, parsed, banner, is_submitted);
  return selectionResult(page, status);
}

const selectionResult = (
  page: ImportSelectionPage,
  status: number,
): PageResult<ImportSelectionPage> => ({
  ...pageResult(page, status),
  component: 'import-selection',
});

/** Creates a draft from a newer version of the imported calendar. */
async function importNewerVersion(
  request: ImportRequest,
  calendar: NonNullable<VisitorRequest['calendar']>,
): Promise<ImportResult> {
  const { context, visit, calendar_import, token, lang, path } = request;
  const { now_ms, snapshot } = context;
  const { inbox, sender } = visit;
  const submission_context = { lang: calendar_import.lang, sender, now_ms };
  const existing_import = { batch: calendar_import, token };
  const result =
    'problem' in calendar
      ? calendar
      : await createImportDraft(
          inbox,
          snapshot,
          { ...calendar, ...submission_context },
          existing_import,
        );
  if (!('problem' in result)) return redirectAfterPost(path);
  const { sentence, status, retry_seconds } = formatProblem(result.problem, visit, lang, now_ms);
  const page = await showCurrentPage(request, sentence, status);
  return page.kind === 'page' ? { ...page, retry_seconds } : page;
}

/** Submits the selected events if all are complete, or only the complete ones with `send_ready`. */
async function submitSelection(request: ImportRequest, draft: ImportDraft): Promise<ImportResult> {
  const { context, visit, calendar_import, lang, path } = request;
  const { fields, inbox, sender } = visit;
  const { now_ms } = context;
  const parsed = parseImportRows(context, calendar_import, draft, fields);
  const buildPage = (banner: string | null, is_submitted = true) =>
    buildImportSelectionPage(request, draft, fields, parsed, banner, is_submitted);
  // Pressing Enter in a text field, or expanding a row, submits the form without sending events.
  if (!fields.does?.startsWith('send')) return selectionResult(buildPage(null, false), 200);
  const selected_rows = parsed.ready;
  const sends_only_ready = fields.does === 'send_ready' && selected_rows.length > 0;
  if (parsed.incomplete_count > 0 && !sends_only_ready)
    return selectionResult(buildPage(null), 422);
  if (selected_rows.length === 0)
    return selectionResult(buildPage(t(lang, 'batch.refused.none')), 422);
  // Events missing from this version that the sender did not select to be cancelled.
  const unselected_gone = draft.rows.filter(
    (row) => row.standing === 'gone' && !selected_rows.some((selected) => selected.row === row),
  );
  const gone_references = unselected_gone.map(({ reference }) => reference).join(',');
  const result = await tryToStore(
    async () => {
      await submitImport(inbox, {
        batch: calendar_import,
        chosen: selected_rows,
        choices: { ...selectReusableAnswers(draft, fields), gone: gone_references },
        cancelled_message: t(calendar_import.lang, 'batch.cancelled'),
        sender,
        now_ms,
      });
      return redirectAfterPost(path);
    },
    lang,
    now_ms,
    buildPage,
  );
  return result.kind === 'page' ? { ...result, component: 'import-selection' } : result;
}

async function loadStatusPage(
  { context, visit, calendar_import, lang, path, meta }: ImportRequest,
  banner: string | null,
) {
  const submissions = await listImportedSubmissions(visit.inbox, calendar_import);
  const changes = submissions.map(({ stored }) => stored);
  const gone_references = new Set((calendar_import.choices.gone ?? '').split(','));
  return {
    meta,
    path,
    calendar_import,
    banner,
    has_pending: changes.some(canWithdraw),
    privacy: await loadPrivacy(visit, changes),
    lines: submissions.map(({ stored, token }) => ({
      stored,
      when_text: formatImportedWhen(stored.text, lang),
      status_text: formatSubmissionStatus(
        stored,
        findPublishedEvent(stored, context.snapshot, context.now_ms).as,
        lang,
      ).stage,
      /** Missing from the latest version of the calendar, without a request to cancel it. */
      is_gone: gone_references.has(stored.reference) && isActive(stored),
      /** Private status page; null if its token is no longer available. */
      path: token && submissionStatusPath(token, lang),
    })),
  };
}

export const importStatusPage = defineForm<TokenRequest, ImportSelectionPage | ImportStatusPage>({
  name: 'import-status',
  routes: tokenRoutes(calendarImportPath),
  handle: async (context, { token, lang }, visit) =>
    (visit && (await handleImportStatus(context, visit, token, lang))) ?? NOT_FOUND,
});
