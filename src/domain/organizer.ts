// Organizer: defines its fields once for record, snapshot and public JSON (contract 4.10).
import * as v from 'valibot';
import {
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

export const ORGANIZER_TYPES = ['gobierno', 'recinto', 'promotor', 'colectivo', 'marca'] as const;

const string = v.string();
const type = v.picklist(ORGANIZER_TYPES);

export const ORGANIZER_FIELDS = {
  id: sameField(string),
  slug: localTextField(string),
  url: serializedField(null, UrlSchema),
  ...mapUrlFields(() => serializedField(null, v.exactOptional(UrlSchema))),
  name: sameField(string),
  type: sameField(type, v.exactOptional(type)),
  verified: sameField(v.boolean(), v.exactOptional(v.boolean())),
  description: nullableLocalTextField(),
  website: sameField(v.nullable(string), nullableOptional(string)),
  social: sameField(v.array(string), v.exactOptional(v.array(string))),
  /** Address that receives requests to confirm its events; never published. */
  confirm_email: internalField(v.optional(v.nullable(string), null)),
  ...SOURCE_DATE_FIELDS,
  updated_at: sameField(string, v.exactOptional(TimestampSchema)),
} as const;

export interface OrganizerRecord extends RecordOf<typeof ORGANIZER_FIELDS> {}
