// The word index: every folded word and the events that have it, so that `q` finds words and word
// beginnings (contract 7.13).
import type { Database } from 'better-sqlite3';
import { toWords } from '../domain/folding.ts';
import { readIntegers, readTexts, toTextBytes } from './arrays.ts';

export interface WordIndex {
  /** All words, sorted by code units. */
  readonly words: readonly string[];
  /** Where the events of word i begin in `postings`; one more entry than words. */
  readonly offsets: Int32Array;
  /** Event positions. */
  readonly postings: Int32Array;
}

/** The arrays of a word index over texts by event position. */
export function buildWordArrays(texts: readonly string[]): {
  words: Uint8Array;
  offsets: Int32Array;
  postings: Int32Array;
} {
  const found = new Map<string, number[]>();
  texts.forEach((text, position) => {
    for (const word of new Set(toWords(text))) {
      const positions = found.get(word);
      if (positions) positions.push(position);
      else found.set(word, [position]);
    }
  });
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

/**
 * Marks (1) the events that have, for every wanted word, a word that begins with it. None for a
 * query without words.
 */
export function markMatches(
  index: WordIndex,
  wanted: readonly string[],
  event_count: number,
): Uint8Array {
  const hits = new Uint8Array(event_count);
  wanted.forEach((word, round) => {
    let i = lowerBound(index.words, word);
    const first = index.offsets[i] ?? 0;
    while (i < index.words.length && index.words[i]?.startsWith(word)) i += 1;
    const last = index.offsets[i] ?? 0;
    for (let p = first; p < last; p += 1) {
      const event = index.postings[p] ?? 0;
      if (hits[event] === round) hits[event] = round + 1;
    }
  });
  return hits.map((count) => (wanted.length > 0 && count === wanted.length ? 1 : 0));
}
