// The structured half is what its schema names: nothing that says nothing, and nothing left out that is unusual.
import { expect, test } from 'vitest';
import { EVENT, EVENT_DETAIL, keep, toList } from '../../src/mcp/output.ts';

const SCHEMA = {
  properties: {
    more: { minimum: 1 },
    tags: toList({}),
    next: { properties: { start: {}, end_known: { const: false } } },
    dates: toList({ $ref: '#/properties/next' }),
    cursor: { type: ['string', 'null'] },
  },
};

test.each([
  [{ more: 0, next: null, dates: [] }, {}],
  [{ next: { start: 'a', end_known: true } }, { next: { start: 'a' } }],
  [{ next: { end_known: false } }, { next: { end_known: false } }],
  [
    { tags: [], cursor: null },
    { tags: [], cursor: null },
  ],
  [{ dates: [{ start: 'a', id: 1 }], secret: 1 }, { dates: [{ start: 'a' }] }],
])('of %o it keeps %o', (value, kept) => {
  expect(keep(value, SCHEMA, SCHEMA)).toEqual(kept);
});

test.each([EVENT, EVENT_DETAIL])('a price that is only last known says so', (schema) => {
  const price = { is_free: false, min: 95 };
  const told = (certainty: string) => keep({ price: { ...price, certainty } }, schema, schema);
  expect(told('last_known')).toEqual({ price: { ...price, certainty: 'last_known' } });
  expect(told('confirmed')).toEqual({ price });
});
