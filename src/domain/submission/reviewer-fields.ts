// Reviewer fields: fields that only a reviewer adds to a submission: the other language, the
// summaries, and the coordinates of a new venue. Every value is a text.
import type { ControlTexts } from './field-rules.ts';
import type { FormField } from './fields.ts';

interface ReviewerFieldDefinition {
  /** Language of the text: the submission's own, the other one, or none. */
  readonly language: 'own' | 'other' | null;
  readonly is_area?: true;
  /** A submission cannot be approved without it. */
  readonly is_required_to_publish?: true;
  /**
   * Shown only if this control is filled in; `new_venue`: only if the venue is unknown; `image`:
   * only with a picture.
   */
  readonly depends_on?: FormField | 'new_venue' | 'image';
}

/** Definitions by control name, in the order of the page. */
export const REVIEWER_FIELDS = {
  other_title: { language: 'other' },
  summary: { language: 'own', is_area: true, is_required_to_publish: true },
  other_summary: { language: 'other', is_area: true },
  other_description: { language: 'other', is_area: true },
  other_price_note: { language: 'other', depends_on: 'price_note' },
  other_age_restriction: { language: 'other', depends_on: 'age_restriction' },
  other_image_alt: { language: 'other', depends_on: 'image' },
  locality: { language: null, depends_on: 'new_venue' },
  lat: { language: null, depends_on: 'new_venue' },
  lng: { language: null, depends_on: 'new_venue' },
} as const satisfies Readonly<Record<string, ReviewerFieldDefinition>>;

export type ReviewerFieldName = keyof typeof REVIEWER_FIELDS;
export type ReviewerFields = Readonly<Partial<Record<ReviewerFieldName, string>>>;

function listEntries(): readonly (readonly [ReviewerFieldName, ReviewerFieldDefinition])[];
function listEntries(): readonly (readonly [string, ReviewerFieldDefinition])[] {
  return Object.entries(REVIEWER_FIELDS);
}
export const REVIEWER_FIELD_LIST = listEntries();

/** Selects the non-empty reviewer fields from submitted or stored fields. */
export function selectReviewerFields(fields: ControlTexts | null): ReviewerFields {
  return Object.fromEntries(
    REVIEWER_FIELD_LIST.flatMap(([name]) => (fields?.[name] ? [[name, fields[name]]] : [])),
  );
}

/** The reason why a submission with its reviewer fields cannot be published. */
export interface PublicationIssue {
  /** Control of the review page, or path of a field. */
  readonly field: string;
  /** `missing`: a required reviewer field; `invalid`: rejected by the schema of content/. */
  readonly rule: 'missing' | 'invalid';
  readonly message: string;
}
