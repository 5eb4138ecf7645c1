// Word index: strict matches first, then other forms, then spelling corrections (contract 7.13, 7.15).
import { describe, expect, test } from 'vitest';
import { createWordIndex, matchWords } from '../../src/snapshot/word-index.ts';

/** Returns the matching texts and the corrections. */
function search(texts: readonly string[], ...searched: readonly string[]) {
  const { marks, spellings } = matchWords(createWordIndex(texts), searched, texts.length);
  return {
    matches: texts.filter((_, at) => marks[at] === 1),
    spellings: spellings.map(({ word, read_as }) => `${word}: ${read_as.join()}`).join('; '),
  };
}

test('the index has each word once, sorted, with the positions of its texts', () => {
  const { words, postings } = createWordIndex(['jazz y jazz', 'Salsa', 'jazz, salsa']);
  const pairs = words.map((word, at) => `${word} ${postings[at]?.join()}`);
  expect(pairs).toEqual(expect.arrayContaining(['jazz 0,2', 'salsa 1,2']));
  expect(words).toEqual([...words].sort());
});

describe('a strict match', () => {
  test.each([
    ['a prefix', 'mus', ['musica', 'museo']],
    ['the searched singular and its plural', 'luz', ['luces', 'luz']],
    ['the searched plural and its singular', 'luces', ['luces', 'luz']],
    ['a short word of the index and its plural only', 'bar', ['bar', 'bares']],
  ])('is %s', (_, word, matches) => {
    const texts = ['musica', 'museo', 'luces', 'luz', 'bar', 'bares', 'barrio'];
    expect(search(texts, word)).toEqual({ matches, spellings: '' });
  });
  test('of a short word that is not in the index is a prefix', () => {
    expect(search(['barrio'], 'bar').matches).toEqual(['barrio']);
  });
  test('needs every word in one text', () => {
    expect(search(['jazz', 'salsa', 'jazz salsa'], 'jazz', 'salsa').matches).toEqual([
      'jazz salsa',
    ]);
  });
  test('excludes stop words only if there is no other match', () => {
    expect(search(['noche de jazz', 'jazz'], 'de', 'jazz').matches).toEqual(['noche de jazz']);
    expect(search(['jazz'], 'eventos', 'jazz').matches).toEqual(['jazz']);
  });
  test('of no words is empty', () => {
    expect(search(['jazz']).matches).toEqual([]);
  });
});

describe('without a strict match', () => {
  test('other forms of the stem match, without a correction', () => {
    expect(search(['reciclaje'], 'reciclando')).toEqual({ matches: ['reciclaje'], spellings: '' });
  });
  test('two words written as one match', () => {
    expect(search(['coco bongo'], 'cocobongo')).toEqual({ matches: ['coco bongo'], spellings: '' });
    // Both need three letters.
    expect(search(['co bongo'], 'cobongo').matches).toEqual([]);
  });
  test.each([
    ['a word that sounds alike', 'sargaso', 'sargazo'],
    ['a typing error in five letters', 'salza', 'salsa'],
    ['swapped letters', 'muesos', 'museos'],
  ])('%s is corrected', (_, word, actual) => {
    expect(search([actual], word)).toEqual({ matches: [actual], spellings: `${word}: ${actual}` });
  });
  test('a typing error in a word of four letters does not match', () => {
    expect(search(['jazz'], 'jaxz').matches).toEqual([]);
  });
  test('only the misspelled word is corrected', () => {
    const { spellings } = search(['festival sargazo'], 'festival', 'sargaso');
    expect(spellings).toBe('sargaso: sargazo');
  });
});
