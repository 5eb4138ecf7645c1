// The fields of a thing as one table: for each the schema of what is stored and of what is sent.
// The record's type, the snapshot's schema and the wire form all come from it.
import { PAST_OFFSET_PATTERN } from './local-time.ts';
import * as v from 'valibot';
import { type Lang, LANGS, type LocalText, LocalTextSchema } from './lang.ts';

type Schema = v.GenericSchema;

/**
 * Where the sent value comes from: the record as it is, the record's text in one language, or what
 * the serializer makes for it. `none`: the field is not sent.
 */
type Sent = 'same' | 'text' | 'made' | 'none';

/** `stored` is null for what is only sent, `wire` for what is only stored. */
export interface FieldDefinition<
  Stored extends Schema | null = Schema | null,
  Wire extends Schema | null = Schema | null,
  How extends Sent = Sent,
> {
  readonly stored: Stored;
  readonly wire: Wire;
  readonly sent: How;
}

export type FieldTable = Readonly<Record<string, FieldDefinition>>;

/** Sent as it is stored; `wire` where it says more of the value than `stored` checks. */
export function sameField<S extends Schema>(stored: S): FieldDefinition<S, S, 'same'>;
export function sameField<S extends Schema, W extends Schema>(
  stored: S,
  wire: v.InferOutput<S> extends v.InferInput<W> ? W : never,
): FieldDefinition<S, W, 'same'>;
export function sameField(
  stored: Schema,
  wire: Schema = stored,
): FieldDefinition<Schema, Schema, 'same'> {
  return { stored, wire, sent: 'same' };
}

/** Stored in every language, sent in the one asked for. */
export const localTextField = <W extends Schema>(
  wire: W,
): FieldDefinition<typeof LocalTextSchema, W, 'text'> => ({
  stored: LocalTextSchema,
  wire,
  sent: 'text',
});

/** The same, where there may be none. */
export const nullableLocalTextField = () =>
  ({
    stored: v.nullable(LocalTextSchema),
    wire: nullableOptional(v.string()),
    sent: 'text',
  }) as const;

/** Sent in a form that the serializer makes of this field and others. */
export const serializedField = <S extends Schema | null, W extends Schema>(
  stored: S,
  wire: W,
): FieldDefinition<S, W, 'made'> => ({ stored, wire, sent: 'made' });

export const internalField = <S extends Schema>(stored: S): FieldDefinition<S, null, 'none'> => ({
  stored,
  wire: null,
  sent: 'none',
});

/** `url_es`, `url_en`: the names of the fields with a page's address in each language. */
type ByUrlName<T> = Readonly<Record<`url_${Lang}`, T>>;

export function mapUrlFields<T>(make: (lang: Lang) => T): ByUrlName<T>;
export function mapUrlFields(make: (lang: Lang) => unknown): object {
  return Object.fromEntries(LANGS.map((lang) => [`url_${lang}`, make(lang)]));
}

type StoredEntries<F extends FieldTable> = {
  readonly [K in keyof F as F[K]['stored'] extends null ? never : K]: NonNullable<F[K]['stored']>;
};
export function storedEntries<F extends FieldTable>(fields: F): StoredEntries<F>;
export function storedEntries(fields: FieldTable): object {
  return keepSchemas(fields, 'stored');
}

type WireEntries<F extends FieldTable> = {
  readonly [K in keyof F as F[K]['wire'] extends null ? never : K]: NonNullable<F[K]['wire']>;
};
export function wireEntries<F extends FieldTable>(fields: F): WireEntries<F>;
export function wireEntries(fields: FieldTable): object {
  return keepSchemas(fields, 'wire');
}

const keepSchemas = (fields: FieldTable, form: 'stored' | 'wire'): object =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, field[form]] as const)
      .filter(([, schema]) => schema !== null),
  );

export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export type RecordOf<F extends FieldTable> = {
  readonly [K in keyof F as F[K]['stored'] extends null ? never : K]: DeepReadonly<
    v.InferOutput<NonNullable<F[K]['stored']>>
  >;
};

export type WireOf<F extends FieldTable> = v.InferOutput<
  v.StrictObjectSchema<WireEntries<F>, undefined>
>;

type MadeOf<F extends FieldTable> = {
  readonly [K in keyof F as F[K]['sent'] extends 'made' ? K : never]: v.InferOutput<
    NonNullable<F[K]['wire']>
  >;
};

/** The wire form of a record in one language, in the order of the table. */
export function serializeRecord<F extends FieldTable>(
  fields: F,
  record: RecordOf<F>,
  lang: Lang,
  values: MadeOf<F>,
): WireOf<F>;
export function serializeRecord(
  fields: FieldTable,
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
export const describe = <T extends Schema>(schema: T, sentence: string) =>
  v.pipe(schema, v.description(sentence));

/** A field that may be absent and may be null (contract 3.5). */
export const nullableOptional = <T extends Schema>(schema: T) =>
  v.exactOptional(v.nullable(schema));

/** ISO 8601 with the local offset, whole seconds: `2026-11-21T20:00:00+01:00`. */
export const TimestampSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}${PAST_OFFSET_PATTERN}$`)),
);

export const DaySchema = v.pipe(v.string(), v.isoDate());

export const UrlSchema = v.pipe(v.string(), v.url());

export const CountSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The fields of every event, venue, organizer and notice that say so. */
export const SOURCE_DATE_FIELDS = {
  source_published: sameField(
    v.nullable(v.string()),
    describe(
      nullableOptional(DaySchema),
      'When its newest source was published; null where that says no day.',
    ),
  ),
  source_checked: sameField(
    v.string(),
    describe(v.exactOptional(DaySchema), 'When somebody last looked at its sources.'),
  ),
} as const;

export interface SourceDates {
  readonly source_published: string | null;
  readonly source_checked: string;
}
