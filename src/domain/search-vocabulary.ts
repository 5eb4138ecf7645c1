// The words by which people mean the same: an event that has one of them is found by all
// (contract 7.14).
import { toWords } from './folding.ts';
import { toOtherNumbers } from './search-words.ts';

/** As content/search-words.yml has it: words or short phrases, in any language. */
export interface SearchVocabulary {
  /** Each list means one thing. */
  readonly same: readonly (readonly string[])[];
  /** What is free is called so. */
  readonly free: readonly string[];
}

/** Folded words between spaces, so that a phrase is found whole. */
const toLine = (words: readonly string[]): string => ` ${words.join(' ')} `;

/**
 * The further words of a text: of each list that it has an entry of, in either number, all entries.
 * Made once a vocabulary, for every event is asked.
 */
export function createAddWords({
  same,
}: Pick<SearchVocabulary, 'same'>): (text: string) => readonly string[] {
  const lists = same.map((entries) => ({ entries, phrases: entries.map(toWords) }));
  return (text) => {
    const words = toWords(text);
    const line = toLine(words);
    const known = new Set(words.flatMap((word) => [word, ...toOtherNumbers(word)]));
    const has = (phrase: readonly string[]): boolean =>
      phrase.length === 1 ? known.has(phrase[0] ?? '') : line.includes(toLine(phrase));
    return lists.flatMap(({ entries, phrases }) => (phrases.some(has) ? entries : []));
  };
}
