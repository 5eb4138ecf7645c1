// Event form: serves the form for a new submission or an amendment, previews it with questions, and
// stores it.
// The control `step` is the pressed button: `preview`, `send`, `rows` (more date rows) or `flyer`
// (fills in the form from a flyer). `homepage` is the honeypot, which only spam programs fill in.
import { createReferenceData } from '../../desk/reference-data.ts';
import { buildPreview } from '../../desk/publication.ts';
import { submitEvent } from '../../desk/submissions.ts';
import { hasUpload } from '../../inbox/uploads.ts';
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import {
  findFormRestDays,
  NO_REST_DAYS,
  type RestDays,
  withRestDays,
} from '../../domain/submission/form-dates.ts';
import type { FormValues } from '../../domain/submission/form-values.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { PAGE_PATHS, markdownPath, pagePath, submissionStatusPath } from '../../i18n/paths.ts';
import { formatRests } from '../../i18n/format-dates.ts';
import { type MessageKey, t } from '../../i18n/translate.ts';
import { renderSubmitDocs } from '../../serializers/markdown/submit-docs.ts';
import { UNAVAILABLE, type PageMeta } from '../page-meta.ts';
import { defineForm, pageRoutes } from '../page-definition.ts';
import type { PageContext } from '../page-context.ts';
import {
  type RedirectResult,
  redirectAfterPost,
  REJECTION_MESSAGE_KEYS,
  pageResult,
  type PageResult,
  type VisitorRequest,
} from '../visitor-request.ts';
import { fillFormFromFlyer, listControlsFromFlyer, parseFlyerState } from './flyer-fill.ts';
import {
  canSubmit,
  listQuestions,
  type QuestionView,
  applyAnswer,
  type QuestionState,
} from './sender-questions.ts';
import {
  type FormState,
  listFormOptions,
  fillVenueName,
  type ParsedForm,
  parseSubmissionForm,
} from './parse-form.ts';
import {
  findFormTokenIssue,
  reuseFormToken,
  tryToStore,
  formMeta,
  formatPictureProblem,
  pictureProblemStatus,
  formatRetry,
} from './form-errors.ts';

export type SubmitPage = ReturnType<typeof buildPage>;

/** Purpose of the form: a new submission or an amendment. */
interface FormTarget {
  readonly lang: Lang;
  /** Target path of the form. */
  readonly action: string;
  /** Public paths by language; null for an amendment, at a private URL. */
  readonly paths: PageMeta['paths'];
  /** Reference of the amended submission; null for a new one. */
  readonly amended_reference: string | null;
  /** Values before the sender changes any. */
  readonly initial: FormValues;
  /** Customary rest days of the stored repetition; a new repetition replaces them. */
  readonly rest_days: RestDays;
  /** Stores the submission, and returns the path to redirect to. */
  readonly store: (submission: Submission) => Promise<string>;
}

/** Value of `Retry-After` while the storage is unavailable. */
const RETRY_SECONDS = 30;

/** Placeholders for a submission that is not stored yet; never shown. `door`: the channel. */
const UNSTORED = { reference: 'preview', door: 'form' } as const;

/** A request for the form; the pressed answer is already applied to its fields. */
interface EventFormRequest {
  readonly context: PageContext;
  readonly visit: VisitorRequest;
  readonly target: FormTarget;
  readonly question_state: QuestionState;
}
type FormResult = PageResult<SubmitPage> | RedirectResult;

/** Serves the form: shows it for a GET, otherwise previews, stores or rejects the submitted one. */
export async function handleEventForm(
  context: PageContext,
  original_visit: VisitorRequest,
  target: FormTarget,
): Promise<FormResult> {
  const { fields, question_state } = applyAnswer(original_visit.fields);
  const visit: VisitorRequest = { ...original_visit, fields };
  const request: EventFormRequest = { context, visit, target, question_state };
  const { rejection } = visit;
  if (rejection !== null) {
    // Requests from other sites and of other content types have no fields.
    const has_fields = rejection !== 403 && rejection !== 415;
    const form = has_fields ? await parseSubmittedForm(request) : { values: target.initial };
    const result = pageResult(
      buildPage(request, form, { banner: REJECTION_MESSAGE_KEYS[rejection] }),
      rejection,
    );
    return rejection === 503 ? { ...result, retry_seconds: RETRY_SECONDS } : result;
  }
  if (visit.method === 'GET') {
    const banner = visit.query.known === '1' ? 'submit.known' : null;
    const values = await withoutDeletedPicture(visit, target.initial);
    return pageResult(buildPage(request, { values }, { banner }));
  }
  const parsed = await parseSubmittedForm(request);
  if (fields.homepage)
    return pageResult(buildPage(request, parsed, { banner: 'submit.refused.trap' }), 422);
  // The button for more date rows: an unfinished form shows no issues.
  if (fields.step === 'rows') return pageResult(buildPage(request, { values: parsed.values }));
  if (fields.step === 'flyer') {
    const { initial, lang } = target;
    const { flyer_state, ...form } = await fillFormFromFlyer(context, visit, initial, lang);
    return pageResult(buildPage(request, form, { flyer_state }));
  }
  if (parsed.submission !== null) return handleValidForm(request, parsed, parsed.submission);
  const { retry_seconds } = formatRetry(visit.retry_at_ms, target.lang, context.now_ms);
  const status = pictureProblemStatus(visit.picture_problem);
  return { ...pageResult(buildPage(request, parsed), status), retry_seconds };
}

/**
 * Previews a valid form with its questions, or stores it if the sender has seen them and pressed
 * send.
 */
async function handleValidForm(
  request: EventFormRequest,
  parsed: ParsedForm,
  parsed_submission: Submission,
): Promise<FormResult> {
  const { context, visit, target, question_state } = request;
  const submission = withRestDays(
    parsed_submission,
    findFormRestDays(parsed.values, target.rest_days),
  );
  const { now_ms, snapshot } = context;
  const { amended_reference, lang } = target;
  const is_sending = visit.fields.step === 'send';
  const questions = listQuestions(
    context,
    parsed.values,
    submission,
    question_state,
    amended_reference,
    lang,
  );
  if (!is_sending || !canSubmit(questions, question_state)) {
    const preview = buildPreview(submission, {}, createReferenceData(snapshot), {
      ...UNSTORED,
      now_ms,
    });
    const banner = is_sending ? 'submit.ask.first' : null;
    const { rests = [] } = submission;
    return pageResult(buildPage(request, parsed, { banner, preview, rests, questions }));
  }
  const token_issue = findFormTokenIssue(visit, now_ms);
  if (token_issue !== null)
    return pageResult(buildPage(request, parsed, { banner: token_issue }), 422);
  try {
    return await tryToStore(
      async () => redirectAfterPost(await target.store(submission)),
      lang,
      now_ms,
      (banner) => ({ ...buildPage(request, parsed), banner }),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'picture_gone') throw error;
    const values = await withoutDeletedPicture(visit, parsed.values);
    const issues = withPictureIssue(parsed.issues, t(lang, 'submit.picture.gone'));
    return pageResult(buildPage(request, { values, issues }), 422);
  }
}

/** Parts of the page that only some requests have. */
interface PageParts {
  /** Message above the form. */
  readonly banner?: MessageKey | null;
  /** The event, if the form is valid. */
  readonly preview?: EventDetail | null;
  /** Holidays on which the sender has said that it does not take place. */
  readonly rests?: readonly string[];
  /** Questions on the preview. */
  readonly questions?: readonly QuestionView[];
  readonly flyer_state?: ReturnType<typeof parseFlyerState>;
}

function buildPage(
  { context, visit, target, question_state }: EventFormRequest,
  { values, issues = new Map() }: Pick<FormState, 'values'> & Partial<FormState>,
  {
    banner: banner_key = null,
    preview = null,
    rests = [],
    questions = [],
    flyer_state = parseFlyerState(visit),
  }: PageParts = {},
) {
  const { site, snapshot, now_ms } = context;
  const { lang, action, amended_reference, paths } = target;
  const form: FormState = {
    values: fillVenueName(snapshot, values),
    flyer_controls: listControlsFromFlyer(values, flyer_state),
    issues,
    accepts_files: true,
    sends_mail: site.sends_mail === true,
    options: listFormOptions(snapshot, lang),
  };
  const meta = formMeta({
    lang,
    site,
    paths,
    markdown: amended_reference === null ? markdownPath(PAGE_PATHS.submit[lang]) : null,
    entry: 'submit',
    title: t(lang, amended_reference === null ? 'submit.title' : 'submit.correct.title'),
    description: t(lang, 'submit.text'),
  });
  return {
    meta,
    form,
    action,
    amended_reference,
    form_token: reuseFormToken(visit, now_ms),
    question_state,
    preview,
    rests_text: formatRests(rests, lang),
    questions,
    banner: banner_key && t(lang, banner_key),
    /** Null if no control was filled in from a flyer. */
    flyer_state: Object.keys(flyer_state.values).length > 0 ? flyer_state : null,
  };
}

/** Parses the submitted form. The submission is null if its picture has a problem. */
async function parseSubmittedForm({
  context,
  visit,
  target,
}: EventFormRequest): Promise<ParsedForm> {
  const { lang, amended_reference } = target;
  const parsed = parseSubmissionForm(visit.fields, context, lang, amended_reference !== null);
  const values = await withoutDeletedPicture(visit, parsed.values);
  const is_picture_deleted = values !== parsed.values;
  const problem = visit.picture_problem ?? (is_picture_deleted ? 'gone' : null);
  if (problem === null) return parsed;
  const sentence = formatPictureProblem(problem, lang, visit.retry_at_ms, context.now_ms);
  return { values, submission: null, issues: withPictureIssue(parsed.issues, sentence) };
}

/** Removes the id of an uploaded picture that is no longer stored. */
async function withoutDeletedPicture(
  { inbox }: VisitorRequest,
  values: FormValues,
): Promise<FormValues> {
  const { picture_id, ...others } = values;
  return picture_id === undefined || (await hasUpload(inbox, picture_id)) ? values : others;
}

const withPictureIssue = (issues: ParsedForm['issues'], sentence: string): ParsedForm['issues'] =>
  new Map([...issues, ['picture_id', sentence]]);

/** Serves the form for a new submission. */
export function handleSubmit(
  context: PageContext,
  visit: VisitorRequest,
  lang: Lang,
): Promise<FormResult> {
  // The desk links to the form with these fields filled in, to add missing events.
  const { category = '', zone = '', start_date = '' } = visit.query;
  return handleEventForm(context, visit, {
    lang,
    action: pagePath('submit', lang),
    paths: PAGE_PATHS.submit,
    amended_reference: null,
    initial: { lang, languages: lang, category, zone, start_date },
    rest_days: NO_REST_DAYS,
    store: async (submission) => {
      const { token } = await submitEvent(visit.inbox, {
        submission,
        channel: 'form',
        sender: visit.sender,
        now_ms: context.now_ms,
      });
      // Null only if the same text is already published; its status page is not revealed to another
      // sender.
      return token === null
        ? `${pagePath('submit', lang)}?known=1`
        : submissionStatusPath(token, lang);
    },
  });
}

export const submitPage = defineForm({
  name: 'submit',
  routes: pageRoutes('submit'),
  handle: (context, { lang }, visit) => (visit ? handleSubmit(context, visit, lang) : UNAVAILABLE),
  toMarkdown: ({ snapshot, site }, { lang }) => renderSubmitDocs(snapshot.taxonomy, lang, site),
});
