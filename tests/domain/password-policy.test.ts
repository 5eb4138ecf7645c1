// Password policy: length, distinct characters and the editor's name, on both sides of each edge.
import { expect, test } from 'vitest';
import { isAcceptablePassword, normalizePassword } from '../../src/domain/password-policy.ts';

const SIX_LETTERS = 'abcdef';
test.each([
  ['11 characters', `${SIX_LETTERS}aaaaa`, false],
  ['12 characters', `${SIX_LETTERS}aaaaaa`, true],
  ['200 characters', SIX_LETTERS + 'a'.repeat(194), true],
  ['201 characters', SIX_LETTERS + 'a'.repeat(195), false],
  ['five distinct characters', 'abcdeabcdeabcde', false],
  ['five distinct characters in both cases', 'abcdeABCDEabcde', false],
  ['six distinct characters', 'abcdefabcdef', true],
  ['the name and five others', 'Ximena12345ximena', false],
  ['the name and six others', 'Ximena123456ximena', true],
])('a password of %s is acceptable: %#', (_, password, expected) => {
  expect(isAcceptablePassword(password, 'Ximena')).toBe(expected);
});

test('normalizes compatibility forms and trims', () => {
  expect(normalizePassword(' ｃｌａｖｅ e\u0301 ')).toBe('clave é');
});
