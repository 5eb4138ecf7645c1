// The fields of a venue (contract 4.10), each once: record, snapshot and wire form.
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
} from './opening-hours.ts';
import { TaxonSchema } from './taxon.ts';

const string = v.string();
const stringOrNull = sameField(v.nullable(string), nullableOptional(string));
/** Degrees, WGS 84; both or neither. */
const degrees = sameField(v.nullable(v.number()), nullableOptional(v.number()));

const coordinates = v.picklist(['venue', 'zone']);
const middle = sameField(
  v.nullable(v.number()),
  describe(
    nullableOptional(v.number()),
    'The middle of its zone, where coordinates is zone; never the place of the venue itself.',
  ),
);

/** What stands in for the point of a venue that has none (contract 4.16). */
export const COORDINATES_FIELDS = {
  coordinates: sameField(
    v.nullable(coordinates),
    describe(
      nullableOptional(coordinates),
      'venue: lat and lng are its own point. zone: only the middle of its zone is known. null: neither.',
    ),
  ),
  zone_lat: middle,
  zone_lng: middle,
} as const;

const certainty = v.picklist(CERTAINTIES);

/** How well what entering costs is known (contract 6.10). */
const ADMISSION_FIELDS = {
  admission_certainty: sameField(
    v.nullable(certainty),
    describe(
      nullableOptional(certainty),
      'How well `admission` is known; null where there is none.',
    ),
  ),
  /** The day that the amounts are of, once they are not sure any more. */
  admission_as_of: internalField(v.nullable(string)),
  admission_confirm: serializedField(
    null,
    describe(nullableOptional(string), 'Of when the amounts are, where that is to be checked.'),
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
  /** Whom to ask whether an event is still on; for nobody else. Absent in older snapshots. */
  confirm_email: internalField(v.optional(v.nullable(string), null)),
  capacity: sameField(v.nullable(v.number()), nullableOptional(v.pipe(v.number(), v.integer()))),
  accessibility: nullableLocalTextField(),
  hours: serializedField(v.nullable(StoredHoursSchema), nullableOptional(HoursSchema)),
  /** Its hours on the day of the answer; null where its hours are not known. */
  today: serializedField(null, nullableOptional(TodayHoursSchema)),
  admission: serializedField(
    v.array(StoredAdmissionSchema),
    v.exactOptional(v.array(AdmissionSchema)),
  ),
  ...ADMISSION_FIELDS,
  /** Simply being there is a plan: a museum, ruins, a park, a market. */
  open_place: sameField(v.boolean(), v.exactOptional(v.boolean())),
  family: sameField(
    v.nullable(v.literal(true)),
    describe(
      nullableOptional(v.boolean()),
      'True where it is a plan for families; null where nothing says so.',
    ),
  ),
  indoor: sameField(
    v.nullable(v.boolean()),
    describe(
      nullableOptional(v.boolean()),
      'Whether it is under a roof; null where nothing says so.',
    ),
  ),
  ...SOURCE_DATE_FIELDS,
  updated_at: sameField(string, v.exactOptional(TimestampSchema)),
} as const;

export interface VenueRecord extends RecordOf<typeof VENUE_FIELDS> {}
