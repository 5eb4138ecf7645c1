// Ledger: a digest depends on values, not on their notation.
import { expect, test } from 'vitest';
import { digestRecord } from '../../src/domain/ledger.ts';

const FAIR = { title: { es: 'Feria', en: 'Fair' }, price: { min: 0, is_free: false }, tags: ['a'] };

test.each<readonly [string, unknown]>([
  ['keys in another order further in', { ...FAIR, title: { en: 'Fair', es: 'Feria' } }],
  ['undefined', { ...FAIR, image: undefined }],
  ['an empty text', { ...FAIR, note: '' }],
  ['a group of empty ones', { ...FAIR, hours: { open: null, rules: [] } }],
])('the digest is the same with %s', (_, value) => {
  expect(digestRecord(value)).toBe(digestRecord(FAIR));
});

test.each<readonly [string, unknown, unknown]>([
  ['false', { verified: false }, {}],
  ['0', { min: 0 }, {}],
  ['the order of a list', ['a', 'b'], ['b', 'a']],
  ['the position in a list', [null, 'a'], ['a', null]],
  ['the key of a value', { zone: 'a' }, { venue: 'a' }],
])('the digest differs for %s', (_, one, other) => {
  expect(digestRecord(one)).not.toBe(digestRecord(other));
});
