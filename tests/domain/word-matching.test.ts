// Word matching: prefixes, plurals, stems, sounds, typos and synonyms.
import { expect, test } from 'vitest';
import { splitWords } from '../../src/domain/text-folding.ts';
import {
  isFuzzyMatch,
  sharesStem,
  switchGrammaticalNumber,
} from '../../src/domain/word-matching.ts';
import { createSynonymExpander } from '../../src/domain/search-documents.ts';
import { createWordIndex, matchWords } from '../../src/snapshot/word-index.ts';

test.each([
  ['musica', true],
  ['MUS', true],
  ['luum', true],
  ['lu’um', true],
  ['malecon noche', true],
  ['noches', true],
  // Two words as one, a word by its sound, and stop words.
  ['casaluum', true],
  ['muzika', true],
  ['noche horario', true],
  ['tour de noche', true],
  ['zzzz', false],
  ['sica', false],
  ['noche jazz', false],
  ['', false],
])('%j finds the text: %s', (q, is_found) => {
  const text = 'Noche de música cubana en el Malecón, casa Lu’um, S';
  expect([...matchWords(createWordIndex([text]), splitWords(q), 1).marks]).toEqual([
    Number(is_found),
  ]);
});

test('a short word that exists matches no longer word, and a typo is reported once', () => {
  const index = createWordIndex(['bar frente al mar', 'un barrio', 'los bares', 'un baile']);
  expect([...matchWords(index, ['bar'], 4).marks]).toEqual([1, 0, 1, 0]);
  expect([...matchWords(index, ['barr'], 4).marks]).toEqual([0, 1, 0, 0]);
  const { spellings } = matchWords(index, ['vaile'], 4);
  expect(spellings).toEqual([{ word: 'vaile', read_as: ['baile'] }]);
});

const isOtherNumber = (search_word: string, word: string): boolean =>
  word.startsWith(search_word) || switchGrammaticalNumber(search_word).includes(word);

test.each([
  [isOtherNumber, 'museos museo, funcion funciones, luces luz, luz luces, parties party', true],
  [isOtherNumber, 'lunes luna, mas ma, gas gala, islas isleta, aves av', false],
  [isFuzzyMatch, 'musca musica, muisca musica, carnavl carnaval, muusica musica', true],
  [isFuzzyMatch, 'mucisa musica, taco taca', false],
  [sharesStem, 'tortuguitas tortuga, artesanal artesanias, reciclar reciclado', true],
  [sharesStem, 'painted painting', true],
  [sharesStem, 'lunes luna, mar marea, carta carne, planeta planes, museo musica', false],
])('%o of %s: %s', (matches, pairs, expected) => {
  for (const pair of pairs.split(', ')) {
    const [search_word = '', word = ''] = pair.split(' ');
    expect(matches(search_word, word), pair).toBe(expected);
  }
});

const KIDS = ['niño', 'kid', 'children'];
const DEAD = ['día de muertos', 'day of the dead'];
const findSynonyms = createSynonymExpander({ same: [KIDS, DEAD] });
test.each([
  ['Taller para niños', KIDS],
  ['tag dia-de-muertos', DEAD],
  ['Kidney beans', []],
])('%s has the synonyms %j', (text, words) => {
  expect(findSynonyms(text)).toEqual(words);
});
