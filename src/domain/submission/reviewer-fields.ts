// Reviewer fields: fields that only a reviewer adds to a submission: the other language, the
// summaries, the coordinates of a new venue, and whether to publish a video call link. Every value is
// a text.
import type { ControlTexts } from './field-rules.ts';
import type { FormField } from './fields.ts';
import type { FormValues } from './form-values.ts';
import { listJoinLinks } from './links.ts';

interface ReviewerFieldDefinition {
  /** Language of the text: the submission's own, the other one, or none. */
  readonly language: 'own' | 'other' | null;
  /** Text of several lines; or a checkbox, whose value is the text it confirms. Default: one line. */
  readonly kind?: 'area' | 'check';
  /** A submission cannot be approved without it. */
  readonly is_required_to_publish?: true;
  /**
   * Shown only if this control is filled in; `new_venue`: only if the venue is unknown; `image`:
   * only with a picture; `join_link`: only with links or numbers to join a video call.
   */
  readonly depends_on?: FormField | 'new_venue' | 'image' | 'join_link';
}

/** Definitions by control name, in the order of the page. */
export const REVIEWER_FIELDS = {
  other_title: { language: 'other' },
  summary: { language: 'own', kind: 'area', is_required_to_publish: true },
  other_summary: { language: 'other', kind: 'area' },
  other_description: { language: 'other', kind: 'area' },
  other_price_note: { language: 'other', depends_on: 'price_note' },
  other_age_restriction: { language: 'other', depends_on: 'age_restriction' },
  other_image_alt: { language: 'other', depends_on: 'image' },
  locality: { language: null, depends_on: 'new_venue' },
  lat: { language: null, depends_on: 'new_venue' },
  lng: { language: null, depends_on: 'new_venue' },
  join_link: { language: null, kind: 'check', depends_on: 'join_link' },
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

/**
 * Returns the value by which a reviewer confirms to publish the video call links of a form; empty if
 * it has none. It changes with the links, so that an answer counts only for these.
 */
export const joinLinkAnswer = (values: FormValues): string =>
  listJoinLinks(Object.values(values)).join(' ');

/** The reason why a submission with its reviewer fields cannot be published. */
export interface PublicationIssue {
  /** Control of the review page, or path of a field. */
  readonly field: string;
  /**
   * `missing`: a required reviewer field; `unconfirmed`: a checkbox; `invalid`:
   * rejected by the schema of content/.
   */
  readonly rule: 'missing' | 'unconfirmed' | 'invalid';
  readonly message: string;
}
