// How long an answer is taken to be: never shorter than it is, and of what people write not much longer.
import { expect, test } from 'vitest';
import { cutText, estimateTokens } from '../../src/mcp/answer.ts';
import { countWords } from '../fixtures/count-tokens.ts';

test.each([
  ['Música y comida en la plaza, con entrada libre; lleva silla y algo para el sol. ', 1.5],
  ['Live music and food in the square, free entry; bring a chair for the sun. ', 1.5],
  [
    '- [Feria diaria](https://hoy.example/eventos/feria-diaria) · 10:00 a 14:00 · Gratis · Mercados. ',
    1.5,
  ],
  ['坎昆本地节日音乐会', Infinity],
  ['🎉🌮👩‍👩‍👧🏖️', Infinity],
  ['AbCdEfGh0123', Infinity],
  ['%E5%9D%8E', Infinity],
])('the tokens of %s are not too few, nor %s times too many', (text, most) => {
  const long = text.repeat(50);
  const ratio = estimateTokens(long) / countWords(long);
  expect(ratio).toBeGreaterThanOrEqual(1);
  expect(ratio).toBeLessThanOrEqual(most);
});

test.each([
  ['as it is', 'uno dos tres', 12, 'uno dos tres'],
  ['at the end of a word', 'uno dos tres', 11, 'uno dos…'],
  ['anywhere, where there is no space', 'abcdefgh', 5, 'abcd…'],
  ['not within a sign', 'abc🎉🎉', 5, 'abc…'],
  ['no address', 'https://hoy.example/eventos', 5, 'https://hoy.example/eventos'],
])('a text is cut %s', (_, text, characters, cut) => {
  expect(cutText(text, { characters })).toBe(cut);
});
