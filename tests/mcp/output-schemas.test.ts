// Output schemas: compares the fields of each structured answer with the REST schema, so that a new field is either
// answered or left out on purpose.
import { describe, expect, test } from 'vitest';
import {
  DAY_SCHEMA,
  EVENT_DETAIL_SCHEMA,
  EVENT_SCHEMA,
  listedOutputSchema,
  NOTICES_SCHEMA,
} from '../../src/mcp/output-schemas.ts';
import type { JsonSchema } from '../../src/mcp/tool.ts';
import { TOOLS } from '../../src/mcp/tools/catalog.ts';
import { PublicDaySchema, PublicNoticeSchema } from '../../src/serializers/wire/day.ts';
import { EventDetailSchema, PublicEventSchema } from '../../src/serializers/wire/event.ts';

/** REST fields that the tools leave out, by schema. */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  // A list has one line per event; detalle_evento has the rest.
  'event of a list': [
    'ticket_url',
    'registration_url',
    'languages',
    'indoor',
    'organizer',
    'image',
    'verified',
    'source_published',
    'source_checked',
    'source',
    'source_url',
    'other_source_urls',
    'updated_at',
    'occurrences',
    'dates_in_range',
  ],
  'event detail': ['indoor', 'verified', 'source', 'updated_at'],
  notice: ['written_in'],
  day: [],
};

const fieldsOf = ({ properties, items }: JsonSchema): readonly string[] =>
  items === undefined ? Object.keys(properties ?? {}) : fieldsOf(items);

describe.each([
  ['event of a list', PublicEventSchema.entries, EVENT_SCHEMA],
  ['event detail', EventDetailSchema.entries, EVENT_DETAIL_SCHEMA],
  ['notice', PublicNoticeSchema.entries, NOTICES_SCHEMA],
  ['day', PublicDaySchema.entries, DAY_SCHEMA],
] as const)('%s', (name, entries, schema) => {
  test('has every REST field but the omitted ones', () => {
    const answered = fieldsOf(schema);
    const expected = Object.keys(entries).filter((field) => !OMITTED[name]?.includes(field));
    expect(expected.filter((field) => !answered.includes(field))).toEqual([]);
  });

  test('omits only fields that REST has', () => {
    const known: readonly string[] = Object.keys(entries);
    expect(OMITTED[name]?.filter((field) => !known.includes(field))).toEqual([]);
  });
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
