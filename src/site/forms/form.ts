// A form that is filled in, new or as a correction: shown empty, shown again with issues or a preview, or
// a redirect to where what was taken in stands.
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { FormValues } from '../../domain/submission/controls.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { PAGE_PATHS, toMarkdownPath } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { toKnown } from '../../desk/known.ts';
import { toPreview } from '../../desk/preview.ts';
import { checkFormStamp } from '../../desk/secret.ts';
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
  /** Where it is sent. */
  readonly action: string;
  readonly stamp: string;
  /** The reference of what is corrected; null for a new one. */
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
  readonly store: (submission: Submission) => Promise<string>;
}

/** Of what is refused for these, what was typed is shown again. */
const KEPT: ReadonlySet<VisitRefusal> = new Set([400, 413, 503]);
const RETRY_SECONDS = 30;

/** Of a submission that is not stored yet: nobody is shown its reference. */
const NOT_STORED = { reference: 'preview', channel: 'form' } as const;

/** A request for a form, its controls without the answer to a question. */
interface Asking {
  readonly state: SiteState;
  readonly visit: Visit;
  readonly place: FormPlace;
  readonly talk: Talk;
}
type FormAnswer = Shown<SubmitPage> | Redirect;

/** Any form: a GET shows it, what is sent is previewed, stored or shown again. */
export async function handleForm(
  state: SiteState,
  sent: Visit,
  place: FormPlace,
): Promise<FormAnswer> {
  const { fields, talk } = takeAnswer(sent.fields);
  const visit: Visit = { ...sent, fields };
  const asking: Asking = { state, visit, place, talk };
  const { refusal } = visit;
  if (refusal !== null && KEPT.has(refusal)) {
    const { values, issues } = await readSentForm(state, visit, place);
    const shown = show(toPage(asking, { values, issues, notice: REFUSALS[refusal] }), refusal);
    return { ...shown, ...(refusal === 503 ? { retry_seconds: RETRY_SECONDS } : {}) };
  }
  if (refusal !== null)
    return show(toPage(asking, { values: place.initial, notice: REFUSALS[refusal] }), refusal);
  if (visit.method === 'GET') {
    const notice = visit.query.known === '1' ? 'submit.known' : null;
    return show(toPage(asking, { values: await withoutGone(visit, place.initial), notice }));
  }
  return takeSent(asking);
}

/** What was sent: shown again where something is wrong with it, previewed, or stored. */
async function takeSent(asking: Asking): Promise<FormAnswer> {
  const { state, visit, place } = asking;
  const { values, issues, submission } = await readSentForm(state, visit, place);
  if (visit.fields.homepage)
    return show(toPage(asking, { values, issues, notice: 'submit.refused.trap' }), 422);
  // More rows for dates: nothing is wrong yet with what is being filled in.
  if (visit.fields.step === 'rows') return show(toPage(asking, { values }));
  if (submission !== null) return takeSound(asking, { values, issues, submission });
  const status = toPictureStatus(visit.picture_problem);
  const { retry_seconds } = toRetry(visit.retry_at_ms, place.lang, state.now_ms);
  return { ...show(toPage(asking, { values, issues }), status), retry_seconds };
}

/** A form with nothing wrong in it. */
interface Sound extends ReadForm {
  readonly submission: Submission;
}

/** Previewed with what is asked about it; stored once it was looked at and nothing is left to ask. */
async function takeSound(asking: Asking, sound: Sound): Promise<FormAnswer> {
  const { state, visit, place, talk } = asking;
  const { now_ms, snapshot } = state;
  const { values, issues, submission } = sound;
  const { correcting, lang } = place;
  const is_sending = visit.fields.step === 'send';
  const questions = listQuestions(state, values, submission, talk, correcting, lang);
  if (!is_sending || !isSendable(questions, talk)) {
    const preview = toPreview(submission, {}, toKnown(snapshot), { ...NOT_STORED, now_ms });
    const notice = is_sending ? 'submit.ask.first' : null;
    return show(toPage(asking, { values, issues, notice, preview, questions }));
  }
  const stamp = checkFormStamp(visit.inbox, visit.fields.stamp ?? '', now_ms);
  if (stamp !== 'ok')
    return show(toPage(asking, { values, issues, notice: STAMP_REFUSALS[stamp] }), 422);
  return store(asking, sound);
}

/** Taken in, or shown again with why it is not. */
async function store(asking: Asking, { values, issues, submission }: Sound): Promise<FormAnswer> {
  const { state, visit, place } = asking;
  try {
    return redirect(await place.store(submission));
  } catch (thrown) {
    const refused = toRefused(thrown, place.lang, state.now_ms);
    if (refused !== null) {
      const page = { ...toPage(asking, { values, issues }), notice: refused.notice };
      return { ...show(page, refused.status), retry_seconds: refused.retry_seconds };
    }
    if (!(thrown instanceof AppError) || thrown.reason !== 'picture_gone') throw thrown;
    const is_gone = withIssue(issues, t(place.lang, 'submit.picture.gone'));
    return show(toPage(asking, { values: await withoutGone(visit, values), issues: is_gone }), 422);
  }
}

/** What a page of the form shows; of the rest there is none. */
interface Look extends Partial<Pick<SubmitPage, 'preview' | 'questions'>> {
  readonly values: FormValues;
  readonly issues?: FormState['issues'];
  readonly notice?: Key | null;
}

function toPage(
  { state, visit, place, talk }: Asking,
  { values, issues = new Map(), notice = null, preview = null, questions = [] }: Look,
): SubmitPage {
  const { site, snapshot, now_ms } = state;
  const { lang, action, correcting } = place;
  return {
    meta: toMeta(state, place),
    form: {
      values: nameVenue(snapshot, values),
      issues,
      takes_files: true,
      sends_mail: site.sends_mail === true,
      choices: listChoices(snapshot, lang),
    },
    notice: notice && t(lang, notice),
    stamp: reuseStamp(visit, now_ms),
    ...{ action, correcting, preview, questions, talk },
  };
}

/** The form understood; with what is wrong with its picture there is no submission. */
async function readSentForm(
  state: SiteState,
  visit: Visit,
  { lang, may_have_begun }: FormPlace,
): Promise<ReadForm> {
  const read = readForm(visit.fields, state, lang, may_have_begun);
  const values = await withoutGone(visit, read.values);
  const is_gone = values !== read.values;
  const problem = visit.picture_problem ?? (is_gone ? 'gone' : null);
  if (problem === null) return read;
  const sentence = toPictureSentence(problem, lang, visit.retry_at_ms, state.now_ms);
  return { values, submission: null, issues: withIssue(read.issues, sentence) };
}

/** Without an uploaded picture that is not stored any more. */
async function withoutGone({ inbox }: Visit, values: FormValues): Promise<FormValues> {
  const { picture_id, ...others } = values;
  return picture_id === undefined || (await hasUpload(inbox, picture_id)) ? values : others;
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
