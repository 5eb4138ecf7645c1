// What a reader says has changed in an event, a place or a notice: how it is read and stored (contract 14.11).
import * as v from 'valibot';
import { LANGS } from './lang.ts';
import { countLinks } from './submission/parse-submission.ts';
import {
  URL_FIELD_TYPE,
  EMAIL_FIELD_TYPE,
  SUBMISSION_LIMITS,
  type SubmissionIssue,
  createIssue,
  issueFromSchema,
  textFieldType,
} from './submission/field-rules.ts';

/** What can be corrected: all that has facts of its own. */
export const CORRECTABLE_KINDS = ['event', 'venue', 'organizer', 'notice'] as const;
export type CorrectableKind = (typeof CORRECTABLE_KINDS)[number];

/** Characters of a correction's text. */
export const CORRECTION_LENGTH = { min: 10, max: 1000 } as const;

const FIELDS = {
  change: textFieldType(CORRECTION_LENGTH.min, CORRECTION_LENGTH.max).rule,
  source_url: URL_FIELD_TYPE.rule,
  contact_email: EMAIL_FIELD_TYPE.rule,
} as const;
const CorrectionSchema = v.object(FIELDS, 'missing');

/** The controls of the form, in its order. */
export const CORRECTION_FIELDS = ['change', 'source_url', 'contact_email'] as const;
export type CorrectionField = (typeof CORRECTION_FIELDS)[number];
export type CorrectionValues = Readonly<Partial<Record<CorrectionField, string>>>;

const CorrectionRecordSchema = v.object({
  /** What has changed, in the reader's words. */
  change: v.string(),
  source_url: v.nullable(v.string()),
  /** Private: for the desk alone. */
  contact_email: v.nullable(v.string()),
});
export type Correction = Readonly<v.InferOutput<typeof CorrectionRecordSchema>>;

export interface CorrectionTarget {
  readonly kind: CorrectableKind;
  readonly id: string;
  /** As it was called when the correction came, in the reader's language. */
  readonly title: string;
}

/** As it is stored: with the language of the page. */
export const StoredCorrectionSchema = v.object({
  ...CorrectionRecordSchema.entries,
  lang: v.picklist(LANGS),
});

/** What of the sent fields belongs to the form, and is not empty. */
export const selectCorrectionValues = (
  fields: Readonly<Record<string, string>>,
): CorrectionValues =>
  Object.fromEntries(
    CORRECTION_FIELDS.flatMap((name) => (fields[name]?.trim() ? [[name, fields[name]]] : [])),
  );

export type CorrectionParseResult =
  | { readonly correction: Correction; readonly issues: readonly [] }
  | { readonly correction: null; readonly issues: readonly SubmissionIssue[] };

/** Reads what the form sent, with every issue at once. Never throws. */
export function parseCorrection(values: CorrectionValues): CorrectionParseResult {
  const result = v.safeParse(CorrectionSchema, values);
  const issues = (result.issues ?? []).map((found) => issueFromSchema(found, 'change'));
  const { links } = SUBMISSION_LIMITS;
  if (countLinks(values) > links && issues.every(({ field }) => field !== 'change'))
    issues.push(createIssue('change', 'too_many_links', links));
  if (!result.success || issues.length > 0) return { correction: null, issues };
  const { change, source_url, contact_email } = result.output;
  return {
    correction: { change, source_url: source_url ?? null, contact_email: contact_email ?? null },
    issues: [],
  };
}
