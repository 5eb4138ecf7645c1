// The small forms that wire fields share: what is optional, timestamps, days, addresses (interface
// 2).
import * as v from 'valibot';

/** A field with a sentence for readers of the OpenAPI description. */
export const about = <T extends v.GenericSchema>(schema: T, text: string) =>
  v.pipe(schema, v.description(text));

/** A field that may be absent and may be null ("?, nullable" in interface 2). */
export const orNull = <T extends v.GenericSchema>(schema: T) => v.exactOptional(v.nullable(schema));

/** ISO 8601 with Cancún's offset, whole seconds: `2026-11-21T20:00:00-05:00`. */
export const TimestampSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}-05:00$/),
);

/** A local Cancún day: `2026-11-21`. */
export const DaySchema = v.pipe(v.string(), v.isoDate());

/** An absolute http or https address. */
export const AddressSchema = v.pipe(v.string(), v.url());

export const CountSchema = v.pipe(v.number(), v.integer(), v.minValue(0));
