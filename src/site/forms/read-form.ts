// A sent form, understood: what stood in the controls, the submission it makes, and the sentence
// beside each control at fault.
import {
  FORM_FIELDS,
  type FormField,
  type FormValues,
  toFormField,
  toSubmissionInput,
} from '../../domain/submission/form.ts';
import {
  readSubmission,
  type Submission,
  type SubmissionIssue,
} from '../../domain/submission/submission.ts';
import type { Lang } from '../../domain/lang.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { getVenue } from '../../snapshot/get-venue.ts';
import type { SiteState } from '../state.ts';

export interface ReadForm {
  readonly values: FormValues;
  /** Null where there are faults. */
  readonly submission: Submission | null;
  readonly issues: ReadonlyMap<FormField, string>;
}

/**
 * Sentences for people; the other rules have the same for people and programs, there without a
 * capital and a full stop.
 */
const SENTENCES: Readonly<Partial<Record<SubmissionIssue['rule'], Key>>> = {
  missing: 'submit.issue.missing',
  no_place: 'submit.issue.no_place',
  not_moment: 'submit.issue.not_moment',
  not_dates: 'submit.issue.not_dates',
  max_below_min: 'submit.issue.max_below_min',
  unknown_venue: 'submit.issue.unknown_venue',
  unknown_taxon: 'submit.issue.unknown_choice',
  ends_before: 'submit.issue.ends_before',
  not_codes: 'submit.issue.unknown_choice',
  not_lang: 'submit.issue.unknown_choice',
  no_hour: 'submit.issue.no_hour',
  not_address: 'submit.issue.not_address',
};

function toSentence({ rule, limit }: SubmissionIssue, lang: Lang): string {
  const text = t(lang, SENTENCES[rule] ?? `submission.issue.${rule}`, {
    limit: limit ?? '',
    accepted: '',
  });
  return `${text.slice(0, 1).toLocaleUpperCase(lang)}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}

/** `may_have_begun`: of a submission that was taken in before. */
export function readForm(
  fields: Readonly<Record<string, string>>,
  { snapshot, now_ms }: SiteState,
  lang: Lang,
  may_have_begun: boolean,
): ReadForm {
  const values: FormValues = Object.fromEntries(
    FORM_FIELDS.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])),
  );
  const { input, issues } = toSubmissionInput(values);
  const places = {
    taxonomy: snapshot.taxonomy,
    findVenue: (slug: string) => getVenue(snapshot, slug)?.id ?? null,
  };
  const reading = readSubmission(input, places, now_ms, may_have_begun);
  const sentences = toSentences([...issues, ...reading.issues], lang);
  return { values, submission: sentences.size > 0 ? null : reading.submission, issues: sentences };
}

/** The first sentence of each control, in the order of the page. */
export function toSentences(
  issues: readonly SubmissionIssue[],
  lang: Lang,
): ReadonlyMap<FormField, string> {
  return new Map(
    FORM_FIELDS.flatMap((name) => {
      const issue = issues.find((one) => toFormField(one.field) === name);
      return issue ? [[name, toSentence(issue, lang)] as const] : [];
    }),
  );
}
