// The wire form of an organizer (interface 2, Organizer).
import * as v from 'valibot';
import { ORGANIZER_TYPES } from '../../domain/organizer.ts';
import { PublicEventSchema } from './event.ts';
import { AddressSchema, orNull, TimestampSchema } from './fields.ts';

/** Who makes events, with what is upcoming of theirs. */
export const PublicOrganizerSchema = v.strictObject({
  id: v.string(),
  slug: v.string(),
  url: AddressSchema,
  url_es: v.exactOptional(AddressSchema),
  url_en: v.exactOptional(AddressSchema),
  name: v.string(),
  type: v.exactOptional(v.picklist(ORGANIZER_TYPES)),
  verified: v.exactOptional(v.boolean()),
  description: orNull(v.string()),
  website: orNull(v.string()),
  social: v.exactOptional(v.array(v.string())),
  updated_at: v.exactOptional(TimestampSchema),
  upcoming_events: v.array(PublicEventSchema),
});
export type PublicOrganizer = v.InferOutput<typeof PublicOrganizerSchema>;
