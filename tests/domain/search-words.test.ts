// What a searched word finds: beginnings, both numbers, one slip.
import damerauLevenshtein from 'damerau-levenshtein';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toWords } from '../../src/domain/folding.ts';
import {
  isOneSlipApart,
  nearlyMatchesWord,
  toOtherNumbers,
} from '../../src/domain/search-words.ts';
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
