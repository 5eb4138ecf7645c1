// What tools tell of REST's wire forms: schemas that name each field, by which the structured half of an
// answer is picked from a record (contract 13.9).
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { PublicDaySchema, PublicNoticeSchema } from '../serializers/wire/day.ts';
import {
  EventDetailSchema,
  PublicOccurrenceSchema,
  PublicEventSchema,
} from '../serializers/wire/event.ts';
import { PublicOpenPlaceSchema } from '../serializers/wire/venues.ts';
import type { ObjectJsonSchema, JsonSchema } from './tool.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All schemas are read with every question, so a text, which most fields are, is said by saying nothing. */
export const ANY_SCHEMA: JsonSchema = {};
export const COUNT_SCHEMA: JsonSchema = { type: 'integer' };
/** Told only where there are some. */
export const POSITIVE_COUNT_SCHEMA: JsonSchema = { type: 'integer', minimum: 1 };
export const NULLABLE_TEXT_SCHEMA: JsonSchema = { type: ['string', 'null'] };
/** Told only where it is this very value. */
const only = (value: unknown): JsonSchema => ({ const: value });
export const arraySchema = (items: JsonSchema): JsonSchema => ({ items });

/** Names, and types where neither `properties` nor `items` imply them; null is left out of an answer. */
function simplify(schema: unknown): JsonSchema {
  if (!isRecord(schema)) return {};
  const { type, properties, items, anyOf } = schema;
  if (Array.isArray(anyOf))
    return simplify(anyOf.find((each) => isRecord(each) && each.type !== 'null'));
  if (items !== undefined) return arraySchema(simplify(items));
  if (!isRecord(properties))
    return typeof type === 'string' && type !== 'string' ? { type } : ANY_SCHEMA;
  const fields = Object.entries(properties).map(([name, field]) => [name, simplify(field)]);
  return { properties: Object.fromEntries(fields) };
}

/** Further fields of an object: each in a form of its own, or told in part. */
type Others = Readonly<Record<string, JsonSchema | ((wire: JsonSchema) => JsonSchema)>>;

function pick(wire: JsonSchema, names: string, others: Others): JsonSchema {
  if (wire.items !== undefined) return arraySchema(pick(wire.items, names, others));
  const find = (name: string): JsonSchema => {
    const field = wire.properties?.[name];
    if (field === undefined) throw new Error(`the wire form has no field ${name}`);
    return field;
  };
  const fields = [
    ...names.split(/\s+/).map((name) => [name, find(name)]),
    ...Object.entries(others).map(([name, form]) => [
      name,
      typeof form === 'function' ? form(find(name)) : form,
    ]),
  ];
  return { properties: Object.fromEntries(fields) };
}

/** The schema of what is told of a wire form: the fields of these names, and `others`. */
export const selectSchemaFields = (
  schema: v.GenericSchema,
  names: string,
  others: Others = {},
): JsonSchema => pick(simplify(toJsonSchema(schema, { errorMode: 'ignore' })), names, others);

export const selectNestedFields =
  (names: string, others: Others = {}) =>
  (wire: JsonSchema): JsonSchema =>
    pick(wire, names, others);

/** An answer: what stands in each, around what is this one's. */
export const outputSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): ObjectJsonSchema => ({
  type: 'object',
  properties: { now: ANY_SCHEMA, about: ANY_SCHEMA, ...properties, meta: { type: 'object' } },
  required,
});

/** Type of a schema without its fields: nested objects of a listed schema. */
const summarizeSchema = (schema: JsonSchema): JsonSchema => {
  if (schema.items !== undefined) return arraySchema(summarizeSchema(schema.items));
  return schema.properties === undefined ? schema : { type: 'object' };
};

/** Schema with its own fields named, but not the fields of objects within them. */
const listOwnFields = (schema: JsonSchema): JsonSchema => {
  if (schema.items !== undefined) return arraySchema(listOwnFields(schema.items));
  if (schema.properties === undefined) return schema;
  const fields = Object.entries(schema.properties).map(([name, field]) => [
    name,
    summarizeSchema(field),
  ]);
  return { ...schema, properties: Object.fromEntries(fields) };
};

/**
 * Output schema as tools/list publishes it: the fields of `data`, and only the types of everything deeper or beside
 * it. Every host loads the list into the model's context, and these objects are described in the API reference.
 */
export const listedOutputSchema = (output: ObjectJsonSchema): ObjectJsonSchema => ({
  ...output,
  properties: Object.fromEntries(
    Object.entries(output.properties ?? {}).map(([name, field]) => [
      name,
      name === 'data' ? listOwnFields(field) : summarizeSchema(field),
    ]),
  ),
});

/** Lists that are there even where they are empty (contract 4.5, 4.15). */
const ALWAYS = 'data still_on open_places tags occurrences holidays seasons links closes'.split(
  ' ',
);

/** Whether a field says something: neither null nor an empty list, nor what goes without saying. */
function isTold(
  name: string,
  value: unknown,
  { const: only_one, minimum, type }: JsonSchema,
): boolean {
  if (value === null) return Array.isArray(type);
  if (only_one !== undefined) return value === only_one;
  if (typeof minimum === 'number') return Number(value) >= minimum;
  if (Array.isArray(value)) return value.length > 0 || ALWAYS.includes(name);
  return value !== undefined;
}

/**
 * Of a value what its schema names, in the order of the schema, without what holds nothing (contract
 * 3.5). What a schema says twice is a `$ref` into its `root`.
 */
export function pickBySchema(
  value: unknown,
  { $ref, properties, items }: JsonSchema,
  root: JsonSchema,
): unknown {
  if ($ref !== undefined) return pickBySchema(value, follow($ref, root), root);
  if (Array.isArray(value))
    return items ? value.map((item) => pickBySchema(item, items, root)) : value;
  if (!isRecord(value) || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      isTold(name, value[name], schema) ? [[name, pickBySchema(value[name], schema, root)]] : [],
    ),
  );
}

/** The part of a schema at a JSON Pointer (`#/properties/data`); throws where there is none. */
function follow(pointer: string, root: JsonSchema): JsonSchema {
  const steps = pointer.split('/').slice(1);
  const found = steps.reduce((within: unknown, step) => isRecord(within) && within[step], root);
  if (!isRecord(found)) throw new Error(`the schema has no ${pointer}`);
  return found;
}

/** A date, with the last of several days; that its hours are known goes without saying. */
const DATE = 'id start end date all_day status notes';
const OF_DATE = { last_date: ANY_SCHEMA, time_known: only(false), end_known: only(false) };
const OCCURRENCE = selectSchemaFields(PublicOccurrenceSchema, DATE, OF_DATE);
const PRICE = 'is_free min max currency text confirm';

/** An event of a list: what its line says; all else is asked for by detalle_evento. */
export const EVENT_SCHEMA = selectSchemaFields(
  PublicEventSchema,
  `id url url_es url_en title summary status category tags zone location_note age_restriction certainty
  confirm written_in distance_km`,
  {
    venue: selectNestedFields('name', { coordinates: only('zone') }),
    price: selectNestedFields(PRICE, { certainty: only('last_known') }),
    next: OCCURRENCE,
    more_dates: POSITIVE_COUNT_SCHEMA,
  },
);

/** An event by itself, without who brought it in and when that last changed. */
export const EVENT_DETAIL_SCHEMA = selectSchemaFields(
  EventDetailSchema,
  `id url url_es url_en title summary status category tags zone location_note ticket_url
  registration_url age_restriction languages image certainty confirm source_published source_checked
  written_in more_dates description recurrence occurrence_count is_past source_url
  other_source_urls`,
  {
    venue: selectNestedFields('name address url directions_url lat lng'),
    price: selectNestedFields(`${PRICE} visitors`, { certainty: only('last_known') }),
    organizer: selectNestedFields('name url', { verified: only(true) }),
    next: selectSchemaFields(PublicOccurrenceSchema, `${DATE} confirmed_on`, OF_DATE),
    occurrences: arraySchema({ $ref: '#/properties/data/properties/next' }),
    calendar_url: ANY_SCHEMA,
    dates_url: ANY_SCHEMA,
    directions_url: ANY_SCHEMA,
  },
);

export const NOTICES_SCHEMA = arraySchema(
  selectSchemaFields(
    PublicNoticeSchema,
    `id type severity confirm title body zone starts_at ends_at source source_url source_published
    source_checked`,
    { season: only(true), inferred: only(true) },
  ),
);
export const NOTICE_FIELDS_SCHEMA = {
  notices: NOTICES_SCHEMA,
  more_notices: POSITIVE_COUNT_SCHEMA,
  in_season: arraySchema(ANY_SCHEMA),
} as const;

export const DAY_SCHEMA = selectSchemaFields(
  PublicDaySchema,
  'date text sky holidays next_feast seasons links',
);
/** A day that is not asked for. */
export const BRIEF_DAY_SCHEMA = selectSchemaFields(PublicDaySchema, 'date text', {
  links: selectNestedFields('topic name url'),
});

/** A place beside events; `text` says its hours, the price and the zone. */
export const OPEN_VENUE_SCHEMA = selectSchemaFields(PublicOpenPlaceSchema, 'name url', {
  text: ANY_SCHEMA,
  today: selectNestedFields('open spans'),
});
