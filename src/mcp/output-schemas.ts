// Output schemas: JSON Schemas of tool results, which select fields of REST records. The structured
// content of an answer has exactly the fields of the tool's schema (contract 13.9). A `const` or
// `minimum` in them also means that the field is omitted unless its value matches.
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

/**
 * Any value, usually a text. Without keywords, because models read all schemas with every question.
 */
export const ANY_SCHEMA: JsonSchema = {};
export const COUNT_SCHEMA: JsonSchema = { type: 'integer' };
/** A count that is omitted if it is 0. */
export const POSITIVE_COUNT_SCHEMA: JsonSchema = { type: 'integer', minimum: 1 };
/** A text that is present even if it is null. */
export const NULLABLE_TEXT_SCHEMA: JsonSchema = { type: ['string', 'null'] };
/** A field that is omitted unless it has this value. */
export const constSchema = (value: unknown): JsonSchema => ({ const: value });
/** A list of such items; `items` implies its type. */
export const arraySchema = (items: JsonSchema): JsonSchema => ({ items });

/**
 * Reduces a schema to the names of its fields, and their types unless `properties` or `items` imply
 * them. Answers omit null, so nullable types become plain ones.
 */
function simplify(schema: unknown): JsonSchema {
  if (!isRecord(schema)) return {};
  const { type, properties, items, anyOf } = schema;
  if (Array.isArray(anyOf))
    return simplify(anyOf.find((option) => isRecord(option) && option.type !== 'null'));
  if (items !== undefined) return arraySchema(simplify(items));
  if (!isRecord(properties))
    return typeof type === 'string' && type !== 'string' ? { type } : ANY_SCHEMA;
  const fields = Object.entries(properties).map(([name, field]) => [name, simplify(field)]);
  return { properties: Object.fromEntries(fields) };
}

/**
 * Further fields by name: either a schema, or a function that selects from the field's REST schema.
 */
type FurtherFields = Readonly<Record<string, JsonSchema | ((field: JsonSchema) => JsonSchema)>>;

/** Selects fields by name (separated by spaces) from a schema or from the items of a list. */
function selectFields(schema: JsonSchema, names: string, further: FurtherFields): JsonSchema {
  if (schema.items !== undefined) return arraySchema(selectFields(schema.items, names, further));
  const getField = (name: string): JsonSchema => {
    const field = schema.properties?.[name];
    if (field === undefined) throw new Error(`no field ${name} in the REST schema`);
    return field;
  };
  const fields = [
    ...names.split(/\s+/).map((name) => [name, getField(name)]),
    ...Object.entries(further).map(([name, field]) => [
      name,
      typeof field === 'function' ? field(getField(name)) : field,
    ]),
  ];
  return { properties: Object.fromEntries(fields) };
}

/**
 * Selects fields of a REST schema by name (separated by spaces), and adds further ones.
 * @throws Error if the REST schema has no such field.
 */
export const selectSchemaFields = (
  schema: v.GenericSchema,
  names: string,
  further: FurtherFields = {},
): JsonSchema =>
  selectFields(simplify(toJsonSchema(schema, { errorMode: 'ignore' })), names, further);

/** Selects fields of a nested object, for `further` of selectSchemaFields. */
export const selectNestedFields =
  (names: string, further: FurtherFields = {}) =>
  (schema: JsonSchema): JsonSchema =>
    selectFields(schema, names, further);

/**
 * Builds the output schema of a tool, with the fields of every answer: time, note about the data,
 * and `meta`.
 */
export const outputSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): ObjectJsonSchema => ({
  type: 'object',
  properties: { now: ANY_SCHEMA, about: ANY_SCHEMA, ...properties, meta: { type: 'object' } },
  required,
});

/** Reduces a schema to its type, without the fields of an object. */
const summarizeSchema = (schema: JsonSchema): JsonSchema => {
  if (schema.items !== undefined) return arraySchema(summarizeSchema(schema.items));
  return schema.properties === undefined ? schema : { type: 'object' };
};

/** Reduces a schema to its direct fields, without the fields of objects within them. */
const listDirectFields = (schema: JsonSchema): JsonSchema => {
  if (schema.items !== undefined) return arraySchema(listDirectFields(schema.items));
  if (schema.properties === undefined) return schema;
  const fields = Object.entries(schema.properties).map(([name, field]) => [
    name,
    summarizeSchema(field),
  ]);
  return { ...schema, properties: Object.fromEntries(fields) };
};

/**
 * Reduces an output schema for tools/list: the direct fields of `data`, and only the types of all
 * other fields and of deeper ones. Every host loads the list into the model's context, and these
 * objects are described in the API reference.
 * @param is_repeated Only the type of `data`, because another tool of the list has its fields.
 */
export const listedOutputSchema = (
  output: ObjectJsonSchema,
  is_repeated: boolean,
): ObjectJsonSchema => ({
  ...output,
  properties: Object.fromEntries(
    Object.entries(output.properties ?? {}).map(([name, field]) => [
      name,
      name === 'data' && !is_repeated ? listDirectFields(field) : summarizeSchema(field),
    ]),
  ),
});

/** Lists that are present even if empty (contract 4.5, 4.15). */
const ALWAYS_PRESENT =
  'data still_on open_places tags occurrences holidays seasons links closes'.split(' ');

/**
 * Returns true if an answer has a field: omits null, most empty lists, and the default values of a
 * schema.
 */
function isPresent(
  name: string,
  value: unknown,
  { const: required_value, minimum, type }: JsonSchema,
): boolean {
  if (value === null) return Array.isArray(type);
  if (required_value !== undefined) return value === required_value;
  if (typeof minimum === 'number') return Number(value) >= minimum;
  if (Array.isArray(value)) return value.length > 0 || ALWAYS_PRESENT.includes(name);
  return value !== undefined;
}

/**
 * Picks the fields that a schema names, in its order, without empty ones (contract 3.5).
 * @param root The schema into which each `$ref` points.
 */
export function pickBySchema(
  value: unknown,
  { $ref, properties, items }: JsonSchema,
  root: JsonSchema,
): unknown {
  if ($ref !== undefined) return pickBySchema(value, resolvePointer($ref, root), root);
  if (Array.isArray(value))
    return items ? value.map((item) => pickBySchema(item, items, root)) : value;
  if (!isRecord(value) || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      isPresent(name, value[name], schema) ? [[name, pickBySchema(value[name], schema, root)]] : [],
    ),
  );
}

/**
 * Resolves a JSON Pointer (`#/properties/data`) within a schema.
 * @throws Error if there is no such part.
 */
function resolvePointer(pointer: string, root: JsonSchema): JsonSchema {
  const keys = pointer.split('/').slice(1);
  const part = keys.reduce((parent: unknown, key) => isRecord(parent) && parent[key], root);
  if (!isRecord(part)) throw new Error(`no part ${pointer} in the schema`);
  return part;
}

/** Fields of an occurrence. `time_known` and `end_known` are true if omitted. */
const DATE_FIELDS = 'id start end date all_day status notes';
const FURTHER_DATE_FIELDS = {
  last_date: ANY_SCHEMA,
  time_known: constSchema(false),
  end_known: constSchema(false),
};
const OCCURRENCE_SCHEMA = selectSchemaFields(
  PublicOccurrenceSchema,
  DATE_FIELDS,
  FURTHER_DATE_FIELDS,
);
/** `confirm` advises to check the price. */
const PRICE_FIELDS = 'is_free free_for min max currency text confirm';

/** An event in a list: the fields of its line; detalle_evento returns all others. */
export const EVENT_SCHEMA = selectSchemaFields(
  PublicEventSchema,
  `id url url_es url_en title summary status category tags zone location_note age_restriction certainty
  confirm written_in distance_km`,
  {
    venue: selectNestedFields('name', { coordinates: constSchema('zone') }),
    price: selectNestedFields(PRICE_FIELDS, { certainty: constSchema('last_known') }),
    next: OCCURRENCE_SCHEMA,
    more_dates: POSITIVE_COUNT_SCHEMA,
    called_off: selectNestedFields('date start status notes'),
    called_off_count: POSITIVE_COUNT_SCHEMA,
  },
);

/**
 * A single event, without the channel by which it was submitted and the time of its last change.
 */
export const EVENT_DETAIL_SCHEMA = selectSchemaFields(
  EventDetailSchema,
  `id url url_es url_en title summary status category tags zone location_note ticket_url
  registration_url age_restriction languages indoor image certainty confirm source_published
  source_checked written_in more_dates description recurrence occurrence_count is_past source_url
  other_source_urls`,
  {
    venue: selectNestedFields('name address url directions_url lat lng', {
      coordinates: constSchema('zone'),
    }),
    price: selectNestedFields(`${PRICE_FIELDS} visitors`, { certainty: constSchema('last_known') }),
    organizer: selectNestedFields('name url', { verified: constSchema(true) }),
    next: selectSchemaFields(
      PublicOccurrenceSchema,
      `${DATE_FIELDS} certainty confirmed_on`,
      FURTHER_DATE_FIELDS,
    ),
    occurrences: arraySchema({ $ref: '#/properties/data/properties/next' }),
    calendar_url: ANY_SCHEMA,
    dates_url: ANY_SCHEMA,
    directions_url: ANY_SCHEMA,
  },
);

/** Notices in full. */
export const NOTICES_SCHEMA = arraySchema(
  selectSchemaFields(
    PublicNoticeSchema,
    `id type severity confirm title body zone starts_at ends_at source source_url source_published
    source_checked`,
    { season: constSchema(true), inferred: constSchema(true) },
  ),
);
/**
 * Notices next to events: the most severe in full, the number of others, and the names of current
 * seasons.
 */
export const NOTICE_FIELDS_SCHEMA = {
  notices: NOTICES_SCHEMA,
  more_notices: POSITIVE_COUNT_SCHEMA,
  in_season: arraySchema(ANY_SCHEMA),
} as const;

/** All facts of a day. */
export const DAY_SCHEMA = selectSchemaFields(
  PublicDaySchema,
  'date text sky holidays next_feast seasons links',
);
/** The facts of a day in a list with filters. */
export const BRIEF_DAY_SCHEMA = selectSchemaFields(PublicDaySchema, 'date text', {
  links: selectNestedFields('topic name url'),
});

/** An open venue in a list of events; `text` has its hours, price and zone. */
export const OPEN_VENUE_SCHEMA = selectSchemaFields(PublicOpenPlaceSchema, 'name url', {
  text: ANY_SCHEMA,
  today: selectNestedFields('open spans'),
});
