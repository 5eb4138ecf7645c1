// The fields of a thing as one table: for each the schema of what is stored and of what is sent.
// The record's type, the snapshot's schema and the wire form all come from it.
import { OLD_OFFSET_PATTERN } from './local-time.ts';
import * as v from 'valibot';
import { type Lang, LANGS, type LocalText, LocalTextSchema } from './lang.ts';

type Schema = v.GenericSchema;

/**
 * Where the sent value comes from: the record as it is, the record's text in one language, or what
 * the serializer makes for it. `none`: the field is not sent.
 */
type Sent = 'same' | 'text' | 'made' | 'none';

/** `stored` is null for what is only sent, `wire` for what is only stored. */
export interface Field<
  Stored extends Schema | null = Schema | null,
  Wire extends Schema | null = Schema | null,
  How extends Sent = Sent,
> {
  readonly stored: Stored;
  readonly wire: Wire;
  readonly sent: How;
}

export type Fields = Readonly<Record<string, Field>>;

/** Sent as it is stored; `wire` where it says more of the value than `stored` checks. */
export function same<S extends Schema>(stored: S): Field<S, S, 'same'>;
export function same<S extends Schema, W extends Schema>(
  stored: S,
  wire: v.InferOutput<S> extends v.InferInput<W> ? W : never,
): Field<S, W, 'same'>;
export function same(stored: Schema, wire: Schema = stored): Field<Schema, Schema, 'same'> {
  return { stored, wire, sent: 'same' };
}

/** Stored in every language, sent in the one asked for. */
export const text = <W extends Schema>(wire: W): Field<typeof LocalTextSchema, W, 'text'> => ({
  stored: LocalTextSchema,
  wire,
  sent: 'text',
});

/** The same, where there may be none. */
export const textOrNull = () =>
  ({ stored: v.nullable(LocalTextSchema), wire: orNull(v.string()), sent: 'text' }) as const;

/** Sent in a form that the serializer makes of this field and others. */
export const made = <S extends Schema | null, W extends Schema>(
  stored: S,
  wire: W,
): Field<S, W, 'made'> => ({ stored, wire, sent: 'made' });

export const inside = <S extends Schema>(stored: S): Field<S, null, 'none'> => ({
  stored,
  wire: null,
  sent: 'none',
});

/** `url_es`, `url_en`: the names of the fields with a page's address in each language. */
type ByUrlName<T> = Readonly<Record<`url_${Lang}`, T>>;

export function byUrlName<T>(make: (lang: Lang) => T): ByUrlName<T>;
export function byUrlName(make: (lang: Lang) => unknown): object {
  return Object.fromEntries(LANGS.map((lang) => [`url_${lang}`, make(lang)]));
}

type StoredEntries<F extends Fields> = {
  readonly [K in keyof F as F[K]['stored'] extends null ? never : K]: NonNullable<F[K]['stored']>;
};
export function toStoredEntries<F extends Fields>(fields: F): StoredEntries<F>;
export function toStoredEntries(fields: Fields): object {
  return keepSchemas(fields, 'stored');
}

type WireEntries<F extends Fields> = {
  readonly [K in keyof F as F[K]['wire'] extends null ? never : K]: NonNullable<F[K]['wire']>;
};
export function toWireEntries<F extends Fields>(fields: F): WireEntries<F>;
export function toWireEntries(fields: Fields): object {
  return keepSchemas(fields, 'wire');
}

const keepSchemas = (fields: Fields, form: 'stored' | 'wire'): object =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, field[form]] as const)
      .filter(([, schema]) => schema !== null),
  );

export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;

export type RecordOf<F extends Fields> = {
  readonly [K in keyof F as F[K]['stored'] extends null ? never : K]: Frozen<
    v.InferOutput<NonNullable<F[K]['stored']>>
  >;
};

export type WireOf<F extends Fields> = v.InferOutput<
  v.StrictObjectSchema<WireEntries<F>, undefined>
>;

type MadeOf<F extends Fields> = {
  readonly [K in keyof F as F[K]['sent'] extends 'made' ? K : never]: v.InferOutput<
    NonNullable<F[K]['wire']>
  >;
};

/** The wire form of a record in one language, in the order of the table. */
export function toWire<F extends Fields>(
  fields: F,
  record: RecordOf<F>,
  lang: Lang,
  values: MadeOf<F>,
): WireOf<F>;
export function toWire(
  fields: Fields,
  record: Readonly<Record<string, unknown>>,
  lang: Lang,
  values: Readonly<Record<string, unknown>>,
): object {
  const wire: Record<string, unknown> = {};
  for (const name in fields) {
    const sent = fields[name]?.sent;
    if (sent === 'same') wire[name] = record[name];
    else if (sent === 'made') wire[name] = values[name];
    else if (sent === 'text') wire[name] = isLocal(record[name]) ? record[name][lang] : null;
  }
  return wire;
}

const isLocal = (value: unknown): value is LocalText => typeof value === 'object' && value !== null;

/** A field with a sentence for readers of the OpenAPI description. */
export const about = <T extends Schema>(schema: T, sentence: string) =>
  v.pipe(schema, v.description(sentence));

/** A field that may be absent and may be null (contract 3.5). */
export const orNull = <T extends Schema>(schema: T) => v.exactOptional(v.nullable(schema));

/** ISO 8601 with the local offset, whole seconds: `2026-11-21T20:00:00+01:00`. */
export const TimestampSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}${OLD_OFFSET_PATTERN}$`)),
);

export const DaySchema = v.pipe(v.string(), v.isoDate());

export const AddressSchema = v.pipe(v.string(), v.url());

export const CountSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The fields of every event, venue, organizer and notice that say so. */
export const SOURCE_DAY_FIELDS = {
  source_published: same(
    v.nullable(v.string()),
    about(orNull(DaySchema), 'When its newest source was published; null where that says no day.'),
  ),
  source_checked: same(
    v.string(),
    about(v.exactOptional(DaySchema), 'When somebody last looked at its sources.'),
  ),
} as const;

export interface SourceDays {
  readonly source_published: string | null;
  readonly source_checked: string;
}
