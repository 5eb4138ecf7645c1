// The wire schemas as JSON Schema 2020-12, named as in the contract, for `#/components/schemas`.
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { TimestampSchema } from '../../domain/fields.ts';
import { AdmissionSchema, TodayHoursSchema } from '../../domain/opening-hours.ts';
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

export type Json = Readonly<Record<string, unknown>>;

const NAMED = {
  Timestamp: TimestampSchema,
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
export type SchemaName = keyof typeof NAMED;

const toRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const schemaRef = (name: SchemaName): Json => toRef(name);

export function listSchemaFields(name: SchemaName): readonly string[] {
  const schema = NAMED[name];
  return 'entries' in schema ? Object.keys(schema.entries) : [];
}

/**
 * An object may gain fields within v1 (contract 15.3), so the schema does not say that there are
 * no others.
 */
function openObject(schema: Json): Json {
  const { additionalProperties: _closed, required, ...rest } = schema;
  return Array.isArray(required) && required.length > 0 ? { ...rest, required } : rest;
}

/** A choice, and what may be null, in the shorter form of the same. */
function shorten({ type, ...schema }: Json): Json {
  if (Array.isArray(schema.enum)) return schema;
  const [inner, none] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const { anyOf: _both, ...rest } = schema;
  if (none?.type === 'null' && Array.isArray(inner?.enum))
    return { ...inner, ...rest, enum: [...inner.enum, null] };
  if (none?.type === 'null' && typeof inner?.type === 'string')
    return { ...inner, ...rest, type: [inner.type, 'null'] };
  return type === undefined ? schema : { type, ...schema };
}

type Definitions = Readonly<Record<string, Json>>;

/** Schemas that say the same of most fields, by the name under which those stand once; one may be in another. */
const FAMILIES = {
  EventFields: ['PublicEvent', 'EventDetail'],
  VenueFields: ['Venue', 'ListedVenue'],
  OrganizerFields: ['Organizer', 'ListedOrganizer'],
  TaxonFields: ['ListedCategory', 'ListedZone'],
  PageMeta: ['ListMeta', 'PlacesMeta'],
  Meta: ['PageMeta', 'NoticesMeta', 'ChangesMeta'],
} as const;

const ObjectSchema = v.looseObject({
  properties: v.record(v.string(), v.unknown()),
  required: v.optional(v.array(v.string()), []),
});

/** The definitions with what a family has in common in one of its own, to which each member refers. */
function splitFamily(
  definitions: Definitions,
  [name, members]: readonly [string, readonly string[]],
): Definitions {
  const read = members.map(
    (member) => [member, v.parse(ObjectSchema, definitions[member])] as const,
  );
  const isCommon = (field: string): boolean =>
    new Set(read.map(([, { properties }]) => JSON.stringify(properties[field]))).size === 1;
  const isRequired = (field: string): boolean =>
    isCommon(field) && read.every(([, { required }]) => required.includes(field));
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
  const own = read.map(([member, schema]) => [
    member,
    { ...pickFields(schema, false), allOf: [toRef(name)] },
  ]);
  const [first] = read;
  return {
    ...definitions,
    ...(first && { [name]: pickFields(first[1], true) }),
    ...Object.fromEntries(own),
  };
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A value in which every schema that has a name is a reference, but for what describes it there. */
function refer(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => refer(one, names));
  if (!isJson(value)) return value;
  const { description, ...schema } = value;
  const told = description === undefined ? {} : { description };
  const same = names.get(JSON.stringify(schema));
  if (same !== undefined) return { ...toRef(same), ...told };
  const type = Array.isArray(schema.type) ? schema.type[0] : undefined;
  const nullable = names.get(JSON.stringify({ ...schema, type }));
  if (nullable !== undefined) return { anyOf: [toRef(nullable), { type: 'null' }], ...told };
  // A lower bound of 0 on what the service returns tells a client nothing.
  const keywords = Object.entries(value).filter(([key, bound]) => key !== 'minimum' || bound !== 0);
  return Object.fromEntries(keywords.map(([key, inner]) => [key, refer(inner, names)]));
}

/** All of them, what several say once. Throws where a schema cannot be written as JSON Schema. */
export function buildSchemas(): Json {
  const written = toJsonSchemaDefs(NAMED, {
    target: 'draft-2020-12',
    errorMode: 'throw',
    overrideSchema: ({ jsonSchema }) => shorten(openObject({ ...jsonSchema })),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  const definitions: Definitions = Object.fromEntries(
    Object.entries(written).map(([name, definition]) => [name, { ...definition }]),
  );
  const names = new Map(
    Object.entries(definitions).map(([name, definition]) => [JSON.stringify(definition), name]),
  );
  const shared = Object.entries(definitions).map(([name, definition]) => [
    name,
    Object.fromEntries(
      Object.entries(definition).map(([key, inner]) => [key, refer(inner, names)]),
    ),
  ]);
  return Object.entries(FAMILIES).reduce(splitFamily, Object.fromEntries(shared));
}
