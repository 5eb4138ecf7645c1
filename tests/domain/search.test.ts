// What a searched word finds: beginnings, both numbers, other forms, one slip, words for the same.
import damerauLevenshtein from 'damerau-levenshtein';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

describe('a text question', () => {
  const TEXT = toWords('Noche de música cubana en el Malecón');
  test.each([
    ['musica', true],
    ['MUS', true],
    ['malecon noche', true],
    ['noches', true],
    ['sica', false],
    ['noche jazz', false],
    ['', false],
  ])('%j: %s', (q, found) => {
    expect([...matchWords(createWordIndex([TEXT]), toWords(q), 1).marks]).toEqual([Number(found)]);
  });
});

describe('either number', () => {
  test.each([
    ['museos', 'museo'],
    ['museo', 'museos'],
    ['exposiciones', 'exposicion'],
    ['exposicion', 'exposiciones'],
    ['luces', 'luz'],
    ['luz', 'luces'],
    ['markets', 'market'],
    ['kids', 'kid'],
    ['parties', 'party'],
    ['party', 'parties'],
    ['beaches', 'beach'],
  ])('%s finds %s', (wanted, word) => {
    expect(word.startsWith(wanted) || toOtherNumbers(wanted).includes(word)).toBe(true);
  });
  test.each([
    ['lunes', 'luna'],
    ['mas', 'ma'],
    ['gas', 'gala'],
    ['islas', 'isleta'],
  ])('%s does not find %s', (wanted, word) => {
    expect(toOtherNumbers(wanted)).not.toContain(word);
  });
});

describe('one slip', () => {
  test.each([
    ['musca', 'musica', true],
    ['muisca', 'musica', true],
    ['carnavl', 'carnaval', true],
    ['muusica', 'musica', true],
    ['mucisa', 'musica', false],
    ['taco', 'taca', false],
  ])('%s for %s: %s', (wanted, word, forgiven) => {
    expect(nearlyMatchesWord(wanted, word)).toBe(forgiven);
  });
  test('is what Damerau and Levenshtein count as one', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(isOneSlipApart(a, b)).toBe(damerauLevenshtein(a, b).steps === 1);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('one word in two forms', () => {
  test.each([
    ['artesanal', 'artesanias'],
    ['navidenos', 'navidena'],
    ['cubano', 'cubana'],
    ['reciclar', 'reciclado'],
    ['observar', 'observacion'],
    ['recycle', 'recycling'],
    ['painted', 'painting'],
    ['folcloricos', 'folclorica'],
  ])('%s and %s', (a, b) => {
    expect(sharesStem(a, b)).toBe(true);
  });
  test.each([
    ['lunes', 'luna'],
    ['mar', 'marea'],
    ['carta', 'carne'],
    ['planeta', 'planes'],
    ['parque', 'parquimetro'],
    ['museo', 'musica'],
  ])('not %s and %s', (a, b) => {
    expect(sharesStem(a, b)).toBe(false);
  });
});

describe('words that say nothing', () => {
  test.each([
    [['cosas', 'que', 'hacer', 'con', 'ninos'], ['ninos']],
    [
      ['things', 'to', 'do'],
      ['things', 'to', 'do'],
    ],
    [['feria'], ['feria']],
  ])('%j leaves %j', (wanted, telling) => {
    expect(dropSilent(wanted)).toEqual(telling);
  });
});

const addWords = createAddWords({
  same: [
    ['niño', 'kid', 'children'],
    ['día de muertos', 'day of the dead'],
  ],
});

describe('a text', () => {
  test.each([
    ['Taller para niños', ['niño', 'kid', 'children']],
    ['Fun for kids', ['niño', 'kid', 'children']],
    ['tag dia-de-muertos', ['día de muertos', 'day of the dead']],
    ['El día de los muertos de risa', []],
    ['Kidney beans', []],
  ])('%s', (text, words) => {
    expect(addWords(text)).toEqual(words);
  });
});
