// Word index: maps every folded word to the texts that contain it. `q` matches words and prefixes, singular and plural,
// other forms, and words with a typing error (contract 7.13, 7.15).
import { splitSearchWords } from '../domain/text-folding.ts';
import {
  removeStopWords,
  MAX_SHORT_LENGTH,
  MIN_FUZZY_LENGTH,
  isFuzzyMatch,
  sharesStem,
  type SpellingCorrection,
  switchGrammaticalNumber,
  phoneticKey,
  stemWord,
} from '../domain/word-matching.ts';

export interface WordIndex {
  /** All words, sorted by code units. */
  readonly words: readonly string[];
  /** By word: the positions of the texts that contain it. */
  readonly postings: readonly (readonly number[])[];
}

/** One index for each searchable kind of record. */
export type WordIndexes = Readonly<Record<'event' | 'venue' | 'organizer' | 'notice', WordIndex>>;

export function createWordIndex(texts: Iterable<string>): WordIndex {
  const positions_by_word = new Map<string, number[]>();
  let position = 0;
  for (const text of texts) {
    for (const word of new Set(splitSearchWords(text))) {
      const positions = positions_by_word.get(word);
      if (positions) positions.push(position);
      else positions_by_word.set(word, [position]);
    }
    position += 1;
  }
  const words = [...positions_by_word.keys()].sort();
  return { words, postings: words.map((word) => positions_by_word.get(word) ?? []) };
}

/** Returns the position of the first word that is not less than `prefix`. */
function lowerBound(words: readonly string[], prefix: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lists the words with a prefix that satisfy a condition. */
function listByPrefix(
  { words }: WordIndex,
  prefix: string,
  isMatch: (word: string) => boolean = () => true,
): readonly number[] {
  const matches: number[] = [];
  for (let at = lowerBound(words, prefix); words[at]?.startsWith(prefix); at += 1)
    if (isMatch(words[at] ?? '')) matches.push(at);
  return matches;
}

const isShortKnownWord = ({ words }: WordIndex, searched: string): boolean =>
  searched.length <= MAX_SHORT_LENGTH && words[lowerBound(words, searched)] === searched;

/**
 * Lists the strict matches of a searched word: words with it as a prefix, and its other grammatical number. A short word
 * that is in the index matches only itself and its plurals.
 */
const listStrict = (index: WordIndex, searched: string): readonly number[] => [
  ...listByPrefix(
    index,
    searched,
    isShortKnownWord(index, searched)
      ? (word) => ['', 's', 'es'].includes(word.slice(searched.length))
      : undefined,
  ),
  ...switchGrammaticalNumber(searched).flatMap((word) =>
    listByPrefix(index, word, (each) => each === word),
  ),
];

/** Lists the other forms of a searched word, which all start with its stem. */
const listForms = (index: WordIndex, searched: string): readonly number[] =>
  listByPrefix(index, stemWord(searched), (word) => sharesStem(searched, word));

/** Shorter words and phonetic keys match too many words. */
const MIN_PART_LENGTH = 3;

/** Word positions by phonetic key, cached per index; computed on the first search without a strict match. */
const POSITIONS_BY_SOUND = new WeakMap<WordIndex, ReadonlyMap<string, readonly number[]>>();

function listBySound(index: WordIndex, searched: string): readonly number[] {
  const by_sound =
    POSITIONS_BY_SOUND.get(index) ??
    Map.groupBy(index.words.keys(), (at) => phoneticKey(index.words[at] ?? ''));
  POSITIONS_BY_SOUND.set(index, by_sound);
  return [searched, ...switchGrammaticalNumber(searched)]
    .map(phoneticKey)
    .filter((sound) => sound.length >= MIN_PART_LENGTH)
    .flatMap((sound) => by_sound.get(sound) ?? []);
}

/** Lists the words that sound like a searched word, or differ from it by one typing error. */
const listSimilar = (index: WordIndex, searched: string): readonly number[] =>
  searched.length < MIN_PART_LENGTH
    ? []
    : [
        ...listBySound(index, searched),
        ...(searched.length < MIN_FUZZY_LENGTH
          ? []
          : listByPrefix(index, '', (word) => isFuzzyMatch(searched, word))),
      ];

/** Splits a searched word into two words of the index, as positions: `cocobongo`. @returns null if impossible. */
function splitWord({ words }: WordIndex, searched: string): readonly number[][] | null {
  for (let at = MIN_PART_LENGTH; at <= searched.length - MIN_PART_LENGTH; at += 1) {
    const parts = [searched.slice(0, at), searched.slice(at)].map((part) => {
      const position = lowerBound(words, part);
      return words[position] === part ? [position] : [];
    });
    if (parts.every((part) => part.length > 0)) return parts;
  }
  return null;
}

/** Marks with 1, by position, each text that has a word of every list; no text if there are no lists. */
function markTexts(
  { postings }: WordIndex,
  lists: readonly (readonly number[])[],
  count: number,
): Uint8Array {
  const hits = new Uint8Array(count);
  lists.forEach((words, round) => {
    for (const word of words)
      for (const text of postings[word] ?? []) if (hits[text] === round) hits[text] = round + 1;
  });
  return hits.map((hit) => (lists.length > 0 && hit === lists.length ? 1 : 0));
}

export interface WordMatches {
  /** 1 for each text that matches, by position. */
  readonly marks: Uint8Array;
  /** Corrections of misspelled words; empty if none was necessary. */
  readonly spellings: readonly SpellingCorrection[];
}

/**
 * Marks the texts, of `count`, that have every searched word. If there are none, it ignores stop words and accepts other
 * forms and two words written as one. If there are still none, a word of five letters or more also matches words that
 * sound like it or differ by one typing error (contract 7.13, 7.15). A query without words matches no text.
 */
export function matchWords(
  index: WordIndex,
  searched: readonly string[],
  count: number,
): WordMatches {
  const mark = (lists: readonly (readonly number[])[]) => markTexts(index, lists, count);
  const strict = mark(searched.map((word) => listStrict(index, word)));
  if (searched.length === 0 || strict.includes(1)) return { marks: strict, spellings: [] };
  const significant = removeStopWords(searched);
  const forms = significant.map((word) => [...listStrict(index, word), ...listForms(index, word)]);
  const loose = mark(
    forms.flatMap((words, at) =>
      words.length > 0 ? [words] : (splitWord(index, significant[at] ?? '') ?? [words]),
    ),
  );
  if (loose.includes(1)) return { marks: loose, spellings: [] };
  const similar = significant.map((word) => listSimilar(index, word));
  const marks = mark(forms.map((words, at) => [...words, ...(similar[at] ?? [])]));
  const spellings = significant.flatMap((word, at) =>
    listCorrections(index, marks, word, forms[at] ?? [], similar[at] ?? []),
  );
  return { marks, spellings };
}

/** Returns the correction of a word, if no marked text contains its forms but some contain similar words. */
function listCorrections(
  index: WordIndex,
  marks: Uint8Array,
  word: string,
  forms: readonly number[],
  similar: readonly number[],
): readonly SpellingCorrection[] {
  const isInMarkedText = (position: number): boolean =>
    index.postings[position]?.some((text) => marks[text] === 1) ?? false;
  if (forms.some(isInMarkedText)) return [];
  const read_as = [...new Set(similar)]
    .filter(isInMarkedText)
    .map((position) => index.words[position] ?? '');
  return read_as.length === 0 ? [] : [{ word, read_as }];
}
