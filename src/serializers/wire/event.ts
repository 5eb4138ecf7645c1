// The wire form of an event in lists and in detail (interface 2, PublicEvent and Event detail).
import * as v from 'valibot';
import { OccurrenceSchema } from './occurrence.ts';
import { TaxonSchema } from './taxon.ts';
import { about, AddressSchema, CountSchema, orNull, TimestampSchema } from './fields.ts';

const EventVenueSchema = v.strictObject({
  name: v.exactOptional(v.string()),
  address: orNull(v.string()),
  lat: orNull(v.number()),
  lng: orNull(v.number()),
  url: v.exactOptional(AddressSchema),
  directions_url: orNull(AddressSchema),
});

const PriceSchema = v.strictObject({
  is_free: about(
    v.boolean(),
    'False also where the price is not known; then min and max are null.',
  ),
  min: orNull(v.number()),
  max: orNull(v.number()),
  currency: about(v.string(), 'ISO 4217 code.'),
  text: about(v.string(), 'A readable phrase in the requested language.'),
});

const EventOrganizerSchema = v.strictObject({
  name: v.string(),
  verified: v.boolean(),
  url: AddressSchema,
});
const EventImageSchema = v.strictObject({ url: AddressSchema, alt: v.string() });

const eventFields = {
  id: v.string(),
  url: about(AddressSchema, 'Canonical address in the requested language. Must be cited.'),
  url_es: AddressSchema,
  url_en: AddressSchema,
  title: about(v.string(), 'In the requested language.'),
  summary: about(v.string(), 'In the requested language.'),
  status: v.picklist(['published', 'cancelled', 'postponed']),
  category: orNull(TaxonSchema),
  tags: v.array(v.string()),
  zone: orNull(TaxonSchema),
  venue: orNull(EventVenueSchema),
  location_note: orNull(v.string()),
  price: PriceSchema,
  ticket_url: orNull(AddressSchema),
  registration_url: orNull(AddressSchema),
  age_restriction: orNull(v.string()),
  languages: v.exactOptional(v.array(v.string())),
  organizer: orNull(EventOrganizerSchema),
  image: orNull(EventImageSchema),
  verified: v.exactOptional(v.boolean()),
  source: about(
    v.exactOptional(v.picklist(['organizer', 'agent', 'editor'])),
    'Who brought the event in.',
  ),
  source_url: orNull(AddressSchema),
  updated_at: about(
    v.exactOptional(TimestampSchema),
    'Changes when, and only when, what the event says changes.',
  ),
  next: about(
    v.exactOptional(OccurrenceSchema),
    'First occurrence in the range that is still to take place; absent where none is upcoming.',
  ),
  more_dates: about(v.exactOptional(CountSchema), 'Additional occurrences within the range.'),
} as const;

/** An event in a list. */
export const PublicEventSchema = v.strictObject(eventFields);
export type PublicEvent = v.InferOutput<typeof PublicEventSchema>;

/** An event by itself, with every occurrence in order of time. */
export const EventDetailSchema = v.strictObject({
  ...eventFields,
  occurrences: v.array(OccurrenceSchema),
  is_past: about(v.boolean(), 'Every occurrence has ended.'),
});
export type EventDetailWire = v.InferOutput<typeof EventDetailSchema>;
