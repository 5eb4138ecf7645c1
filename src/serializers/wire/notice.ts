// The wire form of a notice (interface 2, Notice).
import * as v from 'valibot';
import { NOTICE_TYPES, SEVERITIES } from '../../domain/notice.ts';
import { about, AddressSchema, orNull, TimestampSchema } from './fields.ts';

/** Something a day brings that is not an event: weather, traffic, closures. */
export const PublicNoticeSchema = v.strictObject({
  id: v.string(),
  type: v.picklist(NOTICE_TYPES),
  severity: v.picklist(SEVERITIES),
  title: v.string(),
  body: about(v.string(), 'Plain text.'),
  zone: about(orNull(v.string()), 'The key of the zone.'),
  starts_at: TimestampSchema,
  ends_at: about(orNull(TimestampSchema), 'Exclusive; null until an editor closes the notice.'),
  source: orNull(v.string()),
  source_url: orNull(AddressSchema),
});
export type PublicNotice = v.InferOutput<typeof PublicNoticeSchema>;
