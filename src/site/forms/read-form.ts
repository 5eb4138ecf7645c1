// A sent form, understood: what stood in the controls, the submission it makes, and the sentence
// beside each control at fault.
import {
  FORM_FIELDS,
  type FormField,
  type FormValues,
  toFormField,
  toSubmissionInput,
} from '../../domain/submission/form.ts';
import { readSubmission, type Submission, type SubmissionFault } from '../../domain/submission/submission.ts';
import type { Lang } from '../../domain/lang.ts';
import { type Key, t } from '../../i18n/translate.ts';
import { getVenue } from '../../snapshot/get-venue.ts';
import type { SiteState } from '../state.ts';

export interface ReadForm {
  readonly values: FormValues;
  /** Null where there are faults. */
  readonly submission: Submission | null;
  readonly faults: ReadonlyMap<FormField, string>;
}

/**
 * Sentences for people; the other rules have the same for people and programs, there without a
 * capital and a full stop.
 */
const SENTENCES: Readonly<Partial<Record<SubmissionFault['rule'], Key>>> = {
  missing: 'submit.fault.missing',
  no_place: 'submit.fault.no_place',
  not_moment: 'submit.fault.not_moment',
  not_dates: 'submit.fault.not_dates',
  max_below_min: 'submit.fault.max_below_min',
  unknown_venue: 'submit.fault.unknown_venue',
  unknown_taxon: 'submit.fault.unknown_choice',
  ends_before: 'submit.fault.ends_before',
  not_codes: 'submit.fault.unknown_choice',
  not_lang: 'submit.fault.unknown_choice',
  no_hour: 'submit.fault.no_hour',
  not_address: 'submit.fault.not_address',
};

function toSentence({ rule, limit }: SubmissionFault, lang: Lang): string {
  const text = t(lang, SENTENCES[rule] ?? `submission.fault.${rule}`, {
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
  const { input, faults } = toSubmissionInput(values);
  const town = {
    taxonomy: snapshot.taxonomy,
    findVenue: (slug: string) => getVenue(snapshot, slug)?.id ?? null,
  };
  const reading = readSubmission(input, town, now_ms, may_have_begun);
  const sentences = toSentences([...faults, ...reading.faults], lang);
  return { values, submission: sentences.size > 0 ? null : reading.submission, faults: sentences };
}

/** The first sentence of each control, in the order of the page. */
export function toSentences(
  faults: readonly SubmissionFault[],
  lang: Lang,
): ReadonlyMap<FormField, string> {
  return new Map(
    FORM_FIELDS.flatMap((name) => {
      const fault = faults.find((one) => toFormField(one.field) === name);
      return fault ? [[name, toSentence(fault, lang)] as const] : [];
    }),
  );
}
