// The fields of an organizer (contract 4.10), each once: record, snapshot and wire form.
import * as v from 'valibot';
import {
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

export const ORGANIZER_TYPES = ['gobierno', 'recinto', 'promotor', 'colectivo', 'marca'] as const;

const string = v.string();
const type = v.picklist(ORGANIZER_TYPES);

export const ORGANIZER_FIELDS = {
  id: same(string),
  slug: text(string),
  url: made(null, AddressSchema),
  ...byUrlName(() => made(null, v.exactOptional(AddressSchema))),
  name: same(string),
  type: same(type, v.exactOptional(type)),
  verified: same(v.boolean(), v.exactOptional(v.boolean())),
  description: textOrNull(),
  website: same(v.nullable(string), orNull(string)),
  social: same(v.array(string), v.exactOptional(v.array(string))),
  confirm_email: inside(v.optional(v.nullable(string), null)),
  ...SOURCE_DAY_FIELDS,
  updated_at: same(string, v.exactOptional(TimestampSchema)),
} as const;

export interface OrganizerRecord extends RecordOf<typeof ORGANIZER_FIELDS> {}
