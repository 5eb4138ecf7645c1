// What tools tell of REST's wire forms: schemas that name each field, by which the structured half of an
// answer is picked from a record (contract 13.9).
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { PublicDaySchema, PublicNoticeSchema } from '../serializers/wire/day.ts';
import {
  EventDetailSchema,
  OccurrenceSchema,
  PublicEventSchema,
} from '../serializers/wire/event.ts';
import { PublicOpenPlaceSchema } from '../serializers/wire/places.ts';
import type { ObjectSchema, Schema } from './tool.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All schemas are read with every question, so a text, which most fields are, is said by saying nothing. */
export const ANY_TEXT: Schema = {};
export const COUNT: Schema = { type: 'integer' };
/** Told only where there are some. */
export const SOME: Schema = { type: 'integer', minimum: 1 };
export const TEXT_OR_NULL: Schema = { type: ['string', 'null'] };
/** Told only where it is this very value. */
const only = (value: unknown): Schema => ({ const: value });
export const toList = (items: Schema): Schema => ({ items });

/** Names, and types where neither `properties` nor `items` imply them; null is left out of an answer. */
function simplify(schema: unknown): Schema {
  if (!isRecord(schema)) return {};
  const { type, properties, items, anyOf } = schema;
  if (Array.isArray(anyOf))
    return simplify(anyOf.find((each) => isRecord(each) && each.type !== 'null'));
  if (items !== undefined) return toList(simplify(items));
  if (!isRecord(properties))
    return typeof type === 'string' && type !== 'string' ? { type } : ANY_TEXT;
  const fields = Object.entries(properties).map(([name, field]) => [name, simplify(field)]);
  return { properties: Object.fromEntries(fields) };
}

/** Further fields of an object: each in a form of its own, or told in part. */
type Others = Readonly<Record<string, Schema | ((wire: Schema) => Schema)>>;

function pick(wire: Schema, names: string, others: Others): Schema {
  if (wire.items !== undefined) return toList(pick(wire.items, names, others));
  const find = (name: string): Schema => {
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
export const tell = (schema: v.GenericSchema, names: string, others: Others = {}): Schema =>
  pick(simplify(toJsonSchema(schema, { errorMode: 'ignore' })), names, others);

export const part =
  (names: string, others: Others = {}) =>
  (wire: Schema): Schema =>
    pick(wire, names, others);

/** An answer: what stands in each, around what is this one's. */
export const toOutput = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): ObjectSchema => ({
  type: 'object',
  properties: { now: ANY_TEXT, about: ANY_TEXT, ...properties, meta: { type: 'object' } },
  required,
});

/** Lists that are there even where they are empty (contract 4.5, 4.15). */
const ALWAYS = 'data still_on open_places tags occurrences holidays seasons links closes'.split(
  ' ',
);

/** Whether a field says something: neither null nor an empty list, nor what goes without saying. */
function isTold(name: string, value: unknown, { const: only_one, minimum, type }: Schema): boolean {
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
export function keep(value: unknown, { $ref, properties, items }: Schema, root: Schema): unknown {
  if ($ref !== undefined) return keep(value, follow($ref, root), root);
  if (Array.isArray(value)) return items ? value.map((item) => keep(item, items, root)) : value;
  if (!isRecord(value) || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) =>
      isTold(name, value[name], schema) ? [[name, keep(value[name], schema, root)]] : [],
    ),
  );
}

/** The part of a schema at a JSON Pointer (`#/properties/data`); throws where there is none. */
function follow(pointer: string, root: Schema): Schema {
  const steps = pointer.split('/').slice(1);
  const found = steps.reduce((within: unknown, step) => isRecord(within) && within[step], root);
  if (!isRecord(found)) throw new Error(`the schema has no ${pointer}`);
  return found;
}

/** A date, with the last of several days; that its hours are known goes without saying. */
const DATE = 'id start end date all_day status notes';
const OF_DATE = { last_date: ANY_TEXT, time_known: only(false), end_known: only(false) };
const OCCURRENCE = tell(OccurrenceSchema, DATE, OF_DATE);
const PRICE = 'is_free min max currency text confirm';

/** An event of a list: what its line says; all else is asked for by detalle_evento. */
export const EVENT = tell(
  PublicEventSchema,
  `id url url_es url_en title summary status category tags zone location_note age_restriction certainty
  confirm written_in distance_km`,
  {
    venue: part('name', { coordinates: only('zone') }),
    price: part(PRICE, { certainty: only('last_known') }),
    next: OCCURRENCE,
    more_dates: SOME,
  },
);

/** An event by itself, without who brought it in and when that last changed. */
export const EVENT_DETAIL = tell(
  EventDetailSchema,
  `id url url_es url_en title summary status category tags zone location_note ticket_url
  registration_url age_restriction languages image certainty confirm source_published source_checked
  written_in more_dates description recurrence occurrence_count is_past source_url
  other_source_urls`,
  {
    venue: part('name address url directions_url lat lng'),
    price: part(`${PRICE} visitors`, { certainty: only('last_known') }),
    organizer: part('name url', { verified: only(true) }),
    next: tell(OccurrenceSchema, `${DATE} confirmed_on`, OF_DATE),
    occurrences: toList({ $ref: '#/properties/data/properties/next' }),
    calendar_url: ANY_TEXT,
    dates_url: ANY_TEXT,
    directions_url: ANY_TEXT,
  },
);

export const NOTICES = toList(
  tell(
    PublicNoticeSchema,
    `id type severity confirm title body zone starts_at ends_at source source_url source_published
    source_checked`,
    { season: only(true), inferred: only(true) },
  ),
);
export const BESIDE = {
  notices: NOTICES,
  more_notices: SOME,
  in_season: toList(ANY_TEXT),
} as const;

export const DAY = tell(PublicDaySchema, 'date text sky holidays next_feast seasons links');
/** A day that is not asked for. */
export const BRIEF_DAY = tell(PublicDaySchema, 'date text', { links: part('topic name url') });

/** A place beside events; `text` says its hours, the price and the zone. */
export const OPEN_PLACE = tell(PublicOpenPlaceSchema, 'name url', {
  text: ANY_TEXT,
  today: part('open spans'),
});
