// Strangers' text as we keep it: what is hidden goes, what is written stays.
import { describe, expect, test } from 'vitest';
import { toCleanLine, toCleanText } from '../../src/domain/clean-text.ts';

describe('a line', () => {
  test.each([
    ['Noche  de\tjazz\n', 'Noche de jazz'],
    ['a\u200bb\u200c\u200d\u2060\ufeffc', 'abc'],
    ['\u202egro.live\u202c', 'gro.live'],
    ['\u2066x\u2069\u061c\u200e', 'x'],
    ['hi\u{e0041}\u{e007f}', 'hi'],
    ['a\u0000b\u001b[31m', 'ab[31m'],
    ['\ud800x', 'x'],
    ['soft\u00adhyphen', 'softhyphen'],
    ['Cancu\u0301n', 'Cancún'],
    ['a\u00a0b\u2003c', 'a b c'],
    ['\u3164\u115f', ''],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
    ['👩🏽‍🚀 ❤️‍🔥', '👩🏽‍🚀 ❤️‍🔥'],
    ['¡Fiesta! ñ Ü “q” — …', '¡Fiesta! ñ Ü “q” — …'],
    ['<b>&amp;</b>', '<b>&amp;</b>'],
    ['e\u200b\u0301', 'é'],
    ['a\u{1d173}b\u{1bca0}c\ufff0\uffff', 'abc'],
    ['\u2800\u2800', ''],
    ['Sol\u2800y mar', 'Sol y mar'],
    ['hola\ufe00\ufe0f\u{e0100}', 'hola'],
    ['1️⃣ ☀️ ✈︎', '1️⃣ ☀️ ✈︎'],
    [`Z${'\u0335\u0348'.repeat(40)}algo`, 'Z\u0335\u0335\u0335\u0335algo'],
    ['Tiếng Việt, ภาษาไทยที่ดี', 'Tiếng Việt, ภาษาไทยที่ดี'],
  ])('%j is %j', (text, clean) => expect(toCleanLine(text)).toBe(clean));
});

describe('a text', () => {
  test.each([
    ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
    ['a\n\n\n\n\nb', 'a\n\nb'],
    ['  a  \n  b  ', 'a\nb'],
    ['a\n\u200b\n\nb', 'a\n\nb'],
    ['\n\n', ''],
  ])('%j is %j', (text, clean) => expect(toCleanText(text)).toBe(clean));

  test('once clean it stays as it is', () => {
    for (const text of ['a\n\nb', '👩‍👩‍👧', 'Cancún'])
      expect(toCleanText(toCleanText(text))).toBe(toCleanText(text));
  });
});
