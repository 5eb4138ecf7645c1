// What only a reviewer writes beside a submission: the other language, the summaries, the point of
// a new place. Every value is text.
import type { ControlTexts } from './field-rules.ts';
import type { FormField } from './fields.ts';

interface Addition {
  /** The language of what is written: the submission's own, the other, or none. */
  readonly written: 'own' | 'other' | null;
  readonly is_area?: true;
  /** Nothing is approved without it. */
  readonly is_needed?: true;
  /** Of use only where this control is filled in; `new_venue` where the place is not a known one, `image` where there is one. */
  readonly goes_with?: FormField | 'new_venue' | 'image';
}

/** By control, in the order of the page. */
export const REVIEWER_FIELDS = {
  other_title: { written: 'other' },
  summary: { written: 'own', is_area: true, is_needed: true },
  other_summary: { written: 'other', is_area: true },
  other_description: { written: 'other', is_area: true },
  other_price_note: { written: 'other', goes_with: 'price_note' },
  other_age_restriction: { written: 'other', goes_with: 'age_restriction' },
  other_image_alt: { written: 'other', goes_with: 'image' },
  locality: { written: null, goes_with: 'new_venue' },
  lat: { written: null, goes_with: 'new_venue' },
  lng: { written: null, goes_with: 'new_venue' },
} as const satisfies Readonly<Record<string, Addition>>;

export type ReviewerFieldName = keyof typeof REVIEWER_FIELDS;
export type ReviewerFields = Readonly<Partial<Record<ReviewerFieldName, string>>>;

function listAdditions(): readonly (readonly [ReviewerFieldName, Addition])[];
function listAdditions(): readonly (readonly [string, Addition])[] {
  return Object.entries(REVIEWER_FIELDS);
}
export const REVIEWER_FIELD_LIST = listAdditions();

/** What of sent or stored fields is an addition, and is not empty. */
export function selectReviewerFields(fields: ControlTexts | null): ReviewerFields {
  return Object.fromEntries(
    REVIEWER_FIELD_LIST.flatMap(([name]) => (fields?.[name] ? [[name, fields[name]]] : [])),
  );
}

/** Why a text and what was added to it cannot be published. */
export interface PublicationIssue {
  /** A control of the review page, or the path of a field. */
  readonly field: string;
  /** Of an addition that is not there, or of the schema of content/. */
  readonly rule: 'missing' | 'invalid';
  readonly message: string;
}
