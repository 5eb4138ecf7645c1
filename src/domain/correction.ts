// Correction: parses and stores a visitor's report that an event, venue, organizer or notice has
// changed (contract 14.11).
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

/** Record kinds that visitors can correct. */
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

/** Form controls in display order. */
export const CORRECTION_FIELDS = ['change', 'source_url', 'contact_email'] as const;
export type CorrectionField = (typeof CORRECTION_FIELDS)[number];
export type CorrectionValues = Readonly<Partial<Record<CorrectionField, string>>>;

const CorrectionRecordSchema = v.object({
  /** The visitor's description of the change. */
  change: v.string(),
  source_url: v.nullable(v.string()),
  /** Private: shown only at the desk. */
  contact_email: v.nullable(v.string()),
});
export type Correction = Readonly<v.InferOutput<typeof CorrectionRecordSchema>>;

export interface CorrectionTarget {
  readonly kind: CorrectableKind;
  readonly id: string;
  /** Its title at that time, in the visitor's language. */
  readonly title: string;
}

/** Stored form, with the language of the page. */
export const StoredCorrectionSchema = v.object({
  ...CorrectionRecordSchema.entries,
  lang: v.picklist(LANGS),
});

/** Selects the non-empty fields of the form. */
export const selectCorrectionValues = (
  fields: Readonly<Record<string, string>>,
): CorrectionValues =>
  Object.fromEntries(
    CORRECTION_FIELDS.flatMap((name) => (fields[name]?.trim() ? [[name, fields[name]]] : [])),
  );

export type CorrectionParseResult =
  | { readonly correction: Correction; readonly issues: readonly [] }
  | { readonly correction: null; readonly issues: readonly SubmissionIssue[] };

/** Parses the submitted form and reports all issues at once. Never throws. */
export function parseCorrection(values: CorrectionValues): CorrectionParseResult {
  const result = v.safeParse(CorrectionSchema, values);
  const issues = (result.issues ?? []).map((issue) => issueFromSchema(issue, 'change'));
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
