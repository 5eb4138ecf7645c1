// Word index: maps every folded word (lower case, without accents) to the texts that contain it,
// one text per record. The search parameter `q` matches words and prefixes, singular and plural,
// other forms, and words with a typing error (contract 7.13, 7.15). A word position is an index in
// `words`; a text position is the index of a text, from 0.
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

/** The words of all texts, and for each word the texts that contain it: two parallel arrays. */
export interface WordIndex {
  /** All words, sorted by code units. */
  readonly words: readonly string[];
  /** By word position: the positions of the texts that contain the word. */
  readonly postings: readonly (readonly number[])[];
}

/** One index for each searchable kind of record. */
export type WordIndexes = Readonly<Record<'event' | 'venue' | 'organizer' | 'notice', WordIndex>>;

/** Creates the index of texts; their order gives the text positions. */
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

/** Returns the position of the first word that is not less than `prefix`, by binary search. */
function lowerBound(words: readonly string[], prefix: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lists the positions of the words with a prefix that satisfy a condition. */
function listByPrefix(
  { words }: WordIndex,
  prefix: string,
  isMatch: (word: string) => boolean = () => true,
): readonly number[] {
  const matches: number[] = [];
  for (let position = lowerBound(words, prefix); words[position]?.startsWith(prefix); position += 1)
    if (isMatch(words[position] ?? '')) matches.push(position);
  return matches;
}

/** Returns true for a short word that some text contains exactly. */
const isShortKnownWord = ({ words }: WordIndex, searched: string): boolean =>
  searched.length <= MAX_SHORT_LENGTH && words[lowerBound(words, searched)] === searched;

/**
 * Lists the positions of the strict matches of a searched word: words with it as a prefix, and its
 * other grammatical number. A short word that is in the index matches only itself and its plurals.
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
    listByPrefix(index, word, (candidate) => candidate === word),
  ),
];

/** Lists the positions of the other forms of a searched word, which all start with its stem. */
const listForms = (index: WordIndex, searched: string): readonly number[] =>
  listByPrefix(index, stemWord(searched), (word) => sharesStem(searched, word));

/** Minimum letters of a phonetic key or of half a compound; shorter ones match too many words. */
const MIN_PART_LENGTH = 3;

/** Word positions by phonetic key, per index; computed on the first search without a match. */
const POSITIONS_BY_SOUND = new WeakMap<WordIndex, ReadonlyMap<string, readonly number[]>>();

/** Lists the positions of the words that sound like a searched word. */
function listBySound(index: WordIndex, searched: string): readonly number[] {
  const by_sound =
    POSITIONS_BY_SOUND.get(index) ??
    Map.groupBy(index.words.keys(), (position) => phoneticKey(index.words[position] ?? ''));
  POSITIONS_BY_SOUND.set(index, by_sound);
  return [searched, ...switchGrammaticalNumber(searched)]
    .map(phoneticKey)
    .filter((sound) => sound.length >= MIN_PART_LENGTH)
    .flatMap((sound) => by_sound.get(sound) ?? []);
}

/** Lists the positions of the words that sound like a searched word or differ by a typing error. */
const listSimilar = (index: WordIndex, searched: string): readonly number[] =>
  searched.length < MIN_PART_LENGTH
    ? []
    : [
        ...listBySound(index, searched),
        ...(searched.length < MIN_FUZZY_LENGTH
          ? []
          : listByPrefix(index, '', (word) => isFuzzyMatch(searched, word))),
      ];

/**
 * Splits a searched word into two words of the index: `cocobongo` into `coco` and `bongo`.
 * @returns one list with one word position for each half; null if there is no such split.
 */
function splitWord({ words }: WordIndex, searched: string): readonly number[][] | null {
  for (let length = MIN_PART_LENGTH; length <= searched.length - MIN_PART_LENGTH; length += 1) {
    const halves = [searched.slice(0, length), searched.slice(length)].map((half) => {
      const position = lowerBound(words, half);
      return words[position] === half ? [position] : [];
    });
    if (halves.every((positions) => positions.length > 0)) return halves;
  }
  return null;
}

/**
 * Marks with 1, by text position, each text that contains at least one word of every list; no text
 * if there are no lists. A list has the positions of words that match one searched word.
 */
function markTexts(
  { postings }: WordIndex,
  lists: readonly (readonly number[])[],
  count: number,
): Uint8Array {
  /** Number of lists, from the first, of which each text contains a word. */
  const lists_matched = new Uint8Array(count);
  lists.forEach((words, round) => {
    for (const word of words)
      for (const text of postings[word] ?? [])
        if (lists_matched[text] === round) lists_matched[text] = round + 1;
  });
  return lists_matched.map((matched) => (lists.length > 0 && matched === lists.length ? 1 : 0));
}

/** Result of a search. */
export interface WordMatches {
  /** By text position: 1 if the text matches, otherwise 0. */
  readonly marks: Uint8Array;
  /** Corrections of misspelled words; empty if none was necessary. */
  readonly spellings: readonly SpellingCorrection[];
}

/**
 * Marks the texts that have every searched word; `count` is the number of texts in the index. If
 * there are none, it ignores stop words and accepts other forms and two words written as one. If
 * there are still none, a word also matches words that sound like it or, if it has five letters or
 * more, differ by one typing error (contract 7.13, 7.15). A query without words matches no text.
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
    forms.flatMap((positions, i) =>
      positions.length > 0 ? [positions] : (splitWord(index, significant[i] ?? '') ?? [positions]),
    ),
  );
  if (loose.includes(1)) return { marks: loose, spellings: [] };
  const similar = significant.map((word) => listSimilar(index, word));
  const marks = mark(forms.map((positions, i) => [...positions, ...(similar[i] ?? [])]));
  const spellings = significant.flatMap((word, i) =>
    listCorrections(index, marks, word, forms[i] ?? [], similar[i] ?? []),
  );
  return { marks, spellings };
}

/**
 * Returns a list with the correction of a word: the similar words of the marked texts (`read_as`).
 * It is empty if there are none, or if a marked text contains one of the forms of the word.
 * @param forms Word positions, as in `similar`.
 */
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
