// The form of an event, new or as a correction of what was sent: shown empty, shown again with issues or
// a preview, or a redirect to where what was taken in stands.
import { toKnown } from '../../desk/known.ts';
import { toPreview } from '../../desk/publication.ts';
import { submit } from '../../desk/propose.ts';
import { hasUpload } from '../../inbox/uploads.ts';
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Lang } from '../../domain/lang.ts';
import type { FormValues } from '../../domain/submission/form.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { PAGE_PATHS, toMarkdownPath, toPagePath, toStatusPath } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { renderSubmit } from '../../serializers/markdown/submit.ts';
import { CLOSED, type PageMeta } from '../page.ts';
import { defineForm, toPageRoutes } from '../page-kind.ts';
import type { SiteState } from '../state.ts';
import { type Redirect, redirect, REFUSALS, show, type Shown, type Visit } from '../visit.ts';
import { fillIn, listFromText, readFilled } from './flyer.ts';
import { isSendable, listQuestions, type Question, takeAnswer, type Talk } from './questions.ts';
import { type FormState, listChoices, nameVenue, type ReadForm, readForm } from './read-form.ts';
import {
  findStampFault,
  reuseStamp,
  takeIn,
  toFormMeta,
  toPictureSentence,
  toPictureStatus,
  toRetry,
} from './refused.ts';

export type SubmitPage = ReturnType<typeof toPage>;

/**
 * Where the form stands: new, or correcting what was sent; `store` takes in what passed and gives
 * the address to redirect to.
 */
interface FormPlace {
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
  if (refusal !== null) {
    // Of what is foreign or no form nothing was read.
    const is_kept = refusal !== 403 && refusal !== 415;
    const read = is_kept ? await readSentForm(asking) : { values: place.initial };
    const shown = show(toPage(asking, read, REFUSALS[refusal]), refusal);
    return refusal === 503 ? { ...shown, retry_seconds: RETRY_SECONDS } : shown;
  }
  if (visit.method === 'GET') {
    const notice = visit.query.known === '1' ? 'submit.known' : null;
    return show(toPage(asking, { values: await withoutGone(visit, place.initial) }, notice));
  }
  const read = await readSentForm(asking);
  if (fields.homepage) return show(toPage(asking, read, 'submit.refused.trap'), 422);
  // More rows for dates: nothing is wrong yet with what is being filled in.
  if (fields.step === 'rows') return show(toPage(asking, { values: read.values }));
  if (fields.step === 'flyer') {
    const { filled, ...form } = await fillIn(state, visit, place.initial, place.lang);
    return show(toPage(asking, form, null, null, [], filled));
  }
  if (read.submission !== null) return takeSound(asking, read, read.submission);
  const { retry_seconds } = toRetry(visit.retry_at_ms, place.lang, state.now_ms);
  const status = toPictureStatus(visit.picture_problem);
  return { ...show(toPage(asking, read), status), retry_seconds };
}

/** Previewed with what is asked about it; stored once it was looked at and nothing is left to ask. */
async function takeSound(
  asking: Asking,
  read: ReadForm,
  submission: Submission,
): Promise<FormAnswer> {
  const { state, visit, place, talk } = asking;
  const { now_ms, snapshot } = state;
  const { correcting, lang } = place;
  const is_sending = visit.fields.step === 'send';
  const questions = listQuestions(state, read.values, submission, talk, correcting, lang);
  if (!is_sending || !isSendable(questions, talk)) {
    const preview = toPreview(submission, {}, toKnown(snapshot), { ...NOT_STORED, now_ms });
    const notice = is_sending ? 'submit.ask.first' : null;
    return show(toPage(asking, read, notice, preview, questions));
  }
  const fault = findStampFault(visit, now_ms);
  if (fault !== null) return show(toPage(asking, read, fault), 422);
  try {
    return await takeIn(
      async () => redirect(await place.store(submission)),
      lang,
      now_ms,
      (notice) => ({ ...toPage(asking, read), notice }),
    );
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.reason !== 'picture_gone') throw thrown;
    const issues = withIssue(read.issues, t(lang, 'submit.picture.gone'));
    return show(toPage(asking, { values: await withoutGone(visit, read.values), issues }), 422);
  }
}

/** `questions`: what is asked on the preview. */
function toPage(
  { state, visit, place, talk }: Asking,
  { values, issues = new Map() }: Pick<FormState, 'values'> & Partial<FormState>,
  notice: Key | null = null,
  preview: EventDetail | null = null,
  questions: readonly Question[] = [],
  filled = readFilled(visit),
) {
  const { site, snapshot, now_ms } = state;
  const { lang, action, correcting, paths } = place;
  const form: FormState = {
    values: nameVenue(snapshot, values),
    from_text: listFromText(values, filled),
    issues,
    takes_files: true,
    sends_mail: site.sends_mail === true,
    choices: listChoices(snapshot, lang),
  };
  const meta = toFormMeta({
    lang,
    site,
    paths,
    markdown: correcting === null ? toMarkdownPath(PAGE_PATHS.submit[lang]) : null,
    entry: 'submit',
    title: t(lang, correcting === null ? 'submit.title' : 'submit.correct.title'),
    description: t(lang, 'submit.text'),
  });
  const stamp = reuseStamp(visit, now_ms);
  const said = notice && t(lang, notice);
  const flyer = Object.keys(filled.values).length > 0 ? filled : null;
  return { meta, form, action, correcting, stamp, talk, preview, questions, notice: said, flyer };
}

/** The form understood; with what is wrong with its picture there is no submission. */
async function readSentForm({ state, visit, place }: Asking): Promise<ReadForm> {
  const { lang, correcting } = place;
  const read = readForm(visit.fields, state, lang, correcting !== null);
  const values = await withoutGone(visit, read.values);
  const problem = visit.picture_problem ?? (values === read.values ? null : 'gone');
  if (problem === null) return read;
  const sentence = toPictureSentence(problem, lang, visit.retry_at_ms, state.now_ms);
  return { values, submission: null, issues: withIssue(read.issues, sentence) };
}

/** Without an uploaded picture that is not stored any more. */
async function withoutGone({ inbox }: Visit, values: FormValues): Promise<FormValues> {
  const { picture_id, ...others } = values;
  return picture_id === undefined || (await hasUpload(inbox, picture_id)) ? values : others;
}

const withIssue = (issues: ReadForm['issues'], sentence: string): ReadForm['issues'] =>
  new Map([...issues, ['picture_id', sentence]]);

/** The page of a new submission. */
export function handleSubmit(state: SiteState, visit: Visit, lang: Lang): Promise<FormAnswer> {
  // As a link of the desk fills them in.
  const { category = '', zone = '', start_date = '' } = visit.query;
  return handleForm(state, visit, {
    lang,
    action: toPagePath('submit', lang),
    paths: PAGE_PATHS.submit,
    correcting: null,
    initial: { lang, languages: lang, category, zone, start_date },
    store: async (submission) => {
      const { token } = await submit(visit.inbox, {
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

export const submitPage = defineForm({
  name: 'submit',
  routes: toPageRoutes('submit'),
  handle: (state, { lang }, visit) => (visit ? handleSubmit(state, visit, lang) : CLOSED),
  toMarkdown: ({ snapshot, site }, { lang }) => renderSubmit(snapshot.taxonomy, lang, site),
});
