// Docs pages: placeholders are filled in, and lines with an empty one disappear.
import { expect, test } from 'vitest';
import { fillPlaceholders, listPlaceholders } from '../../src/domain/docs-pages.ts';

const VALUES = new Map([
  ['town', 'Mérida'],
  ['zone', ''],
]);

test.each([
  ['In {{town}}, {{town}}', 'In Mérida, Mérida'],
  ['a\nzone {{zone}}\nb', 'a\nb'],
  ['a\nvenue {{venue_slug}} in {{town}}\nb\n', 'a\nb\n'],
  ['{ "id": "{x}" }', '{ "id": "{x}" }'],
])('fills %j as %j', (text, expected) => {
  expect(fillPlaceholders(text, VALUES)).toBe(expected);
});

test('lists all placeholders in order', () => {
  expect(listPlaceholders('{{b}} {a} {{a}} {{b}}')).toEqual(['b', 'a', 'b']);
});
