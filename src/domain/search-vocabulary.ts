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
  const named = same.flatMap((entries, list) =>
    entries.map((entry) => ({ words: toWords(entry), list })),
  );
  const phrases = named.filter(({ words }) => words.length > 1);
  const by_word = Map.groupBy(named, ({ words }) => (words.length === 1 ? words[0] : undefined));
  return (text) => {
    const words = toWords(text);
    const line = toLine(words);
    const forms = new Set(words.flatMap((word) => [word, ...toOtherNumbers(word)]));
    const there = [
      ...phrases.filter((phrase) => line.includes(toLine(phrase.words))),
      ...[...forms].flatMap((form) => by_word.get(form) ?? []),
    ];
    const lists = new Set(there.map(({ list }) => list));
    return same.filter((_, list) => lists.has(list)).flat();
  };
}
