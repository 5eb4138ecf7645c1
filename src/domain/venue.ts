// The fields of a venue (contract 4.10), each once: record, snapshot and wire form.
import * as v from 'valibot';
import { CERTAINTIES } from './knowledge.ts';
import {
  about,
  AddressSchema,
  byUrlName,
  inside,
  made,
  orNull,
  type RecordOf,
  same,
  SOURCE_DAY_FIELDS,
  text,
  textOrNull,
  TimestampSchema,
} from './fields.ts';
import {
  AdmissionSchema,
  HoursSchema,
  StoredAdmissionSchema,
  StoredHoursSchema,
  TodaySchema,
} from './opening-hours.ts';
import { TaxonSchema } from './taxon.ts';

const string = v.string();
const stringOrNull = same(v.nullable(string), orNull(string));
/** Degrees, WGS 84; both or neither. */
const degrees = same(v.nullable(v.number()), orNull(v.number()));

const coordinates = v.picklist(['venue', 'zone']);
const middle = same(
  v.nullable(v.number()),
  about(
    orNull(v.number()),
    'The middle of its zone, where coordinates is zone; never the place of the venue itself.',
  ),
);

/** What stands in for the point of a venue that has none (contract 4.16). */
export const COORDINATES_FIELDS = {
  coordinates: same(
    v.nullable(coordinates),
    about(
      orNull(coordinates),
      'venue: lat and lng are its own point. zone: only the middle of its zone is known. null: neither.',
    ),
  ),
  zone_lat: middle,
  zone_lng: middle,
} as const;

const certainty = v.picklist(CERTAINTIES);

/** How well what entering costs is known (contract 6.10). */
const ADMISSION_FIELDS = {
  admission_certainty: same(
    v.nullable(certainty),
    about(orNull(certainty), 'How well `admission` is known; null where there is none.'),
  ),
  /** The day that the amounts are of, once they are not sure any more. */
  admission_as_of: inside(v.nullable(string)),
  admission_confirm: made(
    null,
    about(orNull(string), 'Of when the amounts are, where that is to be checked.'),
  ),
} as const;

export const VENUE_FIELDS = {
  /** `ve_` and ten characters. */
  id: same(string),
  slug: text(string),
  url: made(null, AddressSchema),
  ...byUrlName(() => made(null, v.exactOptional(AddressSchema))),
  name: same(string),
  description: textOrNull(),
  address: stringOrNull,
  locality: same(string, v.exactOptional(string)),
  postal_code: stringOrNull,
  zone: made(v.nullable(string), orNull(TaxonSchema)),
  lat: degrees,
  lng: degrees,
  ...COORDINATES_FIELDS,
  directions_url: made(null, orNull(AddressSchema)),
  website: stringOrNull,
  phone: stringOrNull,
  social: same(v.array(string), v.exactOptional(v.array(string))),
  /** Whom to ask whether an event is still on; for nobody else. Absent in older snapshots. */
  confirm_email: inside(v.optional(v.nullable(string), null)),
  capacity: same(v.nullable(v.number()), orNull(v.pipe(v.number(), v.integer()))),
  accessibility: textOrNull(),
  hours: made(v.nullable(StoredHoursSchema), orNull(HoursSchema)),
  /** Its hours on the day of the answer; null where its hours are not known. */
  today: made(null, orNull(TodaySchema)),
  admission: made(v.array(StoredAdmissionSchema), v.exactOptional(v.array(AdmissionSchema))),
  ...ADMISSION_FIELDS,
  /** Simply being there is a plan: a museum, ruins, a park, a market. */
  open_place: same(v.boolean(), v.exactOptional(v.boolean())),
  family: same(
    v.nullable(v.literal(true)),
    about(orNull(v.boolean()), 'True where it is a plan for families; null where nothing says so.'),
  ),
  indoor: same(
    v.nullable(v.boolean()),
    about(orNull(v.boolean()), 'Whether it is under a roof; null where nothing says so.'),
  ),
  ...SOURCE_DAY_FIELDS,
  updated_at: same(string, v.exactOptional(TimestampSchema)),
} as const;

export interface VenueRecord extends RecordOf<typeof VENUE_FIELDS> {}
