// The wire form of a notice (interface 2, Notice).
import * as v from 'valibot';
import { NOTICE_TYPES, SEVERITIES } from '../../domain/notice.ts';
import { AddressSchema, TimestampSchema } from './fields.ts';

/** Something a day brings that is not an event: weather, traffic, closures. */
export const PublicNoticeSchema = v.strictObject({
  id: v.string(),
  type: v.picklist(NOTICE_TYPES),
  severity: v.picklist(SEVERITIES),
  title: v.string(),
  body: v.pipe(v.string(), v.description('Plain text.')),
  zone: v.exactOptional(v.nullable(v.pipe(v.string(), v.description('The name of the zone in the requested language.')))),
  starts_at: TimestampSchema,
  ends_at: v.exactOptional(v.nullable(v.pipe(TimestampSchema, v.description('Exclusive; null until an editor closes the notice.')))),
  source: v.exactOptional(v.nullable(v.string())),
  source_url: v.exactOptional(v.nullable(AddressSchema)),
});
export type PublicNotice = v.InferOutput<typeof PublicNoticeSchema>;
