// An approved submission as it is kept: an event file with its venue and organizer, known ones by
// id, new ones whole.
import * as v from 'valibot';
import { EventSchema, OrganizerSchema, VenueSchema } from '../content-schema.ts';

const known = v.strictObject({ id: v.string() });

export const PublicationSchema = v.strictObject({
  event: EventSchema,
  venue: v.nullable(v.union([known, v.strictObject({ file: VenueSchema })])),
  organizer: v.nullable(v.union([known, v.strictObject({ file: OrganizerSchema })])),
});
export type Publication = v.InferOutput<typeof PublicationSchema>;

/**
 * What a reviewer adds to a submission: the other language, a summary, the point of a new venue.
 * Every value is text.
 */
export const ADDITIONS = [
  'other_title',
  'summary',
  'other_summary',
  'other_description',
  'other_age_restriction',
  'other_price_note',
  'other_image_alt',
  'locality',
  'lat',
  'lng',
] as const;
export type Additions = Readonly<Partial<Record<(typeof ADDITIONS)[number], string>>>;

/** Without these nothing is approved: the agenda is in two languages. */
export const NEEDED_ADDITIONS = [
  'other_title',
  'summary',
  'other_summary',
] as const satisfies readonly (typeof ADDITIONS)[number][];

export interface PublicationIssue {
  /** A control of the review page, or the path of a field. */
  readonly field: string;
  readonly message: string;
}
