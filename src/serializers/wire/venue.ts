// The wire form of a venue (interface 2, Venue).
import * as v from 'valibot';
import { PublicEventSchema } from './event.ts';
import { TaxonSchema } from './taxon.ts';
import { AddressSchema, orNull, TimestampSchema } from './fields.ts';

/** A place where events happen, with what is upcoming there. */
export const PublicVenueSchema = v.strictObject({
  id: v.string(),
  slug: v.string(),
  url: AddressSchema,
  url_es: v.exactOptional(AddressSchema),
  url_en: v.exactOptional(AddressSchema),
  name: v.string(),
  description: orNull(v.string()),
  address: orNull(v.string()),
  locality: v.exactOptional(v.string()),
  postal_code: orNull(v.string()),
  zone: orNull(TaxonSchema),
  lat: orNull(v.number()),
  lng: orNull(v.number()),
  directions_url: orNull(AddressSchema),
  website: orNull(v.string()),
  phone: orNull(v.string()),
  social: v.exactOptional(v.array(v.string())),
  capacity: orNull(v.pipe(v.number(), v.integer())),
  accessibility: orNull(v.string()),
  updated_at: v.exactOptional(TimestampSchema),
  upcoming_events: v.array(PublicEventSchema),
});
export type PublicVenue = v.InferOutput<typeof PublicVenueSchema>;
