// How long an answer is taken to be: never shorter than it is, and of what people write not much longer.
import { describe, expect, test } from 'vitest';
import { cutText, estimateTokens } from '../../src/mcp/answer.ts';
import { countWords } from '../fixtures/count-tokens.ts';

describe('tokens are estimated', () => {
  test.each([
    'Música y comida en la plaza, con entrada libre; lleva silla y algo para el sol. ',
    'Live music and food in the square, free entry; bring a chair and something for the sun. ',
    '- [Feria diaria](https://hoy.example/eventos/feria-diaria) · 10:00 a 14:00 · Gratis · Mercados. ',
  ])('%s', (text) => {
    const long = text.repeat(50);
    const counted = countWords(long);
    expect(estimateTokens(long)).toBeGreaterThanOrEqual(counted);
    expect(estimateTokens(long)).toBeLessThanOrEqual(counted * 1.5);
  });
  test.each(['坎昆本地节日音乐会', '🎉🌮👩‍👩‍👧🏖️', 'AbCdEfGh0123', '%E5%9D%8E'])(
    'enough of %s',
    (text) => {
      expect(estimateTokens(text.repeat(50))).toBeGreaterThanOrEqual(countWords(text.repeat(50)));
    },
  );
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
