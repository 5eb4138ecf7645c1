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
import { type ObjectSchema, type Schema, TEXT } from './tool.ts';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names and types alone, for all of them are read with every question; null is left out of an answer. */
function simplify(schema: unknown): Schema {
  if (!isRecord(schema)) return {};
  const { type, properties, items, anyOf } = schema;
  if (Array.isArray(anyOf))
    return simplify(anyOf.find((each) => isRecord(each) && each.type !== 'null'));
  if (typeof type !== 'string') return {};
  if (type === 'array') return { type, items: simplify(items) };
  if (!isRecord(properties)) return { type };
  const fields = Object.entries(properties).map(([name, field]) => [name, simplify(field)]);
  return { type, properties: Object.fromEntries(fields) };
}

/**
 * Fields inside a field that is told in part, with those that are told in a form of their own; a field
 * by itself in a form of its own.
 */
interface Own {
  readonly [name: string]: Schema | string | readonly [names: string, own: Own];
}

function pick(wire: Schema, names: string, own: Own = {}): Schema {
  if (wire.items !== undefined) return { type: 'array', items: pick(wire.items, names, own) };
  const find = (name: string): Schema => {
    const field = wire.properties?.[name];
    if (field === undefined) throw new Error(`the wire form has no field ${name}`);
    return field;
  };
  const named = names.split(/\s+/).map((name) => [name, find(name)]);
  const others = Object.entries(own).map(([name, inner]) => {
    if (typeof inner === 'string') return [name, pick(find(name), inner)];
    return [name, isPair(inner) ? pick(find(name), ...inner) : inner];
  });
  return { type: 'object', properties: Object.fromEntries([...named, ...others]) };
}
const isPair = (inner: Own[string]): inner is readonly [string, Own] => Array.isArray(inner);

/** The schema of what is told of a wire form. */
export const tell = (schema: v.GenericSchema, names: string, own?: Own): Schema =>
  pick(simplify(toJsonSchema(schema, { errorMode: 'ignore' })), names, own);

/** Lists that are there even where they are empty (contract 4.5, 4.15). */
const ALWAYS = 'data still_on open_places tags occurrences holidays seasons links closes';

/** Whether a field says something: neither null nor an empty list, nor what goes without saying. */
function isTold(value: unknown, { const: only, minimum, type }: Schema): boolean {
  if (value === null) return Array.isArray(type);
  if (only !== undefined) return value === only;
  if (typeof minimum === 'number') return Number(value) >= minimum;
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
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
    Object.entries(properties).flatMap(([name, schema]) => {
      const field = value[name];
      const is_kept =
        isTold(field, schema) || (Array.isArray(field) && ALWAYS.split(' ').includes(name));
      return is_kept ? [[name, keep(field, schema, root)]] : [];
    }),
  );
}

/** The part of a schema at a JSON Pointer (`#/properties/data`); throws where there is none. */
function follow(pointer: string, root: Schema): Schema {
  const steps = pointer.split('/').slice(1);
  const found = steps.reduce((part: unknown, step) => isRecord(part) && part[step], root);
  if (!isRecord(found)) throw new Error(`the schema has no ${pointer}`);
  return found;
}

export const toObject = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): ObjectSchema => ({ type: 'object', properties, required });

/** An answer: what stands in each, around what is this one's. */
export const toOutput = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
): ObjectSchema =>
  toObject({ now: TEXT, about: TEXT, ...properties, meta: { type: 'object' } }, required);

export const toList = (items: Schema): Schema => ({ type: 'array', items });
export const COUNT = { type: 'integer' } as const;
/** Where a list goes on; null at its end. */
export const CURSOR = { type: ['string', 'null'] } as const;
const ONLY_TRUE = { const: true } as const;
const ONLY_FALSE = { const: false } as const;
const LAST_KNOWN = { const: 'last_known' } as const;

/** A date; that its hours are known goes without saying. */
const OCCURRENCE = tell(OccurrenceSchema, 'id start end date all_day status notes', {
  time_known: ONLY_FALSE,
  end_known: ONLY_FALSE,
});
const PRICE = 'is_free min max currency text confirm';

/** An event of a list: what its line says; all else is asked for by detalle_evento. */
export const EVENT = tell(
  PublicEventSchema,
  `id url url_es url_en title summary status category tags zone location_note age_restriction certainty
  confirm written_in distance_km`,
  {
    venue: ['name', { coordinates: { const: 'zone' } }],
    price: [PRICE, { certainty: LAST_KNOWN }],
    next: OCCURRENCE,
    more_dates: { type: 'integer', minimum: 1 },
  },
);

/** An event by itself, without who brought it in and when that last changed. */
export const EVENT_DETAIL = tell(
  EventDetailSchema,
  `id url url_es url_en title summary status category tags zone location_note ticket_url
  registration_url age_restriction languages image certainty confirm source_published source_checked
  written_in more_dates description recurrence occurrence_count is_past source_url`,
  {
    venue: 'name address url directions_url lat lng',
    price: [`${PRICE} visitors`, { certainty: LAST_KNOWN }],
    organizer: ['name url', { verified: ONLY_TRUE }],
    next: OCCURRENCE,
    occurrences: toList({ $ref: '#/properties/data/properties/next' }),
    calendar_url: TEXT,
    dates_url: TEXT,
    directions_url: TEXT,
  },
);

const NOTICE = tell(
  PublicNoticeSchema,
  `id type severity confirm title body zone starts_at ends_at source source_url source_published
  source_checked`,
  { season: ONLY_TRUE, inferred: ONLY_TRUE },
);
export const NOTICES = toList(NOTICE);
/** The notices beside something else. */
export const BESIDE = {
  notices: NOTICES,
  more_notices: { type: 'integer', minimum: 1 },
  in_season: toList(TEXT),
} as const;

export const DAY = tell(PublicDaySchema, 'date text sky holidays next_feast seasons links');
/** A day that is not asked for. */
export const BRIEF_DAY = tell(PublicDaySchema, 'date text', { links: 'topic url' });

/** A place beside events; `text` says its hours, the price and the zone. */
export const OPEN_PLACE = tell(PublicOpenPlaceSchema, 'name url', {
  text: TEXT,
  today: 'open spans',
});
