// Output schemas: compares the fields of each structured answer with the REST schema, so that a new field is either
// answered or left out on purpose.
import { toJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, test } from 'vitest';
import { listedOutputSchema } from '../../src/mcp/output-schemas.ts';
import type { JsonSchema } from '../../src/mcp/tool.ts';
import { TOOLS } from '../../src/mcp/tools/catalog.ts';
import { PublicDaySchema, PublicNoticeSchema } from '../../src/serializers/wire/day.ts';
import { EventDetailSchema, PublicEventSchema } from '../../src/serializers/wire/event.ts';
import { PublicChangeSchema } from '../../src/serializers/wire/change.ts';
import { ListedVenueSchema } from '../../src/serializers/wire/venues.ts';

/** REST fields that the tools leave out, with those of nested objects, by tool and field. */
const OMITTED: readonly (readonly [tool: string, field: string, omitted: string])[] = [
  // A list has one line per event; detalle_evento has the rest.
  [
    'buscar_eventos',
    'data',
    `ticket_url registration_url languages indoor organizer image verified source_published source_checked source
    source_url other_source_urls updated_at occurrences dates_in_range price.visitors venue.address venue.lat venue.lng
    venue.zone_lat venue.zone_lng venue.url venue.directions_url`,
  ],
  // The certainty of the event is that of its next date.
  ['buscar_eventos', 'data', 'next.certainty next.confirmed_on'],
  // A date that is called off has no other facts.
  [
    'buscar_eventos',
    'data',
    `called_off.id called_off.end called_off.all_day called_off.time_known called_off.end_known called_off.certainty
    called_off.confirmed_on`,
  ],
  // The channel of its submission, the verification of its organizer (organizer.verified) and the time of its change.
  ['detalle_evento', 'data', 'verified source updated_at'],
  // Distances are measured by the server.
  ['detalle_evento', 'data', 'venue.zone_lat venue.zone_lng'],
  // Every text has its language in the text of the tool.
  ['avisos_hoy', 'data', 'written_in'],
  // `url` and `id` identify a venue, `week` has its hours in words.
  ['lugares', 'data', 'slug url_es url_en hours zone_lat zone_lng'],
  // Its page has these.
  [
    'lugares',
    'data',
    'postal_code social capacity admission_certainty open_place source_published source_checked updated_at',
  ],
  [
    'cambios',
    'data',
    'dates.id dates.end dates.all_day dates.time_known dates.end_known dates.certainty dates.confirmed_on api_url',
  ],
];
const listOmitted = (tool: string, field: string): readonly string[] =>
  OMITTED.filter(([name, answer_field]) => name === tool && answer_field === field).flatMap(
    ([, , omitted]) => omitted.split(/\s+/),
  );

const fieldsOf = ({ properties, items }: JsonSchema): readonly string[] =>
  items === undefined ? Object.keys(properties ?? {}) : fieldsOf(items);

/** Returns the schema of an object within null, lists and references. */
function unwrap(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref, items, anyOf } = schema;
  if ($ref !== undefined) {
    const keys = $ref.split('/').slice(1);
    return unwrap(
      keys.reduce((part, key) => Object(part)[key], root),
      root,
    );
  }
  if (Array.isArray(anyOf))
    return unwrap(
      anyOf.find(({ type }) => type !== 'null'),
      root,
    );
  return items === undefined ? schema : unwrap(items, root);
}

/** Lists the fields of a REST schema that the schema of a tool lacks, nested ones as `price.min`. */
function listMissing(rest: JsonSchema, tool: JsonSchema, root: JsonSchema): readonly string[] {
  const { properties: tool_fields } = unwrap(tool, root);
  if (tool_fields === undefined) return [];
  return Object.entries(unwrap(rest, rest).properties ?? {}).flatMap(([name, field]) => {
    const tool_field = tool_fields[name];
    return tool_field === undefined
      ? [name]
      : listMissing(field, tool_field, root).map((nested) => `${name}.${nested}`);
  });
}

test.each([
  ['buscar_eventos', 'data', PublicEventSchema],
  ['detalle_evento', 'data', EventDetailSchema],
  ['avisos_hoy', 'data', PublicNoticeSchema],
  ['lugares', 'data', ListedVenueSchema],
  ['cambios', 'data', PublicChangeSchema],
  ['eventos_hoy', 'day', PublicDaySchema],
] as const)('%s has in %s every field of REST but the omitted ones', (name, field, schema) => {
  const output: JsonSchema = TOOLS.find((tool) => tool.name === name)?.output ?? {};
  const answer = output.properties?.[field] ?? expect.unreachable();
  const rest: JsonSchema = JSON.parse(
    JSON.stringify(toJsonSchema(schema, { errorMode: 'ignore' })),
  );
  expect([...listMissing(rest, answer, output)].sort()).toEqual(
    [...listOmitted(name, field)].sort(),
  );
});

describe('listedOutputSchema', () => {
  test.each(TOOLS.map((tool) => [tool.name, tool.output] as const))(
    'names every field of the data of %s',
    (_, output) => {
      const data = output.properties?.data ?? {};
      const listed = listedOutputSchema(output, false);
      expect(Object.keys(listed.properties ?? {})).toEqual(Object.keys(output.properties ?? {}));
      expect(fieldsOf(listed.properties?.data ?? {})).toEqual(fieldsOf(data));
      expect(listed.required).toEqual(output.required);
    },
  );
});
