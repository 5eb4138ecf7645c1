// The wire form of what stands beside data in every answer, and of errors (interface 2, Envelope;
// 7).
import * as v from 'valibot';
import { LANGS } from '../../domain/lang.ts';
import { AddressSchema, CountSchema, DaySchema, TimestampSchema } from './fields.ts';

const metaFields = {
  lang: v.picklist(LANGS),
  generated_at: v.pipe(
    TimestampSchema,
    v.description('When the data was put together; the same for every answer of one release.'),
  ),
  attribution: v.pipe(v.string(), v.description('The sentence to show with the data.')),
  docs: AddressSchema,
} as const;

export const MetaSchema = v.strictObject(metaFields);
export type Meta = v.InferOutput<typeof MetaSchema>;

/** Beside a list of events. */
export const ListMetaSchema = v.strictObject({
  ...metaFields,
  count: v.pipe(CountSchema, v.description('Number of items in data.')),
  range: v.nullable(v.strictObject({ from: DaySchema, to: DaySchema })),
});
export type ListMeta = v.InferOutput<typeof ListMetaSchema>;

/** Beside a day's notices. */
export const NoticesMetaSchema = v.strictObject({
  ...metaFields,
  count: v.exactOptional(CountSchema),
  date: v.exactOptional(DaySchema),
});
export type NoticesMeta = v.InferOutput<typeof NoticesMetaSchema>;

/** The body of every answer that is not a success. */
export const ErrorSchema = v.strictObject({
  error: v.strictObject({
    code: v.string(),
    message: v.string(),
    documentation_url: v.exactOptional(AddressSchema),
  }),
});
