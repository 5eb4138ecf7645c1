// Text cleaning: removes hidden characters and keeps visible ones.
import { expect, test } from 'vitest';
import { cleanLine, cleanText } from '../../src/domain/clean-text.ts';

test.each([
  ['Noche  de\tjazz\n', 'Noche de jazz'],
  ['a\u00a0b\u2003c', 'a b c'],
  ['e\u200b\u0301', 'é'],
  // Invisible characters, direction marks, tags, control characters, lone surrogates.
  ['a\u200bb\u200c\u200d\u2060\ufeffc', 'abc'],
  ['\u202egro.live\u202c \u2066x\u2069\u061c\u200e', 'gro.live x'],
  ['hi\u{e0041}\u{e007f}', 'hi'],
  ['a\u0000b\u001b[31m', 'ab[31m'],
  ['\ud800x a\u{1d173}b\u{1bca0}c\ufff0\uffff', 'x abc'],
  ['\u3164\u115f', ''],
  ['\u2800\u2800Sol\u2800y mar', 'Sol y mar'],
  ['hola\ufe00\ufe0f\u{e0100}', 'hola'],
  [`Z${'\u0335\u0348'.repeat(40)}algo`, 'Z\u0335\u0335\u0335\u0335algo'],
])('cleans the line %j to %j', (text, clean) => expect(cleanLine(text)).toBe(clean));

test.each([
  '👩‍👩‍👧 👩🏽‍🚀 ❤️‍🔥 1️⃣ ☀️ ✈︎',
  '¡Fiesta! ñ Ü “q” — … <b>&amp;</b>',
  'Tiếng Việt, ภาษาไทยที่ดี',
])('keeps the line %s', (text) => expect(cleanLine(text)).toBe(text));

test.each([
  ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['a\n\n\n\n\nb', 'a\n\nb'],
  ['  a  \n  b  ', 'a\nb'],
  ['a\n\u200b\n\nb', 'a\n\nb'],
  ['\n\n', ''],
])('cleans the text %j to %j', (text, clean) => {
  expect(cleanText(text)).toBe(clean);
  expect(cleanText(clean)).toBe(clean);
});
