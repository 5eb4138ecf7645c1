// Submission form: lists the options of its controls, parses the submitted values into a
// submission, and formats the issue of each control. Shared by the event form, the imported
// calendars and the desk.
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
import { endWithPeriod, isMessageKey, type MessageKey, t } from '../../i18n/translate.ts';
import { listUniquelyNamedVenues, createReferenceData } from '../../desk/reference-data.ts';
import type { Snapshot } from '../../snapshot/open-snapshot.ts';
import type { PageContext } from '../page-context.ts';

/** Values, issues and options of a form. */
export interface FormState {
  /** Values as in the HTML controls, by control name. */
  readonly values: ControlTexts;
  /** Sentences, by control name. */
  readonly issues: ReadonlyMap<string, string>;
  /** A picture can be uploaded. */
  readonly accepts_files: boolean;
  /** The service sends email to senders. */
  readonly sends_mail: boolean;
  /** Options of the controls that do not have fixed ones. */
  readonly options: OptionsByControl;
  /** Kind of the published record that an editor edits; undefined in a sender's form. */
  readonly kind?: RecordKind;
  /** Controls that still have the value from a flyer. */
  readonly flyer_controls?: readonly string[];
  /** Target, if not the current page. */
  readonly action?: string;
}

/** Returns the name of a zone, or the text for a venue outside all zones. */
export const zoneName = ({ taxonomy }: Snapshot, key: string | null, lang: Lang): string =>
  taxonomy.zones.find((zone) => zone.key === key)?.name[lang] ??
  t(lang, 'submit.choice.venue.elsewhere');

/** Lists the options of the category, zone and venue controls. */
export function listFormOptions(snapshot: Snapshot, lang: Lang): OptionsByControl {
  const { taxonomy } = snapshot;
  const listOptions = (taxa: readonly TaxonRecord[]) =>
    taxa.map((taxon) => ({ value: taxon.key, label: taxon.name[lang] }));
  return {
    category: listOptions(taxonomy.categories),
    zone: listOptions(taxonomy.zones),
    venue_name: listUniquelyNamedVenues(snapshot)
      .map(([value, { zone }]) => ({ value, label: zoneName(snapshot, zone, lang) }))
      .sort((a, b) => a.value.localeCompare(b.value, lang)),
  };
}

/** Replaces the venue id of a form by the venue's name. */
export function fillVenueName(snapshot: Snapshot, values: FormValues): FormValues {
  if (values.venue === undefined) return values;
  const [name] = listUniquelyNamedVenues(snapshot).find(([, { id }]) => id === values.venue) ?? [];
  return name === undefined ? values : { ...values, venue_name: name };
}

export type ParsedForm = ReturnType<typeof parseSubmissionForm>;

/** Messages of rules without a message of their own. */
const SHARED_MESSAGE_KEYS: Readonly<Partial<Record<SubmissionIssue['rule'], MessageKey>>> = {
  unknown_taxon: 'submit.issue.unknown_choice',
  not_codes: 'submit.issue.unknown_choice',
  not_lang: 'submit.issue.unknown_choice',
};

/** Formats an issue as a sentence: from the form's own texts, otherwise from the API's. */
export function formatSubmissionIssue({ rule, limit }: SubmissionIssue, lang: Lang): string {
  const form_key = `submit.issue.${rule}`;
  const key =
    SHARED_MESSAGE_KEYS[rule] ??
    (isMessageKey(form_key) ? form_key : (`submission.issue.${rule}` as const));
  return endWithPeriod(t(lang, key, { limit: limit ?? '', accepted: '' }));
}

/**
 * Parses a submitted form. The submission is null if there are issues.
 * @param may_have_begun Accepts an event that has begun, for an amendment of a stored submission.
 */
export function parseSubmissionForm(
  fields: Readonly<Record<string, string>>,
  { snapshot, now_ms }: PageContext,
  lang: Lang,
  may_have_begun: boolean,
) {
  const values = selectFormValues(fields);
  const { input, issues } = formToSubmissionInput(values);
  const result = parseSubmission(input, createReferenceData(snapshot), now_ms, may_have_begun);
  const sentences = formatSubmissionIssues([...issues, ...result.issues], lang);
  return { values, submission: sentences.size > 0 ? null : result.submission, issues: sentences };
}

/** Formats the first issue of each control, in page order. */
export function formatSubmissionIssues(
  issues: readonly SubmissionIssue[],
  lang: Lang,
): ReadonlyMap<FormField, string> {
  return new Map(
    FORM_FIELDS.flatMap((name) => {
      const issue = issues.find(({ field }) => controlOfField(field) === name);
      return issue ? [[name, formatSubmissionIssue(issue, lang)] as const] : [];
    }),
  );
}
