// Senders' text in emails: quoted, without links, never structure or a header (contract 14.24).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteLine, quoteText, defuseLinks } from '../../src/mail/email.ts';

test.each([
  ['Ve a https://malo.example/x?a=1', 'Ve a https: //malo[.]example/x?a=1'],
  ['www.malo.example', 'www[.]malo[.]example'],
  ['escribe a yo@malo.example', 'escribe a yo @ malo[.]example'],
  ['a las 9.30, 1.500 pesos. Fin.', 'a las 9.30, 1.500 pesos. Fin.'],
])('%s becomes no link', (text, expected) => {
  expect(defuseLinks(text)).toBe(expected);
});

test('quotes each line of a sender’s text', () => {
  expect(quoteLine('Uno\nSubject: dos')).toBe('> Uno Subject: dos');
  expect(quoteText('Uno\n-- \nDos')).toBe('> Uno\n> --\n> Dos');
  expect(quoteLine('x'.repeat(500)).length).toBeLessThan(130);
  const unit = fc.constantFrom(...'\r\n\u2028\u0085\0\t>-: @./añ\u202e😀');
  const words = fc.sample(fc.string({ unit, maxLength: 40 }), 200);
  const lines = [...words.map(quoteLine), ...words.flatMap((text) => quoteText(text).split('\n'))];
  expect(lines.filter((line) => !/^> [^\r\n\u2028\u0085]*$/.test(line))).toEqual([]);
});
