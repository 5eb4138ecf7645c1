// The word index: every folded word and the texts that have it, so that `q` finds words and word
// beginnings, either number, other forms, and forgives a slip (contract 7.13, 7.15).
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
  /** By word: the positions of the texts that have it. */
  readonly holders: readonly (readonly number[])[];
}

/** One for each kind of thing that is searched. */
export type WordIndexes = Readonly<Record<'event' | 'venue' | 'organizer' | 'notice', WordIndex>>;

export function createWordIndex(texts: Iterable<string>): WordIndex {
  const found = new Map<string, number[]>();
  let position = 0;
  for (const text of texts) {
    for (const word of new Set(splitSearchWords(text))) {
      const holders = found.get(word);
      if (holders) holders.push(position);
      else found.set(word, [position]);
    }
    position += 1;
  }
  const words = [...found.keys()].sort();
  return { words, holders: words.map((word) => found.get(word) ?? []) };
}

function firstReaching(words: readonly string[], beginning: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < beginning) low = middle + 1;
    else high = middle;
  }
  return low;
}

function listBeginning(
  { words }: WordIndex,
  beginning: string,
  holds: (word: string) => boolean = () => true,
): readonly number[] {
  const found: number[] = [];
  for (let at = firstReaching(words, beginning); words[at]?.startsWith(beginning); at += 1)
    if (holds(words[at] ?? '')) found.push(at);
  return found;
}

const isShort = ({ words }: WordIndex, wanted: string): boolean =>
  wanted.length <= MAX_SHORT_LENGTH && words[firstReaching(words, wanted)] === wanted;

/**
 * The words that a searched word finds: those it begins, and its other number. A short one that is there as it
 * stands begins no other.
 */
const listStrict = (index: WordIndex, wanted: string): readonly number[] => [
  ...listBeginning(
    index,
    wanted,
    isShort(index, wanted)
      ? (word) => ['', 's', 'es'].includes(word.slice(wanted.length))
      : undefined,
  ),
  ...switchGrammaticalNumber(wanted).flatMap((word) =>
    listBeginning(index, word, (each) => each === word),
  ),
];

/** The words that are another form of a searched word: its stem begins them all. */
const listForms = (index: WordIndex, wanted: string): readonly number[] =>
  listBeginning(index, stemWord(wanted), (word) => sharesStem(wanted, word));

/** Shorter words and sounds are part of too many others. */
const MIN_PART_LENGTH = 3;

/** How the words of an index sound, as positions; made when something is first not found. */
const SOUNDS = new WeakMap<WordIndex, ReadonlyMap<string, readonly number[]>>();

function listSounding(index: WordIndex, wanted: string): readonly number[] {
  const known =
    SOUNDS.get(index) ??
    Map.groupBy(index.words.keys(), (at) => phoneticKey(index.words[at] ?? ''));
  SOUNDS.set(index, known);
  return [wanted, ...switchGrammaticalNumber(wanted)]
    .map(phoneticKey)
    .filter((sound) => sound.length >= MIN_PART_LENGTH)
    .flatMap((sound) => known.get(sound) ?? []);
}

/** The words that a searched word sounds like, or is one slip away from. */
const listNear = (index: WordIndex, wanted: string): readonly number[] =>
  wanted.length < MIN_PART_LENGTH
    ? []
    : [
        ...listSounding(index, wanted),
        ...(wanted.length < MIN_FUZZY_LENGTH
          ? []
          : listBeginning(index, '', (word) => isFuzzyMatch(wanted, word))),
      ];

/** The two words that were written as one, as positions: `cocobongo`; null where it is no such thing. */
function splitWord({ words }: WordIndex, wanted: string): readonly number[][] | null {
  for (let at = MIN_PART_LENGTH; at <= wanted.length - MIN_PART_LENGTH; at += 1) {
    const parts = [wanted.slice(0, at), wanted.slice(at)].map((part) => {
      const position = firstReaching(words, part);
      return words[position] === part ? [position] : [];
    });
    if (parts.every((part) => part.length > 0)) return parts;
  }
  return null;
}

/** 1 for each text that has a word of every list, by position; for none where there are no lists. */
function markTexts(
  { holders }: WordIndex,
  lists: readonly (readonly number[])[],
  count: number,
): Uint8Array {
  const hits = new Uint8Array(count);
  lists.forEach((words, round) => {
    for (const word of words)
      for (const text of holders[word] ?? []) if (hits[text] === round) hits[text] = round + 1;
  });
  return hits.map((hit) => (lists.length > 0 && hit === lists.length ? 1 : 0));
}

export interface WordMatches {
  /** 1 for each text that matches, by position. */
  readonly marks: Uint8Array;
  /** The words that were forgiven a slip; empty where nothing had to be. */
  readonly spellings: readonly SpellingCorrection[];
}

/**
 * Which of `count` texts have every wanted word. Where none has, words that say nothing are left out,
 * other forms count, and two words written as one; where still none has, a word of five letters or more
 * may be one that sounds like it, or one slip away (contract 7.13, 7.15). None for a query without words.
 */
export function matchWords(
  index: WordIndex,
  wanted: readonly string[],
  count: number,
): WordMatches {
  const mark = (lists: readonly (readonly number[])[]) => markTexts(index, lists, count);
  const strict = mark(wanted.map((word) => listStrict(index, word)));
  if (wanted.length === 0 || strict.includes(1)) return { marks: strict, spellings: [] };
  const telling = removeStopWords(wanted);
  const forms = telling.map((word) => [...listStrict(index, word), ...listForms(index, word)]);
  const loose = mark(
    forms.flatMap((words, at) =>
      words.length > 0 ? [words] : (splitWord(index, telling[at] ?? '') ?? [words]),
    ),
  );
  if (loose.includes(1)) return { marks: loose, spellings: [] };
  const near = telling.map((word) => listNear(index, word));
  const marks = mark(forms.map((words, at) => [...words, ...(near[at] ?? [])]));
  const listMarked = (words: readonly number[] = []): readonly number[] =>
    words.filter((word) => index.holders[word]?.some((text) => marks[text] === 1));
  const spellings = telling.flatMap((word, at) => {
    const is_there = listMarked(forms[at]).length > 0;
    const read_as = is_there
      ? []
      : listMarked([...new Set(near[at])]).map((each) => index.words[each] ?? '');
    return read_as.length === 0 ? [] : [{ word, read_as }];
  });
  return { marks, spellings };
}
