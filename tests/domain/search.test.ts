// What a searched word finds: beginnings, both numbers, other forms, one slip, words for the same.
import damerauLevenshtein from 'damerau-levenshtein';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toWords } from '../../src/domain/folding.ts';
import {
  createAddWords,
  dropSilent,
  isOneSlipApart,
  nearlyMatchesWord,
  sharesStem,
  toOtherNumbers,
} from '../../src/domain/search.ts';
import { createWordIndex, matchWords } from '../../src/snapshot/word-index.ts';

const toPairs = (text: string): string[][] => text.split(', ').map((pair) => pair.split(' '));

test.each([
  ['musica', true],
  ['MUS', true],
  ['luum', true],
  ['lu’um', true],
  ['lu um', true],
  ['malecon noche', true],
  ['noches', true],
  ['sica', false],
  ['noche jazz', false],
  ['', false],
])('%j finds a text of its words: %s', (q, found) => {
  const text = 'Noche de música cubana en el Malecón, casa Lu’um';
  expect([...matchWords(createWordIndex([text]), toWords(q), 1).marks]).toEqual([Number(found)]);
});

test.each([
  [
    'museos museo, museo museos, exposiciones exposicion, exposicion exposiciones, luces luz, luz luces, markets market, parties party, party parties, beaches beach',
    true,
  ],
  ['lunes luna, mas ma, gas gala, islas isleta', false],
])('either number of a word: %s: %s', (pairs, found) => {
  for (const [wanted = '', word = ''] of toPairs(pairs))
    expect(word.startsWith(wanted) || toOtherNumbers(wanted).includes(word), wanted).toBe(found);
});

test.each([
  ['musca musica, muisca musica, carnavl carnaval, muusica musica', true],
  ['mucisa musica, taco taca', false],
])('one slip: %s: %s', (pairs, forgiven) => {
  for (const [wanted = '', word = ''] of toPairs(pairs))
    expect(nearlyMatchesWord(wanted, word), wanted).toBe(forgiven);
});

test('one slip is what Damerau and Levenshtein count as one', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isOneSlipApart(a, b)).toBe(damerauLevenshtein(a, b).steps === 1);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  [
    'artesanal artesanias, navidenos navidena, cubano cubana, reciclar reciclado, observar observacion, recycle recycling, painted painting, folcloricos folclorica',
    true,
  ],
  ['lunes luna, mar marea, carta carne, planeta planes, parque parquimetro, museo musica', false],
])('two forms of one word: %s: %s', (pairs, same) => {
  for (const [a = '', b = ''] of toPairs(pairs)) expect(sharesStem(a, b), a).toBe(same);
});

test.each([
  ['cosas que hacer con ninos', 'ninos'],
  ['things to do', 'things to do'],
  ['feria', 'feria'],
])('of %s it asks for %s', (wanted, telling) => {
  expect(dropSilent(wanted.split(' ')).join(' ')).toBe(telling);
});

const addWords = createAddWords({
  same: [
    ['niño', 'kid', 'children'],
    ['día de muertos', 'day of the dead'],
  ],
});
test.each([
  ['Taller para niños', ['niño', 'kid', 'children']],
  ['Fun for kids', ['niño', 'kid', 'children']],
  ['tag dia-de-muertos', ['día de muertos', 'day of the dead']],
  ['El día de los muertos de risa', []],
  ['Kidney beans', []],
])('%s is found by other words for the same', (text, words) => {
  expect(addWords(text)).toEqual(words);
});
