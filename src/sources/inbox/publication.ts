// An approved submission as it is stored: an event file with its venue and organizer, known ones by
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
