// What a reader says has changed in an event, a place or a notice: how it is read and stored (contract 14.11).
import * as v from 'valibot';
import { LANGS } from './lang.ts';
import { countLinks } from './submission/read-submission.ts';
import {
  ADDRESS_KIND,
  EMAIL_KIND,
  SUBMISSION_LIMITS,
  type SubmissionIssue,
  issue,
  toIssue,
  toTextKind,
} from './submission/rules.ts';

/** What can be corrected: all that has facts of its own. */
export const CORRECTABLE = ['event', 'venue', 'organizer', 'notice'] as const;
export type Correctable = (typeof CORRECTABLE)[number];

/** Characters of a correction's text. */
export const CHANGE_LENGTH = { min: 10, max: 1000 } as const;

const FIELDS = {
  change: toTextKind(CHANGE_LENGTH.min, CHANGE_LENGTH.max).rule,
  source_url: ADDRESS_KIND.rule,
  contact_email: EMAIL_KIND.rule,
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

export interface CorrectedThing {
  readonly kind: Correctable;
  readonly id: string;
  /** As it was called when the correction came, in the reader's language. */
  readonly title: string;
}

/** As it is stored: with the language of the page. */
export const ReportSchema = v.object({
  ...CorrectionRecordSchema.entries,
  lang: v.picklist(LANGS),
});

/** What of the sent fields belongs to the form, and is not empty. */
export const pickCorrectionValues = (fields: Readonly<Record<string, string>>): CorrectionValues =>
  Object.fromEntries(
    CORRECTION_FIELDS.flatMap((name) => (fields[name]?.trim() ? [[name, fields[name]]] : [])),
  );

export type CorrectionReading =
  | { readonly correction: Correction; readonly issues: readonly [] }
  | { readonly correction: null; readonly issues: readonly SubmissionIssue[] };

/** Reads what the form sent, with every issue at once. Never throws. */
export function readCorrection(values: CorrectionValues): CorrectionReading {
  const result = v.safeParse(CorrectionSchema, values);
  const issues = (result.issues ?? []).map((found) => toIssue(found, 'change'));
  const { links } = SUBMISSION_LIMITS;
  if (countLinks(values) > links && issues.every(({ field }) => field !== 'change'))
    issues.push(issue('change', 'too_many_links', links));
  if (!result.success || issues.length > 0) return { correction: null, issues };
  const { change, source_url, contact_email } = result.output;
  return {
    correction: { change, source_url: source_url ?? null, contact_email: contact_email ?? null },
    issues: [],
  };
}
