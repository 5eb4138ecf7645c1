// Record override: compares records by value.
import { expect, test } from 'vitest';
import {
  isDeepEqual,
  listChangedFieldNames,
} from '../../../src/domain/override/record-override.ts';

test.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }, true],
  [{ a: undefined }, {}, true],
  [undefined, undefined, true],
  [undefined, null, false],
  [['a', 'b'], ['b', 'a'], false],
  [{ a: '1' }, { a: 1 }, false],
])('%j equals %j: %s', (a, b, expected) => {
  expect(isDeepEqual(a, b)).toBe(expected);
});

test('lists fields that were added, removed or changed', () => {
  const before = { same: { es: 'a', en: 'b' }, changed: 1, removed: true };
  const after = { same: { en: 'b', es: 'a' }, changed: 2, added: null };
  expect(listChangedFieldNames(before, after)).toEqual(['changed', 'removed', 'added']);
});
