// API schemas: converts the public JSON schemas to JSON Schema 2020-12 for `#/components/schemas`,
// named as in the contract.
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { TimestampSchema } from '../../domain/fields.ts';
import {
  AdmissionSchema,
  NullableHourSchema,
  TodayHoursSchema,
  VisitorSchema,
} from '../../domain/opening-hours.ts';
import { TaxonSchema } from '../../domain/taxon.ts';
import { PublicChangeSchema } from '../wire/change.ts';
import { DayDetailSchema, PublicNoticeSchema } from '../wire/day.ts';
import { EventDetailSchema, PublicOccurrenceSchema, PublicEventSchema } from '../wire/event.ts';
import {
  ChangesMetaSchema,
  ErrorSchema,
  ListMetaSchema,
  MetaSchema,
  NoticesMetaSchema,
  PlacesMetaSchema,
  AlternativeEventSchema,
} from '../wire/meta.ts';
import {
  ListedCategorySchema,
  ListedOrganizerSchema,
  ListedVenueSchema,
  ListedZoneSchema,
  PublicOrganizerSchema,
  PublicVenueSchema,
} from '../wire/venues.ts';

/** A JSON object, here a JSON Schema or a part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>;

/**
 * Schemas by public name. `ToldEvent` is an event that an empty list suggests; the name stays, as
 * clients use it.
 */
const NAMED = {
  Timestamp: TimestampSchema,
  OptionalTimestamp: v.nullable(TimestampSchema),
  Hour: NullableHourSchema,
  Visitor: VisitorSchema,
  Admission: AdmissionSchema,
  VenueDay: TodayHoursSchema,
  ToldEvent: AlternativeEventSchema,
  Taxon: TaxonSchema,
  Occurrence: PublicOccurrenceSchema,
  PublicEvent: PublicEventSchema,
  EventDetail: EventDetailSchema,
  Venue: PublicVenueSchema,
  Organizer: PublicOrganizerSchema,
  ListedVenue: ListedVenueSchema,
  ListedOrganizer: ListedOrganizerSchema,
  ListedCategory: ListedCategorySchema,
  ListedZone: ListedZoneSchema,
  Notice: PublicNoticeSchema,
  Day: DayDetailSchema,
  Change: PublicChangeSchema,
  Meta: MetaSchema,
  ListMeta: ListMetaSchema,
  PlacesMeta: PlacesMetaSchema,
  NoticesMeta: NoticesMetaSchema,
  ChangesMeta: ChangesMetaSchema,
  Error: ErrorSchema,
} as const;
/** Public name of a schema. */
export type SchemaName = keyof typeof NAMED;

const definitionRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const schemaRef = (name: SchemaName): Json => definitionRef(name);

/** Lists the fields of a named schema; empty if it is not an object. */
export function listSchemaFields(name: SchemaName): readonly string[] {
  const schema = NAMED[name];
  return 'entries' in schema ? Object.keys(schema.entries) : [];
}

/** Allows additional properties: objects may gain fields within v1 (contract 15.3). */
function openObject(schema: Json): Json {
  const { additionalProperties: _closed, required, ...rest } = schema;
  return Array.isArray(required) && required.length > 0 ? { ...rest, required } : rest;
}

/** Shortens enumerations and nullable schemas to an equivalent form. */
function shortenSchema({ type, ...schema }: Json): Json {
  if (Array.isArray(schema.enum)) return schema;
  // A nullable schema is `anyOf` of the value's schema and `{type: 'null'}`.
  const [value_schema, null_schema] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const { anyOf: _both, ...rest } = schema;
  const is_nullable = null_schema?.type === 'null';
  if (is_nullable && Array.isArray(value_schema?.enum))
    return { ...value_schema, ...rest, enum: [...value_schema.enum, null] };
  if (is_nullable && typeof value_schema?.type === 'string')
    return { ...value_schema, ...rest, type: [value_schema.type, 'null'] };
  return type === undefined ? schema : { type, ...schema };
}

/** Schemas by name. */
type Definitions = Readonly<Record<string, Json>>;

/**
 * Schemas that share most fields, by the name of the schema with the shared ones. Families can be
 * nested.
 */
const FAMILIES = {
  EventFields: ['PublicEvent', 'EventDetail'],
  VenueFields: ['Venue', 'ListedVenue'],
  OrganizerFields: ['Organizer', 'ListedOrganizer'],
  ProfileFields: ['VenueFields', 'OrganizerFields'],
  SourcedFields: ['EventFields', 'ProfileFields', 'Notice'],
  TaxonFields: ['ListedCategory', 'ListedZone'],
  PageMeta: ['ListMeta', 'PlacesMeta'],
  Meta: ['PageMeta', 'NoticesMeta', 'ChangesMeta'],
} as const;

const ObjectSchema = v.looseObject({
  properties: v.record(v.string(), v.unknown()),
  required: v.optional(v.array(v.string()), []),
});

/** Moves the common fields of a family to a definition of their own, to which its members refer. */
function splitFamily(
  definitions: Definitions,
  [name, members]: readonly [string, readonly string[]],
): Definitions {
  const parsed = members.map(
    (member) => [member, v.parse(ObjectSchema, definitions[member])] as const,
  );
  const isCommon = (field: string): boolean =>
    new Set(parsed.map(([, { properties }]) => JSON.stringify(properties[field]))).size === 1;
  const isRequired = (field: string): boolean =>
    isCommon(field) && parsed.every(([, { required }]) => required.includes(field));
  const pickFields = (
    { properties, required }: v.InferOutput<typeof ObjectSchema>,
    are_common: boolean,
  ): Json =>
    openObject({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(properties).filter(([field]) => isCommon(field) === are_common),
      ),
      required: required.filter((field) => isRequired(field) === are_common),
    });
  const member_definitions = parsed.map(([member, schema]) => [
    member,
    { ...pickFields(schema, false), allOf: [definitionRef(name)] },
  ]);
  const [first_member] = parsed;
  return {
    ...definitions,
    ...(first_member && { [name]: pickFields(first_member[1], true) }),
    ...Object.fromEntries(member_definitions),
  };
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/**
 * Replaces every named schema within a value by a reference, preserving the description at its
 * place.
 */
function replaceBySchemaRefs(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceBySchemaRefs(item, names));
  if (!isJson(value)) return value;
  const { description, ...schema } = value;
  const description_field = description === undefined ? {} : { description };
  const named_schema = names.get(JSON.stringify(schema));
  if (named_schema !== undefined) return { ...definitionRef(named_schema), ...description_field };
  const type = Array.isArray(schema.type) ? schema.type[0] : undefined;
  const nullable = names.get(JSON.stringify({ ...schema, type }));
  if (nullable !== undefined)
    return { anyOf: [definitionRef(nullable), { type: 'null' }], ...description_field };
  // A minimum of 0 is of no use to clients for response fields.
  const keywords = Object.entries(value).filter(([key, bound]) => key !== 'minimum' || bound !== 0);
  return Object.fromEntries(
    keywords.map(([key, inner]) => [key, replaceBySchemaRefs(inner, names)]),
  );
}

/**
 * Builds all definitions, with shared schemas as references.
 * @throws if a schema cannot be converted to JSON Schema.
 */
export function buildSchemas(): Json {
  const converted = toJsonSchemaDefs(NAMED, {
    target: 'draft-2020-12',
    errorMode: 'throw',
    overrideSchema: ({ jsonSchema }) => shortenSchema(openObject({ ...jsonSchema })),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  const definitions: Definitions = Object.fromEntries(
    Object.entries(converted).map(([name, definition]) => [name, { ...definition }]),
  );
  const names = new Map(
    Object.entries(definitions).map(([name, definition]) => [JSON.stringify(definition), name]),
  );
  const shared = Object.entries(definitions).map(([name, definition]) => [
    name,
    Object.fromEntries(
      Object.entries(definition).map(([key, inner]) => [key, replaceBySchemaRefs(inner, names)]),
    ),
  ]);
  return Object.entries(FAMILIES).reduce(splitFamily, Object.fromEntries(shared));
}
