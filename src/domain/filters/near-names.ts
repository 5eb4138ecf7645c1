// Which parameter somebody meant who wrote its name almost right (decisions, Filters 2).
import { fold } from '../folding.ts';
import { EVENT_PARAMETERS } from './filters.ts';

/** What people write by habit, folded, and the parameter that it stands for. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  EVENT_PARAMETERS.flatMap(({ name, other_names }) =>
    other_names.map((other): [string, string] => [other, name]),
  ),
);

/** Shorter names are too near to everything: `ref` is no `free`, `id` is no `q`. */
const MIN_LENGTH = 4;
/** From this length two wrong letters are still the same word. */
const LONG_LENGTH = 6;

/**
 * The known parameter that a wrong name comes near to, or null: another case or accent, a habit, a
 * wrong letter.
 */
export function findNearName(name: string, known: readonly string[]): string | null {
  const folded = fold(name).replaceAll('-', '_');
  const other = OTHER_NAMES.get(folded);
  if (other !== undefined && known.includes(other)) return other;
  const same = known.find((k) => fold(k) === folded);
  if (same !== undefined || folded.length < MIN_LENGTH) return same ?? null;
  return (
    known.find(
      (k) => k.length >= MIN_LENGTH && editDistance(folded, k) <= (k.length < LONG_LENGTH ? 1 : 2),
    ) ?? null
  );
}

/**
 * Letters added, lost, changed or swapped with their neighbour between two words (optimal string
 * alignment).
 */
export function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Math.max(a.length, b.length);
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? at(i - 2, j - 2) + 1
          : Number.POSITIVE_INFINITY;
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped);
    }
  }
  return at(a.length, b.length);
}
