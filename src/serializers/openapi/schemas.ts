// The wire schemas as JSON Schema 2020-12, named as in the contract, for `#/components/schemas`.
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import { PublicChangeSchema } from '../wire/change.ts';
import { EventDetailSchema, OccurrenceSchema, PublicEventSchema } from '../wire/event.ts';
import { DayDetailSchema } from '../wire/day.ts';
import {
  ChangesMetaSchema,
  ErrorSchema,
  ListMetaSchema,
  MetaSchema,
  NoticesMetaSchema,
  PlacesMetaSchema,
} from '../wire/meta.ts';
import { PublicNoticeSchema } from '../wire/notice.ts';
import { ListedOrganizerSchema, PublicOrganizerSchema } from '../wire/organizer.ts';
import { TaxonSchema } from '../../domain/taxon.ts';
import { ListedCategorySchema, ListedZoneSchema } from '../wire/taxon.ts';
import { ListedVenueSchema, PublicVenueSchema } from '../wire/venue.ts';

export type Json = Readonly<Record<string, unknown>>;

const NAMED = {
  Taxon: TaxonSchema,
  Occurrence: OccurrenceSchema,
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

export const refTo = (name: SchemaName): Json => ({ $ref: `#/components/schemas/${name}` });

/**
 * An object may gain fields within v1 (contract 15.3), so the schema does not say that there are
 * no others.
 */
function openObject(schema: Json): Json {
  const { additionalProperties: _closed, ...rest } = schema;
  return rest;
}

/** `{type: 'string'}` or null as `{type: ['string', 'null']}`, the shorter form of the same. */
function shortenNullable(schema: Json): Json {
  const [inner, none] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const is_simple =
    typeof inner?.type === 'string' && inner.enum === undefined && none?.type === 'null';
  if (!is_simple) return schema;
  const { anyOf: _both, ...rest } = schema;
  return { ...inner, ...rest, type: [inner.type, 'null'] };
}

/** All of them. Throws where a schema cannot be written as JSON Schema. */
export function toSchemas(): Json {
  return toJsonSchemaDefs(NAMED, {
    target: 'draft-2020-12',
    errorMode: 'throw',
    overrideSchema: ({ jsonSchema }) => shortenNullable(openObject({ ...jsonSchema })),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
}
