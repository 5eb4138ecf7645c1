// The form on the web: what it offers to choose from; and what was sent, understood, with the
// sentence beside each control where something is wrong.
import type { RecordKind } from '../../domain/record-history.ts';
import type { Lang } from '../../domain/lang.ts';
import { FORM_FIELDS, type FormField } from '../../domain/submission/fields.ts';
import {
  type FormValues,
  selectFormValues,
  controlOfField,
  formToSubmissionInput,
} from '../../domain/submission/form-values.ts';
import { parseSubmission } from '../../domain/submission/parse-submission.ts';
import type { SubmissionIssue, ControlTexts } from '../../domain/submission/field-rules.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import type { OptionsByControl } from '../../i18n/format-overrides.ts';
import { toSentence, isMessageKey, type MessageKey, t } from '../../i18n/translate.ts';
import { listUniquelyNamedVenues, createReferenceData } from '../../desk/reference-data.ts';
import type { Snapshot } from '../../snapshot/open-snapshot.ts';
import type { PageContext } from '../page-context.ts';

/** What stands in the form and beside it. */
export interface FormState {
  readonly values: ControlTexts;
  /** The sentence of each control where something is wrong. */
  readonly issues: ReadonlyMap<string, string>;
  /** Whether a picture can be chosen in it. */
  readonly takes_files: boolean;
  /** Whether its sender is written to. */
  readonly sends_mail: boolean;
  /** For categories, zones and places, by control. */
  readonly choices: OptionsByControl;
  /** Of what is published, which an editor changes. */
  readonly kind?: RecordKind;
  /** Controls that say what the text of a flyer said. */
  readonly from_text?: readonly string[];
  /** Where it is sent, if not to the page it stands on. */
  readonly action?: string;
}

/** Of a place outside of the zones too. */
export const zoneName = ({ taxonomy }: Snapshot, key: string | null, lang: Lang): string =>
  taxonomy.zones.find((zone) => zone.key === key)?.name[lang] ??
  t(lang, 'submit.choice.venue.elsewhere');

/** Categories, zones, and the venues of the agenda by name. */
export function listFormOptions(snapshot: Snapshot, lang: Lang): OptionsByControl {
  const { taxonomy } = snapshot;
  const toChoices = (taxa: readonly TaxonRecord[]) =>
    taxa.map((taxon) => ({ value: taxon.key, label: taxon.name[lang] }));
  return {
    category: toChoices(taxonomy.categories),
    zone: toChoices(taxonomy.zones),
    venue_name: listUniquelyNamedVenues(snapshot)
      .map(([value, { zone }]) => ({ value, label: zoneName(snapshot, zone, lang) }))
      .sort((a, b) => a.value.localeCompare(b.value, lang)),
  };
}

/** What stands in the controls: a known place by its name. */
export function fillVenueName(snapshot: Snapshot, values: FormValues): FormValues {
  if (values.venue === undefined) return values;
  const [name] = listUniquelyNamedVenues(snapshot).find(([, { id }]) => id === values.venue) ?? [];
  return name === undefined ? values : { ...values, venue_name: name };
}

export type ParsedForm = ReturnType<typeof parseSubmissionForm>;

/** Rules that are told alike. */
const ALIKE: Readonly<Partial<Record<SubmissionIssue['rule'], MessageKey>>> = {
  unknown_taxon: 'submit.issue.unknown_choice',
  not_codes: 'submit.issue.unknown_choice',
  not_lang: 'submit.issue.unknown_choice',
};

/** What is wrong, as a sentence for people; where there is none, the one for programs, made one. */
export function formatSubmissionIssue({ rule, limit }: SubmissionIssue, lang: Lang): string {
  const own = `submit.issue.${rule}`;
  const key = ALIKE[rule] ?? (isMessageKey(own) ? own : (`submission.issue.${rule}` as const));
  return toSentence(t(lang, key, { limit: limit ?? '', accepted: '' }));
}

/** Without a submission where there are issues. `may_have_begun`: of one that was taken in before. */
export function parseSubmissionForm(
  fields: Readonly<Record<string, string>>,
  { snapshot, now_ms }: PageContext,
  lang: Lang,
  may_have_begun: boolean,
) {
  const values = selectFormValues(fields);
  const { input, issues } = formToSubmissionInput(values);
  const reading = parseSubmission(input, createReferenceData(snapshot), now_ms, may_have_begun);
  const sentences = formatSubmissionIssues([...issues, ...reading.issues], lang);
  return { values, submission: sentences.size > 0 ? null : reading.submission, issues: sentences };
}

/** The first sentence of each control, in the order of the page. */
export function formatSubmissionIssues(
  issues: readonly SubmissionIssue[],
  lang: Lang,
): ReadonlyMap<FormField, string> {
  return new Map(
    FORM_FIELDS.flatMap((name) => {
      const issue = issues.find((one) => controlOfField(one.field) === name);
      return issue ? [[name, formatSubmissionIssue(issue, lang)] as const] : [];
    }),
  );
}
