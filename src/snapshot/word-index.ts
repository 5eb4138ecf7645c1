// The word index: every folded word and the events that have it, so that `q` finds words and word
// beginnings, either number, other forms, and forgives a slip (contract 7.13, 7.14, 7.15).
import type { Database } from 'better-sqlite3';
import { toWords } from '../domain/folding.ts';
import {
  dropSilent,
  MIN_FORGIVEN_LENGTH,
  nearlyMatchesWord,
  sharesStem,
  type Spelling,
  toOtherNumbers,
} from '../domain/search-words.ts';
import { toStem } from '../domain/word-stems.ts';
import { readIntegers, readTexts, toTextBytes } from './arrays.ts';

export interface WordIndex {
  /** All words, sorted by code units. */
  readonly words: readonly string[];
  /** Where the events of word i begin in `postings`; one more entry than words. */
  readonly offsets: Int32Array;
  /** Event positions. */
  readonly postings: Int32Array;
}

/** The events that have each word, by their positions with their texts. */
export function findWords(
  texts: Iterable<readonly [position: number, text: string]>,
): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [position, text] of texts)
    for (const word of new Set(toWords(text))) {
      const positions = found.get(word);
      if (positions) positions.push(position);
      else found.set(word, [position]);
    }
  return found;
}

/** The arrays of a word index over texts by event position. */
export function buildWordArrays(texts: readonly string[]): {
  words: Uint8Array;
  offsets: Int32Array;
  postings: Int32Array;
} {
  const found = findWords(texts.entries());
  const words = [...found.keys()].sort();
  const offsets = new Int32Array(words.length + 1);
  words.forEach((word, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + (found.get(word)?.length ?? 0);
  });
  return {
    words: toTextBytes(words),
    offsets,
    postings: Int32Array.from(words.flatMap((word) => found.get(word) ?? [])),
  };
}

/** Reads the index back. */
export function readWordIndex(db: Database): WordIndex {
  return {
    words: readTexts(db)('words'),
    offsets: readIntegers(db)('word_offsets'),
    postings: readIntegers(db)('word_postings'),
  };
}

function lowerBound(words: readonly string[], word: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The words from `first` to before `until` in the index. */
interface Span {
  readonly first: number;
  readonly until: number;
}

/** The words that a searched word finds: those it begins, and its other number. */
function listSpans({ words }: WordIndex, wanted: string): readonly Span[] {
  const first = lowerBound(words, wanted);
  let until = first;
  while (until < words.length && words[until]?.startsWith(wanted)) until += 1;
  const others = toOtherNumbers(wanted).flatMap((word) => {
    const at = lowerBound(words, word);
    return words[at] === word ? [{ first: at, until: at + 1 }] : [];
  });
  return [{ first, until }, ...others];
}

/** The words that are another form of a searched word: its stem begins them all. */
function listStemSpans({ words }: WordIndex, wanted: string): readonly Span[] {
  const stem = toStem(wanted);
  const found: Span[] = [];
  for (let at = lowerBound(words, stem); words[at]?.startsWith(stem); at += 1)
    if (sharesStem(wanted, words[at] ?? '')) found.push({ first: at, until: at + 1 });
  return found;
}

/** The words that a searched word is one slip away from. */
const listNearSpans = ({ words }: WordIndex, wanted: string): readonly Span[] =>
  wanted.length < MIN_FORGIVEN_LENGTH
    ? []
    : words.flatMap((word, at) =>
        nearlyMatchesWord(wanted, word) ? [{ first: at, until: at + 1 }] : [],
      );

/**
 * 1 for each event that has a word of every list, by position; no event where there are no lists.
 */
function markEvents(
  { offsets, postings }: WordIndex,
  lists: readonly (readonly Span[])[],
  event_count: number,
): Uint8Array {
  const hits = new Uint8Array(event_count);
  lists.forEach((spans, round) => {
    for (const { first, until } of spans)
      for (let p = offsets[first] ?? 0; p < (offsets[until] ?? 0); p += 1) {
        const event = postings[p] ?? 0;
        if (hits[event] === round) hits[event] = round + 1;
      }
  });
  return hits.map((count) => (lists.length > 0 && count === lists.length ? 1 : 0));
}

/** What `q` finds. */
export interface WordMatches {
  /** 1 for each event that matches, by position. */
  readonly marks: Uint8Array;
  /** The words that were forgiven a slip; empty where nothing had to be. */
  readonly spellings: readonly Spelling[];
}

/**
 * The events that have every wanted word. Where no event has, words that say nothing are left out
 * and other forms count; where still none has, one slip in each word of five letters or more is
 * forgiven (contract 7.14, 7.15). None for a query without words.
 */
export function matchWords(
  index: WordIndex,
  wanted: readonly string[],
  event_count: number,
): WordMatches {
  const mark = (lists: readonly (readonly Span[])[]) => markEvents(index, lists, event_count);
  const strict = mark(wanted.map((word) => listSpans(index, word)));
  if (wanted.length === 0 || strict.includes(1)) return { marks: strict, spellings: [] };
  const telling = dropSilent(wanted);
  const forms = telling.map((word) => [...listSpans(index, word), ...listStemSpans(index, word)]);
  const loose = mark(forms);
  if (loose.includes(1)) return { marks: loose, spellings: [] };
  const near = telling.map((word) => listNearSpans(index, word));
  const marks = mark(forms.map((spans, at) => [...spans, ...(near[at] ?? [])]));
  return { marks, spellings: toSpellings(index, telling, near, marks) };
}

/** The slips that led to an event. */
const toSpellings = (
  { words, offsets, postings }: WordIndex,
  wanted: readonly string[],
  near: readonly (readonly Span[])[],
  marks: Uint8Array,
): readonly Spelling[] =>
  wanted.flatMap((word, at) => {
    const read_as = (near[at] ?? []).flatMap(({ first }) =>
      postings.subarray(offsets[first], offsets[first + 1]).some((event) => marks[event] === 1)
        ? [words[first] ?? '']
        : [],
    );
    return read_as.length === 0 ? [] : [{ word, read_as }];
  });
