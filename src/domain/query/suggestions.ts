// Suggestions: finds the accepted values that come near an unknown one, for error messages
// (contract 14.75).
import damerauLevenshtein from 'damerau-levenshtein';
import { splitWords } from '../text-folding.ts';

/** Words whose lengths differ by more are not compared letter by letter. */
const MAX_DISTANCE = 2;

/**
 * Counts the letters added, lost, changed or swapped between two words (Damerau-Levenshtein). If
 * their lengths differ by more than two, it returns the longer length instead.
 */
export const editDistance = (a: string, b: string): number =>
  Math.abs(a.length - b.length) > MAX_DISTANCE
    ? Math.max(a.length, b.length)
    : damerauLevenshtein(a, b).steps;

/** Shorter words are too similar to others: `ref` and `free`, `de` and `del`. */
const MIN_LENGTH = 4;
/** From this length, words that differ by two letters are similar; shorter ones by one. */
const LONG_LENGTH = 7;
const MAX_SUGGESTIONS = 3;

const isSimilarWord = (a: string, b: string): boolean =>
  a === b ||
  (Math.min(a.length, b.length) >= MIN_LENGTH &&
    (a.startsWith(b) ||
      b.startsWith(a) ||
      editDistance(a, b) <= (a.length < LONG_LENGTH ? 1 : MAX_DISTANCE)));

/**
 * Finds up to three candidates that share a word with a text, or a similar one, those with the most
 * such words first.
 * @param listNames Lists the names of a candidate, in any language.
 */
export function findSimilar<T>(
  text: string,
  candidates: Iterable<T>,
  listNames: (candidate: T) => readonly string[],
): readonly T[] {
  const words = splitWords(text).filter((word) => word.length >= MIN_LENGTH);
  const countSimilar = (name: string): number => {
    const name_words = splitWords(name);
    return words.filter((word) => name_words.some((other) => isSimilarWord(word, other))).length;
  };
  return [...candidates]
    .map((candidate) => ({
      candidate,
      score: Math.max(0, ...listNames(candidate).map(countSimilar)),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}
