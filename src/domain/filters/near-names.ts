// Which parameter somebody meant who wrote its name almost right (contract 7.7).
import damerauLevenshtein from 'damerau-levenshtein';
import { fold } from '../folding.ts';
import { EVENT_PARAMETERS } from './filters.ts';

/** What people write by habit, folded, and the parameter that it stands for. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  EVENT_PARAMETERS.flatMap(({ name, other_names }) =>
    other_names.map((other): [string, string] => [other, name]),
  ),
);

/** The words by which other APIs change an answer, and what is to be done here (contract 7.8). */
const FOREIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ...['page', 'offset'].map((word): [string, string] => [
    word,
    "A list goes on at the address of its Link header, which has a 'cursor'; a calendar takes 'from' and 'to'",
  ]),
  ...['sort', 'order', 'order_by', 'sort_by'].map((word): [string, string] => [
    word,
    'The order is always by start, then title',
  ]),
  ['fields', 'Every answer has all of its fields'],
]);

/** What to do instead of a word of other APIs, as a sentence; null for any other name. */
export const findForeignAdvice = (name: string, known: readonly string[]): string | null =>
  known.includes('limit') ? (FOREIGN_WORDS.get(fold(name).replaceAll('-', '_')) ?? null) : null;

/** Shorter names are too near to everything: `ref` is no `free`, `id` is no `q`. */
const MIN_LENGTH = 4;
/** From this length two wrong letters are still the same word. */
const LONG_LENGTH = 6;

/**
 * The known parameter that a wrong name comes near to, or null: another case or accent, a habit, a
 * wrong letter. A name of `others` is no slip of another.
 */
export function findNearName(
  name: string,
  known: readonly string[],
  others: ReadonlySet<string> = new Set(),
): string | null {
  const folded = fold(name).replaceAll('-', '_');
  const other = OTHER_NAMES.get(folded);
  if (other !== undefined && known.includes(other)) return other;
  const same = known.find((k) => fold(k) === folded);
  if (same !== undefined || folded.length < MIN_LENGTH || others.has(folded)) return same ?? null;
  return (
    known.find(
      (k) => k.length >= MIN_LENGTH && editDistance(folded, k) <= (k.length < LONG_LENGTH ? 1 : 2),
    ) ?? null
  );
}

/** Names whose lengths differ by more are never near, so no distance is worked out. */
const MAX_DISTANCE = 2;

/**
 * Letters added, lost, changed or swapped with their neighbour between two words
 * (Damerau-Levenshtein); the longer length where their lengths differ by more than two.
 */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_DISTANCE) return Math.max(a.length, b.length);
  return damerauLevenshtein(a, b).steps;
}
