// The form of an event, new or as a correction of what was sent: shown empty, shown again with issues or
// a preview, or a redirect to where what was taken in stands.
import { createReferenceData } from '../../desk/reference-data.ts';
import { buildPreview } from '../../desk/publication.ts';
import { submitEvent } from '../../desk/submissions.ts';
import { hasUpload } from '../../inbox/uploads.ts';
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { FormValues } from '../../domain/submission/form-values.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { PAGE_PATHS, markdownPath, pagePath, submissionStatusPath } from '../../i18n/paths.ts';
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

export type SubmitPage = ReturnType<typeof toPage>;

/**
 * Where the form stands: new, or correcting what was sent; `store` takes in what passed and gives
 * the address to redirect to.
 */
interface FormTarget {
  readonly lang: Lang;
  readonly action: string;
  readonly paths: PageMeta['paths'];
  readonly correcting: string | null;
  readonly initial: FormValues;
  readonly store: (submission: Submission) => Promise<string>;
}

const RETRY_SECONDS = 30;

/** Of a submission that is not stored yet: nobody is shown its reference. */
const NOT_STORED = { reference: 'preview', door: 'form' } as const;

/** A request for a form, its controls without the answer to a question. */
interface EventFormRequest {
  readonly state: PageContext;
  readonly visit: VisitorRequest;
  readonly place: FormTarget;
  readonly talk: QuestionState;
}
type FormAnswer = PageResult<SubmitPage> | RedirectResult;

/** Any form: a GET shows it, what is sent is previewed, stored or shown again. */
export async function handleEventForm(
  state: PageContext,
  sent: VisitorRequest,
  place: FormTarget,
): Promise<FormAnswer> {
  const { fields, talk } = applyAnswer(sent.fields);
  const visit: VisitorRequest = { ...sent, fields };
  const asking: EventFormRequest = { state, visit, place, talk };
  const { refusal } = visit;
  if (refusal !== null) {
    // Of what is foreign or no form nothing was read.
    const is_kept = refusal !== 403 && refusal !== 415;
    const read = is_kept ? await readSentForm(asking) : { values: place.initial };
    const shown = pageResult(toPage(asking, read, REJECTION_MESSAGE_KEYS[refusal]), refusal);
    return refusal === 503 ? { ...shown, retry_seconds: RETRY_SECONDS } : shown;
  }
  if (visit.method === 'GET') {
    const notice = visit.query.known === '1' ? 'submit.known' : null;
    return pageResult(toPage(asking, { values: await withoutGone(visit, place.initial) }, notice));
  }
  const read = await readSentForm(asking);
  if (fields.homepage) return pageResult(toPage(asking, read, 'submit.refused.trap'), 422);
  // More rows for dates: nothing is wrong yet with what is being filled in.
  if (fields.step === 'rows') return pageResult(toPage(asking, { values: read.values }));
  if (fields.step === 'flyer') {
    const { filled, ...form } = await fillFormFromFlyer(state, visit, place.initial, place.lang);
    return pageResult(toPage(asking, form, null, null, [], filled));
  }
  if (read.submission !== null) return takeSound(asking, read, read.submission);
  const { retry_seconds } = formatRetry(visit.retry_at_ms, place.lang, state.now_ms);
  const status = pictureProblemStatus(visit.picture_problem);
  return { ...pageResult(toPage(asking, read), status), retry_seconds };
}

/** Previewed with what is asked about it; stored once it was looked at and nothing is left to ask. */
async function takeSound(
  asking: EventFormRequest,
  read: ParsedForm,
  submission: Submission,
): Promise<FormAnswer> {
  const { state, visit, place, talk } = asking;
  const { now_ms, snapshot } = state;
  const { correcting, lang } = place;
  const is_sending = visit.fields.step === 'send';
  const questions = listQuestions(state, read.values, submission, talk, correcting, lang);
  if (!is_sending || !canSubmit(questions, talk)) {
    const preview = buildPreview(submission, {}, createReferenceData(snapshot), {
      ...NOT_STORED,
      now_ms,
    });
    const notice = is_sending ? 'submit.ask.first' : null;
    return pageResult(toPage(asking, read, notice, preview, questions));
  }
  const fault = findFormTokenIssue(visit, now_ms);
  if (fault !== null) return pageResult(toPage(asking, read, fault), 422);
  try {
    return await tryToStore(
      async () => redirectAfterPost(await place.store(submission)),
      lang,
      now_ms,
      (notice) => ({ ...toPage(asking, read), notice }),
    );
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.reason !== 'picture_gone') throw thrown;
    const issues = withIssue(read.issues, t(lang, 'submit.picture.gone'));
    return pageResult(
      toPage(asking, { values: await withoutGone(visit, read.values), issues }),
      422,
    );
  }
}

/** `questions`: what is asked on the preview. */
function toPage(
  { state, visit, place, talk }: EventFormRequest,
  { values, issues = new Map() }: Pick<FormState, 'values'> & Partial<FormState>,
  notice: MessageKey | null = null,
  preview: EventDetail | null = null,
  questions: readonly QuestionView[] = [],
  filled = parseFlyerState(visit),
) {
  const { site, snapshot, now_ms } = state;
  const { lang, action, correcting, paths } = place;
  const form: FormState = {
    values: fillVenueName(snapshot, values),
    from_text: listControlsFromFlyer(values, filled),
    issues,
    takes_files: true,
    sends_mail: site.sends_mail === true,
    choices: listFormOptions(snapshot, lang),
  };
  const meta = formMeta({
    lang,
    site,
    paths,
    markdown: correcting === null ? markdownPath(PAGE_PATHS.submit[lang]) : null,
    entry: 'submit',
    title: t(lang, correcting === null ? 'submit.title' : 'submit.correct.title'),
    description: t(lang, 'submit.text'),
  });
  const stamp = reuseFormToken(visit, now_ms);
  const said = notice && t(lang, notice);
  const flyer = Object.keys(filled.values).length > 0 ? filled : null;
  return { meta, form, action, correcting, stamp, talk, preview, questions, notice: said, flyer };
}

/** The form understood; with what is wrong with its picture there is no submission. */
async function readSentForm({ state, visit, place }: EventFormRequest): Promise<ParsedForm> {
  const { lang, correcting } = place;
  const read = parseSubmissionForm(visit.fields, state, lang, correcting !== null);
  const values = await withoutGone(visit, read.values);
  const problem = visit.picture_problem ?? (values === read.values ? null : 'gone');
  if (problem === null) return read;
  const sentence = formatPictureProblem(problem, lang, visit.retry_at_ms, state.now_ms);
  return { values, submission: null, issues: withIssue(read.issues, sentence) };
}

/** Without an uploaded picture that is not stored any more. */
async function withoutGone({ inbox }: VisitorRequest, values: FormValues): Promise<FormValues> {
  const { picture_id, ...others } = values;
  return picture_id === undefined || (await hasUpload(inbox, picture_id)) ? values : others;
}

const withIssue = (issues: ParsedForm['issues'], sentence: string): ParsedForm['issues'] =>
  new Map([...issues, ['picture_id', sentence]]);

/** The page of a new submission. */
export function handleSubmit(
  state: PageContext,
  visit: VisitorRequest,
  lang: Lang,
): Promise<FormAnswer> {
  // As a link of the desk fills them in.
  const { category = '', zone = '', start_date = '' } = visit.query;
  return handleEventForm(state, visit, {
    lang,
    action: pagePath('submit', lang),
    paths: PAGE_PATHS.submit,
    correcting: null,
    initial: { lang, languages: lang, category, zone, start_date },
    store: async (submission) => {
      const { token } = await submitEvent(visit.inbox, {
        submission,
        channel: 'form',
        sender: visit.sender,
        now_ms: state.now_ms,
      });
      // Only of a text that is public already, and then nobody can be told whose it is.
      return token === null
        ? `${pagePath('submit', lang)}?known=1`
        : submissionStatusPath(token, lang);
    },
  });
}

export const submitPage = defineForm({
  name: 'submit',
  routes: pageRoutes('submit'),
  handle: (state, { lang }, visit) => (visit ? handleSubmit(state, visit, lang) : UNAVAILABLE),
  toMarkdown: ({ snapshot, site }, { lang }) => renderSubmitDocs(snapshot.taxonomy, lang, site),
});
