// Venue: defines its fields once for record, snapshot and public JSON (contract 4.10).
import * as v from 'valibot';
import { CERTAINTIES } from './fact-freshness.ts';
import {
  describe,
  UrlSchema,
  mapUrlFields,
  internalField,
  serializedField,
  nullableOptional,
  type RecordOf,
  sameField,
  SOURCE_DATE_FIELDS,
  localTextField,
  nullableLocalTextField,
  TimestampSchema,
} from './fields.ts';
import {
  AdmissionSchema,
  HoursSchema,
  StoredAdmissionSchema,
  StoredHoursSchema,
  TodayHoursSchema,
  VisitorSchema,
} from './opening-hours.ts';
import { TaxonSchema } from './taxon.ts';

const string = v.string();
const stringOrNull = sameField(v.nullable(string), nullableOptional(string));
/** Degrees, WGS 84; both or neither. */
const degrees = sameField(v.nullable(v.number()), nullableOptional(v.number()));

const coordinates = v.picklist(['venue', 'zone']);
const middle = sameField(v.nullable(v.number()), nullableOptional(v.number()));

/** Substitute location of a venue without a point of its own (contract 4.16). */
export const COORDINATES_FIELDS = {
  coordinates: sameField(
    v.nullable(coordinates),
    describe(
      nullableOptional(coordinates),
      'venue: lat and lng locate it. zone: only the middle of its zone is known. null: neither.',
    ),
  ),
  zone_lat: middle,
  zone_lng: middle,
} as const;

const certainty = v.picklist(CERTAINTIES);

/** Freshness of the admission prices (contract 6.10). */
const ADMISSION_FIELDS = {
  admission_certainty: sameField(
    v.nullable(certainty),
    describe(nullableOptional(certainty), 'Certainty of `admission`; null if there is none.'),
  ),
  /** `admission_as_of`: day of the amounts, YYYY-MM-DD, once they are outdated; else null. */
  admission_as_of: internalField(v.nullable(string)),
  /** Advice to check old prices before going. */
  admission_confirm: serializedField(
    null,
    describe(nullableOptional(string), 'Age of old amounts.'),
  ),
} as const;

export const VENUE_FIELDS = {
  /** `ve_` and ten characters. */
  id: sameField(string),
  slug: localTextField(string),
  url: serializedField(null, UrlSchema),
  ...mapUrlFields(() => serializedField(null, v.exactOptional(UrlSchema))),
  name: sameField(string),
  description: nullableLocalTextField(),
  address: stringOrNull,
  locality: sameField(string, v.exactOptional(string)),
  postal_code: stringOrNull,
  zone: serializedField(v.nullable(string), nullableOptional(TaxonSchema)),
  lat: degrees,
  lng: degrees,
  ...COORDINATES_FIELDS,
  directions_url: serializedField(null, nullableOptional(UrlSchema)),
  website: stringOrNull,
  phone: stringOrNull,
  social: sameField(v.array(string), v.exactOptional(v.array(string))),
  /** Private address for asking whether an event still takes place. Absent in older snapshots. */
  confirm_email: internalField(v.optional(v.nullable(string), null)),
  capacity: sameField(v.nullable(v.number()), nullableOptional(v.pipe(v.number(), v.integer()))),
  accessibility: nullableLocalTextField(),
  hours: serializedField(v.nullable(StoredHoursSchema), nullableOptional(HoursSchema)),
  /** Hours on the day of the response; null if its hours are unknown. */
  today: serializedField(null, nullableOptional(TodayHoursSchema)),
  admission: serializedField(
    v.array(StoredAdmissionSchema),
    v.exactOptional(v.array(AdmissionSchema)),
  ),
  free_for: serializedField(
    null,
    describe(v.exactOptional(v.array(VisitorSchema)), 'Who enters free on any day.'),
  ),
  ...ADMISSION_FIELDS,
  /**
   * `open_place`: true if the venue is worth a visit without an event: a museum, ruins, a park, a
   * market.
   */
  open_place: sameField(v.boolean(), v.exactOptional(v.boolean())),
  family: sameField(
    v.nullable(v.literal(true)),
    describe(nullableOptional(v.boolean()), 'Suits families; null if unknown.'),
  ),
  indoor: sameField(
    v.nullable(v.boolean()),
    describe(nullableOptional(v.boolean()), 'Under a roof; null if unknown.'),
  ),
  ...SOURCE_DATE_FIELDS,
  updated_at: sameField(string, v.exactOptional(TimestampSchema)),
} as const;

export interface VenueRecord extends RecordOf<typeof VENUE_FIELDS> {}
