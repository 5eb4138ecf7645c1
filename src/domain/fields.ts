// Field tables: define each field of a record once, with its stored schema and its public (wire)
// schema. Record types, the snapshot's schema and the public JSON derive from them.
import { PAST_OFFSET_PATTERN } from './local-time.ts';
import * as v from 'valibot';
import { type Lang, LANGS, type LocalText, LocalTextSchema } from './lang.ts';

type Schema = v.GenericSchema;

/**
 * Source of the wire value: the record's value (`same`), its text in one language (`text`), or a
 * value that the serializer computes (`computed`). `none`: the field is internal.
 */
type WireSource = 'same' | 'text' | 'computed' | 'none';

/** `stored` is null for wire-only fields, `wire` for internal ones. */
export interface FieldDefinition<
  Stored extends Schema | null = Schema | null,
  Wire extends Schema | null = Schema | null,
  Source extends WireSource = WireSource,
> {
  readonly stored: Stored;
  readonly wire: Wire;
  readonly wire_source: Source;
}

export type FieldTable = Readonly<Record<string, FieldDefinition>>;

/**
 * Field with the same value stored and on the wire; `wire` if the public schema is more precise
 * than the stored one.
 */
export function sameField<S extends Schema>(stored: S): FieldDefinition<S, S, 'same'>;
export function sameField<S extends Schema, W extends Schema>(
  stored: S,
  wire: v.InferOutput<S> extends v.InferInput<W> ? W : never,
): FieldDefinition<S, W, 'same'>;
export function sameField(
  stored: Schema,
  wire: Schema = stored,
): FieldDefinition<Schema, Schema, 'same'> {
  return { stored, wire, wire_source: 'same' };
}

/** Field stored in every language and serialized in the requested one. */
export const localTextField = <W extends Schema>(
  wire: W,
): FieldDefinition<typeof LocalTextSchema, W, 'text'> => ({
  stored: LocalTextSchema,
  wire,
  wire_source: 'text',
});

/** Nullable localTextField. */
export const nullableLocalTextField = () =>
  ({
    stored: v.nullable(LocalTextSchema),
    wire: nullableOptional(v.string()),
    wire_source: 'text',
  }) as const;

/** Field with a wire value that the serializer computes from this field and others. */
export const serializedField = <S extends Schema | null, W extends Schema>(
  stored: S,
  wire: W,
): FieldDefinition<S, W, 'computed'> => ({ stored, wire, wire_source: 'computed' });

/** Field that is stored and never published. */
export const internalField = <S extends Schema>(stored: S): FieldDefinition<S, null, 'none'> => ({
  stored,
  wire: null,
  wire_source: 'none',
});

/** Fields with a page's URL in each language: `url_es`, `url_en`. */
type ByUrlName<T> = Readonly<Record<`url_${Lang}`, T>>;

export function mapUrlFields<T>(createField: (lang: Lang) => T): ByUrlName<T>;
export function mapUrlFields(createField: (lang: Lang) => unknown): object {
  return Object.fromEntries(LANGS.map((lang) => [`url_${lang}`, createField(lang)]));
}

type StoredEntries<F extends FieldTable> = {
  readonly [K in keyof F as F[K]['stored'] extends null ? never : K]: NonNullable<F[K]['stored']>;
};
/** Returns the stored schemas of a table, by field name. */
export function storedEntries<F extends FieldTable>(fields: F): StoredEntries<F>;
export function storedEntries(fields: FieldTable): object {
  return selectSchemas(fields, 'stored');
}

type WireEntries<F extends FieldTable> = {
  readonly [K in keyof F as F[K]['wire'] extends null ? never : K]: NonNullable<F[K]['wire']>;
};
/** Returns the public schemas of a table, by field name. */
export function wireEntries<F extends FieldTable>(fields: F): WireEntries<F>;
export function wireEntries(fields: FieldTable): object {
  return selectSchemas(fields, 'wire');
}

const selectSchemas = (fields: FieldTable, form: 'stored' | 'wire'): object =>
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

/** Type of a record: the stored fields of a table. */
export type RecordOf<F extends FieldTable> = {
  readonly [K in keyof F as F[K]['stored'] extends null ? never : K]: DeepReadonly<
    v.InferOutput<NonNullable<F[K]['stored']>>
  >;
};

/** Type of the public JSON of a record. */
export type WireOf<F extends FieldTable> = v.InferOutput<
  v.StrictObjectSchema<WireEntries<F>, undefined>
>;

type ComputedValues<F extends FieldTable> = {
  readonly [K in keyof F as F[K]['wire_source'] extends 'computed' ? K : never]: v.InferOutput<
    NonNullable<F[K]['wire']>
  >;
};

/** Serializes a record in one language, with fields in table order. */
export function serializeRecord<F extends FieldTable>(
  fields: F,
  record: RecordOf<F>,
  lang: Lang,
  values: ComputedValues<F>,
): WireOf<F>;
export function serializeRecord(
  fields: FieldTable,
  record: Readonly<Record<string, unknown>>,
  lang: Lang,
  values: Readonly<Record<string, unknown>>,
): object {
  const wire: Record<string, unknown> = {};
  for (const name in fields) {
    const source = fields[name]?.wire_source;
    if (source === 'same') wire[name] = record[name];
    else if (source === 'computed') wire[name] = values[name];
    else if (source === 'text') wire[name] = isLocal(record[name]) ? record[name][lang] : null;
  }
  return wire;
}

const isLocal = (value: unknown): value is LocalText => typeof value === 'object' && value !== null;

/** Adds a description for the OpenAPI document. */
export const describe = <T extends Schema>(schema: T, sentence: string) =>
  v.pipe(schema, v.description(sentence));

/** Makes a field optional and nullable (contract 3.5). */
export const nullableOptional = <T extends Schema>(schema: T) =>
  v.exactOptional(v.nullable(schema));

/** ISO 8601 with the local offset, whole seconds: `2026-11-21T20:00:00+01:00`. */
export const TimestampSchema = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(new RegExp(`^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}${PAST_OFFSET_PATTERN}$`)),
);

/** YYYY-MM-DD. */
export const DaySchema = v.pipe(v.string(), v.isoDate());

export const UrlSchema = v.pipe(v.string(), v.url());

export const CountSchema = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Source dates, shared by events, venues, organizers and notices. */
export const SOURCE_DATE_FIELDS = {
  source_published: sameField(
    v.nullable(v.string()),
    describe(nullableOptional(DaySchema), 'Publication day of the newest source; null if undated.'),
  ),
  source_checked: sameField(
    v.string(),
    describe(v.exactOptional(DaySchema), 'Day its sources were last checked.'),
  ),
} as const;

export interface SourceDates {
  readonly source_published: string | null;
  readonly source_checked: string;
}
