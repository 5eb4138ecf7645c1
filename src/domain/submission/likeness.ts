// Whether two events are likely the same one: the same day, the same place, a like title
// (contract 14.10).
import { fold, toWords } from '../folding.ts';

/** What is compared; days as YYYY-MM-DD. */
export interface Likeable {
  readonly titles: readonly string[];
  readonly days: readonly string[];
  /** The venue's id, and its name where it has no id. */
  readonly venue: string | null;
  readonly venue_name: string | null;
}

/** Words that say nothing of which event it is. */
const COMMON: ReadonlySet<string> = new Set(
  'de del la el los las en y con para un una the of in at and a cancun 2025 2026 2027'.split(' '),
);
/** How like the titles must be at the same place, and anywhere. */
const NEEDED = { same_place: 0.3, elsewhere: 0.6 } as const;

/** 0 to 1: how many words of the shorter text and of both are shared, the mean of the two. */
export const toLikeness = (shared: number, a: number, b: number): number =>
  shared === 0 ? 0 : (shared / Math.min(a, b) + shared / (a + b - shared)) / 2;

const toTitleWords = (title: string): Set<string> =>
  new Set(toWords(title).filter((word) => !COMMON.has(word)));

/** By their telling words. */
export function compareTitles(a: string, b: string): number {
  const [one, other] = [toTitleWords(a), toTitleWords(b)];
  return toLikeness(one.intersection(other).size, one.size, other.size);
}

function isSamePlace(a: Likeable, b: Likeable): boolean {
  if (a.venue !== null && b.venue !== null) return a.venue === b.venue;
  return (
    a.venue_name !== null && b.venue_name !== null && fold(a.venue_name) === fold(b.venue_name)
  );
}

/** Whether a person should look at both. */
export function isLikelyDuplicate(a: Likeable, b: Likeable): boolean {
  if (!a.days.some((day) => b.days.includes(day))) return false;
  const likeness = Math.max(
    0,
    ...a.titles.flatMap((title) => b.titles.map((other) => compareTitles(title, other))),
  );
  return likeness >= (isSamePlace(a, b) ? NEEDED.same_place : NEEDED.elsewhere);
}
