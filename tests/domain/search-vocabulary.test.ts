// Words that mean the same: one entry in a text brings all of its list, and of no other.
import { describe, expect, test } from 'vitest';
import { createAddWords } from '../../src/domain/search-vocabulary.ts';

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
