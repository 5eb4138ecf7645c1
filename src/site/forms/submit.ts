// The form's page: shown empty, shown again with issues or a preview, or a redirect to the status
// page.
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { FormValues } from '../../domain/submission/controls.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { PAGE_PATHS, toMarkdownPath, toPagePath, toStatusPath } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { toKnown } from '../../desk/known.ts';
import { toPreview } from '../../desk/preview.ts';
import { checkFormStamp } from '../../desk/secret.ts';
import { submit } from '../../desk/submit.ts';
import { hasUpload } from '../../inbox/uploads.ts';
import type { PageMeta } from '../page.ts';
import type { SiteState } from '../state.ts';
import {
  type Redirect,
  redirect,
  REFUSALS,
  show,
  type Shown,
  type Visit,
  type VisitRefusal,
} from '../visit.ts';
import { toPictureSentence, toPictureStatus } from './picture-problem.ts';
import { isSendable, listQuestions, type Question, takeAnswer, type Talk } from './questions.ts';
import { type FormState, listChoices, nameVenue, type ReadForm, readForm } from './read-form.ts';
import { toRefused, toRetry } from './refused.ts';
import { reuseStamp, STAMP_REFUSALS } from './stamp.ts';

export interface SubmitPage {
  readonly meta: PageMeta;
  readonly form: FormState;
  readonly notice: string | null;
  readonly action: string;
  readonly stamp: string;
  readonly correcting: string | null;
  readonly preview: EventDetail | null;
  /** What is asked on the preview, and what was asked and answered before. */
  readonly questions: readonly Question[];
  readonly talk: Talk;
}

/**
 * Where the form stands: new, or correcting what was sent; `store` takes in what passed and gives
 * the address to redirect to.
 */
export interface FormPlace {
  readonly lang: Lang;
  readonly action: string;
  readonly paths: PageMeta['paths'];
  readonly correcting: string | null;
  readonly initial: FormValues;
  readonly may_have_begun: boolean;
  readonly store: (submission: Submission) => string;
}

/** Of what is refused for these, what was typed is shown again. */
const KEPT: ReadonlySet<VisitRefusal> = new Set([400, 413, 503]);
const RETRY_SECONDS = 30;

/** Of a submission that is not stored yet: nobody is shown its reference. */
const NOT_STORED = { reference: 'preview', channel: 'form' } as const;

/** The page of a new submission. */
export function handleSubmit(
  state: SiteState,
  visit: Visit,
  lang: Lang,
): Shown<SubmitPage> | Redirect {
  return handleForm(state, visit, {
    lang,
    action: toPagePath('submit', lang),
    paths: PAGE_PATHS.submit,
    correcting: null,
    initial: { lang, languages: lang },
    may_have_begun: false,
    store: (submission) => {
      const { token } = submit(visit.inbox, {
        submission,
        channel: 'form',
        sender: visit.sender,
        now_ms: state.now_ms,
      });
      // Only of a text that is public already, and then nobody can be told whose it is.
      return token === null ? `${toPagePath('submit', lang)}?known=1` : toStatusPath(token, lang);
    },
  });
}

/** Any form: a GET shows it, what is sent is previewed, stored or shown again. */
export function handleForm(
  state: SiteState,
  sent: Visit,
  place: FormPlace,
): Shown<SubmitPage> | Redirect {
  const { lang, correcting } = place;
  const { fields, talk } = takeAnswer(sent.fields);
  const visit: Visit = { ...sent, fields };
  const { now_ms, snapshot } = state;
  const toPage = (
    values: FormValues,
    issues: FormState['issues'],
    notice: Key | null,
    looks: Pick<SubmitPage, 'preview' | 'questions'> = { preview: null, questions: [] },
  ): SubmitPage => ({
    meta: toMeta(state, place),
    form: {
      values: nameVenue(snapshot, values),
      issues,
      takes_files: true,
      sends_mail: state.site.sends_mail === true,
      choices: listChoices(snapshot, lang),
    },
    notice: notice && t(lang, notice),
    action: place.action,
    stamp: reuseStamp(visit, now_ms),
    correcting,
    ...looks,
    talk,
  });
  if (visit.refusal !== null && KEPT.has(visit.refusal)) {
    const { values, issues } = readSentForm(state, visit, place);
    const shown = show(toPage(values, issues, REFUSALS[visit.refusal]), visit.refusal);
    return { ...shown, ...(visit.refusal === 503 ? { retry_seconds: RETRY_SECONDS } : {}) };
  }
  if (visit.refusal !== null)
    return show(toPage(place.initial, new Map(), REFUSALS[visit.refusal]), visit.refusal);
  if (visit.method === 'GET')
    return show(
      toPage(
        withoutGone(visit, place.initial),
        new Map(),
        visit.query.known === '1' ? 'submit.known' : null,
      ),
    );
  const read = readSentForm(state, visit, place);
  if (visit.fields.homepage)
    return show(toPage(read.values, read.issues, 'submit.refused.trap'), 422);
  // More rows for dates: nothing is wrong yet with what is being filled in.
  if (visit.fields.step === 'rows') return show(toPage(read.values, new Map(), null));
  if (read.submission === null)
    return {
      ...show(toPage(read.values, read.issues, null), toPictureStatus(visit.picture_problem)),
      retry_seconds: toRetry(visit.retry_at_ms, lang, now_ms).retry_seconds,
    };
  const { step } = visit.fields;
  const questions = listQuestions(state, read.values, read.submission, talk, correcting, lang);
  if (step !== 'send' || !isSendable(questions, talk)) {
    const preview = toPreview(read.submission, {}, toKnown(snapshot), { ...NOT_STORED, now_ms });
    const notice = step === 'send' ? 'submit.ask.first' : null;
    return show(toPage(read.values, read.issues, notice, { preview, questions }));
  }
  const stamp = checkFormStamp(visit.inbox, visit.fields.stamp ?? '', now_ms);
  if (stamp !== 'ok') return show(toPage(read.values, read.issues, STAMP_REFUSALS[stamp]), 422);
  try {
    return redirect(place.store(read.submission));
  } catch (thrown) {
    const refused = toRefused(thrown, lang, now_ms);
    if (refused !== null) {
      const page = { ...toPage(read.values, read.issues, null), notice: refused.notice };
      return { ...show(page, refused.status), retry_seconds: refused.retry_seconds };
    }
    if (thrown instanceof AppError && thrown.reason === 'picture_gone')
      return show(
        toPage(
          withoutGone(visit, read.values),
          withIssue(read.issues, t(lang, 'submit.picture.gone')),
          null,
        ),
        422,
      );
    throw thrown;
  }
}

/** The form understood; with what is wrong with its picture there is no submission. */
function readSentForm(
  state: SiteState,
  visit: Visit,
  { lang, may_have_begun }: FormPlace,
): ReadForm {
  const read = readForm(visit.fields, state, lang, may_have_begun);
  const values = withoutGone(visit, read.values);
  const is_gone = values !== read.values;
  const problem = visit.picture_problem ?? (is_gone ? 'gone' : null);
  if (problem === null) return read;
  const sentence = toPictureSentence(problem, lang, visit.retry_at_ms, state.now_ms);
  return { values, submission: null, issues: withIssue(read.issues, sentence) };
}

/** Without an uploaded picture that is not stored any more. */
function withoutGone({ inbox }: Visit, values: FormValues): FormValues {
  const { picture_id, ...others } = values;
  return picture_id === undefined || hasUpload(inbox, picture_id) ? values : others;
}

const withIssue = (issues: FormState['issues'], sentence: string): FormState['issues'] =>
  new Map([...issues, ['picture_id', sentence]]);

function toMeta({ site }: SiteState, { lang, paths, correcting }: FormPlace): PageMeta {
  return {
    lang,
    site,
    paths,
    markdown: correcting === null ? toMarkdownPath(PAGE_PATHS.submit[lang]) : null,
    calendar: null,
    json_ld: null,
    entry: 'submit',
    title: t(lang, correcting === null ? 'submit.title' : 'submit.correct.title'),
    description: t(lang, 'submit.text'),
  };
}
