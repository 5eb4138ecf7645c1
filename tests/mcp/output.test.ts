// The structured half is what its schema names: no other field, nothing that says nothing, in the order of
// the schema.
import { expect, test } from 'vitest';
import { EVENT, EVENT_DETAIL, keep, part, SOME, tell, toList } from '../../src/mcp/output.ts';
import { PublicEventSchema } from '../../src/serializers/wire/event.ts';

const OCCURRENCE = { type: 'object', properties: { start: {}, end_known: { const: false } } };
const SCHEMA = {
  type: 'object',
  properties: {
    more: { minimum: 1 },
    tags: toList({}),
    next: OCCURRENCE,
    dates: toList({ $ref: '#/properties/next' }),
    cursor: { type: ['string', 'null'] },
  },
};

test.each([
  ['another field', { secret: 1, more: 2 }, { more: 2 }],
  ['what says nothing', { more: 0, next: null, dates: [] }, {}],
  ['what goes without saying', { next: { start: 'a', end_known: true } }, { next: { start: 'a' } }],
  ['not what is unusual', { next: { end_known: false } }, { next: { end_known: false } }],
  ['not a list that is always there', { tags: [] }, { tags: [] }],
  ['not null where the schema has it', { cursor: null }, { cursor: null }],
  ['another field at a reference', { dates: [{ start: 'a', id: 1 }] }, { dates: [{ start: 'a' }] }],
])('it leaves out %s', (_, value, kept) => {
  expect(keep(value, SCHEMA, SCHEMA)).toEqual(kept);
});

test('a schema has the fields of a wire form that are named, with types but of texts', () => {
  expect(
    tell(PublicEventSchema, 'id tags zone', { price: part('is_free text'), more: SOME }),
  ).toEqual({
    properties: {
      id: {},
      tags: toList({}),
      zone: { properties: { key: {}, name: {} } },
      price: { properties: { is_free: { type: 'boolean' }, text: {} } },
      more: SOME,
    },
  });
  expect(() => tell(PublicEventSchema, 'id titel')).toThrow('titel');
});

test.each([EVENT, EVENT_DETAIL])('a price that is only last known says so', (schema) => {
  const price = { is_free: false, min: 95 };
  const told = (certainty: string) => keep({ price: { ...price, certainty } }, schema, schema);
  expect(told('last_known')).toEqual({ price: { ...price, certainty: 'last_known' } });
  expect(told('confirmed')).toEqual({ price });
});
